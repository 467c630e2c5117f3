#!/usr/bin/env python3
"""Every output format against its grammar: no findings, one, and a thousand with hostile names and messages; then real runs.

  formats.py RENDER_SAMPLE BINDERY_CHECK SOURCE_ROOT

SARIF: our own transcript of the schema (tests/data/schema), and the official one where npm can fetch the package that carries it. JUnit: an XSD, by
xmllint. Prometheus: promtool. TAP, GitHub commands, Markdown and HTML: the parsers below.
"""
import html.parser, json, os, re, shutil, subprocess, sys, tarfile, tempfile, xml.etree.ElementTree as ET
import jsonschema, yaml

SAMPLE, TOOL, ROOT = (os.path.abspath(a) for a in sys.argv[1:4])
DATA = ROOT + "/tests/data"
ENV = {**os.environ, "LC_ALL": "C.UTF-8", "ASAN_OPTIONS": "exitcode=99", "UBSAN_OPTIONS": "exitcode=99"}
FORMATS = subprocess.run([SAMPLE, "--formats"], capture_output=True, text=True, env=ENV).stdout.split()
HOSTILE = subprocess.run([SAMPLE, "--hostile"], capture_output=True, env=ENV).stdout.split(b"\0")[:-1]
COUNTS = (0, 1, 1000)
tests = []


def test(f):
    tests.append(f)
    return f


def same(got, want, what=""):
    assert got == want, f"{what}: want {want!r}, got {got!r}"


def sample(fmt, count):
    p = subprocess.run([SAMPLE, fmt, str(count)], capture_output=True, env=ENV, timeout=120)
    same(p.returncode, 1 if count else 0, f"{fmt} {count}: {p.stderr[-800:]}")
    text = p.stdout.decode()  # every format is UTF-8
    bad = re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\ufffe\uffff]", text)
    if fmt in ("json", "ndjson"):  # programs get what is there, escaped
        bad = re.findall(r"[\x00-\x08\x0b-\x1f]", text)
    assert not bad, f"{fmt} lets {bad[:5]!r} through"
    return text


def severity(i):
    return ("error", "warning", "info")[i % 3]


def expected(count):
    return {s: sum(severity(i) == s for i in range(count)) for s in ("error", "warning", "info")}


def official_sarif():
    """The schema of OASIS, from a package that carries it; None where that cannot be had."""
    cache = os.path.join(os.path.dirname(SAMPLE), "sarif-official.json")
    if not os.path.exists(cache) and shutil.which("npm"):
        with tempfile.TemporaryDirectory() as d:
            try:
                subprocess.run(["npm", "pack", "-s", "@microsoft/jest-sarif@1.0.0-beta.0"], cwd=d, capture_output=True, timeout=60)
                with tarfile.open(next(os.path.join(d, f) for f in os.listdir(d))) as t:
                    text = t.extractfile("package/lib/schemas/sarif-2.1.0-rtm.5.json").read()
                with open(cache, "wb") as f:
                    f.write(text)
            except (subprocess.TimeoutExpired, StopIteration, OSError, KeyError, tarfile.TarError):
                pass
    return json.load(open(cache)) if os.path.exists(cache) else None


OFFICIAL = official_sarif()
SARIF = json.load(open(DATA + "/schema/sarif-2.1.0.schema.json"))


def check_sarif(text):
    doc = json.loads(text)
    jsonschema.validate(doc, SARIF, cls=jsonschema.Draft202012Validator)
    if OFFICIAL:
        jsonschema.Draft7Validator(OFFICIAL).validate(doc)
    run = doc["runs"][0]
    rules = [r["id"] for r in run["tool"]["driver"]["rules"]]
    same(len(rules), len(set(rules)), "rules are unique")
    for r in run["results"]:
        same(rules[r["ruleIndex"]], r["ruleId"])
    return run


@test
def sarif():  # B05: results is there, and the rules, when nothing was found
    for count in COUNTS:
        run = check_sarif(sample("sarif", count))
        same(len(run["results"]), count)
        same([r["id"] for r in run["tool"]["driver"]["rules"]], ["sample.findings", "sample.passes", "skipped.always"])
        same(len({r["partialFingerprints"]["finding/v1"] for r in run["results"]}), count)
        levels = [r["level"] for r in run["results"]]
        same([levels.count(l) for l in ("error", "warning", "note")], list(expected(count).values()))
        same(run["invocations"][0]["exitCode"], int(count > 0))
    rule = run["tool"]["driver"]["rules"][0]
    assert rule["help"]["markdown"].startswith("# A page") and rule["help"]["text"] == "None."
    assert any("<script>" in r["message"]["text"] for r in run["results"]), "JSON needs no HTML escapes"


