#!/usr/bin/env python3
"""The policy of the gate: configuration, suppressions, baseline, --new-only, through the real binary.

  test-policy.py BINDERY_CHECK RECORDINGS
"""
import json, os, re, shutil, subprocess, sys, tempfile

TOOL, DATA = (os.path.abspath(a) for a in sys.argv[1:3])
ENV = {**os.environ, "LC_ALL": "C.UTF-8"}
BROKEN = DATA + "/version-unsatisfied/manifests.json"  # gateway requires physics.engine ^1.2.0, physics provides 1.1.9
AT = ["--at", "2026-12-01T00:00:00Z"]
tests = []


def test(f):
    tests.append(f)
    return f


def same(got, want, what=""):
    assert got == want, f"{what}: want {want!r}, got {got!r}"


def run(*args, cwd, status=None):
    p = subprocess.run([TOOL, *args], cwd=cwd, env=ENV, capture_output=True, text=True, timeout=60)
    if status is not None:
        same(p.returncode, status, f"{args}: {p.stderr}{p.stdout[-600:]}")
    return p


def write(folder, name, text):
    with open(os.path.join(folder, name), "w") as f:
        f.write(text)


def found(folder, *args):
    p = run("-f", BROKEN, "-o", "json", *AT, *args, cwd=folder)
    return p.returncode, json.loads(p.stdout)


def entry(**fields):
    fields = {"check": "requirement.version", "reason": "provider follows", "owner": "team-arena", "expires": "2027-01-31", **fields}
    return "version: 1\nsuppressions:\n  - " + "\n    ".join(f"{k}: {json.dumps(v)}" for k, v in fields.items()) + "\n"


@test
def severities_and_thresholds(d):
    same(found(d)[0], 1)
    write(d, ".bindery-check.yaml", "version: 1\nseverities:\n  F1*: warning\n  requirement.version: info\n")
    rc, doc = found(d)
    same([f["severity"] for f in doc["findings"] if f["check"] == "requirement.version"], ["info"], "the last line counts")
    write(d, ".bindery-check.yaml", "version: 1\nseverities: {'*': warning}\n")
    same(found(d)[0], 0)
    same(found(d, "--fail-on", "warning")[0], 1, "the command line comes first")
    same(found(d, "--no-config")[0], 1)
    write(d, ".bindery-check.yaml", "version: 1\nfailOn: warning\nseverities: {'*': warning}\n")
    same(found(d)[0], 1)
    os.mkdir(d + "/below")
    same(found(d + "/below", "--fail-on", "error")[0], 0, "found in a folder above")
    write(d, ".bindery-check.yaml", "version: 1\nseverities: {requirement.version: 'off', binding.*: 'off'}\n")
    rc, doc = found(d)
    same([c for c in doc["checks"] if c["id"] == "requirement.version"], [], "off does not run")


@test
def listed_with_its_origin(d):
    write(d, ".bindery-check.yaml", "version: 1\nfailOn: warning\nseverities:\n  pod.image-pull: 'off'\n  F18: info\n" + entry().split("\n", 1)[1])
    out = run("--list", "--grace", "5s", cwd=d, status=0).stdout
    line = next(l for l in out.splitlines() if l.startswith("pod.image-pull "))
    assert " off " in line and line.endswith(".bindery-check.yaml:4)"), line
    assert re.search(r"^fail on warning \(.*\.bindery-check\.yaml:2\)$", out, re.M), out
    assert "\ngrace 5s (command line)\n" in out and "\nshow info (default)\n" in out, out
    assert re.search(r"^suppress requirement\.version until 2027-01-31, team-arena: provider follows \(.*:7\)$", out, re.M), out


@test
def suppressed_by_configuration(d):
    for fields, holds in (({}, True), ({"object": "romeo/ModuleManifest/gateway"}, True), ({"object": "romeo/ModuleManifest/physics"}, False),
                          ({"check": "requirement.*"}, True), ({"check": "pod.*"}, False), ({"file": "*"}, False)):
        write(d, ".bindery-check.yaml", entry(**fields))
        rc, doc = found(d)
        same(rc, 0 if holds else 1, fields)
        known = [f for f in doc["known"] if f["check"] == "requirement.version"]
        same([(f["standing"], f["justification"]) for f in known], [("external", "provider follows (team-arena, until 2027-01-31)")] * holds, fields)
        told = [f for f in doc["findings"] if f["check"] == "policy.suppression"]
        same([f["severity"] for f in told], [] if holds else ["info"], "an unused one is told")
    assert found(d, "--no-config")[1]["known"] == []


