"""Prints verdicts for a student: file by file, then what comes next."""

import os
import sys
import textwrap

from verdicts import (BROKEN, FAIL, MISSING, PASS, UNKNOWN, WAIT,
                      failures_of, groups)
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
FAILURES = 2  # tests of a group that are shown
SUSPECTS = 5  # functions that pass, and might be to blame


def progress(text=""):
    """On a terminal, a line that the next one replaces."""
    if sys.stderr.isatty():
        print(f"\r\33[K{text}", end="", file=sys.stderr, flush=True)


def counted(text, n, of):
    """How much of some work is done: on a terminal always, else, unless
    $QUIET is set, at each tenth, a line each."""
    if sys.stderr.isatty():
        progress(f"{text}: {n} of {of}")
    elif not os.environ.get("QUIET") and n * 10 // of > (n - 1) * 10 // of:
        print(f"{text}: {n} of {of}", file=sys.stderr, flush=True)


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
        """What all of these functions have in common."""
        self.words(lead, kind, TITLES[kind] + ":", "  ".join(names))

    def words(self, lead, kind, title, words):
        """A title in colour, then words, over as many lines as they need."""
        text = textwrap.wrap(
            f"{title} {words}", WIDTH - len(INDENT),
            subsequent_indent=" " * (len(title) + 1))
        text[0] = self.paint(kind, title) + text[0][len(title):]
        for line in text:
            self.line(f"{lead:{len(INDENT)}}{line}".rstrip())
            lead = ""


def show(judge, verdicts, folder, page):
    """All verdicts, by file."""
    files = list(dict.fromkeys(v.file for v in verdicts))
    for file in files:
        show_file(file, verdicts, judge, folder, page)


def show_file(file, every, judge, folder, page):
    """One file: what passes, then what does not, in the file's order."""
    verdicts = [v for v in every if v.file == file]
    lead = file if len(file) < len(INDENT) else f"{file}\n{INDENT}"
    for kind in (PASS, UNKNOWN):
        names = [v.name for v in verdicts if v.kind == kind]
        if names:
            page.names(lead, kind, names)
            lead = ""
        if kind == PASS:
            show_unseen(names, judge.unseen, page)
    for group in groups(verdicts):
        show_failure(lead, group, judge.results, folder, page)
        show_suspects(judge.suspects(every, group), page)
        lead = ""
    for verdict in verdicts:
        if verdict.kind in (WAIT, BROKEN):
            show_one(lead, verdict, page)
            lead = ""
    names = [v.name for v in verdicts if v.kind == MISSING]
    if names:
        page.names(lead, MISSING, names)


def show_unseen(names, unseen, page):
    """Of functions that pass, how many small mistakes their tests would not
    see."""
    known = [f"{name} ({unseen[name]})" for name in names
             if unseen.get(name)]
    untried = [name for name in names if unseen.get(name, 0) is None]
    for title, found in (("small mistakes that their tests do not see", known),
                         ("not known which mistakes their tests see",
                          untried)):
        if found:
            page.line("\n".join(textwrap.wrap(
                f"{title}: {', '.join(found)}", WIDTH,
                initial_indent=INDENT + "  ",
                subsequent_indent=INDENT + "    ")))


def show_failure(lead, group, results, folder, page):
    """Functions that fail together, and the first differences."""
    tests = failures_of(group)
    if len(group) == 1:
        names = f"{group[0].name} ({group[0].passed} of {group[0].tests} " \
            "tests pass)"
    else:
        names = "one of " + "  ".join(verdict.name for verdict in group)
    page.words(lead, FAIL, "FAIL", names)
    for test in tests[:FAILURES]:
        page.line(f"{INDENT}  {test.partition(':')[2]}")
        for line in explain(results[test], folder):
            page.line(f"{INDENT}    {line}")
    if len(tests) > FAILURES:
        more = len(tests) - FAILURES
        page.line(f"{INDENT}  and {more} more "
                  f"test{'s' if more > 1 else ''}")


def show_suspects(names, page):
    """The functions that pass, but that these tests ran through."""
    if names:
        page.line("\n".join(textwrap.wrap(
            f"suspects, though they pass: {some(names, SUSPECTS)}", WIDTH,
            initial_indent=INDENT + "  ",
            subsequent_indent=INDENT + "    ")))


def show_one(lead, verdict, page):
    """A function that waits, or whose file does not compile."""
    if verdict.kind == WAIT:
        page.words(lead, WAIT, "wait",
                   f"{verdict.name} (for {some(verdict.on)})")
    else:
        page.words(lead, BROKEN, "FAIL",
                   f"{verdict.name} (its file does not compile)")


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


def doubts(names, suspects):
    """Which other functions it may be."""
    if len(names) > 1:
        return " It may be another of those that fail with it" + \
            (", or a suspect." if suspects else ".")
    return " If it is right, look at its suspects." if suspects else ""


def advice(judge, verdicts):
    """What to do next, in a line or two."""
    failing = groups(verdicts)
    if failing:
        names = [v.name for v in failing[0]]
        first = names[0]
        text = f"Next: mend {first} in {judge.functions[first]['file']}."
        return text + doubts(names, judge.suspects(verdicts, failing[0]))
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
