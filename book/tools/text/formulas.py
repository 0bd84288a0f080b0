"""Formulas: TeX in the chapters, HTML or MathML on the pages, by KaTeX."""

import json
import re
from pathlib import Path

from support import programs, timing
from support.store import digest
from text.tree import attributes, each, element, inline_html, walk

HERE = Path(__file__).resolve().parent
# What KaTeX makes for each output.
KINDS = {"epub": "mathml"}
# An operator that is a word, such as \\bmod: KaTeX writes a row of letters
# into <mo>, which holds nothing but text.
WORD = re.compile(r"(<mo\b[^>]*>)<mrow>((?:<mi[^>]*>[^<]*</mi>)+)</mrow></mo>")
SHORT = 40  # characters of TeX
TAG = re.compile(r"<[^>]*>")


def expand(blocks, page):
    """The blocks with every formula rendered."""
    nodes = list(each(blocks, ("Math",)))
    if not nodes:
        return blocks
    asked = [formula_of(node) for node in nodes]
    kind = KINDS.get(page.medium, "htmlAndMathml")
    key = digest("formulas", 2, kind, asked, page.modules.version("katex"))
    found = page.store.get(key, lambda: render(asked, kind, page.modules))
    blocks = bound(blocks)
    answers = {(a["tex"], a["display"]): b for a, b in zip(asked, found)}

    def visit(node):
        if node["t"] != "Math":
            return None
        formula = formula_of(node)
        answer = answers[formula["tex"], formula["display"]]
        if "error" in answer:
            page.wrong(node, f"formula {formula['tex']!r}: "
                       f"{answer['error']}")
        return [inline_html(framed(answer.get("html", ""), formula))]
    return walk(blocks, visit)


def bound(node):
    """The elements with each short formula and the sign behind it as one, so
    that no line begins with a comma."""
    if isinstance(node, dict):
        return {key: bound(value) if isinstance(value, (dict, list)) else value
                for key, value in node.items()}
    if not isinstance(node, list):
        return node
    result = []
    for item in map(bound, node):
        if result and is_short(result[-1]) and begins_with_sign(item):
            item = element("Span", [attributes("", ["kept"]),
                                    [result.pop(), item]])
        result.append(item)
    return result


def is_short(node):
    """Whether an element is a formula within a line that is not long."""
    return (isinstance(node, dict) and node.get("t") == "Math"
            and not formula_of(node)["display"] and len(node["c"][1]) <= SHORT)


def begins_with_sign(node):
    """Whether an element is a word that begins with a punctuation mark."""
    return (isinstance(node, dict) and node.get("t") == "Str"
            and node["c"][0] in ",.;:?!)")


def framed(text, formula):
    """A formula of its own may be wider than a phone: it scrolls."""
    if not formula["display"]:
        return text
    return f'<span class="formula" tabindex="0">{text}</span>'


def formula_of(node):
    """What KaTeX is asked for a formula."""
    return {"tex": node["c"][1],
            "display": node["c"][0]["t"] == "DisplayMath"}


def render(formulas, kind, modules):
    """KaTeX's answer for each formula."""
    asked = json.dumps({"kind": kind, "formulas": formulas})
    path = modules.path()
    with timing.spent("KaTeX"):
        said = programs.ask("KaTeX", ["node", HERE / "formulas.js"], asked,
                            NODE_PATH=path)
    return [{**answer, "html": WORD.sub(joined, answer.get("html", ""))}
            for answer in json.loads(said)]


def joined(word):
    """A word's letters as one text."""
    return f"{word[1]}{TAG.sub('', word[2])}</mo>"
