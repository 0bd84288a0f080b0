"""Instruction sets: a rung may compile its kernels once for each of several,
of which a command runs the best that the processor has.

A trial has to optimize only those that it runs: what is compiled for the other
sets has to compile and to be linked. Most of the time to compile a changed
header of kernels is theirs. Tests run all sets that are here. A command that is
compared runs the best of them, which may take what it has no kernel of its own
for from one below it, but none from portable C.
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
# Whose kernels a trial runs: those of any set, of all that are here, or of the
# best of them.
ALL, HERE, BEST = "all", "here", "best"
NAMES_ITS_OWN = re.compile(r"\bmake\b|\bRUNG_CPU\b")


class Sets:
    """Which sets of each rung a trial does not run here."""

    def __init__(self, workshop):
        self.workshop = workshop
        self.known = {}  # {rung: ({set: flags}, the names of those here)}

    def options(self, rung, folder, runs):
        """The options with which make compiles a changed copy in a folder, of
        which ALL, HERE or BEST is run, the kernels of other sets without
        optimizing.  The copy's program is still that of the rung."""
        if runs == ALL:
            return []
        if rung not in self.known:
            path = folder / SETS
            rows = rows_of(path.read_text()) if path.exists() else {}
            self.known[rung] = rows, self.here(rows, folder)
        rows, here = self.known[rung]
        if runs == BEST and len(here) > 1:
            here = here[1:]
        return options_of(rows, here)

    def here(self, rows, folder):
        """The names of the sets that the processor has; the Makefile lists
        them from the simplest on.  Empty where that is not known."""
        return [name for name in rows if self.workshop.execute(
            ASK.format(name), folder, TIME_LIMIT)[0] == 0]


def run_by(command):
    """Whose kernels a command runs: it may choose a set, or compile, itself."""
    return ALL if NAMES_ITS_OWN.search(command) else BEST


def rows_of(text):
    """{set: its flags} of the file in which a rung keeps them."""
    return {name: flags.split() for name, flags in ROW.findall(text)}


def options_of(rows, needed):
    """What tells make not to optimize for other sets than these; the file of
    their flags stays, so that nothing else is compiled again."""
    if not needed or set(needed) == set(rows):
        return []
    return ["-o", SETS, *(
        shlex.quote(f"SET_{name}=" + " ".join(
            flags + QUICKLY * (name not in needed)))
        for name, flags in rows.items())]
