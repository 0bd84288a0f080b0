"""Builds the book.

usage: build.py site [--answers=folded|apart|none] [--site=https://...]
                     [--kept | --test]
       build.py book [--answers=folded|apart|none] [--test]
       build.py archive | transcripts | check | minutes

--site says where the site will stand.  --kept takes the outcomes that are
committed, and verifies nothing.  Without it they are brought up to date; a
test fails where they are not those of this build.  Without CI or ALL=1 in the
environment a test makes no PDF, and takes the committed counts of which lines
run; with CI it lays out a PDF whose page has changed.
"""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from chapters import ahead, readme
from chapters.book import Book
from chapters.page import Page
from paper import ebook, laid_out, printed
from reading.sources import ROOT
from running import outcomes, transcripts
from running.trials import every_test, somebody_waits
from support import programs, timing
from support.mistakes import Wrong
from web import archive, minutes, webpage, website

BEGUN = time.monotonic()
TARGETS = ("site", "book", "archive", "transcripts", "check", "minutes")


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


def build_books(book, answers, test=False):
    """The PDF, which a program of one thread lays out in minutes, and beside
    it the e-book.  A test for which somebody waits leaves the PDF out, with its
    page."""
    with_answers = answers == website.FOLDED
    (ROOT / "build" / "book.pdf").unlink(missing_ok=True)
    with ThreadPoolExecutor(1) as pool:
        paper = None
        if book.outcomes.awaited:
            print("SKIPPED the PDF: minutes to lay it out (make book, or make "
                  "test ALL=1)")
        else:
            source = printed.written(book, with_answers)
            paper = pool.submit(build_pdf, book, source, test, with_answers)
        build_ebook(book, ROOT / "build" / "book.epub", with_answers)
        if paper:
            paper.result()


def build_pdf(book, source, test, with_answers):
    """The PDF of the page in a file.  A test lays out no page again that was
    laid out before; what is whole is written down when it was laid out."""
    folder, page = book.outcomes.folder, source.read_text()
    if test and not every_test() and laid_out.is_known(folder, page):
        print("The PDF is left out: this page was laid out before (make book "
              "does it again, and make test ALL=1).")
        return
    printed.lay_out(source, ROOT / "build" / "book.pdf")
    if test:
        print("The PDF was laid out, since its page or what makes it is new "
              f"(make book writes that down in book/outcomes/{laid_out.NAME})")
    elif with_answers and laid_out.keep(folder, page):
        print(f"book/outcomes/{laid_out.NAME} names a new page: commit it")


def build_ebook(book, path, with_answers):
    """The e-book, checked."""
    ebook.build(book, path, with_answers)
    said = ebook.check(path)
    if said is None:
        print("book: epubcheck is missing, so build/book.epub is not checked",
              file=sys.stderr)
    elif said:
        raise Wrong(f"epubcheck: {said}")


def pack():
    """Put what was built into one file."""
    path = archive.pack(ROOT / "build", *archive.last_commit(ROOT))
    print(f"The archive: {path.relative_to(ROOT)}, "
          f"{path.stat().st_size / 1e6:.1f} MB")
    return 0


def run(target, answers=website.FOLDED, site="", kept=False, test=False):
    """Run one target; the exit status."""
    if target == "archive":
        return pack()
    book = Book(trusting=kept, awaited=test and somebody_waits())
    if target == "transcripts":
        renew_transcripts(book)
    else:
        if target == "site":
            website.learn(book)
        with ahead.trying(book):
            expand(target, book)
        make(target, book, answers, site, test)
    book.store.prune()
    return 1 if book.mistakes.report(sys.stderr) else 0


def expand(target, book):
    """Expand all chapters, while copies are tried; what makes pages of them
    can then do so with helpers, which need that no thread runs."""
    if target == "site":
        website.expand(book)
    elif target == "book":
        book.expand_ahead(["epub"] + ["pdf"] * (not book.outcomes.awaited))
    else:
        book.expand_ahead()


def print_times():
    """Where the time of this build went."""
    programs.end_all()
    clock = time.monotonic() - BEGUN
    all_ = sum(os.times()[:4])
    timing.add(timing.PROGRAMS, "", all_ - sum(timing.SECONDS.values()))
    print(f"{timing.table(timing.SECONDS)}\n"
          f"{timing.dearest(timing.PIECES)}{clock:.0f} s; {all_:.0f} s of "
          "processor time", flush=True)


def make(target, book, answers, address, test):
    """Make an output of the book; `address` is where the site will stand, if
    that is known; a test changes no committed file.  What is not of one page
    alone is checked at last, when most of what that needs is known."""
    site = None
    if target == "site":
        site = website.build(book, ROOT / "build" / "site", answers, address)
    elif target == "book":
        build_books(book, answers, test)
    elif target == "check":
        for chapter in book.chapters:
            book.expanded(chapter, "site")
    elif target == "minutes":
        print_minutes(book)
    book.check()
    if site:
        settle(book, site, test)


def settle(book, site, test):
    """Compare the committed outcomes with those of this build, and bring them
    up to date, or fail where they are not; or say what was not verified."""
    if book.outcomes.trusting:
        words = outcomes.spoken(site.unverified())
        if words:
            print(f"Not run again here: {words} (make site runs them).")
        return
    asked = everything_asked(book, site)
    for path, line, why in book.outcomes.differing(asked):
        book.mistakes.add(path.relative_to(book.root), line, why)
    if test:
        for name in book.outcomes.stale(asked):
            book.mistakes.add(f"book/outcomes/{name}", 1, "does not hold "
                              "what this build found: run make site, which "
                              "renews it, and commit it")
    elif not book.mistakes.found:
        for name in book.outcomes.renew(asked):
            print(f"book/outcomes/{name} has new outcomes: commit it")


def everything_asked(book, site):
    """{key: file} of all outcomes that this build needed."""
    try:
        return site.asked() | book.trials.settle()
    except Wrong as why:
        book.mistakes.add(book.folder.name, 1, str(why))
        return site.asked()


def print_minutes(book):
    """How long each chapter takes to read."""
    print(minutes.table([
        (chapter, minutes.length_of(webpage.fragment(
            book.expanded(chapter, "site")["blocks"], book.store)))
        for chapter in book.chapters]))


def options_of(words):
    """{name: value} of --name=value, of --kept and --test; None for what is
    no option."""
    options = dict(word.removeprefix("--").split("=", 1) for word in words
                   if "=" in word)
    options |= {word: True for word in ("kept", "test")
                if f"--{word}" in words}
    known = (len(options) == len(words)
             and set(options) <= {"answers", "site", "kept", "test"}
             and options.get("answers", "none") in website.ANSWERS
             and options.get("site", "https://").startswith(("https://",
                                                             "http://")))
    return options if known else None


def leave_background():
    """Ctrl-C is ignored in a background job, and in what that starts; the
    book's commands get it as a reader's would."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: None)


def main(arguments):
    """The command line."""
    leave_background()
    words = [word for word in arguments if word.startswith("-")]
    targets = [word for word in arguments if word not in words]
    options = options_of(words)
    if len(targets) != 1 or options is None or targets[0] not in TARGETS \
            or "kept" in options and targets[0] != "site":
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        with timing.spent("all else"):
            status = run(targets[0], **options)
        if targets[0] in ("site", "book"):
            print_times()
        return status
    except Wrong as why:
        print(f"book: {why}", file=sys.stderr)
    except subprocess.CalledProcessError as why:
        print(f"book: {why}\n{why.stderr or ''}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
