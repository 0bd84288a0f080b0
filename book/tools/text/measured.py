"""Measured figures: every time and speed in the book is from measured.json.

    [](){.measured of="m2.next.seconds" digits=2}

`make measure` writes the file: for each figure its value, unit, machine, date
and commit.  A page that shows a figure says at its foot where it is from.
"""

import json

from support.mistakes import Wrong
from text.compute import number_of, shown
from text.tree import div, each, pairs_of, paragraph, words


def load(path):
    """{name: {"value", "unit", "machine", "date", "commit"}}."""
    return json.loads(path.read_text()) if path.exists() else {}


def is_measured(node):
    """Whether an element asks for a figure."""
    return node["t"] in ("Span", "Link") and "measured" in node["c"][0][1]


def show(figure, digits):
    """A figure as text: rounded to significant digits, with its unit."""
    return f"{shown(float(figure['value']), digits)} {figure['unit']}".strip()


def expand(node, page):
    """The figure's value and unit, which stay on one line."""
    pairs = pairs_of(node)
    figure = page.figures.get(pairs.get("of"))
    if figure is None:
        raise Wrong(f"measured.json has no {pairs.get('of')}")
    text = show(figure, number_of(pairs, "digits") or 3)
    return words(text.replace(" ", "\u00a0"))


def used(blocks):
    """The names of the figures that some blocks ask for, in order."""
    names = [pairs_of(node).get("of") for node in each(blocks)
             if node["t"] in ("Span", "Link") and is_measured(node)]
    return list(dict.fromkeys(names))


def places(names, figures):
    """Where some figures are from, in words."""
    found = {}
    for figure in (figures[name] for name in names if name in figures):
        found.setdefault((figure["machine"], figure["date"]), set()).add(
            figure["commit"][:10])
    return "; ".join(f"{machine}, {date}, commit"
                     + f"{'s' * (len(commits) > 1)} "
                     + ", ".join(sorted(commits))
                     for (machine, date), commits in sorted(found.items()))


def source_note(names, figures):
    """A paragraph that says where a page's figures are from, or nothing."""
    said = places(names, figures)
    if not said:
        return []
    text = f"Measured figures on this page: {said}."
    return [div(["measured-on"], [paragraph(text)])]
