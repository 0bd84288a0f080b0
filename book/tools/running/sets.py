"""Instruction sets: a rung may compile its kernels once for each of several,
of which a command runs the best that the processor has.

Most of the time to compile a changed header of kernels is the optimizing. Tests
run the sets that are here, with many numbers: what is compiled for other sets has
only to compile and to be linked. A command that is compared runs few numbers, and
gets the same bits from kernels that are not optimized at all.
"""

import re
import shlex

from running.workshop import FLAGS, TIME_LIMIT

SETS = FLAGS.replace("flags", "set_flags")  # with which each is compiled
ROW = re.compile(r"(\w+):((?: +-[^ \n]+)*)")
# How kernels are compiled that need not be fast: their inline functions once.
QUICKLY = ["-O0", "-DINLINE=static"]
# Says by its status whether a set is here.
ASK = "RUNG_CPU={} ./rung next a -k 1"
# Whose kernels are optimized for a trial: those of all sets, of those that are
# here, or none.
ALL, HERE, NONE = "all", "here", "none"
NAMES_ITS_OWN = re.compile(r"\bmake\b|\bRUNG_CPU\b")


class Sets:
    """For which sets of each rung nothing is optimized in a trial."""

    def __init__(self, workshop):
        self.workshop = workshop
        self.known = {}  # {rung: ({set: flags}, the names of those here)}

    def options(self, rung, folder, optimized):
        """The options with which make compiles a changed copy in a folder, of
        which the kernels for ALL, HERE or NONE are optimized.  The copy's
        program is still that of the rung."""
        if optimized == ALL:
            return []
        if rung not in self.known:
            path = folder / SETS
            rows = rows_of(path.read_text()) if path.exists() else {}
            self.known[rung] = rows, self.here(rows, folder)
        rows, here = self.known[rung]
        if optimized == HERE:
            return options_of(rows, here or rows)
        return options_of(rows, [])

    def here(self, rows, folder):
        """The names of the sets that the processor has; the Makefile lists
        them from the simplest on.  Empty where that is not known."""
        return [name for name in rows if self.workshop.execute(
            ASK.format(name), folder, TIME_LIMIT)[0] == 0]


def optimized_for(command):
    """The kernels that are optimized for a command; one that chooses a set, or
    compiles, itself may be about that."""
    return ALL if NAMES_ITS_OWN.search(command) else NONE


def rows_of(text):
    """{set: its flags} of the file in which a rung keeps them."""
    return {name: flags.split() for name, flags in ROW.findall(text)}


def options_of(rows, needed):
    """What tells make not to optimize for other sets than these; the file of
    their flags stays, so that nothing else is compiled again."""
    if set(needed) == set(rows):
        return []
    return ["-o", SETS, *(
        shlex.quote(f"SET_{name}=" + " ".join(
            flags + QUICKLY * (name not in needed)))
        for name, flags in rows.items())]
