"""A page of the site: a text in the template that all pages share."""

import html
import re
from string import Template

from reading.sources import ROOT
from support.store import digest
from text import tree

SITE = ROOT / "site"
TITLE = "Rungs: an LLM inference engine, one rung at a time"
# Elements that have no end, as XML writes them; HTML leaves the slash out.
VOID = re.compile(r"<(img|br|hr|col)\b([^<>]*?) ?/>")
HEADING = re.compile(r"<th\b")
TAG = re.compile(r"<[^>]*>")
TABLE = re.compile(r"<table>.*?</table>", re.S)
COLUMNS = 6  # of a table, from which on words in it need room on a phone
LONG = 12  # characters: more are words
# Inline code; so much of it is not parted, and of what is longer an option,
# the quote before a space, a program.
WHOLE = 20
CODE = re.compile(r"<code>([^<\n]*)</code>")
KEPT = re.compile(r"(?:(?<= )|^)(?:-[^ ]{1,23}|\./[\w-]+|"
                  r"&quot; [^ ]{1,23})(?= |$)")
NO_HEADING = re.compile(r"<th\b([^<>]*)></th>")  # a table's empty corner
SCRIPTS = ("page.js", "search.js")  # on every page, those that exist


def fragment(blocks, store):
    """The blocks as HTML, without a page around them."""
    key = digest("fragment", 4, blocks, tree.version())
    return store.get(key, lambda: tidy(tree.pandoc(
        ["-f", "json", "-t", "html5", "--wrap=preserve", "--no-highlight"],
        tree.document(blocks))))


def tidy(text):
    """Pandoc's HTML in today's words."""
    text = NO_HEADING.sub(r"<td\1></td>", VOID.sub(r"<\1\2>", text))
    text = HEADING.sub('<th scope="col"', TABLE.sub(roomy, text))
    text = CODE.sub(unparted, text)
    return text.replace(' role="doc-endnote"', "")


def roomy(found):
    """A table, marked when it has many columns and words in them."""
    table = found.group()
    cells = [html.unescape(TAG.sub("", cell))
             for cell in re.findall(r"<t[hd].*?</t[hd]>", table, re.S)]
    columns = re.findall(r"<t[hd]", table.partition("</tr>")[0])
    if len(columns) < COLUMNS or max(map(len, cells)) <= LONG:
        return table
    return f'<table class="roomy"{table[len("<table"):]}'


def unparted(found):
    """Inline code that stays on one line, or whose options do."""
    if len(html.unescape(found.group(1))) <= WHOLE:
        return f'<code class="kept">{found.group(1)}</code>'
    words = KEPT.sub(r'<span class="kept">\g<0></span>', found.group(1))
    return f"<code>{words}</code>"


def sections(blocks, deepest=3, highest=2):
    """[(level, name, words)] of the headings, without the title; a heading
    inside of a box is none of the page's."""
    return [(node["c"][0], node["c"][1][0], tree.text_of(node["c"][2]))
            for node in blocks if node["t"] == "Header"
            and highest <= node["c"][0] <= deepest]


def nested(rows, at=2):
    """A list of links, one in another, for (level, target, words) rows."""
    items, rows = [], list(rows)
    while rows:
        _, target, words = rows.pop(0)
        inner = []
        while rows and rows[0][0] > at:
            inner.append(rows.pop(0))
        below = nested(inner, at + 1) if inner else ""
        items.append(f'<li><a href="{target}">{html.escape(words)}</a>'
                     f"{below}</li>")
    return "<ul>" + "".join(items) + "</ul>"


def of_rung(chapter):
    """The short name of a chapter's rung, m0, or ""."""
    return (chapter.rung or "").partition("-")[0]


class Frame:
    """The site's template, filled for one page after another."""

    def __init__(self, chapters, site=SITE):
        self.text = Template((site / "template.html").read_text())
        self.chapters = [(f"{chapter.name}.html", chapter.title,
                          of_rung(chapter)) for chapter in chapters]
        self.scripts = [name for name in SCRIPTS if (site / name).exists()]

    def fill(self, name, title, body, contents=(), description="",
             scripts=()):
        """The page that will be called `name` (a path in the site); more
        scripts than those of every page may be given."""
        root = "../" * name.count("/")
        return self.text.substitute(
            root=root, title=html.escape(title), body=body,
            description=html.escape(description or title),
            katex=self.katex(root, body), contents=toc(contents),
            chapters=self.menu(root, name), around=self.around(root, name),
            scripts="".join(f'<script src="{root}{script}" defer></script>\n'
                            for script in [*self.scripts, *scripts]))

    def katex(self, root, body):
        """The style sheet of formulas, where there are any."""
        if 'class="katex' not in body:
            return ""
        return f'<link rel="stylesheet" href="{root}katex/katex.min.css">\n'

    def menu(self, root, here):
        """All chapters with their rungs, the page itself marked."""
        return "\n".join(
            f'<li><a href="{root}{name}"'
            + ' aria-current="page"' * (name == here)
            + f"><span>{rung}</span> {html.escape(title)}</a></li>"
            for name, title, rung in self.chapters)

    def around(self, root, here):
        """Links to the chapters before and after this one."""
        names = [name for name, *_ in self.chapters]
        if here not in names:
            return ""
        at = names.index(here)
        links = []
        for rel, words, other in (("prev", "Previous", at - 1),
                                  ("next", "Next", at + 1)):
            if 0 <= other < len(names):
                name, title, _ = self.chapters[other]
                links.append(f'<a rel="{rel}" href="{root}{name}"><span>'
                             f"{words}</span> {html.escape(title)}</a>")
        return ('<nav class="around" aria-label="Previous and next">'
                + "\n".join(links) + "</nav>") if links else ""


def toc(rows):
    """The page's own contents, nothing for a page with fewer than two
    headings."""
    if len(rows) < 2:
        return ""
    links = [(level, f"#{name}", words) for level, name, words in rows]
    return ('<nav class="contents" aria-label="On this page">\n'
            "<details><summary>On this page</summary>\n"
            f"{nested(links)}\n</details>\n</nav>")
