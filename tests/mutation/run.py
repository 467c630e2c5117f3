#!/usr/bin/env python3
"""Break one thing at a time in recordings of healthy clusters, and demand that this break is named first.

  run.py BINDERY_CHECK RECORDINGS_DIR [--table FILE] [--only GLOB] [--accept PERCENT] [-v]

The table (breaks.yaml) says what to break and which fault it must give; its head explains the
columns. Every place in every healthy recording that a row fits is one break, run by itself. The
break counts as named when the first finding has one of the row's faults and the broken object among
its subject and related objects. It prints the accuracy by kind of break, and every miss.
"""
import argparse, collections, copy, datetime, fnmatch, glob, json, os, subprocess, sys, tarfile, tempfile

import yaml

from shapes import SHAPES


class Recording:
    """An unpacked bundle that can be changed and put back."""

    def __init__(self, folder, where):
        self.name = os.path.basename(folder)
        with open(folder + "/expected.json") as f:
            self.about = json.load(f)
        with tarfile.open(folder + "/bundle.tar.gz") as tar:
            tar.extractall(where, filter="data") if hasattr(tarfile, "data_filter") else tar.extractall(where)
        self.root = glob.glob(where + "/*")[0]
        self.namespace = self.about["namespace"]
        self.now = datetime.datetime.strptime(self.about["collected"], "%Y-%m-%dT%H:%M:%SZ")
        self.docs, self.saved = {}, {}
        for path in glob.glob(self.root + "/cluster-resources/**/*.json", recursive=True):
            with open(path) as f:
                self.docs[path] = json.load(f)

    def time(self, seconds):
        return (self.now + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def files(self, folder, place):
        base = f"{self.root}/cluster-resources/{folder}"
        if place == "cluster":
            return [base + ".json"] if base + ".json" in self.docs else []
        named = [p for p in self.docs if os.path.dirname(p) == base]
        own = f"{base}/{self.namespace}.json"
        return [p for p in named if (p == own) == (place == "own")]

    def items(self, folder, place="own"):
        for path in self.files(folder, place):
            doc = self.docs[path]
            for item in doc["items"] if isinstance(doc, dict) else doc:
                yield path, item

    def touch(self, path):
        """To be called before a document changes."""
        if path not in self.saved:
            self.saved[path] = copy.deepcopy(self.docs[path])

    def drop(self, path, item):
        self.touch(path)
        doc = self.docs[path]
        (doc["items"] if isinstance(doc, dict) else doc).remove(item)

    def write(self):
        for path in self.saved:
            with open(path, "w") as f:
                json.dump(self.docs[path], f)

    def restore(self):
        for path, doc in self.saved.items():
            self.docs[path] = doc
            with open(path, "w") as f:
                json.dump(doc, f)
        self.saved = {}


def places(value, keys):
    """Every (container, key) that a path with * in it fits."""
    if not keys:
        return
    key, rest = keys[0], keys[1:]
    if isinstance(value, list):
        choices = range(len(value)) if key == "*" else [int(key)] if key.isdigit() and int(key) < len(value) else []
    elif isinstance(value, dict):
        choices = list(value) if key == "*" else [key]
    else:
        return
    for choice in choices:
        if not rest:
            yield value, choice
        elif isinstance(value, list) or choice in value:
            yield from places(value[choice], rest)


def misspelt(text):
    """The text with two neighbours swapped, or a letter doubled."""
    for i in range(len(text) - 2, 0, -1):
        if text[i].isalnum() and text[i - 1].isalnum() and text[i] != text[i - 1]:
            return text[:i - 1] + text[i] + text[i - 1] + text[i + 1:]
    return text + text[-1:]


def new_value(value, old, recording):
    if isinstance(value, str) and value == "!misspelt":
        return misspelt(old)
    if isinstance(value, str) and value.startswith("!time "):
        return recording.time(int(value[6:]))
    if isinstance(value, str) and value.startswith("!add "):
        return old + int(value[5:])
    if isinstance(value, str):
        return value.replace("{old}", str(old))
    if isinstance(value, dict):
        return {k: new_value(v, None, recording) for k, v in value.items()}
    if isinstance(value, list):
        return [new_value(v, None, recording) for v in value]
    return value


def split(path):
    return path.split("/" if "/" in path else ".")


def fits(item, row, recording):
    if not fnmatch.fnmatch(item["metadata"]["name"], row.get("name", "*").replace("{namespace}", recording.namespace)):
        return False
    for path, want in row.get("having", {}).items():
        found = [container.get(key) if isinstance(container, dict) else container[key] for container, key in places(item, split(path))]
        if want not in found and not (want is True and any(v is not None for v in found)):
            return False
    return True


def is_wanted(item, recording):
    """A module that provides what another one requires."""
    wanted_ids = {r["capabilityId"] for _, i in recording.items("custom-resources/modulemanifests.bindery.platform")
                  for r in i["spec"]["requires"] if i["metadata"]["name"] != item["metadata"]["name"]}
    return any(p["capabilityId"] in wanted_ids for p in item["spec"]["provides"])


def edits(row, item):
    """Each way to apply a row to one object: a function of (recording, path, item), and its words."""
    if row.get("delete"):
        yield lambda r, path, target: r.drop(path, target), "deleted"
    elif "shape" in row:
        yield lambda r, path, target: SHAPES[row["shape"]](r, path, target, row.get("with", {})), row["shape"]
    else:
        first, *others = row.get("set", {}) or row["remove"]
        count = len([1 for container, key in places(item, split(first))
                     if isinstance(container, list) or key in container or row.get("absent")])
        for number in range(count):
            yield lambda r, path, target, n=number: change(r, path, target, row, n), f"{first} #{number}"


def change(recording, path, item, row, number):
    recording.touch(path)
    for where, value in row.get("set", {}).items():
        hits = list(places(item, split(where)))
        container, key = hits[number] if number < len(hits) else hits[0]
        old = container.get(key) if isinstance(container, dict) else container[key]
        container[key] = new_value(value, old, recording)
    for where in row.get("remove", []):
        hits = list(places(item, split(where)))
        container, key = hits[number] if number < len(hits) else hits[0]
        del container[key]


def run(tool, recording, extra=()):
    command = [tool, "--bundle", recording.root, "-n", recording.namespace, "--at", recording.about["collected"], "-o", "json", *extra]
    p = subprocess.run(command, capture_output=True, text=True, timeout=60)
    try:
        return json.loads(p.stdout)["findings"]
    except ValueError:
        sys.exit(f"{' '.join(command)}: exit {p.returncode}, no JSON: {p.stderr[:300]}")


def objects(finding):
    return {f"{o.get('kind')}/{o.get('name')}" for o in [finding["subject"], *(finding.get("related") or [])]}


def wanted(row, item, kind):
    name = item["metadata"]["name"]
    return {o.replace("{name}", name) for o in row["names"]} if "names" in row else {f"{kind}/{name}"}


def judge(row, item, kind, findings):
    if not findings:
        return "no finding"
    first, want = findings[0], wanted(row, item, kind)
    if first.get("fault") not in row["fault"].split("|"):
        return f"first is {first['check']} {first.get('fault')} {first['severity']}: {first['message']}"
    if "any" not in want and not any(fnmatch.filter(objects(first), w) for w in want):
        return f"right fault, but on {sorted(objects(first))} and not {sorted(want)}"
    return None


KINDS = {"pods": "Pod", "services": "Service", "deployments": "Deployment", "replicasets": "ReplicaSet", "pvcs": "PersistentVolumeClaim",
         "endpointslices": "EndpointSlice", "nodes": "Node", "namespaces": "Namespace", "leases": "Lease",
         "custom-resource-definitions": "CustomResourceDefinition", "clusterroles": "ClusterRole",
         "booklets": "Booklet", "modulemanifests": "ModuleManifest", "worldinstances": "WorldInstance", "worldshards": "WorldShard",
         "capabilitybindings": "CapabilityBinding", "realms": "Realm", "worldstorageclaims": "WorldStorageClaim"}


def kind_of(folder):
    return KINDS[folder.removeprefix("custom-resources/").removesuffix(".bindery.platform")]


def targets(row, recording):
    if not fnmatch.fnmatch(recording.name, row.get("recording", "*")):
        return
    for path, item in recording.items(row["in"], row.get("place", "own")):
        if fits(item, row, recording) and (not row.get("wanted") or is_wanted(item, recording)):
            yield path, item["metadata"]["name"], len(list(edits(row, item)))


def find(recording, path, name):
    doc = recording.docs[path]
    return next(i for i in (doc["items"] if isinstance(doc, dict) else doc) if i["metadata"]["name"] == name)


def breaks(table, recordings):
    for row in table:
        for recording in recordings:
            for path, name, count in targets(row, recording):
                for number in range(count):
                    yield row, recording, path, name, number


def apply(tool, row, recording, path, name, number):
    item = find(recording, path, name)
    before = copy.deepcopy(item)
    edit, words = list(edits(row, item))[number]
    edit(recording, path, item)
    recording.write()
    try:
        return judge(row, before, kind_of(row["in"]), run(tool, recording)), words
    finally:
        recording.restore()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("recordings")
    parser.add_argument("--table", default=os.path.dirname(os.path.abspath(__file__)) + "/breaks.yaml")
    parser.add_argument("--only", default="*", help="rows whose break or fault matches")
    parser.add_argument("--accept", type=float, default=95)
    parser.add_argument("-v", action="store_true")
    args = parser.parse_args()
    with open(args.table) as f:
        table = [r for r in yaml.safe_load(f) if fnmatch.fnmatch(r["break"], args.only) or fnmatch.fnmatch(r["fault"], args.only)]
    done = collections.defaultdict(lambda: [0, 0])
    used = set()
    with tempfile.TemporaryDirectory() as where:
        recordings = []
        for folder in sorted(glob.glob(args.recordings + "/ok-*")):
            os.mkdir(f"{where}/{os.path.basename(folder)}")
            recordings.append(Recording(folder, f"{where}/{os.path.basename(folder)}"))
        for recording in recordings:
            bad = [f for f in run(args.tool, recording) if f["severity"] != "info" and f.get("fault") not in
                   recording.about["consequences"] + recording.about["other_roots"]]
            if bad:
                sys.exit(f"{recording.name} is not healthy unbroken: {bad[0]['message']}")
        for row, recording, path, name, number in breaks(table, recordings):
            used.add(row["break"])
            miss, words = apply(args.tool, row, recording, path, name, number)
            done[row["kind"]][0 if miss is None else 1] += 1
            if miss is not None and "but" in row:
                miss = f"known: {row['but']}"
            if miss is not None or args.v:
                print(f"{'MISS' if miss else 'ok  '} {row['fault']} {row['break']} ({words}) of {name} in {recording.name}: {miss or ''}")
    for row in table:
        if row["break"] not in used:
            print(f"UNUSED {row['break']}: no place in any recording")
    passed, failed = (sum(n[i] for n in done.values()) for i in (0, 1))
    for kind, (good, bad) in sorted(done.items()):
        print(f"{kind:24} {good:4} of {good + bad:4} named first  {100 * good / (good + bad):5.1f} %")
    print(f"{'all':24} {passed:4} of {passed + failed:4} named first  {100 * passed / max(1, passed + failed):5.1f} %")
    print(f"{passed} passed, {failed} failed")
    sys.exit(0 if passed and len(used) == len(table) and passed >= args.accept / 100 * (passed + failed) else 1)


if __name__ == "__main__":
    main()
