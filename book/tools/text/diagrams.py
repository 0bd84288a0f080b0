"""Diagrams: Graphviz text to SVG inside the page.

    ```{.dot alt="what the diagram shows" caption="…"}
    digraph { a -> b [color=warm] }
    ```

Colours have the palette's names.  On the site they become the style sheet's
variables and so follow the reader's scheme; in print and e-books, whose SVG
knows no variables, they are the light ones.  $(expression) is computed.
"""

import html
import re

from support import programs, timing
from support.mistakes import Wrong
from support.palette import DRAWING, light
from support.store import digest
from text import compute
from text.tree import html as raw, pairs_of

NAMED = re.compile(r'\b(color|fillcolor|fontcolor|bgcolor)(\s*=\s*)"?('
                   + "|".join(DRAWING) + r')\b"?', re.I)
PLAIN = re.compile(r"\bshape\s*=\s*plain\b(?![^\]]*\bstyle\s*=)")
PAINTED = re.compile(r'\b(fill|stroke)="([^"]*)"')
SIZE = re.compile(r'\b(width|height)="([\d.]+)pt"')
PAPER = 0.72  # of its size on the screen
SCREEN = 0.7  # of its size, at least
FREE = ("none", "transparent")
FONT = "Helvetica,Arial,sans-serif"

# Each palette name stands as a colour that no author would choose.
STAND_IN = {name: f"#0107{number:02x}"
            for number, name in enumerate(DRAWING, 1)}
NAME_OF = {colour: name for name, colour in STAND_IN.items()}
DEFAULTS = [
    "-Gbgcolor=transparent", f"-Gfontname={FONT}", "-Gfontsize=13",
    f"-Gfontcolor={STAND_IN['ink']}", f"-Gcolor={STAND_IN['line']}",
    f"-Nfontname={FONT}", "-Nfontsize=13", "-Nshape=box",
    "-Nstyle=rounded,filled", "-Nmargin=0.14,0.07", "-Nheight=0.3",
    f"-Nfillcolor={STAND_IN['box']}", f"-Ncolor={STAND_IN['accent']}",
    f"-Nfontcolor={STAND_IN['ink']}", f"-Efontname={FONT}", "-Efontsize=12",
    "-Earrowsize=0.7", f"-Ecolor={STAND_IN['muted']}",
    f"-Efontcolor={STAND_IN['muted']}"]


def is_diagram(node):
    """Whether a block is a diagram."""
    return node["t"] == "CodeBlock" and "dot" in node["c"][0][1]


def expand(node, page):
    """The blocks of one diagram."""
    pairs = pairs_of(node)
    alt = alt_of(pairs)
    text = compute.fill(node["c"][1], page.values)
    key = digest("dot", 2, DEFAULTS, text)
    svg = page.store.get(key, lambda: draw(text))
    svg = svg.replace("ID-", f"d{page.number()}-")
    svg = painted(svg, variables=page.medium == "site")
    if page.medium == "pdf":
        svg = SIZE.sub(smaller, svg, 2)
    if page.medium == "site":
        svg = scrolling(svg)
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{alt}"', 1)
    return figure(svg, pairs)


def smaller(found):
    """A width or height for paper, where the text is smaller, too."""
    return f'{found.group(1)}="{PAPER * float(found.group(2)):.4g}pt"'


def scrolling(svg):
    """A drawing that becomes narrower on a phone as long as its words can be
    read, and then scrolls."""
    width = float(SIZE.search(svg).group(2))
    drawing = svg.replace("<svg", f'<svg style="min-width:'
                          f'{SCREEN * width:.0f}pt"', 1)
    return f'<div class="scroll" tabindex="0">{drawing}</div>'


def alt_of(pairs):
    """The alt text of a figure, ready for an attribute."""
    alt = pairs.get("alt", "").strip()
    if not alt:
        raise Wrong("a figure without alt text: write alt=\"what it says\"")
    return html.escape(alt)


def figure(inside, pairs):
    """A figure with its caption."""
    caption = pairs.get("caption", "")
    words = f"<figcaption>{html.escape(caption)}</figcaption>" * bool(caption)
    return [raw(f'<figure class="figure">{inside}{words}</figure>')]


def draw(text):
    """Graphviz's SVG, its colours still stand-ins, its ids after "ID-"."""
    named = NAMED.sub(lambda found: found.group(1) + found.group(2) + '"'
                      + STAND_IN[found.group(3).lower()] + '"', text)
    named = PLAIN.sub('shape=plain, style=""', named)  # words without a box
    with timing.spent("Graphviz"):
        status, output, said = programs.run(["dot", "-Tsvg", *DEFAULTS],
                                            named)
    if status or said:
        raise Wrong(f"dot: {said}")
    svg = output[output.index("<svg"):]
    svg = re.sub(r"<!--.*?-->\n?|<title>.*?</title>\n?", "", svg, flags=re.S)
    refuse_colours(svg)
    return re.sub(r'\bid="', 'id="ID-', svg).strip()


def refuse_colours(svg):
    """A colour that is not the palette's would not follow the scheme."""
    for colour in {colour for _, colour in PAINTED.findall(svg)}:
        if colour not in NAME_OF and colour not in FREE:
            raise Wrong(f"the colour {colour} is not one of "
                        + ", ".join(DRAWING))


def painted(svg, variables):
    """The drawing with real colours: variables, or those of light paper."""
    def paint(found):
        what, colour = found.groups()
        if colour in FREE:
            return f'{what}="none"'
        name = NAME_OF[colour]
        if variables:
            return f'style="{what}:var(--{name})"'
        return f'{what}="{light(name)}"'
    svg = PAINTED.sub(paint, svg)
    # Two style attributes on one element become one.
    return re.sub(r'style="([^"]*)" style="([^"]*)"', r'style="\1;\2"', svg)
