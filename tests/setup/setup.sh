#!/bin/sh
# usage: setup.sh NEED...
#
# Looks for each NEED (a row of packages.txt) and installs what is missing,
# with apt-get, through sudo where the user is not root; shows each command
# before it runs.  Where that cannot be, it names the packages and stops with
# status 1.  Where nothing is missing it says nothing and touches nothing.
set -u

table=$(dirname "$0")/packages.txt

# column N "NEED...": the Nth column of each NEED's row, in one line.
column() {
    for need in $2; do
        awk -F ' *[|] *' -v need="$need" -v n="$1" \
            '$1 == need && $n != "" { print $n }' "$table"
    done | paste -s -d ' ' -
}

# Can the compiler read these lines, and the headers that they include?
compiles() {
    printf '%s\n' "$@" | ${CC:-cc} -x c -fsyntax-only - 2>/dev/null
}

# Some other programs are called ctags, too.
is_universal() {
    "$1" --version 2>/dev/null | grep '^Universal Ctags'
}

# is_there NEED HOW [WHAT...]: HOW and WHAT are the table's second column.  A
# library is there when pkg-config finds it, since that is whom the rungs'
# Makefiles ask; its header is for a machine that has no pkg-config yet.  One
# that is nothing but headers is there when the compiler finds it.
is_there() {
    case $2 in
    compiler) compiles '#include <stdio.h>' ;;
    command) command -v "$3" ;;
    ctags) is_universal ctags || is_universal ctags-universal ||
        is_universal universal-ctags ;;
    python) python3 -c 'import unittest' 2>/dev/null ;;
    ensurepip) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
    include) compiles "#if !__has_include(<$3>)" '#error' '#endif' ;;
    either) shift 2; for one; do command -v "$one" && break; done ;;
    fuzzer) ls "$(clang -print-runtime-dir)"/*clang_rt.fuzzer* 2>/dev/null ;;
    header)
        if command -v pkg-config; then
            pkg-config --exists "$1"
        else
            is_there "$1" include "$3"
        fi ;;
    esac >/dev/null
}

# Prints the NEEDs that are not there.
find_missing() {
    for need; do
        how=$(column 2 "$need")
        if [ -z "$how" ]; then
            echo "setup.sh: packages.txt has no row for $need" >&2
            return 1
        fi
        is_there "$need" $how || printf '%s ' "$need"
    done
}

# Says why nothing more can be done here, names the packages, and stops.
give_up() {
    cat >&2 <<TEXT
$1
Please install these packages, then try again:
    Debian, Ubuntu   sudo apt-get install $(column 3 "$missing")
    Fedora           sudo dnf install $(column 4 "$missing")
    macOS, Homebrew  xcode-select --install; brew install $(column 5 "$missing")
TEXT
    exit 1
}

can_install() {
    command -v apt-get >/dev/null &&
        { [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null; }
}

# Runs apt-get as root, and shows the command first.
apt() {
    set -- env DEBIAN_FRONTEND=noninteractive apt-get -q \
        -o DPkg::Lock::Timeout=120 "$@"
    [ "$(id -u)" -eq 0 ] || set -- sudo "$@"
    echo "+ $*"
    "$@"
}

# The package lists may be missing, or so old that a download fails.
install() {
    set -- install -y --no-install-recommends "$@"
    apt-cache show $packages >/dev/null 2>&1 && apt "$@" && return
    apt update && apt "$@"
}

missing=$(find_missing "$@") || exit 1
[ -n "$missing" ] || exit 0
echo "Not on this machine yet: $missing"
can_install || give_up \
    'To install them here takes apt-get, and root or sudo to run it.'

echo 'Installing them now:'
packages=$(column 3 "$missing")
install $packages || give_up 'apt-get could not install all of them.'

missing=$(find_missing "$@")
[ -z "$missing" ] || give_up "Installed, but still not found: $missing"
