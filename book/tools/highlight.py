"""Code in colour, by pandoc's own highlighter.

Pandoc puts an empty link into each line for its number; here each line is a
span, and the style sheet counts.  All code of a page goes through one run.
"""

import html
import re

import tree
from store import digest

LINE = re.compile(r'<span id="cb\d+-\d+"><a href="#cb\d+-\d+" '
                  r'aria-hidden="true"(?: tabindex="-1")?></a>')
CODE = re.compile(r"<code[^>]*>(.*)</code>", re.S)
CUT = "<!-- cut -->"


def expand(blocks, page):
    """The blocks with every listing as HTML."""
    nodes = list(tree.each(blocks, ("CodeBlock",)))
    codes = [(language_of(node), node["c"][1]) for node in nodes]
    answers = dict(zip(codes, inside(codes, page.store)))

    def visit(node):
        if node["t"] != "CodeBlock":
            return None
        code = answers[language_of(node), node["c"][1]]
        return [tree.html(frame(code, tree.pairs_of(node).get("first")))]
    return tree.walk(blocks, visit)


def language_of(node):
    """The language of a listing, "" for none."""
    classes = tree.classes_of(node)
    return classes[0] if classes else ""


def frame(inside_, first=None, ids=False):
    """The whole element around highlighted lines; `first` is the number of
    the first line where lines are numbered."""
    if first is None:
        return f'<pre class="code" tabindex="0"><code>{inside_}</code></pre>'
    start = f' style="counter-reset:line {int(first) - 1}"' \
        if int(first) != 1 else ""
    if ids:
        numbers = iter(range(int(first), int(first) + inside_.count("\n") + 1))
        inside_ = re.sub('<span class="line">', lambda found:
                         f'<span class="line" id="L{next(numbers)}">', inside_)
    return (f'<pre class="code numbered"{start} tabindex="0"><code>{inside_}'
            "</code></pre>")


def inside(codes, store):
    """What stands in <code> for each (language, text)."""
    keys = [digest("highlight", 1, *code) for code in codes]
    missing = {key: code for key, code in zip(keys, codes)
               if store.peek(key) is None}
    if missing:
        for key, answer in zip(missing, ask_pandoc(list(missing.values()))):
            store.put(key, answer)
    return [store.peek(key) for key in keys]


def ask_pandoc(codes):
    """Pandoc's answer for each (language, text), line by line."""
    blocks = []
    for language, text in codes:
        blocks += [tree.code_block(text, [language] * bool(language)),
                   tree.html(CUT)]
    page = tree.pandoc(["-f", "json", "-t", "html5"], tree.document(blocks))
    return [as_lines(part, text) for part, (_, text)
            in zip(page.split(CUT), codes)]


def as_lines(part, text):
    """One listing: a span for each line."""
    if not LINE.search(part):
        lines = [f'<span class="line">{html.escape(line, False)}</span>'
                 for line in text.split("\n")]
        return "\n".join(lines)
    return LINE.sub('<span class="line">', CODE.search(part).group(1))
