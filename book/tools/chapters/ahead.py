"""Tries out the changed copies of all chapters beside whatever else a build
does until all chapters are expanded: break-it boxes and change exercises take
most of its time. Which lines run is counted beside it, too, rung by rung in the
order of the pages, unless that is taken as it is committed.

A page that needs an outcome waits for it, or finds it in the store; a mistake
is met there again and noted. So copies are tried in the order of the pages;
but where it is not known yet which tests run what (seen.py), rungs take turns,
since the trials of one wait until it is seen. A build that trusts tries
nothing, but builds the rungs whose pictures it has to draw.
"""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import zip_longest
from threading import Event

from blocks import breaks, exercises, pictures
from blocks.commands import rung_of
from blocks.patches import apply_all, read_patch
from chapters.page import Page
from running import main_path, seen
from support.mistakes import Wrong
from text import tree


@contextmanager
def trying(book):
    """While this context lasts, changed copies are tried, two at a time, and
    it is counted which lines run."""
    pool = ThreadPoolExecutor(1 + max(2, len(book.sources.rungs)))
    ended = Event()
    try:
        if book.outcomes.trusting:
            for rung in rungs_to_draw(book):
                pool.submit(book.workshop.build, rung)
        else:
            if not book.outcomes.awaited:
                pool.submit(count, book, ended)
            book.trials.subjects = subjects(book)
            order = list if book.trials.all_known() else in_turns
            for node, page in order(tasks(book)):
                pool.submit(attempt, node, page)
        yield
    finally:
        ended.set()
        pool.shutdown(cancel_futures=True)


def count(book, ended):
    """Count what the main commands run, of one rung after the other: all use
    the same folder."""
    for chapter in book.chapters:
        if ended.is_set():
            return
        if chapter.rung and chapter.main and not book.is_kept(chapter, "site"):
            with suppress(Wrong):
                main_path.counts(book.workshop, chapter.rung, chapter.main)


def tasks(book):
    """Everything that needs a changed copy, in the order of the book, but
    for the chapters that were found right before."""
    for chapter in book.chapters:
        if book.is_kept(chapter, "site"):
            continue
        page = Page(book, chapter, "site")
        for node in tree.each(chapter.parsed):
            if breaks.is_break(node) or is_change(node):
                yield node, page


def in_turns(pairs):
    """The same (node, page) pairs, one of each rung after the other."""
    by_rung = {}
    for node, page in pairs:
        by_rung.setdefault(page.rung, []).append((node, page))
    return [pair for turn in zip_longest(*by_rung.values())
            for pair in turn if pair]


def subjects(book):
    """{rung: the (path, place)s where boxes of the book change it}."""
    found = {}
    for chapter in book.chapters:
        page = Page(book, chapter, "site")
        for node in filter(breaks.is_break, tree.each(chapter.parsed)):
            for path, place in subjects_of(node, page):
                found.setdefault(path.partition("/")[0], set()).add(
                    (path, place))
    return found


def subjects_of(node, page):
    """The (path, place) where a box's change begins, if that is known."""
    try:
        patch, _ = read_patch(node, page.rung, page.sources)
        texts = apply_all([patch], page.sources)
    except Wrong:
        return []
    return filter(None, [seen.subject(page.sources, path, text)
                         for path, text in texts.items()])


def rungs_to_draw(book):
    """The rungs whose programs draw a picture that is not there yet."""
    rungs = {}
    for chapter in book.chapters:
        page = Page(book, chapter, "site")
        for node in tree.each(chapter.parsed, ("CodeBlock",)):
            if pictures.is_picture(node) and not pictures.is_drawn(node,
                                                                   page):
                rungs[rung_of(node, page)] = True
    return rungs


def is_change(node):
    """Whether an element is a change exercise."""
    return exercises.is_exercise(node) and \
        "change" in tree.classes_of(node)


def attempt(node, page):
    """Try one of them."""
    try:
        if breaks.is_break(node):
            breaks.outcome_of(node, page)
        else:
            _, answer = exercises.parts_of(node["c"][1])
            exercises.check_change(node, answer, page)
    except Wrong:
        pass
