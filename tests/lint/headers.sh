#!/bin/sh
# Every header compiles alone.
#   headers.sh SOURCE_ROOT COMPILER FLAGS…
set -u
root=$1
shift
cd "$root" || exit 1
bad=0
for header in libdiag/*/*.h checks/*.h checks/*/*.h; do
	echo "#include \"$root/$header\"" |
		"$@" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -Ilibdiag -I. -fsyntax-only -x c - ||
		bad=1
done
exit $bad
