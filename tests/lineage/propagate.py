#!/usr/bin/env python3
"""make propagate: carries a fix in one rung up through all rungs above it.

Old is what HEAD has, new is the working tree.  At a conflict it stops and
remembers its place under build/propagate/; --continue goes on from there.
"""

import argparse
import sys
from pathlib import Path

import rungs
from carry import Lift, carry
from place import Place
from problem import Stop


def main(arguments=None):
    """0 when every rung has the fix, 1 at a conflict or a wrong call."""
    options = parse_options(arguments)
    place = Place(options.root)
    try:
        if options.go_on:
            climb = Climb.resume(options.root, place)
        else:
            climb = Climb.begin(options.root, place, options.start)
        return climb.run()
    except Stop as stop:
        print(f"propagate: {stop}", file=sys.stderr)
        return 1


def parse_options(arguments):
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=rungs.repository())
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--from", dest="start", metavar="RUNG",
                        help="the rung that was fixed")
    action.add_argument("--continue", dest="go_on", action="store_true",
                        help="go on after a conflict is mended")
    return parser.parse_args(arguments)


class Climb:
    """One way up the ladder, from the rung below `at` on.

    What is carried from a rung is its change from `commit` to the working
    tree.  `before` holds the files that no commit has, as they were before
    this climb touched their rung.  `carried` is the tree that an earlier
    climb from the same commit left: a second thought on the same fix meets
    the first one in the rungs above, which must not count as their own.
    """

    def __init__(self, root, place, commit, at):
        self.root = root
        self.place = place
        self.commit = commit
        self.at = at
        self.carried = place.load_carried(commit)
        self.before = {}

    @classmethod
    def begin(cls, root, place, start):
        """A new climb from the rung `start`."""
        if place.exists():
            raise Stop(f"a climb waits at {place.load()['rung']}: go on with "
                       "CONTINUE=1, or forget it with rm -r build/propagate")
        ladder = rungs.read_tree(root)
        if start not in ladder:
            raise Stop(f"there is no rung {start}; the rungs are "
                       + ", ".join(ladder))
        commit = rungs.head(root)
        if not rungs.read_commit(root, commit, start):
            raise Stop(f"{start} is not in HEAD: commit it before the fix, "
                       "so that the fix can be told from the rest")
        for rung in ladder:
            refuse_markers(rung, ladder[rung])
        return cls(root, place, commit, start)

    @classmethod
    def resume(cls, root, place):
        """The climb that stopped at a conflict which is now mended."""
        if not place.exists():
            raise Stop("no climb waits: begin one with FROM=RUNG")
        state = place.load()
        ladder = rungs.read_tree(root)
        if state["rung"] not in ladder:
            raise Stop(f"there is no rung {state['rung']} any more")
        refuse_markers(state["rung"], ladder[state["rung"]])
        climb = cls(root, place, state["commit"], state["rung"])
        climb.before = place.load_before()
        return climb

    def run(self):
        """Carry from rung to rung; 1 when a conflict stops the climb."""
        names = list(rungs.read_tree(self.root))
        for lower, upper in zip(names, names[1:]):
            if lower >= self.at and not self.carry(lower, upper):
                return 1
        self.place.clear()
        self.place.save_carried(self.commit, rungs.snapshot(self.root))
        print("Carried to the top.  Next: make lineage, since a declaration "
              "may have become\nuntrue, then make test.")
        return 0

    def carry(self, lower, upper):
        """One rung up; False when it stops here."""
        ladder = rungs.read_tree(self.root)
        outcome = carry(Lift(self.bases(lower), ladder[lower],
                             ladder[upper], lower, upper))
        self.before = self.uncommitted(upper, ladder[upper])
        for path, file in outcome.files.items():
            self.put(Path(self.root, upper, path), file)
        report(upper, outcome)
        if outcome.conflicts:
            self.stop(upper, outcome)
        return not outcome.conflicts

    def bases(self, rung):
        """The earlier versions of a rung's files."""
        old = rungs.read_commit(self.root, self.commit, rung)
        bases = [{**self.before, **old}]
        if self.carried:
            bases.append(rungs.read_commit(self.root, self.carried, rung))
        return bases

    def uncommitted(self, rung, files):
        """The files of a rung which the commit does not have."""
        known = rungs.read_commit(self.root, self.commit, rung)
        return {path: file for path, file in files.items()
                if path not in known}

    def put(self, full, file):
        """Write or delete one file of the upper rung."""
        if file is None:
            full.unlink()
            remove_empty(full.parent)
        else:
            rungs.write_file(full, file)

    def stop(self, rung, outcome):
        """Remember the place and say what is to be mended."""
        self.place.save(rung, self.commit, self.before)
        print(f"\nStopped at {rung}.  To mend:")
        for path, deed in outcome.conflicts:
            region = f" {deed.name}" if deed.name else ""
            print(f"  {rung}/{path}{region}: {deed.what}")
        print("Then: make propagate CONTINUE=1")


def remove_empty(folder):
    """Remove a folder that holds nothing any more, and those around it."""
    while not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def refuse_markers(rung, files):
    """A conflict that is still there would be carried up as text."""
    for path, file in files.items():
        line = rungs.marker_line(file)
        if line:
            raise Stop(f"{rung}/{path}:{line}: a conflict marker: mend the "
                       "conflict and remove its markers first")


def report(rung, outcome):
    """What was done in one rung."""
    print(f"{rung}: " + (f"{len(outcome.deeds)} files" if outcome.deeds
                         else "nothing to do"))
    for path, deeds in outcome.deeds.items():
        said = [f"{deed.name} {deed.what}".strip() for deed in deeds]
        print(f"  {path}: " + ", ".join(said))


if __name__ == "__main__":
    sys.exit(main())
