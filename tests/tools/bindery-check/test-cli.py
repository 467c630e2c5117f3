#!/usr/bin/env python3
"""bindery-check as its user runs it: inputs of every kind, exit status, streams, hostile bytes.

  test-cli.py BINDERY_CHECK RECORDINGS
"""
import fcntl, gzip, io, json, os, pty, shutil, struct, subprocess, sys, tarfile, tempfile, termios

TOOL, RECORDINGS = sys.argv[1], sys.argv[2]
OK, FINDINGS, USAGE, FAILED, INCOMPLETE = 0, 1, 2, 3, 4
tests = []


def test(f):
    tests.append(f)
    return f


def run(*args, stdin=None, env=None):
    p = subprocess.run([TOOL, *args], input=stdin, capture_output=True, timeout=60,
                       env={**os.environ, "LC_ALL": "C.UTF-8", "ASAN_OPTIONS": "exitcode=99", "UBSAN_OPTIONS": "exitcode=99", **(env or {})})
    assert p.returncode in (0, 1, 2, 3, 4, 130), f"status {p.returncode}: {p.stderr.decode(errors='replace')[-2000:]}"
    return p.returncode, p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace")


def same(got, want, what=""):
    assert got == want, f"{what}: want {want!r}, got {got!r}"


def bundle(name):
    return f"{RECORDINGS}/{name}/bundle.tar.gz"


def offline(text, *args):
    return run("-f", "-", *args, stdin=text.encode() if isinstance(text, str) else text)


def find(doc, check):
    return [f for f in doc["findings"] if f["check"] == check]


MODULE = """
apiVersion: bindery.platform/v1alpha1
kind: ModuleManifest
metadata: {{name: {name}}}
spec:
  module: {{id: core.{name}, version: 1.0.0}}
  provides: [{provides}]
  requires: [{requires}]
  scaling: {{defaultScope: world, statefulness: stateless}}
  runtime: {{image: "registry.example.com/{name}:1", port: 5000}}
---
"""
WORLD = """
apiVersion: bindery.platform/v1alpha1
kind: Booklet
metadata: {name: game}
spec:
  gameId: game
  version: 1.0.0
  modules: [{name: physics}, {name: gateway}]
---
apiVersion: bindery.platform/v1alpha1
kind: WorldInstance
metadata: {name: arena}
spec: {gameRef: {name: game}, worldId: a, region: eu, shardCount: 1}
"""
PROVIDES = "{capabilityId: physics.engine, version: %s, scope: world, multiplicity: '1'}"
REQUIRES = "{capabilityId: physics.engine, versionConstraint: %s, scope: world, multiplicity: '1', dependencyMode: required}"


def game(version="1.2.0", constraint="^1"):
    return (MODULE.format(name="physics", provides=PROVIDES % version, requires="") +
            MODULE.format(name="gateway", provides="", requires=REQUIRES % f"'{constraint}'") + WORLD)


# ---- the gate on manifests


@test
def a_right_set_passes():
    same(offline(game())[0], OK)


@test
def an_unresolved_requirement_names_file_and_line():
    with tempfile.TemporaryDirectory() as d:
        with open(d + "/game.yaml", "w") as f:
            f.write(game(version="0.9.0"))
        rc, out, _ = run("-f", d, "-o", "json")
        same(rc, FINDINGS)
        finding = find(json.loads(out), "requirement.version")[0]
        line = finding["location"]["line"]
        text = open(d + "/game.yaml").read().split("\n")[line - 1]
        assert "versionConstraint" in text, text
        same(finding["location"]["file"], d + "/game.yaml")
        assert f"game.yaml:{line}" in run("-f", d)[1]


@test
def nothing_to_check_is_never_a_pass():  # B03
    with tempfile.TemporaryDirectory() as d:
        open(d + "/empty.yaml", "w").close()
        with tarfile.open(d + "/empty.tar", "w"):
            pass
        with tarfile.open(d + "/noobjects.tar", "w") as t:
            info = tarfile.TarInfo("top/readme.txt")
            t.addfile(info, io.BytesIO(b""))
        rc, _, err = run("-f", d + "/empty.yaml")
        same(rc, INCOMPLETE)
        assert "empty.yaml" in err
        same(run("-f", d)[0], INCOMPLETE)
        same(offline("")[0], INCOMPLETE, "empty stdin")
        same(offline("---\n---\n")[0], INCOMPLETE)
        same(run("--bundle", d + "/noobjects.tar")[0], INCOMPLETE)
        rc, _, err = run("--bundle", d + "/empty.tar")
        same(rc, FAILED)
        assert "empty.tar" in err
        p = subprocess.run(f"{TOOL} -f - <&-", shell=True, capture_output=True)
        assert p.returncode in (FAILED, INCOMPLETE), p.returncode


