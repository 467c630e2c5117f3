#!/usr/bin/env python3
"""`-o json` against docs/schema/findings.schema.json, on every recording and its manifests.

  test-schema.py BINDERY_CHECK RECORDINGS SCHEMA
"""
import glob, json, subprocess, sys

import jsonschema

tool, recordings, schema = sys.argv[1:4]
validator = jsonschema.Draft202012Validator(json.load(open(schema)))
jsonschema.Draft202012Validator.check_schema(validator.schema)
good = bad = 0
for folder in sorted(glob.glob(recordings + "/*/")):
    for args in (["--bundle", folder + "bundle.tar.gz", "-A"], ["-f", folder + "manifests.json"]):
        out = subprocess.run([tool, *args, "-o", "json"], capture_output=True, text=True).stdout
        errors = [f"{'/'.join(map(str, e.path))}: {e.message}"[:300] for e in validator.iter_errors(json.loads(out))]
        good, bad = good + (not errors), bad + bool(errors)
        if errors:
            print(f"FAIL {args}: {errors[:3]}")
print(f"{good} passed, {bad} failed")
sys.exit(bool(bad) or good < 100)
