"""The site: a page for each chapter, and what the pages share.

STEPS is the list of what makes it; each step takes a Site, and writes its
files with site.page() and site.output.
"""

import gzip
import html
import textwrap
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from blocks.answers import without
from running import outcomes
from running.trials import every_test
from support import helpers, palette, timing
from text import tree
from text.highlight import frame, inside, lists_of_units
from text.highlight import compare, learn as learn_units
from web import (
    diffpages, frontpage, linkcard, minutes, searchindex, searchtext, webpage)
from web.output import Output

STYLES = ("style.css", "front.css", "diff.css", "search.css", "shell.css",
          "lines.css")
LINES = "lines.js"  # on pages with lines that are dimmed
ANSWERS_NAME = "answers"  # of their part, at the end of a book
LARGEST = 100_000  # bytes of a compressed page
KATEX = ("katex.min.css", "fonts")
# Where the answers to exercises and break-it boxes are: in a fold under each,
# on a page of their own, or nowhere.
FOLDED, APART, NONE = ANSWERS = ("folded", "apart", "none")


class Site:
    """The site while it is built."""

    def __init__(self, book, folder, answers=FOLDED, address=""):
        self.book = book
        self.output = Output(folder)
        self.frame = webpage.Frame(book.chapters, address=address.rstrip("/"))
        self.answers = answers
        self.made = {chapter.name: book.expanded(chapter, "site")
                     for chapter in book.chapters}
        if answers != FOLDED:
            for made in self.made.values():
                made["blocks"] = without(made["blocks"])

    def unverified(self):
        """{kind: how many} of all outcomes that were taken as they are."""
        return sum((Counter(made["unverified"])
                    for made in self.made.values()),
                   Counter(self.book.front.unverified))

    def asked(self):
        """{key: file} of all outcomes that the site is made of."""
        asked = dict(self.book.front.asked)
        for made in self.made.values():
            asked.update(made["asked"])
        return asked

    def page(self, name, title, body, **more):
        """Write one page; see webpage.Frame.fill."""
        self.output.write(name, self.frame.fill(name, title, body, **more))

    def fragment(self, blocks):
        """Blocks as HTML."""
        return webpage.fragment(blocks, self.book.store)


def chapters(site):
    """A page for each chapter."""
    for chapter in site.book.chapters:
        blocks = site.made[chapter.name]["blocks"]
        text = site.fragment(blocks)
        minutes.check(site.book, chapter, text)
        text = minutes.headed(chapter, text) + \
            unverified_note(site.made[chapter.name])
        check_size(site.book, chapter, text)
        site.page(f"{chapter.name}.html", chapter.title, text,
                  description=first_words(blocks),
                  contents=webpage.sections(blocks),
                  scripts=[LINES] * ('"line idle"' in text))


def unverified_note(made):
    """What a page shows that nobody looked after on this machine, for its
    foot."""
    words = outcomes.spoken(made["unverified"])
    return words and (f'\n<p class="unverified">Not run again on this machine:'
                      f" {words}; what they say here was committed with the "
                      "book. <code>make site</code> runs them.</p>")


def check_size(book, chapter, text):
    """A chapter is quickly there on a slow line, too."""
    size = len(gzip.compress(text.encode()))
    if size > LARGEST:
        book.mistakes.add(chapter.shown, 1, f"the page has {size} bytes when "
                          f"compressed, {LARGEST} at most: split the chapter")


def first_words(blocks):
    """The first paragraph, for search engines and previews."""
    for node in tree.each(blocks, ("Para",)):
        return textwrap.shorten(tree.text_of(node), 200, placeholder=" …")
    return ""


def contents(site):
    """All chapters and their sections on one page."""
    rows = []
    for chapter in site.book.chapters:
        name = f"{chapter.name}.html"
        entry = webpage.entry(chapter)
        deep = int(entry.is_side)
        rows.append((2 + deep, name, "Side room: " * deep
                     + entry.named()))
        rows += [(level + 1 + deep, f"{name}#{anchor}", words)
                 for level, anchor, words in
                 webpage.sections(site.made[chapter.name]["blocks"])]
    body = ('<h1>Contents</h1>\n<p><a href="print.html">The whole book as '
            "one page</a>, for printing.</p>\n"
            f'<div class="whole">{webpage.nested(rows)}</div>')
    site.page("contents.html", "Contents", body)


def printable(site):
    """The whole book as one page, behind its contents."""
    blocks = whole(site.book, "print", site.answers == FOLDED, site.output)
    rows = contents_within(site.book, blocks)
    site.page("print.html", "The whole book",
              f"<h1>{webpage.TITLE}</h1>\n"
              '<nav class="whole" aria-label="Contents">'
              f"{webpage.nested(rows, 1)}</nav>\n{site.fragment(blocks)}")


def contents_within(book, blocks):
    """(level, target, words) of all chapters and sections within one page; a
    chapter's words begin with its rung."""
    rungs = {chapter.name: webpage.of_rung(chapter)
             for chapter in book.chapters}
    return [(level, f"#{name}", f"{rungs[name]}: {words}"
             if rungs.get(name) else words)
            for level, name, words in webpage.sections(blocks, 2, 1)]


def whole(book, medium, with_answers, output=None):
    """All chapters one after another, each name made unique; behind them the
    answers to their questions."""
    blocks, rows = [], []
    for chapter in book.chapters:
        made = book.expanded(chapter, medium)
        blocks += made["blocks"]
        rows.append((chapter, made["answers"]))
        if output:
            copy_pictures(made, output)
    if with_answers and any(answers for _, answers in rows):
        blocks.append(tree.header(1, "Answers", ANSWERS_NAME))
        blocks += behind(rows)
    return blocks