@test
def a_missing_path_fails_and_suggests():
    with tempfile.TemporaryDirectory() as d:
        open(d + "/deploy.yaml", "w").close()
        rc, _, err = run("-f", d + "/depoly.yaml")
        same(rc, FAILED)
        assert "did you mean" in err or "does not exist" in err, err
        rc, _, err = run("-f", d + "/deploi.yaml")
        assert "deploy.yaml" in err, err
    same(run("--bundle", "/nonexistent.tgz")[0], FAILED)


@test
def one_broken_document_costs_only_itself():
    rc, out, _ = offline("kind: [broken\n---\n" + game(version="0.9.0"), "-o", "json")
    doc = json.loads(out)
    same(len(find(doc, "requirement.version")), 1)
    same(len(doc["problems"]), 1)
    same(rc, FINDINGS)
    same(offline("kind: [broken\n---\n" + game())[0], INCOMPLETE)


@test
def lists_streams_and_json():
    items = {"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "bindery.platform/v1alpha1", "kind": "WorldInstance",
             "metadata": {"name": "w"}, "spec": {"gameRef": {"name": "none"}}}]}
    same(offline(json.dumps(items))[0], FINDINGS)
    same(offline(json.dumps(items["items"][0]) + "\n" + json.dumps(items["items"][0]))[0], FINDINGS)
    same(offline("- not\n- objects\n")[0], INCOMPLETE)


@test
def helm_template_is_named():
    with tempfile.TemporaryDirectory() as d:
        with open(d + "/t.yaml", "w") as f:
            f.write("kind: {{ .Values.kind }}\n  x: {{- end }}\n")
        rc, out, _ = run("-f", d)
        same(rc, INCOMPLETE)
        assert "helm template" in out, out


@test
def values_and_kustomization_are_passed_over():
    with tempfile.TemporaryDirectory() as d:
        for name, text in (("values.yaml", "a: 1\n"), ("kustomization.yaml", "resources: [game.yaml]\n"), ("game.yaml", game())):
            with open(f"{d}/{name}", "w") as f:
                f.write(text)
        os.mkdir(d + "/.git")
        with open(d + "/.git/x.yaml", "w") as f:
            f.write("[broken")
        os.symlink(d, d + "/loop")
        same(run("-f", d)[0], OK)


# ---- options and streams


@test
def usage_errors():
    for args, part in ((["--bundel", "x"], "did you mean '--bundle'"), (["-o", "xml", "-f", "-"], "not one of"), (["--bundle", "x", "--context", "y"], "contradict"),
                       (["-f", "-", "--wait", "5s"], "reads a cluster"), (["-f", "-", "--watch"], "reads a cluster"),
                       (["--only", "nosuch", "-f", "-"], "no check matches"), (["-o", "json", "-o", "short", "-f", "-"], "only one format"),
                       (["--fail-on", "fatal"], "one of info, warning, error"), (["--explain", "pod.image-pul"], "did you mean 'pod.image-pull'")):
        rc, out, err = run(*args)
        same(rc, USAGE, args)
        same(out, "", args)
        assert part in err and err.count("\n") == 1, err


@test
def without_any_source_there_is_no_cluster():
    rc, out, err = run(env={"KUBECONFIG": "", "HOME": "/nonexistent", "KUBERNETES_SERVICE_HOST": ""})
    same((rc, out), (FAILED, ""))
    assert "no cluster is configured" in err and "--bundle" in err and err.count("\n") == 1, err


@test
def a_namespace_without_anything_of_bindery_is_no_pass():
    rc, out, err = run("--bundle", bundle("ok-small"), "-n", "bindery-system")
    same(rc, INCOMPLETE)
    assert "nothing to check" in out and "bindery-system" in err, (out, err)
    same(offline("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")[0], INCOMPLETE)


# ---- manifests laid over what was observed


def manifests_of(name, change):
    doc = json.load(open(f"{RECORDINGS}/{name}/manifests.json"))
    for o in doc["items"]:
        change(o)
    return json.dumps(doc)


