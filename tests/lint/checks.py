#!/usr/bin/env python3
"""Each check has all its parts, each part belongs to a check; what is missing is named.

  checks.py SOURCE_ROOT BINDERY_CHECK
"""
import glob, os, re, subprocess, sys

root, tool = sys.argv[1:3]
wrong = []
listed = re.findall(r"^  '([a-z0-9-]+/[a-z0-9-]+)',$", open(f"{root}/checks/meson.build").read().split("check_sources")[0], re.M)
ids = [n.replace("/", ".") for n in listed]
known = [line.split()[0] for line in subprocess.run([tool, "--list"], capture_output=True, text=True).stdout.split("\n\n")[0].splitlines()]

if listed != sorted(listed):
    wrong.append("the list in checks/meson.build is not sorted")
if known != ids:
    wrong.append(f"--list and checks/meson.build differ: {sorted(set(known) ^ set(ids))}")
for path in glob.glob(f"{root}/checks/*/*.c"):
    text = open(path).read()
    name = os.path.relpath(path, root + "/checks")[:-2]
    if "DIAG_CHECK(" not in text:
        continue
    if name not in listed:
        wrong.append(f"checks/{name}.c is not in the list of checks/meson.build")
    for needle in (f"DIAG_CHECK({name.replace('/', '_').replace('-', '_')})", f'.id = "{name.replace("/", ".")}"'):
        if needle not in text:
            wrong.append(f"checks/{name}.c lacks {needle}")
for check in ids:
    page = f"{root}/docs/checks/{check}.md"
    if not os.path.exists(page):
        wrong.append(f"docs/checks/{check}.md is missing")
    else:
        text = open(page).read()
        for heading in ("## What it means", "## Impact", "## How to confirm", "## How to fix"):
            if heading not in text:
                wrong.append(f"docs/checks/{check}.md has no '{heading}'")
    cases = [c for c in glob.glob(f"{root}/tests/checks/{check}/*") if os.path.isdir(c)]
    expected = "".join(open(c + "/expected.json").read() for c in cases if os.path.exists(c + "/expected.json"))
    for status, what in (('"findings",', "fires"), ('"pass"', "stays quiet"), ('"skipped"', "lacks the data")):
        if f'"status": {status}' not in expected:
            wrong.append(f"tests/checks/{check}/ has no case that {what}")
for path in glob.glob(f"{root}/docs/checks/*.md"):
    if os.path.basename(path)[:-3] not in ids + ["README"]:
        wrong.append(f"docs/checks/{os.path.basename(path)} belongs to no check")
for path in glob.glob(f"{root}/tests/checks/*/"):
    if os.path.basename(path[:-1]) not in ids:
        wrong.append(f"tests/checks/{os.path.basename(path[:-1])}/ belongs to no check")
rules = open(f"{root}/checks/causes.c").read()
for glob_ in set(re.findall(r'\{ "([^"]+)", "([^"]+)", "', rules)):
    for g in glob_:
        if not any(re.fullmatch(g.replace(".", r"\.").replace("*", ".*"), i) for i in ids):
            wrong.append(f"checks/causes.c: no check matches '{g}'")
print("\n".join(wrong) or f"{len(ids)} checks are complete")
sys.exit(bool(wrong))
