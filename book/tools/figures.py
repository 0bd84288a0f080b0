"""Figures: Graphviz diagrams, and pictures that the engine draws.

    ```{.dot alt="what the diagram shows" caption="…"}
    digraph { … }
    ```
    ```{.picture run="rung picture weights …" alt="…" caption="…"}
    ```

A diagram becomes SVG inside the page.  Its colours are names from the
style sheet's palette, so it follows the reader's colour scheme: in the DOT
text they are written as the placeholder colours of PALETTE.
"""

import hashlib
import html
import re
import shlex
import subprocess

from tree import html as raw, line_of, pairs_of

# Placeholder colours and the style sheet's variables that replace them.
# SVG in EPUB and PDF has no style sheet variables, so there they stay.
PALETTE = {
    "#101010": "ink",
    "#606060": "muted",
    "#fafafa": "paper",
    "#e8eef8": "box",
    "#2050a0": "accent",
    "#a04010": "warm",
}
DEFAULTS = ["-Gbgcolor=transparent", "-Gfontname=sans-serif",
            "-Nfontname=sans-serif", "-Efontname=sans-serif",
            "-Nshape=box", "-Nstyle=rounded,filled", "-Nfillcolor=#e8eef8",
            "-Ncolor=#2050a0", "-Nfontcolor=#101010", "-Ecolor=#606060",
            "-Efontcolor=#606060", "-Nfontsize=13", "-Efontsize=12",
            "-Nmargin=0.15,0.08", "-Nheight=0.3"]


def kind_of(node):
    """dot, picture or None."""
    if node["t"] != "CodeBlock":
        return None
    classes = node["c"][0][1]
    return next((k for k in ("dot", "picture") if k in classes), None)


def expand(node, pictures, path, mistakes, variables=True):
    """The blocks of one figure; `pictures` draws and caches pictures."""
    pairs, line = pairs_of(node), line_of(node)
    if not pairs.get("alt", "").strip():
        mistakes.add(path, line, "a figure without alt text")
        return []
    try:
        if kind_of(node) == "dot":
            return figure(diagram(node["c"][1], pairs["alt"], variables),
                          pairs)
        name, width, height = pictures.draw(pairs["run"])
        return figure(f'<img src="pictures/{name}" alt="'
                      f'{html.escape(pairs["alt"])}" width="{width}" '
                      f'height="{height}">', pairs)
    except (subprocess.CalledProcessError, KeyError) as why:
        said = getattr(why, "stderr", None) or str(why)
        mistakes.add(path, line, f"figure: {said.strip()}")
        return []


def figure(inside, pairs):
    """A figure with its caption."""
    caption = pairs.get("caption", "")
    words = f"<figcaption>{html.escape(caption)}</figcaption>" * bool(caption)
    return [raw(f'<figure class="figure">{inside}{words}</figure>')]


def diagram(text, alt, variables=True):
    """DOT to SVG that can stand inside a page."""
    name = "d" + hashlib.sha256(text.encode()).hexdigest()[:8]
    done = subprocess.run(["dot", "-Tsvg", f"-Gid={name}", *DEFAULTS],
                          input=text, text=True, capture_output=True,
                          check=True)
    svg = done.stdout[done.stdout.index("<svg"):]
    svg = re.sub(r"<!--.*?-->\n?", "", svg, flags=re.S)
    svg = re.sub(r"<title>.*?</title>\n?", "", svg, flags=re.S)
    svg = re.sub(r'\bid="((?!d)[^"]*)"', rf'id="{name}-\1"', svg)
    if variables:
        svg = with_variables(svg)
    label = html.escape(alt)
    return svg.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)


def with_variables(svg):
    """Replace placeholder colours by the style sheet's variables."""
    for colour, name in PALETTE.items():
        svg = re.sub(rf'(fill|stroke)="{colour}"',
                     rf'style="\1:var(--{name})"', svg)
    # Two style attributes on one element become one.
    return re.sub(r'style="([^"]*)"( [^<>]*?)style="([^"]*)"',
                  r'style="\1;\3"\2', svg)


class Pictures:
    """Draws pictures with a rung, once for each command and program."""

    def __init__(self, runner, folder):
        self.runner = runner
        self.folder = folder

    def draw(self, command):
        """(file name, width, height) of the picture that a command draws."""
        key = self.runner.key(command)
        name = hashlib.sha256(key.encode()).hexdigest()[:16] + ".png"
        target = self.folder / name
        if not target.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            self.runner.run(f"{command} -o {shlex.quote(str(target))}")
        return name, *png_size(target)


def png_size(path):
    """Width and height from a PNG's header."""
    with open(path, "rb") as file:
        header = file.read(24)
    return (int.from_bytes(header[16:20], "big"),
            int.from_bytes(header[20:24], "big"))