def check_junit(text):
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as f:
        f.write(text)
        f.flush()
        p = subprocess.run(["xmllint", "--noout", "--nonet", "--schema", DATA + "/schema/junit.xsd", f.name], capture_output=True, text=True)
        same(p.returncode, 0, p.stderr[-1500:])
    suites = ET.fromstring(text)
    for node in [suites, *suites]:
        cases = list(node.iter("testcase"))
        same(int(node.get("tests")), len(cases))
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            if node.get(attribute) is not None:
                same(int(node.get(attribute)), sum(c.find(tag) is not None for c in cases), attribute)
    return suites


@test
def junit():
    for count in COUNTS:
        suites = check_junit(sample("junit", count))
        want = expected(count)
        same((int(suites.get("failures")), int(suites.get("errors"))), (want["error"], 0))
        same(int(suites.get("tests")), max(count, 1) + 2)
        same(len(list(suites.iter("system-out"))), want["warning"] + want["info"])
    assert any("<script>" in f.get("message") for f in suites.iter("failure"))


def parse_tap(text):
    """TAP 14: version, plan, points in order, YAML blocks. Returns [(ok, description, directive, block)]."""
    lines = text.split("\n")
    same(lines.pop(), "", "ends with a newline")
    same(lines[0], "TAP version 14")
    plan = re.fullmatch(r"1\.\.(\d+)( # SKIP .*)?", lines[1])
    points, at = [], 2
    while at < len(lines):
        m = re.fullmatch(r"(not )?ok (\d+) - ((?:[^#\\]|\\[#\\])*)(?: # (SKIP)(?: (.*))?)?", lines[at])
        assert m, f"no test point: {lines[at]!r}"
        same(int(m[2]), len(points) + 1)
        at += 1
        block = None
        if at < len(lines) and lines[at] == "  ---":
            end = lines.index("  ...", at)
            assert all(l.startswith("  ") for l in lines[at:end])
            block = yaml.safe_load("\n".join(l[2:] for l in lines[at + 1:end]))
            at = end + 1
        points.append((not m[1], re.sub(r"\\([#\\])", r"\1", m[3]), m[4], block))
    same(int(plan[1]), len(points), "plan")
    return points


@test
def tap():
    for count in COUNTS:
        points = parse_tap(sample("tap", count))
        same(sum(not p[0] for p in points), expected(count)["error"])
        same(sum(p[2] == "SKIP" for p in points), 1)
        same(len(points), max(count, 1) + 2)
    assert any("not ok 99 - injected # TODO" in p[1] for p in points), "the text is told, and no point of its own"
    assert any("<script>" in p[3]["message"] for p in points if p[3])


