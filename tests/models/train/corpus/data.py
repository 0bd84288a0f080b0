"""Reads the data files under data/: the only module that knows their form.

A file is made of sections, `[title]` and the lines below it; a line that
begins with '#' is a comment."""
import os

DIRECTORY = os.path.join(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))), "data")


def text(name):
    with open(os.path.join(DIRECTORY, name), encoding="utf-8") as file:
        return file.read()


def sections(name):
    """{title: lines}, blank lines kept, comments left out."""
    found, lines = {}, []
    for line in text(name).splitlines():
        if line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            if line[1:-1] in found:
                raise ValueError(f"{name}: section {line} stands twice")
            lines = found[line[1:-1]] = []
        else:
            lines.append(line)
    return found


def word_lists(name):
    """{title: words} of a file whose sections hold words between commas."""
    return {title: [word.strip() for word in " ".join(lines).split(",")
                    if word.strip()]
            for title, lines in sections(name).items()}


def rows(lines):
    """One row a line, fields between ' | '."""
    return [tuple(line.split(" | ")) for line in lines if line]


def short_rows(lines):
    """Rows between commas, fields between ':'."""
    return [tuple(row.strip().split(":"))
            for row in " ".join(lines).split(",") if row.strip()]


def indented_answers(name):
    """(head, text) of a file of heads with indented lines of text below."""
    found = []
    for line in text(name).splitlines():
        if line.startswith("    "):
            found[-1][1].append(line.strip())
        elif line and not line.startswith("#"):
            found.append((line, []))
    return [(head, " ".join(lines)) for head, lines in found]
