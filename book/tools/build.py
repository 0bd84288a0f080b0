"""Builds the book.

usage: build.py site | book | transcripts | check
       [--answers=folded|apart|none] [--site=https://...]
"""

import subprocess
import sys

from chapters import ahead, readme
from chapters.book import Book
from chapters.page import Page
from paper import ebook, printed
from reading.sources import ROOT
from running import transcripts
from support.mistakes import Wrong
from web import website


def renew_transcripts(book):
    """Run every console block and keep what it prints."""
    for chapter in book.chapters:
        kept = Page(book, chapter, "site").renewed_transcripts()
        path = book.transcripts_path(chapter)
        if kept:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(transcripts.render(kept))
        elif path.exists():
            path.unlink()
    readme.renew(book)


def build_books(book, answers):
    """The e-book, checked, and the PDF."""
    path = ROOT / "build" / "book.epub"
    with_answers = answers == website.FOLDED
    ebook.build(book, path, with_answers)
    said = ebook.check(path)
    if said is None:
        print("book: epubcheck is missing, so build/book.epub is not checked",
              file=sys.stderr)
    elif said:
        raise Wrong(f"epubcheck: {said}")
    printed.build(book, ROOT / "build" / "book.pdf", with_answers)


def run(target, answers=website.FOLDED, site=""):
    """Run one target; the exit status."""
    book = Book()
    if target == "transcripts":
        renew_transcripts(book)
    else:
        with ahead.trying(book):
            make(target, book, answers, site)
    book.store.prune()
    return 1 if book.mistakes.report(sys.stderr) else 0


def make(target, book, answers, site):
    """Make an output of the book; `site` is the address where the site will
    stand, if that is known."""
    book.check()
    if target == "site":
        website.build(book, ROOT / "build" / "site", answers, site)
    elif target == "book":
        build_books(book, answers)
    elif target == "check":
        for chapter in book.chapters:
            book.expanded(chapter, "site")


def options_of(words):
    """{name: value} of --name=value; None for what is no option."""
    options = dict(word.removeprefix("--").split("=", 1) for word in words
                   if "=" in word)
    known = (len(options) == len(words) and set(options) <= {"answers", "site"}
             and options.get("answers", "none") in website.ANSWERS
             and options.get("site", "https://").startswith(("https://",
                                                             "http://")))
    return options if known else None


def main(arguments):
    """The command line."""
    words = [word for word in arguments if word.startswith("-")]
    targets = [word for word in arguments if word not in words]
    options = options_of(words)
    if len(targets) != 1 or options is None or targets[0] not in (
            "site", "book", "transcripts", "check"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        return run(targets[0], **options)
    except Wrong as why:
        print(f"book: {why}", file=sys.stderr)
    except subprocess.CalledProcessError as why:
        print(f"book: {why}\n{why.stderr or ''}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