@test
def by_file_below_the_configuration(d):
    os.mkdir(d + "/deploy")
    shutil.copy(BROKEN, d + "/deploy/game one.json")
    for glob, status in (("deploy/*", 0), ("deploy/game one.json", 0), ("other/*", 1)):
        write(d, ".bindery-check.yaml", entry(file=glob))
        run("-f", "deploy", *AT, cwd=d, status=status)
        run("-f", "game one.json", *AT, cwd=d + "/deploy", status=status)


@test
def consequences_of_what_is_accepted_do_not_count(d):
    rc, doc = found(d)
    consequences = [f["fingerprint"] for f in doc["findings"] if not f["rootCause"] and f["severity"] == "error"]
    assert consequences, "the recording has an error that follows from another"
    write(d, ".bindery-check.yaml", entry())
    rc, doc = found(d)
    assert set(consequences) <= {f["fingerprint"] for f in doc["known"]}, doc["findings"]


@test
def expired_fails(d):
    write(d, ".bindery-check.yaml", entry(expires="2026-11-30"))
    rc, doc = found(d)
    same(rc, 1)
    told = next(f for f in doc["findings"] if f["check"] == "policy.suppression")
    same((told["severity"], told["message"], told["location"]["line"]), ("error", "the suppression of requirement.version by team-arena expired on 2026-11-30", 3))
    assert doc["known"] == [] and any(f["check"] == "requirement.version" for f in doc["findings"])
    write(d, ".bindery-check.yaml", entry(expires="2026-12-01"))
    same(found(d)[0], 0, "the last day counts")


@test
def mistakes_are_named(d):
    for text, message in (("version: 1\nfailsOn: error\n", "2: there is no setting failsOn; did you mean failOn?"),
                          ("failOn: error\n", "version is missing"),
                          ("version: 2\n", "1: version must be one of 1"),
                          ("version: 1\nshow: all\n", '2: show must be one of "info", "warning", "error"'),
                          ("version: 1\ngrace: soon\n", "2: grace must be a duration such as 30s or 1m30s"),
                          ("version: 1\nseverities: {a: fatal}\n", '2: severities.a must be one of "off", "info", "warning", "error"'),
                          ("version: 1\nsuppressions:\n  - check: a\n", "suppressions[0].reason is missing"),
                          (entry(expires="2027-02-31"), "there is no day 2027-02-31"),
                          (entry(expires="soon"), "suppressions[0].expires must be a day as YYYY-MM-DD"),
                          (entry(fingerprint="x"), "fingerprint must be 16 hexadecimal digits"),
                          ("version: 1\n---\nversion: 1\n", "one document, this file holds 2"),
                          ("version: [\n", "policy.yaml:2: ")):
        write(d, "policy.yaml", text)
        p = run("-f", BROKEN, "--config", "policy.yaml", cwd=d, status=2 if "[\n" not in text else None)
        assert message in p.stderr and "policy.yaml" in p.stderr and p.stdout == "", (text, p.stderr)
        assert p.returncode in (2, 3), p.returncode
    assert "nowhere.yaml" in run("-f", BROKEN, "--config", "nowhere.yaml", cwd=d).stderr


def annotated(d, text):
    with open(BROKEN) as f:
        doc = json.load(f)
    items = doc["items"] if "items" in doc else [doc]
    gateway = next(i for i in items if i["kind"] == "ModuleManifest" and i["metadata"]["name"] == "gateway")
    gateway["metadata"].setdefault("annotations", {})["bindery-check/suppress"] = text
    write(d, "game.json", json.dumps(doc, indent=1))
    p = run("-f", "game.json", "-o", "json", *AT, cwd=d)
    return p.returncode, json.loads(p.stdout)


