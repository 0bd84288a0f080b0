"""The book as an EPUB 3, by pandoc: a file for each chapter, MathML."""

import tempfile
from pathlib import Path

import palette
import tree
import website

HERE = Path(__file__).resolve().parent
TITLE = "Rungs: an LLM inference engine, one rung at a time"


def build(book, path):
    """Write the e-book."""
    blocks = website.whole(book, "epub")
    with tempfile.TemporaryDirectory(prefix="rungs-epub-") as folder:
        style = Path(folder, "epub.css")
        style.write_text(palette.without_variables(
            (HERE / "epub.css").read_text()))
        source = Path(folder, "book.json")
        source.write_text(tree.document(blocks, title=TITLE, lang="en",
                                        rights="See the file LICENSE"))
        tree.pandoc(["-f", "json", "-t", "epub3", "--toc", "--toc-depth=2",
                     "--no-highlight", split_option(), f"--css={style}",
                     "-o", str(path), str(source)], "")


def split_option():
    """A file for each heading of level 1: how this pandoc calls it."""
    major = int(tree.version().split(".")[0])
    return "--split-level=1" if major >= 3 else "--epub-chapter-level=1"
