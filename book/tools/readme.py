"""The parts of README.md that a program prints.

    <!-- m2: ./rung families --markdown norm blocks -->

    (what it printed)

    <!-- end -->

`make transcripts` writes them anew; a build fails where one differs.
"""

import re

from mistakes import Wrong

PART = re.compile(r"^(<!-- (m\d+): (.+) -->\n)(.*?)^(<!-- end -->\n)",
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
    """How to run a command of README.md."""
    return lambda command, rung: book.workshop.run(
        command, book.sources.rung(rung))


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
