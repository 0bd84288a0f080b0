"""Tries out the changed copies of all chapters beside whatever else a build
does: break-it boxes and change exercises take most of its time.

A page that needs an outcome waits for it, or finds it in the store; a mistake
is met there again and noted.  A build that trusts tries nothing, but builds
the rungs whose pictures it has to draw.
"""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from blocks import breaks, exercises, pictures
from blocks.commands import rung_of
from chapters.page import Page
from support.mistakes import Wrong
from text import tree


@contextmanager
def trying(book):
    """While this context lasts, two copies are tried at a time."""
    pool = ThreadPoolExecutor(2)
    try:
        if book.outcomes.trusting:
            for rung in rungs_to_draw(book):
                pool.submit(book.workshop.build, rung)
        else:
            for node, page in tasks(book):
                pool.submit(attempt, node, page)
        yield
    finally:
        pool.shutdown(cancel_futures=True)


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
