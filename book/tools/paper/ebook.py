"""The book as an EPUB 3, by pandoc: a file for each chapter, MathML."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from paper import cover
from support import palette
from text import tree
from web import webpage, website

HERE = Path(__file__).resolve().parent
IDENTIFIER = "urn:uuid:eeb1ec91-12d4-5bf3-846b-476197280ac4"  # stays


def build(book, path, with_answers=True):
    """Write the e-book."""
    blocks = website.whole(book, "epub", with_answers)
    with tempfile.TemporaryDirectory(prefix="rungs-epub-") as folder:
        style = Path(folder, "epub.css")
        style.write_text(palette.without_variables(
            (HERE / "epub.css").read_text()))
        front = Path(folder, "cover.svg")
        front.write_text(cover.drawing(book))
        source = Path(folder, "book.json")
        source.write_text(tree.document(blocks, title=webpage.TITLE, lang="en",
                                        identifier=IDENTIFIER,
                                        rights="See the file LICENSE"))
        tree.pandoc(["-f", "json", "-t", "epub3", "--toc", "--toc-depth=2",
                     "--no-highlight", split_option(), f"--css={style}",
                     f"--epub-cover-image={front}",
                     "-o", str(path), str(source)], "")


def checker():
    """How epubcheck is run here, or None; some systems install a bare Java
    archive under that name."""
    found = shutil.which("epubcheck")
    if not found or not shutil.which("java"):
        return None
    archive = os.path.realpath(found)
    if not archive.endswith(".jar"):
        return [found]
    # Its run is short: the compiler that starts sooner is the better one.
    return ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar",
            archive]


def check(path):
    """What epubcheck says against an e-book: "" for nothing; None where
    there is no epubcheck."""
    command = checker()
    if command is None:
        return None
    done = subprocess.run([*command, str(path)], capture_output=True,
                          text=True)
    said = done.stdout + done.stderr
    return said if done.returncode or "WARNING" in said else ""


def split_option():
    """A file for each heading of level 1: how this pandoc calls it."""
    major = int(tree.version().split(".")[0])
    return "--split-level=1" if major >= 3 else "--epub-chapter-level=1"
