"""A page of the site: a text in the template that all pages share."""

import html
import re
from dataclasses import dataclass
from string import Template

from reading.sources import ROOT
from support.store import digest
from text import tree
from web import linkcard

SITE = ROOT / "site"
TITLE = "Rungs: an LLM inference engine, one rung at a time"
# Elements that have no end, as XML writes them; HTML leaves the slash out.
VOID = re.compile(r"<(img|br|hr|col)\b([^<>]*?) ?/>")
HEADING = re.compile(r"<th\b")
SECTION = re.compile(r'(<h([2-4]) [^<>]*?\bid="([^"]*)"[^<>]*>)'
                     r"((?:(?!</?a\b).)*?)(?=</h\2>)", re.S)
ROW = re.compile(r"<tr\b.*?</tr>", re.S)
CELL = re.compile(r"<t([hd])\b([^<>]*)>(.*?)</t[hd]>", re.S)
TAG = re.compile(r"<[^>]*>")
TABLE = re.compile(r"<table>.*?</table>", re.S)
NUMBER = re.compile(r"[−\d.,]+")
COLUMNS = 4  # of a table, from which on words in it need room on a phone
LONG = 12  # characters: more are words
SENTENCE = 80  # the same where there are three columns
PHONE = 45  # characters that stand side by side on a phone
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
    key = digest("fragment", 5, blocks, tree.version())
    return store.get(key, lambda: tidy(tree.pandoc(
        ["-f", "json", "-t", "html5", "--wrap=preserve", "--no-highlight"],
        tree.document(blocks), "pandoc, writing")))


def tidy(text):
    """Pandoc's HTML in today's words."""
    text = NO_HEADING.sub(r"<td\1></td>", VOID.sub(r"<\1\2>", text))
    text = HEADING.sub('<th scope="col"', TABLE.sub(roomy, text))
    text = CODE.sub(unparted, text)
    return text.replace(' role="doc-endnote"', "")


def roomy(found):
    """A table, marked when it holds words and is wider than a phone; each cell
    of such a table names its column, so that its rows can be shown as cards
    there."""
    table = found.group()
    rows = [[words_in(cell) for _, _, cell in CELL.findall(row)]
            for row in ROW.findall(table)]
    if not is_wide(rows):
        return table
    head, end, body = table.partition("</tr>")
    body = ROW.sub(lambda row: labelled(row.group(), rows[0]), body)
    return f'<table class="roomy"{head[len("<table"):]}{end}{body}'


def is_wide(rows):
    """Whether the cells of some rows need more room than a phone has."""
    columns = list(zip(*rows))
    widths = [max(map(len, column)) for column in columns]
    long = LONG if len(columns) >= COLUMNS else SENTENCE
    return (len(columns) > 2 and max(widths) > long
            and sum(widths) > PHONE)


def labelled(row, columns):
    """A table's row whose cells carry their columns' names; the first, which
    is a card's title, only where it is a number."""
    names = iter(columns)

    def label(cell):
        name = next(names, "")
        title = cell.string[:cell.start()].count("</t") == 0
        if title and not NUMBER.fullmatch(words_in(cell[3])):
            return cell.group()
        return (f'<t{cell[1]}{cell[2]} data-label="{html.escape(name)}">'
                f"{cell[3]}</t{cell[1]}>")
    return CELL.sub(label, row)


def words_in(text):
    """The words of some HTML."""
    return html.unescape(TAG.sub("", text)).strip()


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


@dataclass(frozen=True)
class Entry:
    """A chapter as menus and next steps name it."""

    name: str  # of its page
    title: str
    rung: str  # m0, or ""
    is_side: bool  # whether it is a side room of its rung's main chapter
    skip: str  # who may skip it, a sentence, or ""

    def link(self, root, text=None, attributes=""):
        """A link to it."""
        return (f'<a href="{root}{self.name}"{attributes}>'
                f"{text or html.escape(self.title)}</a>")

    def named(self):
        """Its title behind its rung."""
        return f"{self.rung}: {self.title}" \
            if self.rung and not self.is_side else self.title


def entry(chapter):
    """The Entry of a chapter."""
    rung = of_rung(chapter)
    return Entry(f"{chapter.name}.html", chapter.title, rung,
                 bool(rung) and chapter.name != rung,
                 chapter.attribute("skip"))


