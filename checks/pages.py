#!/usr/bin/env python3
"""The pages of docs/checks as C strings, so that --explain needs no files.

  pages.py OUTPUT PAGE…
"""
import json, os, sys, textwrap


def terminal(text):
    """Paragraphs broken at 80 columns; code, lists and tables as they are."""
    out, code = [], False
    for block in text.split("\n\n"):
        plain = not code and block[:1].isalnum()
        code ^= block.count("```") % 2 == 1
        out.append(textwrap.fill(" ".join(block.split()), 80, break_long_words=False, break_on_hyphens=False) if plain else block)
    return "\n\n".join(out).rstrip("\n") + "\n"


with open(sys.argv[1], "w") as out:
    for path in sys.argv[2:]:
        with open(path) as f:
            lines = terminal(f.read()).splitlines(keepends=True)
        name = os.path.basename(path).removesuffix(".md")
        out.write(f"{{ {json.dumps(name)},\n")
        out.writelines(f"  {json.dumps(line, ensure_ascii=True)}\n" for line in lines)
        out.write("},\n")
