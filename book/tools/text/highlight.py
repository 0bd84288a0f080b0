"""Code in colour, by pandoc's own highlighter.

Pandoc puts an empty link into each line for its number; here each line is a
span, and the style sheet counts.  All code of a page goes through one run.
"""

import html
import re
from itertools import islice

from support.mistakes import Wrong
from support.store import digest
from text import tree

LINE = re.compile(r'<span id="cb\d+-\d+"><a href="#cb\d+-\d+" '
                  r'aria-hidden="true"(?: tabindex="-1")?></a>')
CODE = re.compile(r"<code[^>]*>(.*)</code>", re.S)
CUT = "<!-- cut -->"
BLANK = '<span class="line"></span>'
# The end of a blank line, before one that is not indented.
BETWEEN = re.compile(rf'(?<=\n{BLANK})\n'
                     r'(?=<span class="line">(?:<span[^>]*>)?[^<\s}])')
# What is learned once for all rungs: C texts are composed of that.
UNITS = {}  # {unit of C: its HTML}
CHUNK = 250_000  # characters of a list of units
SAMPLE = "0"  # how the digests of texts begin that are compared: one in 16
# What a line holds that cannot open a comment.
CLOSED = re.compile(r"/\*.*?\*/|//.*|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
SHORT = 3  # lines, a blank one at the end included
LONG = 16  # lines, from which on paper may cut a piece
# What has no colour of its own needs no span: half of a listing's bytes.
PLAIN = re.compile(r'<span class="(?:op|fu|va|bu|ex|ot|at|ev|re|al|er|kt)">'
                   r"([^<]*)</span>")


def expand(blocks, page):
    """The blocks with every listing as HTML."""
    nodes = list(tree.each(blocks, ("CodeBlock",)))
    codes = [(language_of(node), node["c"][1]) for node in nodes]
    answers = dict(zip(codes, inside(codes, page.store)))

    def visit(node):
        if node["t"] != "CodeBlock":
            return None
        code = answers[language_of(node), node["c"][1]]
        pairs = tree.pairs_of(node)
        first = pairs.get("first")
        if "path" in pairs:
            code = dimmed(code, int(first), page.dimmed(pairs["path"]))
        if first and page.medium == "pdf":
            return [tree.html(in_pieces(code, int(first)))]
        return [tree.html(frame(code, first))]
    return tree.walk(blocks, visit)


def dimmed(code, first, idle):
    """The lines of a listing, of which those with the numbers in `idle` are
    dimmed."""
    return "\n".join(
        line.replace('class="line"', 'class="line idle"', 1)
        if number in idle else line
        for number, line in enumerate(code.split("\n"), first))


def in_pieces(code, first):
    """A listing in pieces that paper should not cut: it may go on over the
    page between them, where a blank line is and no function."""
    frames = []
    for piece in pieces_of(code):
        frames.append(frame(unnumbered_end(piece), first))
        first += piece.count("\n") + 1
    return "\n".join(frames)


def unnumbered_end(piece):
    """A piece whose last line, a blank one, shows no number: the page may
    end there."""
    if not piece.endswith(f"\n{BLANK}"):
        return piece
    return piece[:-len(BLANK)] + '<span class="line between"></span>'


def pieces_of(code):
    """The pieces; a line or two alone, a comment most often, stay with what
    they are about."""
    pieces = []
    for piece in BETWEEN.split(code):
        if pieces and pieces[-1].count("\n") < SHORT:
            pieces[-1] += f"\n{piece}"
        else:
            pieces.append(piece)
    return pieces


def language_of(node):
    """The language of a listing, "" for none."""
    classes = tree.classes_of(node)
    return classes[0] if classes else ""


def frame(lines, first=None, ids=False):
    """The whole element around highlighted lines; `first` is the number of
    the first line where lines are numbered."""
    kind = "code" if first is None else "code numbered"
    if lines.count("\n") >= LONG:
        kind += " long"
    start = f' style="counter-reset:line {int(first) - 1}"' \
        if first and int(first) != 1 else ""
    if ids:
        lines = with_ids(lines, int(first))
    return (f'<pre class="{kind}"{start} tabindex="0"><code>{lines}'
            "</code></pre>")


def with_ids(lines, first):
    """The lines, each with a name for links."""
    numbers = iter(range(first, first + lines.count("\n") + 1))
    return re.sub('<span class="line">', lambda found:
                  f'<span class="line" id="L{next(numbers)}">', lines)


def inside(codes, store):
    """What stands in <code> for each (language, text)."""
    keys = [digest("highlight", 2, tree.version(), *code) for code in codes]
    composed = {key: text for key, code in zip(keys, codes)
                if (text := compose(*code)) is not None}
    for key, text in composed.items():
        if not store.path(key).exists():
            store.put(key, text)  # for builds that learn nothing
    missing = {key: code for key, code in zip(keys, codes)
               if key not in composed and store.peek(key) is None}
    if missing:
        for key, answer in zip(missing, ask_pandoc(list(missing.values()))):
            store.put(key, answer)
    return [composed[key] if key in composed else store.peek(key)
            for key in keys]


def compose(language, text):
    """The same for a C text all of whose units are known; else None."""
    if language != "c" or not UNITS:
        return None
    lines = [UNITS.get(unit) for unit in units(text)]
    return None if None in lines else "\n".join(lines)


def units(text):
    """The parts of a C text that look the same wherever they stand: lines, or
    several where a comment or a backslash goes on."""
    unit, within = [], False
    for line in text.split("\n"):
        unit.append(line)
        if within:
            _, end, line = line.partition("*/")
            within = not end
        within = within or "/*" in CLOSED.sub("", line)
        if not within and not line.endswith("\\"):
            yield "\n".join(unit)
            unit = []
    if unit:
        yield "\n".join(unit)


def lists_of_units(texts):
    """The units of some C texts, each once, in lists of CHUNK characters."""
    lists, size = [], CHUNK
    for unit in dict.fromkeys(unit for text in texts for unit in units(text)):
        if size >= CHUNK:
            lists.append([])
            size = 0
        lists[-1].append(unit)
        size += len(unit)
    return lists


def learn(chunk, store):
    """Highlight a list of units, and know them from now on."""
    def find():
        text = "\n".join(chunk)
        lines = ask_pandoc([("c", text)])[0].split("\n")
        if len(lines) != text.count("\n") + 1:
            return [None] * len(chunk)  # unknown, as all that is not learned
        left = iter(lines)
        return ["\n".join(islice(left, unit.count("\n") + 1))
                for unit in chunk]
    key = digest("units", 1, tree.version(), chunk)
    UNITS.update(zip(chunk, store.get(key, find)))


def compare(texts, store, every=False):
    """See of C texts, every one or those that their digests choose, that what
    is composed is what pandoc makes of the whole."""
    chosen = [text for text in texts
              if (every or digest(text).startswith(SAMPLE))
              and compose("c", text) is not None]

    def find():
        whole = ask_pandoc([("c", text) for text in chosen])
        for text, lines in zip(chosen, whole):
            if compose("c", text) != lines:
                raise Wrong("pandoc colours this as a whole otherwise than "
                            "line by line (text/highlight.py: units): "
                            f"{text[:200]}")
        return True
    store.get(digest("compared", 1, tree.version(), chosen), find)


def ask_pandoc(codes):
    """Pandoc's answer for each (language, text), line by line."""
    blocks = []
    for language, text in codes:
        blocks += [tree.code_block(text, [language] * bool(language)),
                   tree.html(CUT)]
    page = tree.pandoc(["-f", "json", "-t", "html5"], tree.document(blocks),
                       "pandoc, highlighting")
    return [as_lines(part, text) for part, (_, text)
            in zip(page.split(CUT), codes)]


def as_lines(part, text):
    """One listing: a span for each line."""
    if not LINE.search(part):
        lines = [f'<span class="line">{html.escape(line, False)}</span>'
                 for line in text.split("\n")]
        return "\n".join(lines)
    code = PLAIN.sub(r"\1", CODE.search(part).group(1))
    return LINE.sub('<span class="line">', code)