class Frame:
    """The site's template, filled for one page after another."""

    def __init__(self, chapters, site=SITE, address=""):
        self.text = Template((site / "template.html").read_text())
        self.entries = [entry(chapter) for chapter in chapters]
        # The way through the book: where to begin, and each rung.
        self.way = [one for at, one in enumerate(self.entries)
                    if not one.is_side and (one.rung or at == 0)]
        self.scripts = [name for name in SCRIPTS if (site / name).exists()]
        self.address = address  # of the site, or ""
        self.cards = linkcard.names(chapters) if address else ()

    def fill(self, name, title, body, contents=(), description="",
             scripts=()):
        """The page that will be called `name` (a path in the site); more
        scripts than those of every page may be given."""
        root = "../" * name.count("/")
        description = html.escape(description or title)
        return self.text.substitute(
            root=root, title=html.escape(title), description=description,
            body=SECTION.sub(r'\1<a class="anchor" href="#\3">\4</a>', body),
            card=linkcard.tags(self.address, name, html.escape(title),
                               description, self.cards),
            katex=self.katex(root, body), contents=toc(contents),
            layout=" parted" * bool(toc(contents)),
            chapters=self.menu(root, name), around=self.around(root, name),
            scripts="".join(f'<script src="{root}{script}" defer></script>\n'
                            for script in [*self.scripts, *scripts]))

    def katex(self, root, body):
        """The style sheet of formulas, where there are any."""
        if 'class="katex' not in body:
            return ""
        return f'<link rel="stylesheet" href="{root}katex/katex.min.css">\n'

    def rooms(self, rung):
        """The side rooms of a rung."""
        return [one for one in self.entries if one.is_side
                and one.rung == rung]

    def menu(self, root, here):
        """The main chapters with their rungs, below each its side rooms; the
        page itself is marked."""
        def link(one):
            mark = ' aria-current="page"' * (one.name == here)
            head = f"<span>{one.rung}</span> " * (not one.is_side)
            return one.link(root, head + html.escape(one.title), mark)

        items = []
        for one in self.entries:
            if one.is_side:
                continue
            rooms = self.rooms(one.rung) if one.rung else []
            below = "".join(f"\n<li>{link(room)}</li>" for room in rooms)
            items.append(f"<li>{link(one)}"
                         + f"\n<ul>{below}\n</ul>" * bool(rooms) + "</li>")
        return "\n".join(items)

    def around(self, root, here):
        """Where to go from a chapter: along the way, and to the side
        rooms."""
        own = next((one for one in self.entries if one.name == here), None)
        if own is None:
            return ""
        inside = self.steps(root, own) + self.side(root, own)
        return ('<nav class="around" aria-label="Where to go on">'
                f"{inside}</nav>") if inside else ""

    def steps(self, root, own):
        """Links to the main chapters before and behind a chapter; a side
        room leads back to its own."""
        place = next((at for at, one in enumerate(self.way)
                      if one.rung == own.rung and (one.rung or one == own)),
                     None)
        if place is None:
            return ""
        before = place if own.is_side else place - 1
        words = "Back to" if own.is_side else "Previous"
        steps = [("prev", words, before), ("next", "Next", place + 1)]
        return "\n".join(
            self.way[at].link(root, f"<span>{words}</span> "
                              f"{html.escape(self.way[at].named())}",
                              f' rel="{rel}"')
            for rel, words, at in steps if 0 <= at < len(self.way))

    def side(self, root, own):
        """The side rooms beside a chapter, and who may skip each."""
        rooms = [one for one in self.rooms(own.rung) if one != own] \
            if own.rung else []
        items = "".join(f"<li>{room.link(root)} {html.escape(room.skip)}"
                        "</li>\n" for room in rooms)
        head = f"More about {own.rung}: side rooms, for those who want them"
        return f"<p>{head}</p>\n<ul>\n{items}</ul>" if rooms else ""


def path_head(path):
    """The title of a file's page; it may be parted behind a folder."""
    return f'<h1 class="path">{html.escape(path).replace("/", "/<wbr>")}</h1>'


def toc(rows):
    """The page's own contents, nothing for a page with fewer than two
    headings."""
    if len(rows) < 2:
        return ""
    links = [(level, f"#{name}", words) for level, name, words in rows]
    return ('<nav class="contents" aria-label="On this page">\n'
            "<details><summary>On this page</summary>\n"
            f"{nested(links)}\n</details>\n</nav>")
