#!/usr/bin/env python3
"""Run the cases of one check, or of all, through the real binary and compare what it finds.

  run-cases.py BINDERY_CHECK CASES_DIR RECORDINGS_DIR [--update] [CHECK_ID…]

CASES_DIR/CHECK_ID/CASE/ holds what goes in and what must come out:

  manifests.yaml   the check runs offline, `-f manifests.yaml`; or
  case.json        {"base": RECORDING, "edit": [EDIT…]}: a recording of a real cluster, changed.
                   "all": true looks at all namespaces (-A) instead of the recording's own.
                   "whole": true runs every check, and expects the evidence and what explains it too.
                   EDIT is {"kind": FOLDER, "name": GLOB, …} with one or more of
                     "set": {"path.to.0.field": VALUE}   "remove": ["path.to.field"]
                     "delete": true                      "add": OBJECT (no name needed)
                   or {"kind": FOLDER, "refuse": MESSAGE}: the list could not be read (an -errors.json)
                   or {"log": "pod-glob/container", "text": TEXT}: the container's log.
                   "namespace" says another namespace than the recording's own.
                   FOLDER is the folder below cluster-resources/, e.g. "pods" or
                   "custom-resources/realms.bindery.platform". "@" at the start of a time value is the
                   recording's own time plus that many seconds: "@-5".
  expected.json    {"status": …, "findings": [{"severity", "subject", "message", "line"?}]} of that check.

--update rewrites expected.json for review.
"""
import copy, datetime, fnmatch, glob, json, os, subprocess, sys, tarfile, tempfile


def collected(recordings, base):
    with open(f"{recordings}/{base}/expected.json") as f:
        return json.load(f)


def unpack(bundle, where):
    with tarfile.open(bundle) as tar:
        tar.extractall(where)
    return glob.glob(where + "/*")[0]


def walk(value, path):
    """The container and key that a dotted path ends at; missing objects are made."""
    keys = path.split(".") if isinstance(path, str) else path
    for key in keys[:-1]:
        value = value[int(key)] if isinstance(value, list) else value.setdefault(key, {})
    return value, int(keys[-1]) if isinstance(value, list) else keys[-1]


def resolve_times(value, now):
    if isinstance(value, dict):
        return {k: resolve_times(v, now) for k, v in value.items()}
    if isinstance(value, list):
        return [resolve_times(v, now) for v in value]
    if isinstance(value, str) and value.startswith("@") and value[1:].lstrip("+-").isdigit():
        return (now + datetime.timedelta(seconds=int(value[1:]))).strftime("%Y-%m-%dT%H:%M:%SZ")
    return value


def change(item, edit, now):
    for path, value in edit.get("set", {}).items():
        container, key = walk(item, path if "/" not in path else path.split("/"))
        container[key] = resolve_times(copy.deepcopy(value), now)
    for path in edit.get("remove", []):
        container, key = walk(item, path if "/" not in path else path.split("/"))
        del container[key]


def edit_list(root, namespace, edit, now):
    namespace = edit.get("namespace", namespace)
    folder = f"{root}/cluster-resources/{edit['kind']}"
    path = f"{folder}/{namespace}.json" if os.path.isdir(folder) or not os.path.exists(folder + ".json") else folder + ".json"
    if "refuse" in edit:
        for old in glob.glob(f"{folder}/*.json") + glob.glob(folder + ".json"):
            os.unlink(old)
        with open(f"{folder}-errors.json", "w") as f:
            json.dump({namespace: edit["refuse"]}, f)
        return
    doc = json.load(open(path)) if os.path.exists(path) else []
    items = doc["items"] if isinstance(doc, dict) else doc
    hits = [i for i in items if fnmatch.fnmatch(i["metadata"]["name"], edit.get("name", "*"))] if "name" in edit else []
    if "name" in edit and not hits:
        sys.exit(f"case edits {edit['kind']}/{edit['name']}, which the recording does not hold")
    for item in hits:
        change(item, edit, now)
        if edit.get("delete"):
            items.remove(item)
    if "add" in edit:
        items.append(resolve_times(edit["add"], now))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        json.dump(doc, f)


