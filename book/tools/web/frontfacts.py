"""What the first page says about the rungs: asked of the programs and counted
in the sources, never typed by hand."""

import importlib.util
import json
import re
from dataclasses import dataclass
from functools import lru_cache

from reading.sources import ROOT
from support.mistakes import Wrong
from support.store import digest

from rooms import is_test

STYLE = ROOT / "tests" / "style" / "measure.py"
WIDTH = 80  # columns; what is wider is no matter here
PIECE = re.compile(r"^ *(\d+) .*?'(.*)'$")
CANDIDATE = re.compile(r'^ *([0-9.]+) +(\d+)  "(.*)"$')


@dataclass(frozen=True)
class Lines:
    """A rung's code lines, and those that the rung below does not have."""

    code: int
    added: int


def lines(book):
    """{rung: Lines} of the rungs that there are."""
    sources, found = book.sources, {}
    for rung in sources.rungs:
        below = sources.below(rung)
        key = digest("lines", 1, sources.digests[rung],
                     below and sources.digests[below])
        found[rung] = Lines(*book.front.get(
            key, "length", rung, lambda: count(sources.ladder, rung, below)))
    return found


@lru_cache(maxsize=None)
def style():
    """What `make style` counts with, under a name of its own."""
    spec = importlib.util.spec_from_file_location("style_measure", STYLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def count(ladder, rung, below):
    """(code, added) of one rung's program, tests and benchmarks apart."""
    files = program(ladder[rung])
    lower = program(ladder[below]) if below else None
    numbers = style().measure(rung, files, lower, WIDTH)[style().PROGRAM]
    return numbers.code, numbers.added if below else numbers.code


def program(files):
    """The files that the program is made of."""
    return {path: file for path, file in files.items()
            if not is_test(path)}


@dataclass(frozen=True)
class Prompt:
    """One prompt on its way through the engine; parts may be missing while
    their rungs are."""

    text: str
    pieces: list  # (id, text) of its tokens
    shape: dict  # what `rung config` says
    candidates: list  # (probability, id, text) of the likeliest next tokens
    continuation: str


def follow(book, text, ladder):
    """The Prompt, as far as the rungs of a ladder (their names, the lowest
    first) exist."""
    quoted = "'" + text.replace("'", "'\\''") + "'"
    answers = [ask(book, rung, command) for rung, command in zip(ladder, (
        f"./rung encode --pieces {quoted}", "./rung config --json",
        f"./rung next {quoted}"))]
    pieces, shape, scores = answers + [""] * (3 - len(answers))
    more = ask(book, ladder[2], f"./rung generate {quoted} -n 16") \
        if scores else ""
    return Prompt(text, rows(PIECE, pieces),
                  json.loads(shape) if shape else {},
                  rows(CANDIDATE, scores), more)


def ask(book, rung, command):
    """What a rung prints; "" when there is no such rung yet.  A rung that
    cannot answer is a mistake, which the build names."""
    if rung not in book.sources.rungs:
        return ""
    key = digest("front", book.workshop.key([command], rung))
    try:
        return book.front.get(key, "command", rung, lambda:
                              book.workshop.run(command, rung))
    except Wrong as why:
        book.mistakes.add("site/front.html", 1, why)
        return ""


def rows(pattern, output):
    """The groups of each line that has the pattern's form."""
    found = map(pattern.match, output.split("\n"))
    return [match.groups() for match in found if match]
