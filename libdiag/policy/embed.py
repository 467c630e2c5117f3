#!/usr/bin/env python3
"""A text file as a C string literal.

  embed.py INPUT OUTPUT
"""
import json, sys

with open(sys.argv[1]) as text, open(sys.argv[2], "w") as out:
    out.writelines(json.dumps(line, ensure_ascii=True) + "\n" for line in text)
