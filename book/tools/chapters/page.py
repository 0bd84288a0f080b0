"""One chapter on its way to one output: its special elements replaced.

What each kind of element becomes is the business of one module; this one
knows their order, and turns what they raise into mistakes with a line.
"""

import re
from functools import cached_property

from blocks import (
    breaks, consoles, coverage, exercises, folds, idle, listings, notes,
    pictures, tables)
from blocks.commands import commands_of, rung_of
from chapters.abreast import used_by
from support.mistakes import Wrong
from support.store import digest
from text import (
    compute, diagrams, formulas, highlight, links, measured, terms, tree)

# Which elements are special, and what expands them.
KINDS = (
    (notes.is_torn, notes.refuse_torn),
    (listings.is_listing, listings.expand),
    (listings.is_difference, listings.expand),
    (consoles.is_console, consoles.expand),
    (tables.is_table, tables.expand),
    (diagrams.is_diagram, diagrams.expand),
    (pictures.is_picture, pictures.expand),
    (pictures.is_image, pictures.expand_image),
    (breaks.is_break, breaks.expand),
    (compute.is_compute, compute.expand),
    (compute.is_value, compute.expand_value),
    (compute.is_formula, compute.expand_formula),
    (measured.is_measured, measured.expand),
    (terms.is_term, terms.expand),
    (links.is_link, links.expand),
    (coverage.is_left_out, notes.left_out),
    (exercises.is_exercise, exercises.expand),
    (notes.is_note, notes.expand),
    (folds.is_fold, folds.expand),
    (notes.is_html, notes.refuse_html),
    (notes.is_stray, notes.refuse_stray),
)

# Most elements of a page are words, of which none is special.
WORDS = ("Str", "Space", "SoftBreak")

BUILT = re.compile(r"\bbuild/[\w./-]+")  # a file that commands write and read


