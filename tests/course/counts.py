#!/usr/bin/env python3
"""Prints the table of README.md: what survivors/ says of each rung's mutants.

Nothing is tried.  The table is of what was last kept there; test_counts.py
holds README.md to it.
"""

import sys
from collections import Counter

from functions import taught_functions
from mutate import LETTERS, SURVIVORS, UNKNOWN, read_rows, unseen
from mutation import ALIVE, HANGS, KILLED
from tree import read_ladder

HEAD = ("rung", "functions looked at", "mutants", "killed", "hang", "live",
        "of these open")


def table(ladder):
    """The lines of the table, a row for each rung that has a file of
    results."""
    rows = [row(rung, [f.name for f in taught_functions(files)],
                read_rows(SURVIVORS / f"{rung}.json"))
            for rung, files in ladder.items()
            if (SURVIVORS / f"{rung}.json").exists()]
    return [line(HEAD), "|---" * len(HEAD) + "|", *map(line, rows)]


def row(rung, taught, known):
    """A rung's row: of the functions that are taught, what became of their
    mutants by these results, {function: {"found": a letter a mutant}}."""
    found = {name: known[name]["found"] for name in taught if name in known}
    tried = [name for name in found if LETTERS[UNKNOWN] not in found[name]]
    n = Counter("".join(found.values()))
    killed, hang, live = (n[LETTERS[each]] for each in (KILLED, HANGS, ALIVE))
    open_ones = sum(filter(None, unseen(rung, taught).values()))
    return [rung.partition("-")[0], f"{len(tried)} of {len(taught)}",
            *(f"{number:,}" for number in
              (killed + hang + live, killed, hang, live, open_ones))]


def line(cells):
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    print("\n".join(table(read_ladder())))
    sys.exit()
