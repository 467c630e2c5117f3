#!/bin/sh
# Include lines against the layer table of docs/ARCHITECTURE.md: layers only look down.
#   layers.sh SOURCE_ROOT
set -u
cd "$1" || exit 1
bad=0

allow() { # FOLDER "may include these"
	for file in libdiag/"$1"/*.[ch] libdiag/"$1"/*.cc; do
		[ -e "$file" ] || continue
		for used in $(sed -n 's|^#include "\([a-z]*\)/.*|\1|p' "$file" | sort -u); do
			case " $2 $1 " in
			*" $used "*) ;;
			*)
				echo "$file includes $used/, which is not below $1/"
				bad=1
				;;
			esac
		done
	done
}

allow base ""
allow text "base"
allow model "base text"
allow kube "base text"
allow bundle "base text"
allow bindery "base text model"
allow cardinal "base text model"
allow source "base text model kube bundle"
allow check "base text model"
allow policy "base text model check"
allow report "base text model check"
allow collect "base text model bundle"
allow cli "base text model kube bundle source check policy report"

for file in checks/*.[ch] checks/*/*.[ch]; do
	for used in $(sed -n 's|^#include "\([a-z]*\)/.*|\1|p' "$file" | sort -u); do
		case $used in
		base | text | model | bindery | check | checks) ;;
		*)
			echo "$file includes $used/, which checks may not know"
			bad=1
			;;
		esac
	done
done

# Third-party headers stay behind one file each; jansson is our object representation everywhere.
one_home() { # HEADER FILE...
	header=$1
	shift
	for file in $(grep -rl "^#include <$header" libdiag checks tools); do
		home=
		for place in "$@"; do
			case $file in
			$place) home=$place ;;
			esac
		done
		if [ -z "$home" ]; then
			echo "$file includes <$header>, which belongs to $* alone"
			bad=1
		fi
	done
}
one_home curl "libdiag/kube/transport*"
one_home archive "libdiag/bundle/archive.c" "libdiag/bundle/packer.c" "libdiag/bundle/writer.c"
one_home pcre2 "libdiag/text/regex.c"
one_home yaml.h "libdiag/text/yaml.c"
one_home toml++ "libdiag/text/toml.cc"
one_home nettle "libdiag/bindery/names.c" "libdiag/bundle/digest.c"
exit $bad
