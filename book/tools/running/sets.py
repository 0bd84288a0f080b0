"""Instruction sets: a rung may compile its kernels once for each of several,
of which a command runs the best that the processor has.

A trial whose command is compared has to optimize only those: what is compiled
for the other sets has to compile and to be linked, and is never run.  Most of
the time to compile a changed header of kernels is theirs.  Tests run all sets
that are here, so for them all are compiled as readers compile them.
"""

import re
import shlex

from running.workshop import FLAGS, TIME_LIMIT

SETS = FLAGS.replace("flags", "set_flags")  # with which each is compiled
ROW = re.compile(r"(\w+):((?: +-[^ \n]+)*)")
# How kernels are compiled that do not run: their inline functions once.
QUICKLY = ["-O0", "-DINLINE=static"]
# Says by its status whether a set is here.
ASK = "RUNG_CPU={} ./rung next a -k 1"
NAMES_ITS_OWN = re.compile(r"\bmake\b|\bRUNG_CPU\b")


class Sets:
    """Which sets of each rung a command does not run here."""

    def __init__(self, workshop):
        self.workshop = workshop
        self.known = {}  # {rung: options of make}

    def options(self, rung, folder):
        """The options with which make compiles a changed copy in a folder,
        its kernels of the sets that no command runs without optimizing.  The
        copy's program is still that of the rung."""
        if rung not in self.known:
            path = folder / SETS
            rows = rows_of(path.read_text()) if path.exists() else {}
            self.known[rung] = options_of(rows, self.best(rows, folder))
        return self.known[rung]

    def best(self, rows, folder):
        """The name of the best set that is here; the Makefile lists them from
        the simplest on.  None where it is not known."""
        for name in reversed(rows):
            status, _ = self.workshop.execute(ASK.format(name), folder,
                                              TIME_LIMIT)
            if status == 0:
                return name
        return None


def leaves(command):
    """Whether a command leaves it to the program which set is run, and
    compiles nothing."""
    return not NAMES_ITS_OWN.search(command)


def rows_of(text):
    """{set: its flags} of the file in which a rung keeps them."""
    return {name: flags.split() for name, flags in ROW.findall(text)}


def options_of(rows, best):
    """What tells make not to optimize for other sets than the best; the file
    of their flags stays, so that nothing else is compiled again."""
    if best is None:
        return []
    return ["-o", SETS, *(
        shlex.quote(f"SET_{name}=" + " ".join(
            flags + QUICKLY * (name != best)))
        for name, flags in rows.items())]