def behind(rows):
    """The answers of (chapter, answers) rows, for the end of a book."""
    blocks = []
    for chapter, answers in rows:
        if answers:
            blocks.append(tree.header(2, chapter.title,
                                      f"{ANSWERS_NAME}--{chapter.name}"))
        for anchor, name, kind, _, answer in answers:
            head = [tree.link(f"#{chapter.name}--{anchor}", name),
                    *tree.words(f", {kind}")]
            blocks += [tree.header(3, head), *answer]
    return blocks


def sources(site):
    """A page for each file that the chapters quote from."""
    paths = sorted({path for made in site.made.values()
                    for path in made["quoted"]})
    texts = [site.book.sources.file(path) for path in paths]
    codes = inside([(one.language, one.text) for one in texts],
                   site.book.store)
    for extract, code in zip(texts, codes):
        name = f"source/{extract.path}.html"
        site.page(name, extract.path, f"{webpage.path_head(extract.path)}"
                  f"\n{about_room(site, extract.path)}"
                  f"<p>Shown in {readers(site, extract.path)}.</p>\n"
                  f"{frame(code, 1, ids=True)}")


def about_room(site, path):
    """What the room of a rung's file owns; a file of the tree has none."""
    rungs = site.book.sources.rungs
    return diffpages.room_html(site.book.sources, path) \
        if path.partition("/")[0] in rungs else ""


def readers(site, path):
    """Links from a file's page to the chapters that quote from it."""
    root = "../" * f"source/{path}".count("/")
    return ", ".join(f'<a href="{root}{chapter.name}.html">'
                     f"{html.escape(chapter.title)}</a>"
                     for chapter in site.book.chapters
                     if path in site.made[chapter.name]["quoted"])


def answers(site):
    """The instructor's page: each question with its answer."""
    if site.answers != APART:
        return
    blocks = [tree.header(1, "Answers")]
    for chapter in site.book.chapters:
        made = site.made[chapter.name]["answers"]
        if made:
            blocks.append(tree.header(2, chapter.title, chapter.name))
        for anchor, name, kind, question, answer in made:
            head = tree.html(f'<h3><a href="{chapter.name}.html#{anchor}">'
                             f"{name}</a>, {html.escape(kind)}</h3>")
            blocks += [head, *from_chapter(question, chapter),
                       tree.div(["answer"], from_chapter(answer, chapter))]
    site.page("answers.html", "Answers", site.fragment(blocks),
              contents=webpage.sections(blocks, 2))


def from_chapter(blocks, chapter):
    """The blocks of a chapter for another page: links within the chapter
    lead to it."""
    def visit(node):
        if node["t"] != "Link" or not node["c"][2][0].startswith("#"):
            return None
        attributes, words, (target, title) = node["c"]
        target = f"{chapter.name}.html{target}"
        return [{**node, "c": [attributes, words, [target, title]]}]
    return tree.walk(blocks, visit)


def shared(site):
    """Style sheet, scripts, fonts and pictures."""
    styles = [(webpage.SITE / name).read_text() for name in STYLES]
    site.output.write("style.css", "\n".join([palette.style(), *styles]))
    for path in sorted([*webpage.SITE.glob("*.js"),
                        *webpage.SITE.glob("*.svg")]):
        site.output.copy(path, path.name)
    katex = site.book.modules.path() / "katex" / "dist"
    for name in KATEX:
        site.output.copy(katex / name, f"katex/{name}")
    for made in site.made.values():
        copy_pictures(made, site.output)


def copy_pictures(made, output):
    """The pictures of one chapter."""
    for name, path in made["pictures"].items():
        output.copy(path, f"pictures/{name}")


MEDIA = ("site", "print")  # for which the site has pages
BOOK = (chapters, contents, printable, sources, answers, shared)
STEPS = (*BOOK, frontpage.write, diffpages.write, searchindex.write,
         searchtext.write, linkcard.write)


def build(book, folder, answers=FOLDED, address="", steps=STEPS):
    """Write the whole site into `folder`."""
    learn(book)
    site = Site(book, folder, answers, address)
    helpers.do(tasks(site), book.workshop.close)
    for step in steps:
        with timing.spent(f"site: {name_of(step)}"):
            step(site)
    site.output.finish()
    return site


def learn(book):
    """Highlight the C lines of all rungs, each once; most are in several
    files, and in chapters.  Helpers do it, where this comes before anything is
    tried."""
    if book.learned:
        return
    book.learned = True
    lists = lists_of_units(c_texts(book))
    helpers.do([lambda chunk=chunk: learn_units(chunk, book.store)
                for chunk in lists])
    for chunk in lists:
        learn_units(chunk, book.store)


def expand(book):
    """Expand the chapters for the site's pages.  Beside them a build that
    verifies, and that nobody waits for, looks at the colours of some files as a
    whole, too."""
    if book.outcomes.trusting or book.outcomes.awaited:
        book.expand_ahead(MEDIA)
        return
    with ThreadPoolExecutor(1) as pool:
        compared = pool.submit(compare_colours, book)
        book.expand_ahead(MEDIA)
        compared.result()


def compare_colours(book):
    """See that they are those of their lines."""
    with timing.spent("all else"):
        compare(c_texts(book), book.store, every_test())


def c_texts(book):
    """The C texts that pages show as a whole."""
    return [one.text for one in diffpages.shown_files(book.sources)
            if one.language == "c"]


def tasks(site):
    """What helpers can do before the steps: what is dear, and kept."""
    def print_all():
        site.fragment(whole(site.book, "print", site.answers == FOLDED))
    return [print_all, *diffpages.tasks(site), *searchtext.tasks(site)]


def name_of(step):
    """What a step of the site is called: by its module, or here by its own
    name."""
    module = step.__module__.rpartition(".")[2]
    return step.__name__ if module == "website" else module
