"""Blocks that quote the sources.

    ```{src=m2-forward/ops.c fn=rmsnorm}        a function, in any room
    ```{src=m2-forward/ops.c fn="max softmax"}  several
    ```{src=m2-forward/ops.h type=norm}         a struct, enum or typedef
    ```{src=m2-forward/family.c var=families}   a table
    ```{src=m2-forward/ops.c part=lanes}        a marked stretch
    ```{src=m2-forward/ops.h}                   a whole file
    ```{diff=m3..m4 file=attention.c fn=attend} what changed, one region
    ```{diff=m3..m4 file=Makefile}              what changed, a file
"""

import difflib
import html

from support.mistakes import Wrong
from text.highlight import LONG
from text.tree import attributes, element, html as raw, pairs_of

KEYS = {"fn": "", "var": "var:", "macro": "macro:", "proto": "proto:"}
TYPES = ("struct", "union", "enum", "typedef")
WHAT = ("part", "type", *KEYS)  # a block has one of these, or none
CONTEXT = 3  # lines around a change in a whole file's difference


def is_listing(node):
    """Whether a block quotes a source."""
    return (node["t"] == "CodeBlock" and "src" in pairs_of(node)
            and not {"break", "patch"} & set(node["c"][0][1]))


def is_difference(node):
    """Whether a block quotes a difference."""
    return node["t"] == "CodeBlock" and "diff" in pairs_of(node)


def path_of(pairs, rung, sources):
    """The file that src= names; without a folder, one of the chapter's
    rung.  A rung's files are found by their names, whatever their rooms."""
    path = pairs["src"]
    if "/" in path:
        return sources.path(path)
    if rung is None:
        raise Wrong(f"src={path} names no folder, and this chapter no rung")
    return sources.path(f"{rung}/{path}")


def extracts_of(sources, pairs, rung):
    """The Extracts that a block's attributes name."""
    path = path_of(pairs, rung, sources)
    refuse_two(pairs)
    if "part" in pairs:
        return [sources.part(path, pairs["part"])]
    names = region_names(sources, path, pairs)
    if names is None:
        return [sources.file(path)]
    return join([sources.region(path, name) for name in names], sources)


def refuse_two(pairs):
    """Of fn=, type=, part= … only one could be shown."""
    given = [f"{name}=" for name in WHAT if name in pairs]
    if len(given) > 1:
        raise Wrong(f"a block with {' and '.join(given)}: write a block for "
                    "each")


def region_names(sources, path, pairs):
    """The regions that fn=, type=, var= … name, or None for the file."""
    refuse_two(pairs)
    for key, prefix in KEYS.items():
        if key in pairs:
            return [prefix + name for name in pairs[key].split()]
    if "type" not in pairs:
        return None
    return [type_name(sources, path, name) for name in pairs["type"].split()]


def type_name(sources, path, name):
    """The region of a type, whatever its kind."""
    regions = sources.regions(path)
    for kind in TYPES:
        if f"{kind}:{name}" in regions:
            return f"{kind}:{name}"
    raise Wrong(f"{path} has no type {name}")


def join(extracts, sources):
    """Extracts that follow each other in the file become one."""
    joined = []
    for extract in extracts:
        before = joined[-1] if joined else None
        if before and sources.between(before, extract) == "":
            joined[-1] = sources.span(before, extract)
        else:
            joined.append(extract)
    return joined


def place_of(extract):
    """Where an Extract stands, in words."""
    if extract.first == extract.last:
        return f"{extract.path}, line {extract.first}"
    return f"{extract.path}, lines {extract.first}–{extract.last}"


def listing(extract, caption, link=None):
    """The blocks of one listing: a caption with its place, and the code, of
    which it is known where it is from."""
    place = html.escape(place_of(extract))
    if link:
        place = f'<a href="{html.escape(link)}">{place}</a>'
    if caption:
        place = f"{html.escape(caption)} ({place})"
    attribute = attributes("", [extract.language], first=extract.first,
                           path=extract.path)
    return [raw(f'<figure class="listing"><figcaption>{place}</figcaption>'),
            element("CodeBlock", [attribute, extract.text]),
            raw("</figure>")]


def difference(sources, pairs, rung):
    """The blocks of one ```{diff=a..b file=… fn=…} block."""
    lower, upper = rungs_of(sources, pairs["diff"])
    file = pairs["file"]
    path = sources.path(
        f"{upper if sources.has(upper, file) else lower}/{file}")
    file = path.partition("/")[2]
    names = region_names(sources, path, pairs) or [None]
    rows = []
    for name in names:
        old = text_in(sources, f"{lower}/{file}", name)
        new = text_in(sources, f"{upper}/{file}", name)
        if old == new:
            what = f"has no {name} in" if not old and name else \
                f"{name or ''} does not differ between"
            raise Wrong(f"{file} {what} {lower} and {upper}")
        rows += [(" ", "")] * bool(rows)  # between two functions
        rows += diff_rows(old, new, whole=name is not None)
    caption = pairs.get("caption", "")
    place = html.escape(f"{file}, {lower} → {upper}")
    place = f"{html.escape(caption)} ({place})" if caption else place
    return [raw(f'<figure class="listing"><figcaption>{place}</figcaption>'
                f"{diff_html(rows)}</figure>")]


def rungs_of(sources, pair):
    """The two rungs of m3..m4."""
    lower, _, upper = pair.partition("..")
    return sources.rung(lower), sources.rung(upper)


def text_in(sources, path, name):
    """The text of a region or file, "" where it does not exist."""
    try:
        extract = sources.region(path, name) if name else sources.file(path)
        return extract.text
    except Wrong:
        return ""


def diff_rows(old, new, whole):
    """[(sign, line)] of a difference; what is far from any change in a whole
    file becomes one row "…"."""
    rows = [(line[0], line[2:]) for line in difflib.ndiff(
        old.split("\n") if old else [], new.split("\n") if new else [])
        if line[0] != "?"]
    if whole:
        return rows
    kept = {near for at, (sign, _) in enumerate(rows) if sign != " "
            for near in range(at - CONTEXT, at + CONTEXT + 1)}
    result = []
    for at, row in enumerate(rows):
        if at in kept:
            result.append(row)
        elif not result or result[-1] != ("…", ""):
            result.append(("…", ""))
    return result


def diff_html(rows):
    """The rows as HTML; added and removed lines are marked as such for those
    who do not see colours, too."""
    tags = {"+": "ins", "-": "del"}
    lines = []
    for sign, text in rows:
        tag = tags.get(sign, "span")
        lines.append(f'<{tag}><span class="sign">{sign}</span>'
                     f"{html.escape(text)}</{tag}>")
    long = " long" * (len(rows) > LONG)
    return (f'<pre class="code diff{long}" tabindex="0"><code>'
            + "\n".join(lines) + "</code></pre>")


def expand(node, page):
    """The blocks that replace a quoting block."""
    pairs = pairs_of(node)
    if is_difference(node):
        if "file" not in pairs:
            raise Wrong("a difference without file=")
        return difference(page.sources, pairs, page.rung)
    blocks = []
    for extract in extracts_of(page.sources, pairs, page.rung):
        blocks += listing(extract, pairs.get("caption", ""),
                          page.source_link(extract))
    return blocks
