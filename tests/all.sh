#!/bin/sh
# All tests: gcc and clang under AddressSanitizer and UBSan, then the release build and its numbers.
set -eu
cd "$(dirname "$0")/.."
. tests/support/packages.sh

configure() { # FOLDER OPTIONS…
	folder=$1
	shift
	[ -d "$folder" ] || meson setup "$@" "$folder" >&2
}

configure _gcc --native-file build-dev.ini
CC=clang CXX=clang++ configure _clang --native-file build-dev.ini
configure _build
ninja -C _gcc >&2
ninja -C _clang >&2
ninja -C _build >&2
meson test -C _gcc --print-errorlogs
meson test -C _clang --print-errorlogs --no-suite lint
meson test -C _build --print-errorlogs --no-suite lint
python3 tests/bench/bench.py _build/tools/bindery-check tests/data/scenarios --check
python3 tests/mutation/run.py _build/tools/bindery-check tests/data/scenarios --accept 95
