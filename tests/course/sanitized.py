#!/usr/bin/env python3
"""make course-mutants SAN=1: do the sanitizers see what survivors/ says?

    python3 sanitized.py [RUNG…] [--only FILE-or-FUNCTION…]

Of some small mistakes the reason why they may live is that no result shows
them, but the sanitizers do: they read behind an end, or free too little.
Here these are tried, and no other, in a copy that is compiled with the
address and undefined-behaviour sanitizers: one of the function's own tests
must fail.
"""

import argparse
import os
import re
import sys

from mutate import NONE, Results, find_out, read_survivors, row_of
from mutation import ALIVE, HANGS, KILLED, REFUSED, SAME, Mutation
from tree import Stop, find_rung, read_ladder

SANITIZE = "-g -fsanitize=address,undefined -fno-sanitize-recover=all"
NAMES_THEM = re.compile(r"\bsanitizers\b|\bSAN=1\b")
WORDS = {ALIVE: "the sanitizers do not see", REFUSED: "does not compile",
         SAME: "with the sanitizers, the same code is",
         HANGS: "takes too long or too much memory, with the sanitizers"}


class Sanitized(Mutation):
    """A rung's copy that the sanitizers watch."""

    SANITIZE = SANITIZE
    PROGRAM = "./build/san/rung"  # by which tests know of sanitizers

    def build(self):
        super().build()
        program = self.folder / self.PROGRAM
        program.parent.mkdir()
        program.symlink_to("../../rung")

    def alone(self, function, mutant, known=None):
        """A mistake is killed only by tests that pass without it."""
        outcome = super().alone(function, mutant, known)
        if outcome == KILLED:
            self.errors(function.file)  # compiles it as it is
            if self.built_in(function) != ALIVE:
                raise Stop(f"{function.name}: with the sanitizers its tests "
                           "fail though nothing is changed")
        return outcome

    def variables(self):
        """A mistake's library is loaded before that of the sanitizers, and
        their shadow is more memory than a test may else have."""
        options = os.environ.get("ASAN_OPTIONS", "")
        return {**super().variables(), "TRY_ALL_MEMORY": "1",
                "ASAN_OPTIONS": f"{options}:verify_asan_link_order=0"}


class Named(Results):
    """A rung's mutants of which survivors/ says that the sanitizers see
    them."""

    def __init__(self, rung, files, only=()):
        self.reasons, self.tried = read_survivors(rung), {}
        super().__init__(rung, files, only)

    def unknown(self, name):
        """The numbers of these mutants: nothing is kept of them."""
        return [i for i, mutant in enumerate(self.mutants[name])
                if names_them(self.reasons, name, str(mutant))]

    def put(self, task, outcomes):
        mutants = self.mutants[task.function.name]
        self.tried.update(
            ((task.function.name, str(mutants[number])), outcome)
            for number, outcome in zip(task.numbers, outcomes))

    def mistakes(self):
        """What the sanitizers do not see, as text."""
        return [f"{self.rung}: {name}: {WORDS[outcome]}: {mutant}"
                for (name, mutant), outcome in self.tried.items()
                if outcome in WORDS]


def names_them(reasons, name, mutant):
    """Whether these Rows say that the sanitizers see this mutant."""
    return bool(NAMES_THEM.search((row_of(reasons, name, mutant) or
                                   NONE).reason))


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rungs", nargs="*")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, help="else one a processor")
    return parser.parse_args(arguments)


def main(arguments=None):
    options = options_of(arguments)
    ladder = read_ladder()
    every = [Named(rung, ladder[rung], options.only.split()) for rung in
             [find_rung(ladder, name) for name in options.rungs] or ladder]
    wrong = find_out(every, options.jobs, kind=Sanitized)
    for named in every:
        found = named.mistakes()
        print(f"{named.rung}: of {len(named.tried)} mutants the sanitizers "
              f"see {len(named.tried) - len(found)}", flush=True)
        wrong += found
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Stop as stop:
        sys.exit(f"course: {stop}")
