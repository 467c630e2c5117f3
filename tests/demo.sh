#!/bin/sh
# Build bindery-check and run it on a recorded cluster. Installs what it needs from Debian's packages.
set -eu
cd "$(dirname "$0")/.."
. tests/support/packages.sh
[ -d _build ] || meson setup _build >&2
ninja -C _build tools/bindery-check >&2
status=0
_build/tools/bindery-check --bundle tests/data/scenarios/dependency-chain/bundle.tar.gz -n lime || status=$?
# 1 is what a cluster with a fault gives; anything else would be a fault of ours.
[ "$status" -eq 1 ]
