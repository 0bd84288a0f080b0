"""Blocks that quote the sources.

    ```{.c src=m2-forward/ops.c fn=rmsnorm}          a function
    ```{.c src=m2-forward/ops.h type=norm}           a struct, enum or typedef
    ```{.c src=m2-forward/family.c var=families}     a table
    ```{.c src=m2-forward/ops.c part=lanes}          a marked stretch
    ```{.c src=m2-forward/ops.h}                     a whole file
    ```{diff=m3..m4 file=attention.c fn=attend}      what changed, one region
    ```{diff=m3..m4 file=Makefile}                   what changed, a file
"""

import difflib
import html

from sources import Missing
from tree import attributes, element, html as raw, line_of, pairs_of

KEYS = {"fn": "", "var": "var:", "macro": "macro:", "proto": "proto:"}
TYPES = ("struct", "union", "enum", "typedef")


def is_listing(node):
    """Whether a block quotes a source."""
    return node["t"] == "CodeBlock" and "src" in pairs_of(node)


def is_difference(node):
    """Whether a block quotes a difference."""
    return node["t"] == "CodeBlock" and "diff" in pairs_of(node)


def extract_of(sources, pairs):
    """The Extract that a block's attributes name."""
    path = pairs["src"]
    if "part" in pairs:
        return sources.part(path, pairs["part"])
    name = region_name(sources, path, pairs)
    return sources.region(path, name) if name else sources.file(path)


def region_name(sources, path, pairs):
    """The region that fn=, type=, var= … name, or None for the whole file."""
    for key, prefix in KEYS.items():
        if key in pairs:
            return prefix + pairs[key]
    if "type" not in pairs:
        return None
    regions = sources.regions(path)
    names = [f"{kind}:{pairs['type']}" for kind in TYPES]
    found = [name for name in names if name in regions]
    if not found:
        raise Missing(f"{path} has no type {pairs['type']}")
    return found[0]


def listing(extract, label=None):
    """The blocks of one listing: a caption with its place, and the code."""
    place = f"{extract.path}, lines {extract.first}–{extract.last}"
    if extract.first == extract.last:
        place = f"{extract.path}, line {extract.first}"
    attribute = attributes("", [extract.language, "numberLines"],
                           startFrom=extract.first)
    code = element("CodeBlock", [attribute, extract.text])
    return framed("listing", label or place, [code], extract.path)


def framed(kind, caption, blocks, path):
    """Blocks in a frame with a caption."""
    head = (f'<figure class="{kind}" data-path="{html.escape(path)}">'
            f"<figcaption>{html.escape(caption)}</figcaption>")
    return [raw(head), *blocks, raw("</figure>")]


def difference(sources, pairs):
    """The blocks of one ```{diff=a..b file=… fn=…} block."""
    lower, upper = (sources.rung(short) for short in
                    pairs["diff"].split(".."))
    name, file = region_name(sources, f"{upper}/{pairs['file']}", pairs), \
        pairs["file"]
    old = text_in(sources, f"{lower}/{file}", name)
    new = text_in(sources, f"{upper}/{file}", name)
    if old == new:
        raise Missing(f"{name or file} does not differ between {lower} and "
                      f"{upper}")
    caption = f"{file}: {lower} → {upper}"
    return framed("difference", caption, [raw(diff_html(old, new))],
                  f"{upper}/{file}")


def text_in(sources, path, name):
    """The text of a region or file, "" where it does not exist."""
    try:
        extract = sources.region(path, name) if name else sources.file(path)
        return extract.text
    except Missing:
        return ""


def diff_html(old, new):
    """A line-by-line difference; what was added and removed is also said in
    words, for readers who do not see colours."""
    rows = []
    lines = difflib.ndiff(old.split("\n") if old else [],
                          new.split("\n") if new else [])
    for line in lines:
        mark, text = line[0], html.escape(line[2:])
        if mark == "+":
            rows.append(f'<ins><span class="sign">+</span>{text}</ins>')
        elif mark == "-":
            rows.append(f'<del><span class="sign">-</span>{text}</del>')
        elif mark == " ":
            rows.append(f'<span><span class="sign"> </span>{text}</span>')
    return '<pre class="diff" tabindex="0"><code>' + "\n".join(rows) + \
        "</code></pre>"


def expand(node, sources, path, mistakes):
    """The blocks that replace a quoting block; a mistake leaves it empty."""
    pairs = pairs_of(node)
    try:
        if is_difference(node):
            return difference(sources, pairs)
        return listing(extract_of(sources, pairs))
    except (Missing, KeyError, ValueError) as why:
        mistakes.add(path, line_of(node), str(why))
        return []
