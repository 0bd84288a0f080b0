"""Prints verdicts for a student: file by file, then what comes next."""

import os
import sys
import textwrap

from verdicts import (BROKEN, FAIL, MISSING, PASS, UNKNOWN, WAIT)
from words import explain

WIDTH = 79
INDENT = "             "
COLOURS = {PASS: "32", FAIL: "31;1", WAIT: "33", MISSING: "2",
           BROKEN: "31;1", UNKNOWN: "35"}
TITLES = {PASS: "pass", MISSING: "not written", UNKNOWN: "not tested"}
COUNTS = {PASS: ("passes", "pass"), FAIL: ("fails", "fail"),
          WAIT: ("waits", "wait"), MISSING: ("is not written",
                                             "are not written"),
          BROKEN: ("does not compile", "do not compile"),
          UNKNOWN: ("could not be tested", "could not be tested")}
FAILURES = 2  # tests of a function that are shown


class Page:
    """Lines in colour, where the reader has a terminal."""

    def __init__(self, out=None, colour=None):
        self.out = out or sys.stdout
        self.colour = self.out.isatty() and "NO_COLOR" not in os.environ \
            if colour is None else colour

    def paint(self, kind, text):
        return f"\33[{COLOURS[kind]}m{text}\33[0m" if self.colour else text

    def line(self, text=""):
        print(text, file=self.out)

    def names(self, lead, kind, names):
        """A word, then names, over as many lines as they need."""
        title = TITLES[kind]
        text = textwrap.wrap(
            f"{title}: {'  '.join(names)}", WIDTH - len(INDENT),
            subsequent_indent=" " * (len(title) + 2))
        text[0] = self.paint(kind, title) + text[0][len(title):]
        for line in text:
            self.line(f"{lead:{len(INDENT)}}{line}".rstrip())
            lead = ""


def show(plan, verdicts, results, folder, page):
    """All verdicts, by file."""
    files = list(dict.fromkeys(v.file for v in verdicts))
    for file in files:
        show_file(file, [v for v in verdicts if v.file == file], results,
                  folder, page)


def show_file(file, verdicts, results, folder, page):
    """One file: what passes, then what does not, in the file's order."""
    lead = file if len(file) < len(INDENT) else f"{file}\n{INDENT}"
    for kind in (PASS, UNKNOWN):
        names = [v.name for v in verdicts if v.kind == kind]
        if names:
            page.names(lead, kind, names)
            lead = ""
    for verdict in verdicts:
        if verdict.kind in (FAIL, WAIT, BROKEN):
            show_one(lead, verdict, results, folder, page)
            lead = ""
    names = [v.name for v in verdicts if v.kind == MISSING]
    if names:
        page.names(lead, MISSING, names)


def show_one(lead, verdict, results, folder, page):
    """A function that fails, waits or does not compile."""
    kind = {FAIL: "FAIL", WAIT: "wait", BROKEN: "FAIL"}[verdict.kind]
    why = {FAIL: count_tests(verdict), WAIT: "for " + some(verdict.on),
           BROKEN: "its file does not compile"}[verdict.kind]
    page.line(f"{lead:{len(INDENT)}}{page.paint(verdict.kind, kind)} "
              f"{verdict.name} ({why})")
    if verdict.kind != FAIL:
        return
    for test in verdict.failures[:FAILURES]:
        page.line(f"{INDENT}  {test.partition(':')[2]}")
        for line in explain(results[test], folder):
            page.line(f"{INDENT}    {line}")
    if len(verdict.failures) > FAILURES:
        page.line(f"{INDENT}  and {len(verdict.failures) - FAILURES} more "
                  "of its tests")


def count_tests(verdict):
    return f"{verdict.passed} of {verdict.tests} tests pass"


def some(names, most=3):
    """The first names of a list."""
    text = ", ".join(names[:most])
    return text + (f" and {len(names) - most} more" if len(names) > most
                   else "")


def summary(verdicts):
    """12 pass, 1 fails, 3 wait."""
    parts = []
    for kind, (one, many) in COUNTS.items():
        n = sum(v.kind == kind for v in verdicts)
        if n:
            parts.append(f"{n} {one if n == 1 else many}")
    return ", ".join(parts) + "."


def advice(judge, verdicts):
    """What to do next, in a line or two."""
    first = next((v for v in verdicts if v.kind == FAIL), None)
    if first:
        return f"Next: mend {first.name} in {first.file}."
    if any(v.kind == UNKNOWN for v in verdicts):
        return ("Some tests find no files: RUNG_TESTS must name the folder "
                "with the models.")
    found = judge.next_function(verdicts)
    if found is None:
        return "All is written. Run `make test` for every test of the rung."
    name, test, needs = found
    file = judge.functions[name]["file"]
    others = [need for need in needs if need != name]
    text = f"Next: write {name} in {file}."
    if others:
        return text + f" It and {some(others)} are what " + \
            f"{test.partition(':')[2]} needs."
    return text + f" Then {test.partition(':')[2]} can pass."
