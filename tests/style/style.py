#!/usr/bin/env python3
"""make style: measures how each rung reads, against the aims."""

import argparse
import sys
from pathlib import Path

from aims import SUMMARY, WIDTH, missed, offenders
from measure import PROGRAM, TESTS, measure  # finds the lineage tools

from problem import Stop
from rungs import read_tree, repository

NOTHING = "-"
GROWTH = ("code added", "old functions touched")


def main(arguments=None):
    """Print tables and offenders; with --check, 1 when an aim is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=repository())
    parser.add_argument("--check", action="store_true",
                        help="exit with 1 when an aim is missed")
    options = parser.parse_args(arguments)
    try:
        measured = measure_ladder(read_tree(options.root))
    except Stop as stop:
        sys.exit(f"style: {stop}")
    for rung, below, numbers in measured:
        print("\n".join(table(rung, below, numbers)) + "\n")
    print("\n".join(verdict(measured)))
    failed = any(missed(group) for _, _, numbers in measured
                 for group in numbers.values())
    return 1 if options.check and failed else 0


def measure_ladder(ladder):
    """(rung, the rung below or None, its numbers) of each rung."""
    measured, below = [], None
    for rung, files in ladder.items():
        numbers = measure(rung, files, ladder.get(below), WIDTH)
        measured.append((rung, below, numbers))
        below = rung
    return measured


def table(rung, below, numbers):
    """One rung's lines: a column for the program, one for the tests."""
    rows = [(rung, PROGRAM, TESTS)]
    columns = [column(numbers[kind], below) for kind in (PROGRAM, TESTS)]
    for name in columns[0]:
        rows.append(("  " + name, columns[0][name], columns[1][name]))
    width = max(len(row[1]) for row in rows) + 2
    return [f"{name:<26}{left:<{width}}{right}".rstrip()
            for name, left, right in rows]


def column(numbers, below):
    """The numbers of one group, as text."""
    lines = "{} lines".format
    cells = {
        "functions": str(len(numbers.functions)),
        "functions: median": lines(f"{numbers.median:g}"),
        "functions: 95%": lines(numbers.percentile95),
        "functions: longest": name_largest(numbers.functions),
        "files": str(len(numbers.files)),
        "files: longest": name_largest(numbers.files),
        "widest line": name_largest(numbers.widths),
        "comment": f"{numbers.comment_share:.0%} of lines not blank",
        "code": lines(numbers.code),
    }
    if below:
        cells["code added"] = lines(numbers.added)
        cells["old functions touched"] = str(numbers.touched)
    if not numbers.files:  # the rung below may have had some
        cells = {name: text if name in GROWTH else NOTHING
                 for name, text in cells.items()}
    return cells


def name_largest(sizes):
    """The largest of some sizes, and where it is."""
    if not sizes:
        return NOTHING
    largest = max(sizes, key=lambda size: size.size)
    if largest.name == largest.path:
        return f"{largest.size} {largest.path}"
    name = f"{largest.name} " if largest.name else ""
    return f"{largest.size} {name}({largest.path}:{largest.line})"


def verdict(measured):
    """The aims, who misses them, and the offenders, each once."""
    lines, seen = [SUMMARY, ""], set()
    for rung, _, numbers in measured:
        for kind, group in numbers.items():
            phrases = missed(group)
            result = "missed: " + ", ".join(phrases) if phrases else "all met"
            lines.append(f"{rung} {kind}: {result}")
    lines.append("")
    for rung, _, numbers in measured:
        for group in numbers.values():
            for key, what in offenders(rung, group):
                if key not in seen:
                    lines.append(what)
                seen.add(key)
    return lines if lines[-1] else lines[:-1]


if __name__ == "__main__":
    sys.exit(main())
