"""The parts of README.md that a program prints, and those that were measured.

    <!-- m2: ./rung families --markdown norm blocks -->

    (what it printed)

    <!-- end -->

    <!-- measured: m0.speed.english m2.next.seconds -->

    (a table of these figures, with the labels that measures.json gives them)

    <!-- end -->

    <!-- measured: m0.speed.english m0.speed.code | ours = m0 | ratio = ratio -->

    (a row for each name, with the label of its first figure, and a column for
    each ending: m0.speed.english.ours below "m0", and so on)

    <!-- end -->

`make transcripts` writes them anew; a build fails where one differs.
"""

import json
import re

from support.mistakes import Wrong
from text import measured

PART = re.compile(r"^(<!-- (m\d+|measured): ([^\n]+) -->\n)(.*?)^(<!-- end -->\n)",
                  re.MULTILINE | re.DOTALL)


def renewed(text, run):
    """The text with each part as run(command, rung) prints it."""
    def part(found):
        begin, rung, command, _, end = found.groups()
        return f"{begin}\n{run(command, rung)}\n\n{end}"
    return PART.sub(part, text)


def stale(text, run):
    """(line, message) for each part that differs from what is printed."""
    for found in PART.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        try:
            if renewed(found.group(), run) != found.group():
                yield line, (f"{found[3]}: prints something else now; "
                             "look at it with make transcripts")
        except Wrong as why:
            yield line, why


def run_with(book):
    """How to run a command of README.md, or to look up its figures."""
    def run(command, rung):
        if rung == "measured":
            return table(command, labels(book.folder), book.figures)
        return book.workshop.run(command, book.sources.rung(rung))
    return run


def labels(folder):
    """{name: label} of the figures that may stand in README.md."""
    path = folder / "measures.json"
    rows = json.loads(path.read_text()) if path.exists() else []
    return {row["name"]: row["label"] for row in rows if "label" in row}


def table(rule, labels, figures):
    """The table that a rule asks for, and where its figures are from."""
    rows, *columns = (part.strip() for part in rule.split("|"))
    endings, headings = zip(*(read_column(text) for text in columns or [""]))
    lines = ["| " + " | ".join(["", *headings]).strip() + " |",
             "|---" * (1 + len(headings)) + "|"]
    used = []
    for row in rows.split():
        names = [row + ending for ending in endings]
        lines.append(line(names, labels, figures))
        used += names
    said = measured.places(used, figures)
    return "\n".join(lines) + f"\n\nMeasured on: {said}."


def read_column(text):
    """(ending of the names, heading) of a column."""
    ending, _, heading = (part.strip() for part in text.partition("="))
    return (f".{ending}" if ending else ""), heading


def line(names, labels, figures):
    """A row of the table."""
    if names[0] not in labels:
        raise Wrong(f"measures.json has no label for {names[0]}")
    for name in names:
        if name not in figures:
            raise Wrong(f"measured.json has no {name}")
    cells = [measured.show(figures[name], 2) for name in names]
    return f"| {' | '.join([labels[names[0]], *cells])} |"


def check(book):
    """Note which parts are stale."""
    path = book.root / "README.md"
    text = path.read_text() if path.exists() else ""
    for line, why in stale(text, run_with(book)):
        book.mistakes.add("README.md", line, why)


def renew(book):
    """Write every part anew."""
    path = book.root / "README.md"
    if path.exists():
        path.write_text(renewed(path.read_text(), run_with(book)))
