#!/usr/bin/env python3
"""make lineage: fails where a rung differs from the one below, undeclared."""

import argparse
import sys
from pathlib import Path

from check import check
from problem import Stop
from rungs import read_tree, repository


def main(arguments=None):
    """Print every problem; 0 when there is none."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=repository())
    root = parser.parse_args(arguments).root
    try:
        ladder = read_tree(root)
        problems = check(ladder)
    except Stop as stop:
        sys.exit(f"lineage: {stop}")
    for problem in problems:
        print(problem)
    print(summary(ladder, problems))
    return 1 if problems else 0


def summary(ladder, problems):
    """The last line: what was looked at, and what came of it."""
    files = sum(map(len, ladder.values()))
    looked = f"lineage: {len(ladder)} rungs, {files} files: "
    if not problems:
        return looked + "every difference is declared"
    return looked + f"{len(problems)} to mend"


if __name__ == "__main__":
    sys.exit(main())