def overlay(name, change, *args):
    namespace = json.load(open(f"{RECORDINGS}/{name}/expected.json"))["namespace"]
    rc, out, _ = run("--bundle", bundle(name), "-f", "-", "-n", namespace, "-o", "json", *args, stdin=manifests_of(name, change).encode())
    return rc, json.loads(out)


@test
def what_is_applied_again_unchanged_changes_nothing():
    for name in ("ok-small", "ok-shards", "image-pull", "version-unsatisfied", "dependency-chain"):
        namespace = json.load(open(f"{RECORDINGS}/{name}/expected.json"))["namespace"]
        rc, doc = overlay(name, lambda o: None)
        rc_alone, out, _ = run("--bundle", bundle(name), "-n", namespace, "-o", "json")
        same(rc, rc_alone, name)
        same([f["fingerprint"] for f in doc["findings"]], [f["fingerprint"] for f in json.loads(out)["findings"]], name)
        same(doc["source"]["type"], "bundle")


@test
def a_change_that_would_break_a_requirement_is_found_before_it_is_applied():
    def change(o):
        if o["kind"] == "ModuleManifest":
            for p in o["spec"].get("provides", []):
                p["version"] = "0.0.1"
    rc, doc = overlay("ok-small", change)
    same(rc, FINDINGS)
    finding = find(doc, "requirement.version")[0]
    same(finding["location"]["file"], "-")
    same({f["check"] for f in doc["findings"] if f["severity"] == "error"} - {"requirement.version", "binding.root-collision"}, set())


@test
def a_new_world_that_would_work_is_not_missing_yet():
    def change(o):
        if o["kind"] == "WorldInstance":
            o["metadata"]["name"] = "annex"
            o["spec"]["worldId"] = "annex"
    rc, doc = overlay("ok-small", change, "annex")
    same((rc, [f["check"] for f in doc["findings"]]), (OK, []))


@test
def help_list_explain_version():
    rc, out, err = run("--help")
    same((rc, err), (OK, ""))
    assert max(map(len, out.split("\n"))) <= 80
    assert "Examples" in out and "Exit status" in out
    rc, out, _ = run("--list")
    assert "pod.image-pull" in out and "F61" in out
    rc, out, _ = run("--explain", "F61")
    assert out.startswith("# pod.image-pull") and "## How to fix" in out and "Needs: pods" in out, out
    both = run("--explain", "F71")[1]
    assert "# service.port-mismatch" in both and "# wait.not-answering" in both, both
    assert run("--version")[1].startswith("bindery-check ")


@test
def credential_plugin_that_is_not_there():
    with tempfile.TemporaryDirectory() as d:
        with open(d + "/config", "w") as f:
            f.write("""apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: k, user: u, namespace: game}}]
clusters: [{name: k, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: %s/none, interactiveMode: Never, installHint: "get it from the wiki"}}}]
""" % d)
        rc, out, err = run("--kubeconfig", d + "/config")  # it once asked for ever
        same((rc, out), (FAILED, ""))
        assert "is not installed" in err and "get it from the wiki" in err and "context 'c'" in err, err


@test
def unknown_world_and_namespace():
    rc, _, err = run("--bundle", bundle("ok-small"), "-n", "delta", "areena")
    same(rc, FAILED)
    assert "did you mean 'arena'" in err, err
    rc, _, err = run("--bundle", bundle("ok-small"), "-n", "dleta")
    same(rc, FAILED)
    assert "delta" in err, err


@test
def worlds_narrow_the_findings():
    doc = json.loads(run("--bundle", bundle("two-faults"), "-n", "white", "-o", "json", "bazaar")[1])
    same([f["check"] for f in doc["findings"] if f["rootCause"]], ["requirement.version"])
    for name, ns in (("dependency-chain", "lime"), ("pvc-name", "sable"), ("oom", "orange")):
        def findings(*worlds):
            return json.loads(run("--bundle", bundle(name), "-n", ns, "-o", "json", *worlds)[1])["findings"]
        same(findings("arena"), findings(), name)


@test
def exit_status_is_the_same_in_every_format():  # B01
    for name, ns, want in (("image-pull", "navy", FINDINGS), ("ok-small", "delta", OK)):
        for fmt in ("text", "short", "json"):
            same(run("--bundle", bundle(name), "-n", ns, "-o", fmt)[0], want, fmt)


