"""The book on paper: one HTML page with page rules, then WeasyPrint."""

import html
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
    body = webpage.fragment(blocks, book.store)
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


def style():
    """The site's style sheet, and what paper needs beside it; WeasyPrint
    knows variables, but not in shorthands."""
    parts = [(webpage.SITE / "style.css").read_text(),
             (HERE / "pdf.css").read_text()]
    return palette.without_variables("\n".join(parts), **FONTS)
