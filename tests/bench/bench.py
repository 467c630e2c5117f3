#!/usr/bin/env python3
"""Numbers to reach (docs/ARCHITECTURE.md), measured side by side in one run: best of many, for machines are noisy.

  bench.py BINDERY_CHECK RECORDINGS [--check]

--check exits 1 when an aim is missed by more than a quarter: a shared machine cannot tell less.
"""
import glob, os, subprocess, sys, time

tool, recordings = sys.argv[1:3]


def best(args, runs):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times) * 1000


missed = []


def row(what, ours, aim, text):
    print(f"{what:44} {ours:8.2f} ms   aim {text}{'' if ours <= aim else '   MISSED'}")
    if ours > 1.25 * aim:
        missed.append(what)


curl, ours = float("inf"), float("inf")
for _ in range(10):  # turn by turn, so that a slow moment hits both
    curl, ours = min(curl, best(["curl", "--version"], 10)), min(ours, best([tool, "--version"], 10))
row("bindery-check --version", ours, curl, f"curl --version: {curl:.2f} ms")

largest = max(glob.glob(recordings + "/*/bundle.tar.gz"), key=os.path.getsize)
gunzip = best(["gzip", "-dc", largest], 20)
row(f"largest recording, {os.path.getsize(largest) >> 10} KiB", best([tool, "--bundle", largest, "-A"], 30), 50, f"50 ms (gzip -dc: {gunzip:.2f} ms)")
sys.exit(bool(missed and "--check" in sys.argv))