def parse_github(text):
    """Workflow commands as the runner reads them. Returns [(command, properties, message)]."""
    commands = []
    lines = text.split("\n")
    same(lines.pop(), "")
    for line in lines[:-1]:
        m = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        assert m, line
        properties = dict(p.split("=", 1) for p in m[2].split(","))
        for key, value in properties.items():
            assert key in ("file", "line", "col", "title"), key
            for code, char in (("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
                value = value.replace(code, char)
            properties[key] = value
        commands.append((m[1], properties, m[3].replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")))
    assert not lines[-1].startswith(":"), lines[-1]
    return commands


@test
def github():
    for count in COUNTS:
        commands = parse_github(sample("github", count))
        kinds = [c[0] for c in commands]
        same([kinds.count(k) for k in ("error", "warning", "notice")], list(expected(count).values()))
    texts = [c[2] for c in commands]
    assert any("\n::error file=x::injected" in t for t in texts) and any("%0A%0D%25::warning::x" in t for t in texts)
    assert any(c[1].get("file") == "%0A%0D%25::warning::x" for c in commands), "properties are escaped in their own way"


@test
def gitlab():
    schema = {"type": "array", "items": {
        "type": "object", "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string"}, "check_name": {"type": "string"}, "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {"type": "object", "required": ["path", "lines"], "properties": {
                "path": {"type": "string"},
                "lines": {"type": "object", "required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}}}}}}}
    for count in COUNTS:
        issues = json.loads(sample("gitlab", count))
        jsonschema.validate(issues, schema)
        same(len(issues), count)
        same(len({i["fingerprint"] for i in issues}), count)


def parse_metrics(text):
    samples = []
    for line in text.split("\n"):
        if not line or line.startswith("#"):
            continue
        m = re.fullmatch(r'([a-z_:][a-z0-9_:]*)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (-?\d+(?:\.\d+)?)', line)
        assert m, line
        samples.append((m[1], m[2] or "", float(m[3])))
    return samples


def check_metrics(text):
    p = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
    same((p.returncode, p.stderr), (0, ""), "promtool")
    samples = parse_metrics(text)
    same(len({s[:2] for s in samples}), len(samples), "no series twice")
    return samples


@test
def prometheus():
    for count in COUNTS:
        samples = check_metrics(sample("prometheus", count))
        found = {l: v for n, l, v in samples if n == "bindery_check_findings"}
        for s, want in expected(count).items():
            same(found[f'severity="{s}",root_cause="true"'], want)
        same(sum(n == "bindery_check_root_cause" for n, _, _ in samples), count)


@test
def json_and_ndjson():
    schema = json.load(open(ROOT + "/docs/schema/findings.schema.json"))
    for count in COUNTS:
        doc = json.loads(sample("json", count))
        same(len(doc["findings"]), count)
        jsonschema.validate(doc["findings"], {**schema, "$ref": "#/properties/findings", "type": "array", "required": []})
        lines = [json.loads(l) for l in sample("ndjson", count).split("\n")[:-1]]
        same((lines[0]["type"], lines[-1]["type"]), ("run", "summary"))
        found = [{k: v for k, v in l.items() if k != "type"} for l in lines if l["type"] == "finding"]
        same(found, doc["findings"], "the same objects")
        same(lines[-1]["findings"], expected(count))
        same(lines[-1]["status"], int(count > 0))


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.stack, self.text, self.seen = [], [], []

    def handle_starttag(self, tag, attrs):
        assert tag in ("html", "head", "meta", "title", "style", "body", "h1", "h2", "table", "tr", "th", "td", "p", "code", "pre", "details", "summary"), tag
        assert set(dict(attrs)) <= {"lang", "charset", "http-equiv", "content", "name", "id", "class", "open"}, attrs
        self.seen.append(tag)
        if tag != "meta":
            self.stack.append(tag)

    def handle_endtag(self, tag):
        same(self.stack.pop(), tag, "tags are nested")

    def handle_data(self, data):
        self.text.append(data)


@test
def html_page():
    for count in COUNTS:
        page = Page()
        text = sample("html", count)
        page.feed(text)
        page.close()
        same(page.stack, [])
        same(page.seen.count("summary"), count + 1)
        assert text.startswith("<!DOCTYPE html>") and "default-src 'none'" in text and "prefers-color-scheme" in text and "@media print" in text
    assert "<script>alert(1)</script>" in "".join(page.text), "shown as text"


@test
def markdown():
    for count in COUNTS:
        text = sample("markdown", count)
        assert len(text) < 65536, "a comment on GitHub holds no more"
        assert text.startswith("<!-- render-sample -->\n### render-sample: ")
        for line in text.split("\n")[1:]:
            assert re.match(r"(<!-- |### |- |    - |  |Exit status |$)", line), line
            plain = re.sub(r"(?<!\\)(`+)(?!`).*?(?<!`)\1(?!`)", "", line)  # code spans
            plain = re.sub("^### |[@#!]<!-- -->", "", plain)
            assert not re.search("[<>@#!]", plain), line
            assert not re.search(r"(?<!\\)[\[\]|$~_]", plain), line
    same(sample("markdown", 1).count("message 0"), 1)
    assert re.search(r"\n- and \d+ more\n", text)


@test
def text_and_short():
    for count in COUNTS:
        lines = sample("short", count).split("\n")[:-1]
        same(len(lines), count)
        assert all(re.match(r"(error|warning|info) sample\.findings ", l) for l in lines)
        sample("text", count)


# ---- the real binary


def run(*args, stdin=b"", cwd=None):
    p = subprocess.run([TOOL, *args], input=stdin, capture_output=True, env=ENV, timeout=120, cwd=cwd)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


CHECKERS = {"sarif": check_sarif, "junit": check_junit, "tap": parse_tap, "github": parse_github, "prometheus": check_metrics, "gitlab": json.loads,
            "json": json.loads}


def recording(name, ns):
    return ["--bundle", f"{DATA}/scenarios/{name}/bundle.tar.gz", "-n", ns]


BROKEN = b"apiVersion: bindery.platform/v1alpha1\nkind: Booklet\nmetadata: {name: b}\nspec: [\n"


@test
def the_status_is_the_same_in_every_format():  # B01
    runs = ((0, recording("ok-small", "delta"), b""), (1, recording("image-pull", "navy"), b""), (0, recording("stopped-runs", "cream"), b""),
            (1, recording("stopped-runs", "cream") + ["--fail-on", "warning", "--show", "error"], b""), (4, ["-f", "-"], b""), (4, ["-f", "-"], BROKEN),
            (0, recording("ok-small", "delta") + ["--only", "operator.down"], b""))
    for want, args, stdin in runs:
        outputs = {f: run(*args, "-o", f, stdin=stdin) for f in FORMATS}
        same({f: o[0] for f, o in outputs.items()}, {f: want for f in FORMATS}, args)
        for f, check in CHECKERS.items():
            try:
                check(outputs[f][1])
            except Exception as e:
                raise AssertionError(f"{f} of {args}: {str(e)[:600]}")
        failed = sum(not p[0] for p in parse_tap(outputs["tap"][1]))
        suites = check_junit(outputs["junit"][1])
        same((failed > 0, int(suites.get("failures")) + int(suites.get("errors"))), (want != 0, failed), f"tests fail exactly when the run does: {args}")


@test
def a_clean_run_is_a_valid_sarif():  # B05
    for args in (recording("ok-small", "delta"), recording("ok-small", "delta") + ["--only", "operator.*"]):
        rc, out, _ = run(*args, "-o", "sarif")
        found = check_sarif(out)
        same((rc, found["results"]), (0, []))
        assert found["tool"]["driver"]["name"] == "bindery-check" and found["tool"]["driver"]["rules"]
    # Every check skipped: manifests hold nothing that these look at.
    rc, out, _ = run("-f", DATA + "/scenarios/ok-small/manifests.json", "-o", "sarif", "--only", "operator.*")
    assert check_sarif(out)["results"] == [] and check_sarif(out)["tool"]["driver"]["rules"]


@test
def several_formats_at_once():
    with tempfile.TemporaryDirectory() as d:
        args = recording("image-pull", "navy")
        rc, out, err = run(*args, "-o", "text", *[a for f in FORMATS for a in ("-o", f"{f}={d}/{f}")])
        same((rc, err), (1, ""))
        same(sorted(os.listdir(d)), sorted(FORMATS), "and no temporary files")
        for f in set(FORMATS) - {"text"}:
            same(open(f"{d}/{f}").read(), run(*args, "-o", f)[1], f)


MODULES = """apiVersion: bindery.platform/v1alpha1
kind: WorldInstance
metadata: {name: arena, namespace: game}
spec: {worldId: arena, gameRef: {name: set}, shardCount: 1, desiredState: Running}
---
apiVersion: bindery.platform/v1alpha1
kind: Booklet
metadata: {name: set, namespace: game}
spec: {gameId: g, version: 1.0.0, modules: [{name: nowhere, required: true}]}
"""


@test
def places_are_relative_to_the_repository():
    name = "a b\n:,%25\u00e4\"<.yaml"
    with tempfile.TemporaryDirectory() as d:
        d = os.path.realpath(d)
        os.makedirs(d + "/repo/.git")
        os.makedirs(d + "/repo/sub/deploy")
        with open(d + "/repo/sub/deploy/" + name, "w") as f:
            f.write(MODULES)
        want = "sub/deploy/a b :,%25\u00e4\"<.yaml"
        for path in ("deploy", "./deploy", f"{d}/repo/sub/deploy"):
            args = ["-f", path, "--only", "module.missing"]
            rc, out, err = run(*args, "-o", "github", cwd=d + "/repo/sub")
            same(rc, 1, err)
            place = parse_github(out)[0][1]
            same((place["file"].replace("\n", " "), place["line"]), (want, "9"), path)
            uri = check_sarif(run(*args, "-o", "sarif", cwd=d + "/repo/sub")[1])["results"][0]["locations"][0]["physicalLocation"]
            same(uri["artifactLocation"]["uri"], "sub/deploy/a%20b%0A%3A%2C%2525%C3%A4%22%3C.yaml")
            same(uri["region"]["startLine"], 9)
            same(json.loads(run(*args, "-o", "gitlab", cwd=d + "/repo/sub")[1])[0]["location"]["lines"]["begin"], 9)
    rc, out, _ = run("-f", "-", "-o", "github", "--only", "module.missing", stdin=MODULES.encode())
    same((rc, "file" in parse_github(out)[0][1]), (1, False), "standard input is no file")


@test
def objects_outside_files_have_a_stable_place():
    for _ in range(2):
        found = check_sarif(run(*recording("image-pull", "navy"), "-o", "sarif")[1])["results"][0]["locations"][0]
        same(found["logicalLocations"], [{"name": "physics", "fullyQualifiedName": "navy/ModuleManifest/physics", "kind": "resource"}])
        same(found["physicalLocation"]["artifactLocation"]["uri"], "cluster/navy/ModuleManifest/physics")


def main():
    failed = 0
    for f in tests:
        try:
            f()
        except Exception as e:
            failed += 1
            print(f"FAIL {f.__name__}: {type(e).__name__}: {str(e)[:1500]}")
    print("the official SARIF schema was " + ("used" if OFFICIAL else "not reachable"))
    print(f"{len(tests) - failed} passed, {failed} failed")
    sys.exit(bool(failed))


main()
