"""Cuts C files into regions: every line of a file belongs to exactly one.

README.md states the rule.  In short: a region runs from the line after the
one before it ended to the end of its own declaration, so that it holds the
blank lines, comments, attributes and return type above its name.  `top`
comes first, `end` is what is left after the last.
"""

from dataclasses import dataclass

from problem import Refusal
from scanner import Scanner
from tags import tag_texts

RESERVED = ("top", "end")
WHOLE = "-"
# Declarations without a name of their own; they lead the next region.
NAMELESS = ("_Static_assert", "static_assert", "struct", "union", "enum", ";")
CUTS = {}  # {text: its regions, or the Refusal} of all that was cut


@dataclass(frozen=True)
class Region:
    """Lines `first` to `last` (from 1) of a file; `start` is the line where
    the declaration itself begins, below blank lines and comments."""

    name: str
    first: int
    start: int
    last: int
    text: str
    is_function: bool = False


def whole(text):
    """The one region of a file that is not C."""
    lines = text.count("\n") + (not text.endswith("\n"))
    return [Region(WHOLE, 1, 1, lines, text)]


def cut_all(texts):
    """For each C text its regions, or the Refusal that says why not.

    Equal texts are cut once: most files of a rung are copies.
    """
    new = [text for text in dict.fromkeys(texts) if text not in CUTS]
    CUTS.update(zip(new, map(cut, new, tag_texts(new))))
    return [CUTS[text] for text in texts]


def cut(text, tags):
    """The regions of one C text, or its Refusal."""
    try:
        scan = Scanner(text).run()
        regions = assemble(text, scan, name_pieces(scan.pieces, tags))
        refuse_twins(regions)
        return regions
    except Refusal as refusal:
        return refusal


def name_pieces(pieces, tags):
    """The (piece, name) of each declaration and macro that has a name."""
    named = []
    for piece in pieces:
        inside = [tag for tag in tags if piece.first <= tag.line <= piece.last
                  and (tag.kind == "macro") == bool(piece.directive)]
        if inside:
            named.append((piece, choose(piece, inside).region))
        elif not piece.directive and piece.tokens[0][0] not in NAMELESS:
            raise Refusal(piece.first, "ctags finds no name in this "
                          "declaration: write it in a plainer way")
    return named


def choose(piece, tags):
    """The tag which names a piece: its function, or what comes first."""
    functions = [tag for tag in tags if tag.kind == "function"]
    return (functions if piece.has_body and functions else tags)[0]


def assemble(text, scan, named):
    """Lay the regions end to end over the lines of the text."""
    lines = split_lines(text)
    last = top_end(lines, scan)
    spans = [("top", 1, last, False)] if last else []
    for piece, name in named:
        if piece.first > last:
            spans.append((name, piece.first, piece.last, piece.has_body))
        elif spans and piece.last > last:  # begins on its neighbour's line
            name, start, _, body = spans.pop()
            spans.append((name, start, piece.last, body))
        last = max(last, piece.last)
    if last < len(lines):
        name = "end" if spans else "top"
        start = first_filled(lines, last)
        spans.append((name, start, len(lines), False))
    return lay(lines, spans)


def first_filled(lines, last):
    """The first line after `last` that is not blank, or the last line."""
    for number in range(last + 1, len(lines)):
        if lines[number - 1].strip():
            return number
    return len(lines)


def lay(lines, spans):
    """Regions from (name, start, last, is_function) in the file's order."""
    regions, before = [], 0
    for name, start, last, body in spans:
        text = "".join(lines[before:last])
        regions.append(Region(name, before + 1, start, last, text, body))
        before = last
    return regions


def split_lines(text):
    """The lines with their ends; only \\n ends a line, as in ctags."""
    lines = text.split("\n")
    ended = [line + "\n" for line in lines[:-1]]
    return ended + [lines[-1]] if lines[-1] else ended


def top_end(lines, scan):
    """The last line of `top`: the guard and the includes, or the first
    comment where there are none; 0 when the file has no top."""
    lead = leading_directives(scan.pieces)
    guards = 1 if has_guard(lead) else 0
    last = lead[1].last if guards else 0
    depth, inside = 0, False  # inside an #if that holds an include
    for piece in lead:
        depth += piece.conditional.startswith("if")
        depth -= piece.conditional == "endif"
        if piece.is_include or inside:
            last = max(last, piece.last)
            inside = depth > guards
    return last or first_comment_end(lines, scan.comments)


def leading_directives(pieces):
    """The directives before the first declaration."""
    lead = []
    for piece in pieces:
        if not piece.directive:
            break
        lead.append(piece)
    return lead


def has_guard(lead):
    """Whether the file begins with #ifndef X, #define X."""
    if len(lead) < 2 or lead[0].conditional != "ifndef":
        return False
    guarded = lead[0].directive.split()[-1]
    return lead[1].is_define and lead[1].directive.split()[-1] == guarded


def first_comment_end(lines, comments):
    """The last line of a comment that opens the file and stands alone."""
    if not comments or "".join(lines[:comments[0][0] - 1]).strip():
        return 0
    last = comments[0][1]
    alone = last < len(lines) and not lines[last].strip()
    return last if alone else 0


def refuse_twins(regions):
    """Names tell regions apart, so each occurs once in a file."""
    seen = {}
    for region in regions:
        if region.name in seen:
            twin = seen[region.name]
            raise Refusal(region.start, f"{region.name} stands here and in "
                          f"line {twin.start}: one of them needs another "
                          "name, or a file of its own")
        if region.is_function and region.name in RESERVED:
            raise Refusal(region.start, f"a function must not be called "
                          f"{region.name}: that is the name of a region")
        seen[region.name] = region