@test
def json_is_one_document():  # B04
    for args in (["-A"], ["-n", "white", "-n", "bindery-system"], []):
        out = run("--bundle", bundle("two-faults"), "-o", "json", *args)[1]
        json.loads(out)
    doc = json.loads(out)
    same(doc["source"]["namespaces"], ["white"], "default namespace")


@test
def several_outputs_at_once():
    with tempfile.TemporaryDirectory() as d:
        rc, out, _ = run("--bundle", bundle("image-pull"), "-n", "navy", "-o", f"json={d}/f.json", "-o", "short")
        same(rc, FINDINGS)
        assert out.startswith("error pod.image-pull"), out
        same(len(json.load(open(d + "/f.json"))["findings"]), 6)
        same(run("--bundle", bundle("image-pull"), "-n", "navy", "-o", f"json={d}/no/f.json")[0], FAILED)
    p = subprocess.run(f"{TOOL} --bundle {bundle('image-pull')} -n navy > /dev/full", shell=True, capture_output=True)
    same(p.returncode, FAILED, "full disk")


@test
def a_closed_pipe_ends_quietly():
    p = subprocess.run(f"{TOOL} --bundle {bundle('image-pull')} -n navy -o json 2>&1 >/dev/null | true; "
                       f"({TOOL} --bundle {bundle('image-pull')} -n navy -o json; echo status $? >&2) | head -c 1 >/dev/null",
                       shell=True, capture_output=True, text=True)
    same(p.stderr, "status 1\n")


@test
def severities():
    args = ["--bundle", bundle("stopped-runs"), "-n", "cream"]
    same(run(*args)[0], OK)
    same(run(*args, "--fail-on", "warning")[0], FINDINGS)
    same(json.loads(run(*args, "--show", "error", "-o", "json")[1])["findings"], [])
    same(run("--bundle", bundle("image-pull"), "-n", "navy", "--skip", "pod.*,wait.*,workload.*,service.*")[0], OK)
    same(run("--bundle", bundle("image-pull"), "-n", "navy", "--only", "F61")[0], FINDINGS)


@test
def the_wall_clock_is_never_asked():
    args = ["--bundle", bundle("rollout-young"), "-n", "juniper"]
    same(run(*args)[0], OK)
    assert "in progress" in run(*args)[1]
    same(run(*args, "--at", "2026-12-01T09:30:00Z")[0], FINDINGS)


