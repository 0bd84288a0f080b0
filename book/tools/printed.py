"""The book on paper: one HTML page with page rules, then WeasyPrint."""

import html
import re
import subprocess

import palette
import webpage
import website
from ebook import HERE, TITLE

FONTS = {
    "body": '"TeX Gyre Pagella", "Liberation Serif", serif',
    "sans": '"TeX Gyre Heros", "Liberation Sans", "DejaVu Sans", sans-serif',
    "mono": '"DejaVu Sans Mono", monospace',
}
CONSOLE = re.compile(r'<pre class="code console".*?</pre>', re.S)
COMMAND = re.compile(r"<kbd>.*?</kbd>", re.S)
TAG = re.compile(r"<[^>]*>")
COLUMNS = 96  # of code to a line
SIZE, SMALLEST = 7.6, 5.6  # of its letters, in points


def build(book, path):
    """Write the PDF."""
    folder = book.build / "pdf"
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "book.html"
    source.write_text(page(book))
    subprocess.run(["weasyprint", "--quiet", str(source), str(path)],
                   check=True, capture_output=True, text=True)


def page(book):
    """The whole book as the page that is printed."""
    blocks = website.whole(book, "pdf")
    body = CONSOLE.sub(fitted, webpage.fragment(blocks, book.store))
    katex = book.modules.path() / "katex" / "dist" / "katex.min.css"
    rows = [(level, f"#{name}", words) for level, name, words
            in webpage.sections(blocks, 2, 1)]
    return (f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
            f"<title>{html.escape(TITLE)}</title>"
            f'<link rel="stylesheet" href="{katex.as_uri()}">'
            f"<style>{style()}</style></head><body>"
            f'<header class="cover"><p class="name">Rungs</p>'
            "<p>An LLM inference engine, one rung at a time</p></header>"
            f'<nav class="toc"><h2>Contents</h2>'
            f"{webpage.nested(rows, 1)}</nav><main>{body}</main>"
            "</body></html>")


def fitted(found):
    """What a program printed, in smaller letters where lines are too long
    for the page, since columns are read one below the other.  What is too
    long for the smallest letters, too, is wrapped."""
    text = found.group()
    lines = html.unescape(TAG.sub("", COMMAND.sub("", text))).split("\n")
    sizes = [SIZE * min(1, COLUMNS / max(1, len(line))) for line in lines]
    size = min(size for size in [SIZE, *sizes] if size >= SMALLEST)
    if size == SIZE:
        return text
    return text.replace("<pre", f'<pre style="font-size: {size:.2f}pt"', 1)


def style():
    """The site's style sheet, and what paper needs beside it; WeasyPrint
    knows variables, but not in shorthands."""
    parts = [(webpage.SITE / "style.css").read_text(),
             (HERE / "pdf.css").read_text()]
    return palette.without_variables("\n".join(parts), **FONTS)
