#!/usr/bin/env python3
"""Every `console` example in the docs runs in the source root and prints what it says, the number of checks aside; local links lead somewhere.

  docs.py SOURCE_ROOT BINDERY_CHECK
"""
import glob, os, re, subprocess, sys

root, tool = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
env = {**os.environ, "PATH": os.path.dirname(tool) + ":" + os.environ["PATH"]}
pages = [root + "/README.md"] + sorted(glob.glob(root + "/docs/**/*.md", recursive=True))
wrong, examples = [], 0


def plain(text):
    """Without what changes with every new check."""
    return re.sub(r"\b\d+ checks\b", "N checks", text)


for page in pages:
    text = open(page).read()
    name = os.path.relpath(page, root)
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        for command, want in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
            examples += 1
            p = subprocess.run(command, shell=True, cwd=root, env=env, capture_output=True, text=True)
            if plain(p.stdout + p.stderr) != plain(want):
                wrong.append(f"{name}: `{command}` prints\n{p.stdout + p.stderr}not\n{want}")
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        if not os.path.exists(os.path.join(os.path.dirname(page), link)):
            wrong.append(f"{name}: the link {link} leads nowhere")
print("\n".join(wrong) or f"{examples} examples in {len(pages)} pages hold")
sys.exit(bool(wrong) or examples < 3)
