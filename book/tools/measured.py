"""Measured figures: every time and speed in the book is from measured.json.

    [](){.measured of="m2.next.seconds" digits=2}

`make measure` writes the file: for each figure its value, unit, machine, date
and commit.  A page that shows a figure says at its foot where it is from.
"""

import json

from tree import each, element, line_of, pairs_of, walk, words


def load(path):
    """{name: {"value", "unit", "machine", "date", "commit"}}."""
    return json.loads(path.read_text()) if path.exists() else {}


def is_measured(node):
    """Whether an element asks for a figure."""
    return node["t"] in ("Span", "Link") and "measured" in node["c"][0][1]


def show(figure, digits):
    """A figure as text: rounded to significant digits, with its unit."""
    value = float(f"{figure['value']:.{digits}g}")
    number = f"{value:,.0f}" if value == int(value) else f"{value:g}"
    return f"{number} {figure['unit']}".strip()


def insert(blocks, book, path):
    """Replace every request for a figure by its value."""
    line = 0

    def visit(node):
        nonlocal line
        if node["t"] == "Span":
            line = line_of(node) or line
        if not is_measured(node):
            return None
        pairs = pairs_of(node)
        figure = book.measured.get(pairs.get("of"))
        if figure is None:
            book.mistakes.add(path, line_of(node) or line,
                              f"measured.json has no {pairs.get('of')}")
            return []
        return words(show(figure, int(pairs.get("digits", 3))))
    return walk(blocks, visit)


def used(blocks):
    """The names of the figures that some blocks ask for, in order."""
    names = [pairs_of(node).get("of") for node in each(blocks)
             if node["t"] in ("Span", "Link") and is_measured(node)]
    return list(dict.fromkeys(names))


def source_note(names, figures):
    """A paragraph that says where a page's figures are from, or nothing."""
    places = sorted({(figures[name]["machine"], figures[name]["date"],
                      figures[name]["commit"]) for name in names
                     if name in figures})
    if not places:
        return []
    said = "; ".join(f"{machine}, {date}, commit {commit[:10]}"
                     for machine, date, commit in places)
    text = f"Measured figures on this page: {said}."
    return [element("Div", [["", ["measured-on"], []],
                            [element("Para", words(text))]])]
