"""Formulas: TeX in the chapters, HTML or MathML on the pages, by KaTeX."""

import json
import os
import subprocess
from pathlib import Path

from tree import each, inline_html, line_of, walk

HERE = Path(__file__).resolve().parent


def render(formulas, output, modules):
    """KaTeX's answer for each {"tex", "display"}."""
    if not formulas:
        return []
    done = subprocess.run(["node", HERE / "formulas.js", output], text=True,
                          input=json.dumps(formulas), capture_output=True,
                          env={**os.environ, "NODE_PATH": str(modules)})
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)


def expand(blocks, output, modules, path, mistakes):
    """The blocks with every formula rendered."""
    nodes = list(each(blocks, ("Math",)))
    asked = [{"tex": node["c"][1],
              "display": node["c"][0]["t"] == "DisplayMath"}
             for node in nodes]
    answers = iter(render(asked, output, modules))
    lines = iter(lines_of_formulas(blocks))

    def visit(node):
        if node["t"] != "Math":
            return None
        answer, line = next(answers), next(lines)
        if "error" in answer:
            mistakes.add(path, line, f"formula {node['c'][1]!r}: "
                         f"{answer['error']}")
        return [inline_html(answer.get("html", ""))]
    return walk(blocks, visit)


def lines_of_formulas(blocks):
    """The line of each formula: that of the span around it."""
    line = 0
    for node in each(blocks):
        if node["t"] == "Math":
            yield line
        elif node["t"] in ("Span", "Div", "Header"):
            line = line_of(node) or line
