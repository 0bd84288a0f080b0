"""The book on paper: one HTML page with page rules, then WeasyPrint."""

import html
import os
import re
import subprocess
from functools import partial

from paper import cover
from paper.ebook import HERE
from support import palette, timing
from support.mistakes import Wrong
from web import webpage, website

# What Python runs when it starts: no search for objects that hold each other,
# of which a laid-out page has none, among the millions that it has.
NO_SEARCH = "usercustomize.py", "import gc\ngc.disable()\n"
FONTS = {
    "body": '"TeX Gyre Pagella", "Liberation Serif", serif',
    "sans": '"TeX Gyre Heros", "Liberation Sans", "DejaVu Sans", sans-serif',
    "mono": '"DejaVu Sans Mono", monospace',
}
# Code of one font size: a listing, whose pieces are alike, or a block.
CODE = re.compile(r'<figure class="listing">.*?</figure>|'
                  r'<pre class="code.*?</pre>', re.S)
PRE = re.compile(r'(<pre class="[^"]*")(?: style="([^"]*)")?')
COMMAND = re.compile(r"<kbd>.*?</kbd>", re.S)
CAPTION = re.compile(r"<figcaption>.*?</figcaption>", re.S)
TAG = re.compile(r"<[^>]*>")
EVERYWHERE = ("Break it", "Exercises", "Further reading")  # in most chapters
COLUMNS = 96  # of code to a line
NUMBERS = 6  # columns for the line's number
NARROW = 74  # columns of a listing that has room even in a box in a box
SIZE, SMALLEST = 7.6, 6.2  # of its letters, in points
WRAPPED = 6.9  # the size where lines go on below
NUMBERED = re.compile(r'(<pre class="code numbered[^"]*"[^>]*><code>)(.*?)'
                      r"(?=</code></pre>)", re.S)
START = re.compile(r"counter-reset:line (\d+)")
LINE = re.compile(r'<span class="line([^"]*)">(.*)</span>')
INDENT = re.compile(r" *(?=<span)")
BETWEEN = re.compile(r"</span>( +)(?=<span)")
TABLE = re.compile(r"<table.*?</table>", re.S)
ROWS = 16  # of a table, from which on it may go on over the page
LEADS_IN = re.compile(r'(</h[23]>\s*)<p(>(?:(?!</p>).){1,300}</p>\s*'
                      r'<figure class="listing">)', re.S)
ANNOUNCES = re.compile(r"<p>(?=(?:(?!</p>).)*:</p>\s*<(?!p>))", re.S)


def build(book, path, with_answers=True):
    """Write the PDF."""
    lay_out(written(book, with_answers), path)


def written(book, with_answers=True):
    """The file with the page that is printed, new."""
    folder = book.build / "pdf"
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "book.html"
    source.write_text(page(book, with_answers))
    return source


def lay_out(source, path):
    """Make the PDF of that file."""
    name, text = NO_SEARCH
    (source.parent / name).write_text(text)
    path_of_python = [str(source.parent), os.environ.get("PYTHONPATH")]
    with timing.spent("laying out the PDF"):
        with subprocess.Popen(
                ["weasyprint", "--quiet", str(source), str(path)], text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(
                    filter(None, path_of_python))}) as child:
            said = child.stdout.read()
            _, status, cost = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            timing.used(cost.ru_utime + cost.ru_stime)
    if child.returncode:
        raise Wrong(f"weasyprint: {said}")


def page(book, with_answers=True):
    """The whole book as the page that is printed."""
    blocks = website.whole(book, "pdf", with_answers)
    body = CODE.sub(fitted, webpage.fragment(blocks, book.store))
    body = NUMBERED.sub(numbered, body)
    body = TABLE.sub(breakable, body)
    body = LEADS_IN.sub(r'\1<p class="leads-in"\2', body)
    body = ANNOUNCES.sub('<p class="leads-in">', body)
    katex = book.modules.path() / "katex" / "dist" / "katex.min.css"
    rows = [row for row in website.contents_within(book, blocks)
            if row[2] not in EVERYWHERE]
    return (f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
            f"<title>{html.escape(webpage.TITLE)}</title>"
            f'<link rel="stylesheet" href="{katex.as_uri()}">'
            f"<style>{style()}</style></head><body>"
            f'<header class="cover">{cover.drawing(book)}</header>'
            f'<nav class="toc"><h2>Contents</h2>'
            f"{webpage.nested(rows, 1)}</nav><main>{body}</main>"
            "</body></html>")


def fitted(found):
    """Code in smaller letters where lines are too long for the page, since
    columns are read one below the other; wrapped where that would make the
    letters too small to read, and so are commands."""
    text = found.group()
    columns = COLUMNS - NUMBERS * ('class="code numbered' in text)
    code = TAG.sub("", COMMAND.sub("", CAPTION.sub("", text)))
    longest = max(map(len, html.unescape(code).split("\n")))
    size = SIZE * min(1, columns / max(1, longest))
    if size < SMALLEST:
        size = WRAPPED
        text = text.replace('class="code numbered',
                            'class="code hanging numbered')
    if size == SIZE:
        return text
    return PRE.sub(lambda pre: f'{pre[1]} style="font-size: {size:.2f}pt'
                   f"{'; ' + pre[2] if pre[2] else ''}\"", text)


def numbered(found):
    """A listing whose numbers are text: to lay out a box for each, and one
    around each line, takes as long as all the words of the book."""
    start = START.search(found[1])
    first = int(start[1]) + 1 if start else 1
    lines = found[2].split("\n")
    head = found[1]
    text = html.unescape(TAG.sub("", found[2]))
    if (text.isascii() and "\t" not in text and "font-size" not in head
            and max(map(len, text.split("\n"))) <= NARROW):
        head = head.replace('class="code ', 'class="code fitting ', 1)
    return head + "\n".join(
        LINE.sub(partial(behind_number, number), line)
        for number, line in enumerate(lines, first))


def behind_number(number, line):
    """A line of a listing behind its number, which the last, blank line of a
    piece does not show.  Blanks before a coloured word are put to what comes
    before them, since alone they would be a box that takes as long as one."""
    shown = "" if "between" in line[1] else number
    indent = INDENT.match(line[2])
    blank = indent[0] if indent else ""
    words = BETWEEN.sub(r"\1</span>", line[2][len(blank):])
    between = (f"  {blank}</i>" if indent else "</i>  ")
    return f"<i>{shown:\N{NO-BREAK SPACE}>{NUMBERS - 1}}{between}{words}"


def breakable(found):
    """A table, marked when it is a long one."""
    text = found.group()
    if text.count("<tr") < ROWS:
        return text
    return f'<div class="lasting">{text}</div>'


def style():
    """The site's style sheet, and what paper needs beside it; WeasyPrint
    knows variables, but not in shorthands."""
    parts = [(webpage.SITE / "style.css").read_text(),
             (HERE / "pdf.css").read_text()]
    return palette.without_variables("\n".join(parts), **FONTS)
