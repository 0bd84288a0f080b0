#!/bin/sh
# usage: arm64.sh FOLDER PACKAGE...
#
# Unpacks these Debian packages, as they are for 64-bit ARM, into FOLDER:
# libraries to link with, for a compiler that runs here.  Nothing is installed,
# and apt-get's own lists stay as they are; its keys check what comes.  Does
# nothing where FOLDER holds just these; where it cannot be done, says so, and
# stops with status 1.
set -eu

folder=$1
shift
[ "$(cat "$folder/ready" 2> /dev/null)" != "$*" ] || exit 0
rm -rf "$folder"

mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
folder=$(cd "$folder" && pwd)

# apt-get, as if this were such a machine.
apt() {
    apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 \
        -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none \
        -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false \
        -o Dir::State::Lists="$folder/lists" -o Dir::Cache="$folder/cache" "$@"
}

echo "Unpacking for 64-bit ARM, into $folder: $*"
cd "$folder"
apt update && apt download "$@" || {
    echo "arm64.sh: apt-get found no packages for 64-bit ARM" >&2
    exit 1
}
for package in *.deb; do
    dpkg-deb -x "$package" .
done
rm -rf lists cache *.deb
echo "$*" > ready
