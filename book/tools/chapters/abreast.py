"""Expands the chapters of a build that verifies, one of each rung at a time:
most of a chapter's time is that of programs and trials that it waits for.

Commands write files of the same names into a rung's folder.  So chapters that
run commands in the same rung come one after the other, as in the book.
"""

import re
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

from support import timing

# Another rung than the chapter's.
NAMED = re.compile(r"\brung\s*=\s*[\"']?([\w-]+)")
ROOT = "none"  # as a rung's name


def expand(book, media):
    """Expand all chapters for each of some outputs; what is wrong with them is
    noted, and met again by who asks for one."""
    with ThreadPoolExecutor(len(book.sources.rungs)) as pool:
        try:
            expand_in(pool, book, media)
        except BaseException:
            book.workshop.close()  # what is begun soon ends
            raise


def expand_in(pool, book, media):
    """The same in threads of a pool."""
    left, begun = list(book.chapters), {}
    while left or begun:
        for chapter in ready(left, begun.values(), book.sources):
            left.remove(chapter)
            begun[pool.submit(expand_one, book, chapter, media)] = chapter
        done, _ = wait(begun, return_when=FIRST_COMPLETED)
        for one in done:
            del begun[one]
            one.result()


def expand_one(book, chapter, media):
    """A chapter for each of these outputs."""
    with timing.spent("all else"):
        for medium in media:
            book.expanded(chapter, medium)


def ready(left, begun, sources):
    """Of the chapters that are left, in the order of the book, those that share
    no rung with one that has begun, or with one before them."""
    taken = set().union(*(used_by(one, sources) for one in begun))
    found = []
    for chapter in left:
        rungs = used_by(chapter, sources)
        if not rungs & taken:
            found.append(chapter)
        taken |= rungs
    return found


def used_by(chapter, sources):
    """Where a chapter may run commands: in its rung, or the highest, and in
    those that it names, and in the root of the tree (rung=none)."""
    named = set(NAMED.findall(chapter.text))
    return {chapter.rung or sources.rungs[-1], *named & {ROOT}, *(
        rung for rung in sources.rungs
        if rung in named or rung.partition("-")[0] in named)}
