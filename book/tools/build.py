"""Builds the book.  usage: build.py site|transcripts"""

import subprocess
import sys

import consoles
import site_pages as site
import transcripts
import tree
from book import Book
from sources import ROOT


def renew_transcripts(book):
    """Run every console block and keep what it prints."""
    for chapter in book.chapters:
        runner = book.runner(chapter)
        commands = [node for node in tree.each(chapter.blocks, ("CodeBlock",))
                    if consoles.is_console(node)]
        if not commands:
            continue
        runner.build()
        kept = {tree.pairs_of(node)["run"]: run_console(runner, node)
                for node in commands}
        path = book.transcripts_path(chapter)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(transcripts.render(kept))


def run_console(runner, node):
    """What one console block's command prints."""
    pairs = tree.pairs_of(node)
    return runner.run(pairs["run"], int(pairs.get("status", 0)))


def main(arguments):
    """Run one target; the exit status."""
    book = Book()
    if arguments == ["transcripts"]:
        renew_transcripts(book)
    elif arguments == ["site"]:
        site.build(book, ROOT / "build" / "site")
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 1 if book.mistakes.report(sys.stderr) else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except subprocess.CalledProcessError as why:
        sys.exit(f"{why}\n{why.stderr or ''}")
