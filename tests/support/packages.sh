# Debian 12 packages that building and testing need; sourced. Installs those that are missing, as root.
packages="meson ninja-build gcc g++ libc6-dev clang libclang-rt-14-dev pkg-config python3 python3-jsonschema python3-yaml curl openssl
	libjansson-dev libcurl4-openssl-dev libyaml-dev libarchive-dev libpcre2-dev nettle-dev libtomlplusplus-dev libcmocka-dev
	libxml2-utils prometheus git"

missing=
for package in $packages; do
	dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
	echo "installing:$missing" >&2
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -q >&2 && apt-get install -y -q --no-install-recommends $missing >&2 || exit 1
fi