@test
def suppressed_on_the_object(d):
    rc, doc = annotated(d, "requirement.version by team-arena until 2027-01-31: provider follows\n")
    same(rc, 0)
    same([f["standing"] for f in doc["known"] if f["check"] == "requirement.version"], ["inSource"])
    same(annotated(d, "requirement.scope by team-arena until 2027-01-31: other check")[0], 1)
    same(annotated(d, "requirement.version by team-arena until 2026-01-31: too old")[0], 1)
    for text in ("requirement.version", "requirement.version by a until 2027-01-31:", "requirement.version until 2027-01-31: x",
                 "requirement.version by a until soon: x", "requirement.version by a until 2027-01-31 x"):
        rc, doc = annotated(d, text)
        same(rc, 1)
        assert any(f["check"] == "policy.suppression" and "cannot be read" in f["message"] for f in doc["findings"]), text


@test
def sarif_keeps_what_is_accepted(d):
    write(d, ".bindery-check.yaml", entry())
    p = run("-f", BROKEN, "-o", "sarif", *AT, cwd=d, status=0)
    result = next(r for r in json.loads(p.stdout)["runs"][0]["results"] if r["ruleId"] == "requirement.version")
    same(result["suppressions"], [{"kind": "external", "status": "accepted", "justification": "provider follows (team-arena, until 2027-01-31)"}])
    for fmt in ("text", "short", "junit", "tap", "markdown", "github", "gitlab", "html", "prometheus", "ndjson"):
        out = run("-f", BROKEN, "-o", fmt, *AT, cwd=d, status=0).stdout
        assert "gateway requires" not in out, fmt


@test
def baseline(d):
    assert "base.json" in run("-f", BROKEN, "--baseline", "base.json", cwd=d).stderr
    run("-f", BROKEN, "--baseline", "base.json", "--write-baseline", *AT, cwd=d, status=1)
    first = open(d + "/base.json").read()
    run("-f", BROKEN, "--baseline", "base.json", "--write-baseline", *AT, cwd=d, status=1)
    same(open(d + "/base.json").read(), first, "the same findings give the same bytes")
    rc, doc = found(d, "--baseline", "base.json")
    same((rc, doc["findings"], {f["standing"] for f in doc["known"]}), (0, [], {"unchanged"}))
    entries = json.loads(first)["findings"]
    write(d, "less.json", json.dumps({"version": 1, "findings": [e for e in entries if e["check"] != "requirement.version"]}))
    rc, doc = found(d, "--baseline", "less.json")
    same(rc, 1, "what the baseline does not know counts")
    write(d, "more.json", json.dumps({"version": 1, "findings": entries + [{"fingerprint": "0" * 16, "check": "a.b", "object": "x", "message": "was wrong"}]}))
    rc, doc = found(d, "--baseline", "more.json")
    same((rc, [m["message"] for m in doc["mended"]]), (0, ["was wrong"]))
    assert "mended: was wrong" in run("-f", BROKEN, "--baseline", "more.json", *AT, cwd=d, status=0).stdout
    for text in ("{}", "[]", "{", '{"version":2,"findings":[]}', ""):
        write(d, "bad.json", text)
        p = run("-f", BROKEN, "--baseline", "bad.json", cwd=d)
        assert p.returncode in (2, 3) and "bad.json" in p.stderr and not p.stdout, (text, p)
    run("-f", BROKEN, "--write-baseline", cwd=d, status=2)


@test
def only_what_the_change_breaks_or_mends(d):
    bundle = ["--bundle", DATA + "/version-unsatisfied/bundle.tar.gz"]
    with open(BROKEN) as f:
        text = f.read()
    write(d, "same.json", text)
    p = run(*bundle, "-f", "same.json", "--new-only", "-o", "json", cwd=d, status=0)
    same(json.loads(p.stdout)["findings"], [], "what was wrong before is not the change's")
    doc = json.loads(text)
    for item in doc["items"]:
        for need in item.get("spec", {}).get("requires", []) or []:
            if need.get("capabilityId") == "physics.engine":
                need["versionConstraint"] = "^1.1.0"
    write(d, "mend.json", json.dumps(doc))
    p = run(*bundle, "-f", "mend.json", "--new-only", "-o", "json", cwd=d)
    out = json.loads(p.stdout)
    assert any(m["check"] == "requirement.version" for m in out["mended"]), (out["mended"], p.stderr)
    run("-f", "same.json", "--new-only", cwd=d, status=2)
    run(*bundle, "-f", "same.json", "--new-only", "--baseline", "x", cwd=d, status=2)


for f in tests:
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/.git")  # nothing above it is looked at by anyone's mistake
        f(folder)
print(f"{len(tests)} passed, 0 failed")
