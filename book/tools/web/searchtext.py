"""What the full-text search looks through: the words of each section.

search-text.js is a script that holds data, as search-index.js is.  The
reader's browser makes the index from it (site/find.js), which takes less time
than loading a finished one would.
"""

import json
import re
from html.parser import HTMLParser

from support.store import digest

NAME = "search-text.js"
LIBRARY = "minisearch"  # the package from npm
FILES = {"dist/umd/index.js": "index.js", "LICENSE.txt": "LICENSE.txt"}

# What is no text: code is found by its names, formulas by their TeX, an answer
# by whoever looks for it at its exercise.
SKIPPED = {"pre", "svg", "mrow", "style", "script"}
HIDDEN = {"katex-html", "listing", "solution", "used-in"}
HEADS = {"h1", "h2", "h3", "h4"}
VOID = {"br", "img", "hr", "col", "wbr"}
INLINE = {"a", "span", "code", "em", "strong", "b", "i", "sub", "sup", "small",
          "math", "semantics", "annotation", "kbd", "mark", *VOID} - {"br"}
TEX = re.compile(r"\\(?:text|math\w+|operatorname|frac|left|right|q?quad|"
                 r"[bB]igl?|,|;|!|\\)|[\\{}&^_$]")


def write(site):
    """Make the data, and put the library beside it."""
    rows = [row for chapter in site.book.chapters
            for row in passages(site, chapter)]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False,
                                  separators=(",", ":")) for row in rows)
    site.output.write(NAME, f"window.searchText=[\n{lines}\n];\n")
    package = site.book.modules.path() / LIBRARY
    for source, name in FILES.items():
        site.output.copy(package / source, f"{LIBRARY}/{name}")


def tasks(site):
    """What helpers can do before."""
    return [lambda one=one: passages(site, one)
            for one in site.book.chapters]


def passages(site, chapter):
    """[section's title, page's title, address, text] of each section of a
    chapter, without those that have no text."""
    page = site.fragment(site.made[chapter.name]["blocks"])
    sections = site.book.store.get(digest("passages", 3, page),
                                   lambda: sections_of(page))
    return [[title, chapter.title,
             f"{chapter.name}.html" + f"#{name}" * (level > 1), text]
            for level, name, title, text in sections if text]


def sections_of(page):
    """[level, name, title, text] of each part of a page's HTML; an entry of
    the glossary is a part, too."""
    reader = Reader()
    reader.feed(page)
    reader.close()
    return [[level, name, clean(title), clean(text)]
            for level, name, title, text in reader.sections]


def clean(words):
    """Words with one space between them."""
    text = " ".join("".join(words).split())
    return re.sub(r" (?=[.,;:?!)])", "", text)


class Reader(HTMLParser):
    """Collects the words of a page, section by section."""

    def __init__(self):
        super().__init__()
        self.sections = [[1, "", [], []]]
        self.open = []  # (tag, whether its text is left out)
        self.in_title = False

    def handle_starttag(self, tag, attrs):
        said = dict(attrs)
        classes = set((said.get("class") or "").split())
        above = self.open[-1][0] if self.open else ""
        if said.get("id") and (tag in HEADS or above == "dt"):
            level = int(tag[1]) if tag in HEADS else 2
            self.sections.append([level, said["id"], [], []])
            self.in_title = True
        self.part(tag)
        if tag not in VOID:
            self.open.append((tag, tag in SKIPPED or bool(classes & HIDDEN)))

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass
        if tag in HEADS or tag == "dt":
            self.in_title = False
        self.part(tag)

    def handle_data(self, data):
        if self.open and self.open[-1][0] == "annotation":
            self.say(TEX.sub(" ", data))
        elif not any(left_out for _, left_out in self.open):
            self.say(data)

    def part(self, tag):
        """A space where a block begins or ends."""
        if tag not in INLINE:
            self.say(" ")

    def say(self, words):
        """Words of the section, or of its title."""
        self.sections[-1][2 if self.in_title else 3].append(words)