class Page:
    """A chapter for one medium: "site", "print", "epub" or "pdf"."""

    def __init__(self, book, chapter, medium):
        self.book, self.chapter, self.medium = book, chapter, medium
        self.folder, self.modules = book.folder, book.modules
        self.sources, self.store = book.sources, book.store
        self.workshop, self.trials = book.workshop, book.trials
        self.glossary, self.figures = book.glossary, book.figures
        self.rung = chapter.rung
        self.transcripts = book.transcripts(chapter)
        self.values = compute.Values(self.run, self.figures,
                                     book.outcomes.known(self.values_key),
                                     self.remember_run)
        self.answers = []  # (anchor, name, kind, question, answer)
        self.pictures = {}  # {file name on the page: where it is}
        self.quoted = set()  # paths of the sources that are shown
        self.numbers = {"diagram": 0, "picture": 0, "exercise": 0, "break": 0}
        self.names = book.names
        self.outcomes = book.outcomes.asker()
        self.blocks = []  # (rung, commands) of what ran up to here
        self.is_right = True  # no mistake was noted

    @property
    def run_rung(self):
        """Where commands run when nothing is said: the chapter's rung, or
        the highest."""
        return self.rung or self.sources.rungs[-1]

    @cached_property
    def idle(self):
        """{file: [lines]} that the chapter's main command does not run; only
        the site of a chapter that names one asks."""
        if self.medium != "site" or not (self.rung and self.chapter.main):
            return {}
        try:
            return idle.of_rung(self)
        except Wrong as why:
            self.wrong(self.chapter.heading, why)
            return {}

    def dimmed(self, path):
        """The numbers of a file's lines that its listings show dimmed.  It is
        asked when all else of the page is there: it takes minutes to know."""
        return idle.lines_of(self, path)

    def run(self, command, rung=None):
        """What a command prints, for computed numbers."""
        return self.outputs([command], self.rung_of_run(rung), [0])[0]

    def remember_run(self, command, rung=None):
        """Such a command would run here, had its numbers not been kept."""
        self.remember(self.rung_of_run(rung), [command])

    def rung_of_run(self, rung):
        """The rung that a name means; without one, where commands run.  It
        has to stand in the text so that other chapters know (abreast.py)."""
        found = self.sources.rung(rung) if rung else self.run_rung
        if found not in used_by(self.chapter, self.sources):
            raise Wrong(f'run: write rung="{rung}" to name another rung')
        return found

    def outputs(self, commands, rung, expected):
        """What each command of a block prints, behind the blocks above that
        wrote what it reads."""
        earlier = self.remember(rung, commands)
        key = self.workshop.key_of_block(commands, rung, earlier)
        return self.outcomes.get(
            digest("outputs", key, expected), "command", rung,
            lambda: self.workshop.run_all(commands, rung, expected, earlier))

    def remember(self, rung, commands):
        """The blocks above that wrote what commands read; those that come may
        read what these write."""
        earlier = self.needed(rung, commands)
        self.blocks.append((rung, commands))
        return earlier

    def needed(self, rung, commands):
        """The blocks above that wrote what commands read."""
        return needed(self.blocks, rung, commands)

    def wrong(self, node, why):
        """Note a mistake at an element."""
        self.is_right = False
        self.book.mistakes.add(self.chapter.shown, tree.line_of(node) or 1,
                               why)

    def number(self, kind="diagram"):
        """The next number of a kind of thing."""
        self.numbers[kind] += 1
        return f"{self.chapter.name}-{self.numbers[kind]}"

    def number_of(self, kind):
        """The next number of exercises, or of break-it boxes."""
        self.numbers[kind] += 1
        return self.numbers[kind]

    @property
    def values_key(self):
        """What the chapter's computed values depend on; a chapter of a rung
        may ask others."""
        asks_others = "rung=" in self.chapter.text
        return digest("values", 2, self.chapter.text, self.figures,
                      self.sources.digests if asks_others
                      else self.sources.digests[self.run_rung],
                      self.sources.models)

    def link(self, chapter, name=""):
        """How this output links to a place in a chapter."""
        if self.medium == "site":
            own = chapter == self.chapter.name and name
            file = "" if own else f"{chapter}.html"
            return f"{file}#{name}" if name else file
        return f"#{chapter}--{name}" if name else f"#{chapter}"

    def source_link(self, extract):
        """Where the site shows an Extract's whole file, or None."""
        self.quoted.add(extract.path)
        if self.medium != "site":
            return None
        return f"source/{extract.path}.html#L{extract.first}"

    def picture(self, path, name=None):
        """How the page names a picture file; a drawn one gets a name."""
        name = name or f"{self.number('picture')}.png"
        self.pictures[name] = str(path)
        return f"pictures/{name}" if self.medium in ("site", "print") \
            else str(path)

    def expanded(self):
        """The chapter's blocks as the output shows them."""
        blocks = self.chapter.blocks
        is_glossary = self.chapter.name == "glossary"
        if is_glossary:
            blocks = terms.with_ids(blocks)
        figures = measured.used(blocks)
        blocks = tree.walk(blocks, self.expand)
        if is_glossary:
            blocks = terms.with_uses(blocks, self)
        notes.refuse_answers(blocks, self)
        notes.strip_title(blocks)
        if self.medium != "site":
            blocks = links.with_prefix(blocks, self.chapter.name)
        self.answers = [(*names, self.finish(question), self.finish(answer))
                        for *names, question, answer in self.answers]
        blocks = self.finish(blocks)
        if self.values.values and self.medium == "site":
            self.outcomes.get(self.values_key, "chapter", self.rung,
                              self.values.found)
        return blocks + measured.source_note(figures + self.values.asked,
                                             self.figures)

    def finish(self, blocks):
        """What is done for all elements of a page at once."""
        blocks = formulas.expand(blocks, self)
        return tables.scrolling(highlight.expand(blocks, self))

    def expand(self, node):
        """What an element becomes, or None to keep it."""
        if node["t"] in WORDS:
            return None
        try:
            for is_kind, expand in KINDS:
                if is_kind(node):
                    return expand(node, self)
        except Wrong as why:
            self.wrong(node, why)
            return []
        except KeyError as why:
            self.wrong(node, f"{why} is missing")
            return []
        return None

    def renewed_transcripts(self):
        """{(rung, command): output} of every console, and how every picture
        looks, now."""
        renewed = {}
        for node in tree.each(self.chapter.blocks, ("CodeBlock",)):
            try:
                if consoles.is_console(node):
                    earlier = self.remember(rung_of(node, self),
                                            commands_of(node))
                    renewed.update(consoles.run_all(node, self, earlier))
                elif pictures.is_picture(node):
                    renewed.update(pictures.looks(node, self))
                elif compute.is_compute(node):  # may write what others read
                    self.values.execute(node["c"][1])
            except Wrong as why:
                self.wrong(node, why)
        return renewed


def needed(blocks, rung, commands):
    """Of the blocks above, the commands of those that name a file that these
    commands name, too, and of those that these need."""
    names, found = set(BUILT.findall("\n".join(commands))), []
    for place, earlier in reversed(blocks):
        theirs = set(BUILT.findall("\n".join(earlier)))
        if place == rung and names & theirs:
            names |= theirs
            found.insert(0, earlier)
    return found