def edit_log(root, namespace, edit):
    pod, container = edit["log"].split("/")
    for folder in glob.glob(f"{root}/cluster-resources/pods/logs/{edit.get('namespace', namespace)}/{pod}"):
        with open(f"{folder}/{container}.log", "w") as f:
            f.write(edit["text"])


def build(case, recordings, where):
    with open(case) as f:
        spec = json.load(f)
    about = collected(recordings, spec["base"])
    root = unpack(f"{recordings}/{spec['base']}/bundle.tar.gz", where)
    now = datetime.datetime.strptime(about["collected"], "%Y-%m-%dT%H:%M:%SZ")
    for edit in spec.get("edit", []):
        edit_log(root, about["namespace"], edit) if "log" in edit else edit_list(root, about["namespace"], edit, now)
    subjects = ["-A"] if spec.get("all") else ["-n", about["namespace"]]
    return ["--bundle", root, *subjects, "--at", about["collected"]]


def run(tool, args, check, whole):
    only = [] if whole else ["--only", check]
    p = subprocess.run([tool, *args, *only, "-o", "json"], capture_output=True, text=True, timeout=60)
    try:
        return json.loads(p.stdout)
    except ValueError:
        return {"error": f"exit {p.returncode}, no JSON: {p.stderr.strip()[:300]}"}


def evidence(e):
    return f"{e['object']['kind']} {e.get('path', e['type'])}: {e['value']}"


def brief(doc, check, whole):
    if "error" in doc:
        return doc
    out = {"status": next((c["status"] for c in doc["checks"] if c["id"] == check), "not run"), "findings": []}
    checks = {f["id"]: f["check"] for f in doc["findings"]}
    for f in (f for f in doc["findings"] if f["check"] == check):
        row = {"severity": f["severity"], "subject": f"{f['subject']['kind']}/{f['subject']['name']}", "message": f["message"]}
        if "location" in f:
            row["line"] = f["location"]["line"]
        if whole:
            row["evidence"] = [evidence(e) for e in f["evidence"]]
            row["explained"] = [checks[i] for i in f.get("explainedBy", [])]
        out["findings"].append(row)
    return out


def is_whole(case):
    if not os.path.exists(case):
        return False
    with open(case) as f:
        return json.load(f).get("whole", False)


def grade(tool, check, case, recordings, update):
    with tempfile.TemporaryDirectory() as where:
        if os.path.exists(case + "/manifests.yaml"):
            args = ["-f", case + "/manifests.yaml"]
        else:
            args = build(case + "/case.json", recordings, where)
        whole = is_whole(case + "/case.json")
        got = brief(run(tool, args, check, whole), check, whole)
    path = case + "/expected.json"
    if update:
        with open(path, "w") as f:
            json.dump(got, f, indent=2, ensure_ascii=False)
            f.write("\n")
    want = json.load(open(path)) if os.path.exists(path) else "no expected.json"
    if got == want:
        return True
    print(f"FAIL {check}/{os.path.basename(case)}\n  want {json.dumps(want, ensure_ascii=False)}\n  got  {json.dumps(got, ensure_ascii=False)}")
    return False


def main():
    args = sys.argv[1:]
    update = "--update" in args and not args.remove("--update")
    if len(args) < 3:
        sys.exit(__doc__)
    tool, cases, recordings = args[:3]
    checks = args[3:] or sorted(n for n in os.listdir(cases) if os.path.isdir(f"{cases}/{n}"))
    results = [grade(tool, check, case, recordings, update)
               for check in checks for case in sorted(glob.glob(f"{cases}/{check}/*")) if os.path.isdir(case)]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(0 if results and all(results) else 1)


if __name__ == "__main__":
    main()