def on_terminal(*args, columns=200, **env):
    """What a terminal of that width shows."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    base = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
    p = subprocess.Popen([TOOL, *args], stdout=slave, stdin=subprocess.DEVNULL, env={**base, "LC_ALL": "C.UTF-8", "TERM": "xterm", **env})
    os.close(slave)
    out = b""
    try:
        while block := os.read(master, 65536):
            out += block
    except OSError:
        pass  # the other end is closed
    os.close(master)
    p.wait()
    return out.decode().replace("\r\n", "\n")


@test
def colour_only_where_it_is_welcome():
    args = ["--bundle", bundle("image-pull"), "-n", "navy"]
    red = "\033[31m"
    for want, out in ((False, run(*args)[1]), (True, run(*args, "--color", "always")[1]),
                      (True, on_terminal(*args)), (False, on_terminal(*args, "--color", "never")),
                      (False, on_terminal(*args, NO_COLOR="1")), (True, on_terminal(*args, NO_COLOR="")),
                      (True, on_terminal(*args, "--color", "always", NO_COLOR="1")),
                      (False, on_terminal(*args, TERM="dumb")), (False, on_terminal(*args, TERM=""))):
        same(red in out, want, out)
        assert want or "\033" not in out
    with tempfile.TemporaryDirectory() as d:
        on_terminal(*args, "-o", f"text={d}/t")
        assert "\033" not in open(d + "/t").read()


@test
def the_width_is_the_terminals():
    args = ["--bundle", bundle("image-pull"), "-n", "navy", "--color", "never"]
    for columns in (60, 200):
        out = on_terminal(*args, columns=columns)
        longest = max(len(l) for l in out.split("\n") if l.startswith(("    ", "\u2717")) and "kubectl" not in l)
        assert (columns == 60 and longest <= 60) or longest == 200, f"{columns}: {longest}"
    same(len([l for l in run(*args, env={"COLUMNS": "120"})[1].split("\n") if len(l) == 120 and "pod.image-pull" in l]), 1)


@test
def glyphs_are_the_locales():
    args = ["--bundle", bundle("image-pull"), "-n", "navy"]
    assert "\u2717" in run(*args)[1]
    out = run(*args, env={"LC_ALL": "C"})[1]
    assert out.isascii() and "\nx " in out, out


@test
def a_report_is_whole_or_not_there():
    with tempfile.TemporaryDirectory() as d:
        args = ["--bundle", bundle("image-pull"), "-n", "navy"]
        rc, out, err = run(*args, "-o", "text", "-o", f"json={d}/no/f.json", "-o", f"short={d}/f")
        same(rc, FAILED)
        assert "no/f.json': No such file or directory" in err and err.count("\n") == 1, err
        assert "image-pull" in out and "image-pull" in open(d + "/f").read(), "the others are written"
        same(os.listdir(d), ["f"])
        same(run(*args, "-o", f"json={d}")[0], FAILED)
        same(run(*args, "-o", "json=/dev/full")[0], FAILED)


# ---- hostile input


def with_objects(objects):
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})


@test
def control_characters_never_reach_the_terminal():
    world = {"apiVersion": "bindery.platform/v1alpha1", "kind": "WorldInstance", "metadata": {"name": "a\u001b[31mb\u202e\u0007"},
             "spec": {"gameRef": {"name": "x\u009b2J\ny"}}}
    for fmt in ("text", "short"):
        out = offline(with_objects([world]), "-o", fmt)[1]
        assert not any(ord(c) < 32 and c != "\n" or 0x7f <= ord(c) <= 0x9f or c == "\u202e" for c in out), repr(out)
    with tempfile.TemporaryDirectory() as d:
        name = d + "/a\x1b[31m\nb.yaml"
        with open(name, "w") as f:
            f.write("[broken")
        rc, out, err = run("-f", name)
        assert "\x1b" not in out + err


WRONG = [None, True, 7, -1, 1e300, 10**30, "", "x" * 5000, "\u0000", [], [[]], {}, {"name": []}, [1, "a", None, {}]]


def spoil(value, path=()):
    """Every copy of an object in which one node has a wrong value."""
    if path:
        yield path
    if isinstance(value, dict):
        for k in value:
            yield from spoil(value[k], path + (k,))
    elif isinstance(value, list):
        for i in range(len(value)):
            yield from spoil(value[i], path + (i,))


def replaced(value, path, new):
    copy = json.loads(json.dumps(value))
    at = copy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = new
    return copy


@test
def wrong_types_anywhere_in_manifests():
    manifests = json.load(open(f"{RECORDINGS}/ok-realm/manifests.json"))
    paths = [p for p in spoil(manifests["items"]) if len(p) > 1]
    for i, path in enumerate(paths):
        items = replaced(manifests["items"], path, WRONG[i % len(WRONG)])
        rc, out, err = offline(with_objects(items), "-o", "json")
        assert rc in (OK, FINDINGS, INCOMPLETE), (path, rc, err)
        json.loads(out)


def rewrite(name, change):
    """A folder bundle made from a recording, each list passed through `change`."""
    where = tempfile.mkdtemp()
    with tarfile.open(bundle(name)) as tar:
        tar.extractall(where)
    for root, _, files in os.walk(where):
        for f in sorted(files):
            if f.endswith(".json") and "cluster-resources" in root:
                path = os.path.join(root, f)
                doc = json.load(open(path))
                with open(path, "w") as out:
                    json.dump(change(path, doc), out)
    return where


@test
def wrong_types_anywhere_in_a_bundle():
    for seed in range(14):
        counter = [seed]

        def change(path, doc):
            items = doc["items"] if isinstance(doc, dict) else doc
            for n, item in enumerate(items or []):
                paths = [p for p in spoil(item) if "managedFields" not in p]
                for p in paths[(counter[0] * 7) % 11::11]:
                    counter[0] += 1
                    try:
                        items[n] = replaced(items[n], p, WRONG[counter[0] % len(WRONG)])
                    except (KeyError, IndexError, TypeError):
                        pass
            return doc
        where = rewrite("dependency-chain", change)
        try:
            rc, out, err = run("--bundle", where, "-A", "-o", "json")
            assert rc in (OK, FINDINGS, INCOMPLETE), (seed, rc, err)
            json.loads(out)
            run("--bundle", where, "-A", "-v")
        finally:
            shutil.rmtree(where)


@test
def deep_huge_and_broken_files():
    deep = "[" * 10000
    for text in (deep, "a: " + deep, "{" * 10000, "{\"a\":" * 10000, "\x00\x01\x02", "a: \x00", "x: &a [*a]", "%YAML 9.9\n---\na", "\xff\xfe".encode("latin1"),
                 json.dumps({"apiVersion": "v1", "kind": "List", "items": [{"kind": "WorldInstance", "apiVersion": "bindery.platform/v1alpha1",
                             "metadata": {"name": "w"}, "spec": {"shardCount": 10**40, "gameRef": {"name": "b"}}}]})):
        rc, out, err = offline(text, "-o", "json")
        assert rc in (FINDINGS, INCOMPLETE), (str(text)[:20], rc, err)
        json.loads(out)


@test
def broken_pages_are_named_and_the_rest_is_used():
    def change(path, doc):
        return doc
    where = rewrite("image-pull", change)
    try:
        target = [os.path.join(r, f) for r, _, fs in os.walk(where) for f in fs if r.endswith("/services") and f == "navy.json"][0]
        with open(target, "w") as f:
            f.write('{"items": [{"metadata"')
        rc, out, _ = run("--bundle", where, "-n", "navy", "-o", "json")
        doc = json.loads(out)
        assert any("services/navy.json" in p["file"] for p in doc["problems"]), doc["problems"]
        same(len(find(doc, "pod.image-pull")), 1)
        same(rc, FINDINGS)
        assert not doc["complete"]
    finally:
        shutil.rmtree(where)


@test
def forbidden_is_not_empty():
    def change(path, doc):
        return doc
    where = rewrite("ok-small", change)
    try:
        resources = [os.path.join(r, "cluster-resources") for r, ds, _ in os.walk(where) if "cluster-resources" in ds][0]
        os.unlink(resources + "/pods/delta.json")
        with open(resources + "/pods-errors.json", "w") as f:
            json.dump({"delta": 'pods is forbidden: User "x" cannot list resource "pods"'}, f)
        rc, out, _ = run("--bundle", where, "-n", "delta", "-o", "json")
        same(rc, INCOMPLETE)
        row = [c for c in json.loads(out)["checks"] if c["id"] == "pod.crash-loop"][0]
        same(row["status"], "skipped")
        assert "forbidden" in row["reason"], row
    finally:
        shutil.rmtree(where)


@test
def a_user_of_one_namespace_gets_a_full_answer():
    """No operator namespace, no cluster-scoped objects, no events: nothing of it is needed for the verdict."""
    for name, ns, want in (("ok-small", "delta", OK), ("image-pull", "navy", FINDINGS)):
        where = rewrite(name, lambda path, doc: doc)
        try:
            resources = [os.path.join(r, "cluster-resources") for r, ds, _ in os.walk(where) if "cluster-resources" in ds][0]
            for root, _, files in os.walk(resources):
                for f in files:
                    if root == resources and f != "custom-resource-definitions.json" or f == "bindery-system.json" or root.endswith("/events"):
                        os.unlink(os.path.join(root, f))
            with open(resources + "/events-errors.json", "w") as f:
                json.dump({ns: "events is forbidden"}, f)
            rc, out, _ = run("--bundle", where, "-n", ns, "-o", "json")
            same((rc, json.loads(out)["complete"]), (want, True), name)
            row = [c for c in json.loads(out)["checks"] if c["id"] == "operator.down"][0]
            same((row["status"], row["reason"]), ("skipped", "the operator's Deployment is not visible"))
        finally:
            shutil.rmtree(where)


@test
def bundles_in_every_packing():
    expected = json.loads(run("--bundle", bundle("image-pull"), "-n", "navy", "-o", "json")[1])["findings"]
    with tempfile.TemporaryDirectory() as d:
        with tarfile.open(bundle("image-pull")) as tar:
            tar.extractall(d + "/x")
        top = os.listdir(d + "/x")[0]
        with open(d + "/plain.tar", "wb") as f:
            f.write(gzip.open(bundle("image-pull")).read())
        with tarfile.open(d + "/notop.tar", "w") as tar:
            tar.add(f"{d}/x/{top}", ".")
        with tarfile.open(d + "/b.tar.xz", "w:xz") as tar:
            tar.add(f"{d}/x/{top}", top)
        for path in (d + "/plain.tar", d + "/notop.tar", d + "/b.tar.xz", d + "/x", f"{d}/x/{top}"):
            rc, out, err = run("--bundle", path, "-n", "navy", "-o", "json")
            same(json.loads(out)["findings"], expected, path)


@test
def yaml_twins_and_items_without_kind():
    def change(path, doc):
        for item in doc["items"] if isinstance(doc, dict) else doc:
            item.pop("kind", None)
            item.pop("apiVersion", None)
        return doc
    where = rewrite("image-pull", change)
    try:
        for root, _, files in os.walk(where):
            for f in files:
                if f == "navy.json" and "bindery.platform" in root:  # JSON is YAML: the twin alone must do
                    os.rename(os.path.join(root, f), os.path.join(root, "navy.yaml"))
        rc, out, _ = run("--bundle", where, "-n", "navy", "-o", "json")
        same([f["check"] for f in json.loads(out)["findings"] if f["rootCause"]], ["pod.image-pull"])
    finally:
        shutil.rmtree(where)


@test
def planted_secrets_never_show():
    secrets = json.load(open(f"{RECORDINGS}/secret-leaks/expected.json"))["must_not_contain"]
    for args in (["--bundle", bundle("secret-leaks"), "-n", "wine"], ["-f", f"{RECORDINGS}/secret-leaks/manifests.json"],
                 ["--bundle", RECORDINGS + "/../scenarios-troubleshoot/secret-leaks.tar.gz", "-n", "wine"]):
        for fmt in ("text", "short", "json"):
            out = run(*args, "-v", "-o", fmt)[1]
            assert not any(s in out for s in secrets), (args, fmt)


@test
def bundles_of_another_tool_give_the_same_cause():
    for name, ns in (("dependency-crash", "lilac"), ("secret-leaks", "wine"), ("version-unsatisfied", "romeo")):
        def roots(path):
            doc = json.loads(run("--bundle", path, "-n", ns, "-o", "json")[1])
            same(doc["complete"], True, path)
            return [(f["check"], f["subject"]["name"]) for f in doc["findings"] if f["rootCause"]]
        same(roots(f"{RECORDINGS}/../scenarios-troubleshoot/{name}.tar.gz"), roots(bundle(name)), name)


@test
def sidecars_are_judged_as_sidecars():  # B13
    side_spec = {"name": "side", "image": "x", "restartPolicy": "Always"}

    def with_sidecar(status):
        def change(path, doc):
            if path.endswith("/pods/delta.json"):
                for pod in doc["items"]:
                    pod["spec"].setdefault("initContainers", []).append(side_spec)
                    pod["status"].setdefault("initContainerStatuses", []).append(status)
            return doc
        return rewrite("ok-small", change)
    good = with_sidecar({"name": "side", "ready": True, "started": True, "restartCount": 0, "state": {"running": {"startedAt": "2026-12-01T08:22:30Z"}}})
    bad = with_sidecar({"name": "side", "ready": False, "started": False, "restartCount": 5, "state": {"waiting": {"reason": "CrashLoopBackOff"}},
                        "lastState": {"terminated": {"exitCode": 1, "finishedAt": "2026-12-01T08:23:00Z"}}})
    try:
        same(run("--bundle", good, "-n", "delta")[0], OK)
        doc = json.loads(run("--bundle", bad, "-n", "delta", "-o", "json")[1])
        assert any("side" in f["message"] for f in find(doc, "pod.crash-loop")), doc["findings"]
    finally:
        shutil.rmtree(good)
        shutil.rmtree(bad)


@test
def events_without_times_break_nothing():  # B16
    def change(path, doc):
        if "/events/" in path:
            for i, event in enumerate(doc["items"]):
                for key in ("lastTimestamp", "firstTimestamp", "eventTime")[:i % 4]:
                    event[key] = None
        return doc
    where = rewrite("service-name-long", change)
    try:
        doc = json.loads(run("--bundle", where, "-n", "brown", "-o", "json")[1])
        same(doc["findings"][0]["fault"], "F37")
    finally:
        shutil.rmtree(where)


@test
def the_same_bytes_give_the_same_answer():
    args = ["--bundle", bundle("dependency-chain"), "-n", "lime", "-o", "json"]
    same(run(*args)[1], run(*args)[1])


def main():
    failed = 0
    for f in tests:
        try:
            f()
        except Exception as e:
            failed += 1
            print(f"FAIL {f.__name__}: {type(e).__name__}: {str(e)[:1500]}")
    print(f"{len(tests) - failed} passed, {failed} failed")
    sys.exit(bool(failed))


main()
