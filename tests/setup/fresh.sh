#!/bin/sh
# usage: fresh.sh FOLDER
#
# Tries the README's two commands where nothing is installed yet: as root, as
# a user with sudo, as one without, and without a network.  FOLDER holds an
# empty Debian, which stays as it is; the trials are in FOLDER.try:
#
#     debootstrap --variant=minbase --include=git,make trixie FOLDER
#
# Takes root, a network and an hour on two cores.  Tests the last commit.
# Everything is tested once, by the user with sudo; root, with and without a
# network, tries what is different for them.
set -eu

empty=$1
machine=$empty.try
root=$(cd "$(dirname "$0")/../.." && pwd)
log=$empty.log

fail() {
    echo "fresh.sh: $*; its output ended with" >&2
    tail -n 20 "$log" >&2
    exit 1
}

# A machine with nothing on it but a clone, which belongs to "reader".
start() {
    echo "== $1"
    rm -rf "$machine"
    cp -a "$empty" "$machine"
    git clone -q --no-hardlinks "$root" "$machine/home/rungs"
    chmod 1777 "$machine/dev/shm"
    in_machine root 'useradd -m reader && chown -R reader /home/rungs'
}

# in_machine USER COMMAND [UNSHARE_OPTION]
in_machine() {
    unshare --mount --pid --fork --mount-proc="$machine/proc" ${3:-} \
        chroot "$machine" su "$1" -s /bin/sh -c "cd /home/rungs && $2" \
        >"$log" 2>&1 </dev/null
}

run_works() {
    in_machine "$1" 'make run' || fail 'make run failed'
    tail -n 3 "$log"
}

# Each rung's folder builds and tests alone; what it lacks there is skipped.
copies_work() {
    in_machine "$1" 'for rung in m[0-9]*-*; do
        rm -rf /tmp/copy && mkdir /tmp/copy &&
        git archive HEAD $rung | tar -x -C /tmp/copy &&
        make -C /tmp/copy/$rung all test &&
        RUNG_MODEL=tests/models/tiny-chat /tmp/copy/$rung/rung demo || exit 1
    done' || fail 'a copy of a rung did not build or test'
}

# Both commands work, and change nothing that git sees.
both_work() {
    run_works "$1"
    in_machine "$1" 'make test' || fail 'make test failed'
    tail -n 1 "$log" | grep '^[0-9]* passed, 0 failed' ||
        fail 'make test printed no such last line'
    in_machine root "git -c safe.directory='*' status --porcelain"
    [ ! -s "$log" ] || fail 'there are new files'
}

start 'root'
in_machine root 'chown -R root /home/rungs'
run_works root
in_machine root 'make setup' || fail 'make setup failed'
copies_work root
in_machine root 'make clean && make run &&
    make -C "$(ls -d m[0-9]*-* | tail -n 1)" test' --net ||
    fail 'with everything there, it needed a network'

start 'a user with sudo'
in_machine root 'apt-get update && apt-get install -y sudo' || fail 'no sudo'
echo 'reader ALL=(ALL) NOPASSWD: ALL' >"$machine/etc/sudoers.d/reader"
both_work reader

start 'a user without sudo'
! in_machine reader 'make run' || fail 'make run did not stop'
grep 'apt-get install .*gcc' "$log" || fail 'it named no packages'

start 'root, without a network'
! in_machine root 'make run' --net || fail 'make run did not stop'
grep 'sudo apt-get install .*gcc' "$log" || fail 'it named no packages'

rm -rf "$machine"
echo "All trials went well in $empty."
