"""Measures what the book shows: writes book/measured.json.

usage: measure.py [BEGINNING]

The table book/measures.json says what: a name, a rung, a command, and, where
it is not the command's time, a regular expression for the number that it
prints; and how many runs, where one is enough since each prints the same.  The
ratios of the chapters' exercises are measured, too.  With an argument, only
what begins so is measured and the rest stays.
"""

import datetime
import functools
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import time

from blocks import exercises
from chapters.book import Book
from chapters.page import Page
from support.mistakes import Wrong
from text import tree

RUNS = 5


def number_of(output, pick):
    """The number that an expression finds in what a command printed."""
    found = re.search(pick, output)
    if not found:
        raise Wrong(f"{pick} matches nothing in: {output[-300:]}")
    return float(found.group(found.re.groups and 1).replace(",", ""))


def measure(workshop, rung, command, pick=None, runs=RUNS):
    """The median of a command's time in seconds, or of its number."""
    outcomes = [run_once(workshop, rung, command) for _ in range(runs)]
    return median_of(outcomes, pick)


def run_once(workshop, rung, command):
    """(seconds, output) of a command."""
    folder = workshop.build(rung)
    start = time.perf_counter()
    status, output = workshop.execute(command, folder, 600)
    took = time.perf_counter() - start
    if status:
        raise Wrong(f"{command}: ended with status {status}: "
                    f"{output[-300:]}")
    return took, output


def median_of(outcomes, pick):
    """The median of the times of some runs, or of the numbers they print."""
    return statistics.median(number_of(output, pick) if pick else took
                             for took, output in outcomes)


def ratio(workshop, rung, one, other, pick=None, runs=RUNS):
    """One median divided by another."""
    return (measure(workshop, rung, one, pick, runs)
            / measure(workshop, rung, other, pick, runs))


def exercises_of(book):
    """Every measure exercise as a row of the table."""
    for chapter in book.chapters:
        page = Page(book, chapter, "site")
        for node in tree.each(chapter.blocks, ("Div",)):
            if exercises.is_exercise(node) and \
                    exercises.kind_of(node) == "measure":
                pairs = tree.pairs_of(node)
                yield {"name": exercises.ratio_name(node, page), "unit": "",
                       "rung": exercises.rung_of(node, page),
                       "run": pairs["run"], "than": pairs["than"],
                       "pick": pairs.get("pick")}


def table(book):
    """Every row to measure."""
    path = book.folder / "measures.json"
    rows = json.loads(path.read_text()) if path.exists() else []
    return rows + list(exercises_of(book))


def value_of(book, row):
    """What one row measures."""
    rung = book.sources.rung(row["rung"])
    refuse_changes(book.root, rung)
    if "than" in row:
        return ratio(book.workshop, rung, row["run"], row["than"],
                     row.get("pick"))
    return median_of(outcomes_of(book.workshop, rung, row["run"],
                                 row.get("runs", RUNS)), row.get("pick"))


@functools.cache
def outcomes_of(workshop, rung, command, runs):
    """The runs of a command, once for all rows that pick a number of it."""
    return [run_once(workshop, rung, command) for _ in range(runs)]


def refuse_changes(root, rung):
    """A figure belongs to a commit."""
    changed = git(root, "status", "--porcelain", "--", rung)
    if changed:
        raise Wrong(f"{rung} has changes that are not committed: {changed}")


def git(root, *arguments):
    """What git says."""
    return subprocess.run(["git", "-C", str(root), *arguments], check=True,
                          capture_output=True, text=True).stdout.strip()


def machine():
    """The processor's name and how many threads it has here."""
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            found = re.search(r"^model name\s*:\s*(.+)$", file.read(), re.M)
        name = found.group(1) if found else name
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} threads"


def figures(book, rows, kept, out):
    """What is kept, with each row measured anew."""
    about = {"machine": machine(), "date": str(datetime.date.today()),
             "commit": git(book.root, "rev-parse", "HEAD")}
    for row in rows:
        value = float(f"{value_of(book, row):.6g}")
        print(f"{row['name']}: {value} {row.get('unit', '')}", file=out,
              flush=True)
        kept[row["name"]] = {"value": value, "unit": row.get("unit", ""),
                             **about}
    return kept


def main(arguments, out=sys.stdout):
    """Measure, and write the file."""
    book = Book()
    beginning = arguments[0] if arguments else ""
    all_rows = table(book)
    names = {row["name"] for row in all_rows}
    rows = [row for row in all_rows if row["name"].startswith(beginning)]
    kept = {name: figure for name, figure in book.figures.items()
            if name in names}
    text = json.dumps(figures(book, rows, kept, out), indent=1,
                      sort_keys=True, ensure_ascii=False)
    (book.folder / "measured.json").write_text(text + "\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Wrong as why:
        sys.exit(f"measure: {why}")
