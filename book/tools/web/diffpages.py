"""The differences: a page for every two rungs, and one that leads to them.

Between neighbours a page follows the steps of LINEAGE with their reasons.  A
new file is folded to what it owns and what is in it; its text is a page of its
own, so that these pages stay light.  Between rungs that are far apart new
files, tests, and what differs in many lines, are only named, new tests without
what they are about: the steps between neighbours show them.  Everything is plain links: it works from a file and
without scripts.
"""

import html
import re
from itertools import groupby
from pathlib import Path
from textwrap import dedent

from blocks.listings import diff_html
from reading import diffrows
from support.store import digest
from text.highlight import frame, inside
from text.terms import slug
from web import webpage
from web.frontpage import pair, said, sentence

from declarations import CHANGED, NEW
from differences import by_room
from rungs import is_c

# What the pages depend on beside the rungs.
ROOMS = Path(__file__).resolve().parents[1]
TOOLS = digest(*[(ROOMS / name).read_text() for name in
                 ("web/diffpages.py", "reading/diffrows.py",
                  "web/frontpage.py", "blocks/listings.py")])

LONG = 60  # lines of a difference that is folded, or only named
COMMENT = re.compile(r'\s*(?:#!.*\n)?(?:/\*((?s:.*?))\*/|"""((?s:.*?))"""|'
                     r"((?:#(?: .*)?\n)+))")
SHOWN_SIZE = 200_000  # bytes; a larger file has no page of its own
AT_ONCE = 40  # files that pandoc highlights for a helper


def write(site):
    """Make all pages of differences, and of the files that they name."""
    rungs = site.book.sources.rungs
    files(site)
    for at, upper in enumerate(rungs):
        for lower in rungs[:at]:
            Pair(site, lower, upper).write()
    index(site)


def is_shown(path, file):
    """Whether a rung's file has a page."""
    return (file.text is not None and not path.startswith("golden/")
            and len(file.data) <= SHOWN_SIZE)


def is_test(path):
    """Whether a rung's file belongs to its tests."""
    return "tests" in Path(path).parts


def tasks(site):
    """What helpers can do before: the pairs' texts, and all that is to be
    highlighted, some files at a time."""
    store, sources = site.book.store, site.book.sources
    rungs = sources.rungs
    pairs = [Pair(site, lower, upper).made
             for at, upper in enumerate(rungs) for lower in rungs[:at]]
    shown = [(one.language, one.text) for one in shown_files(sources)]
    return pairs[::-1] + [
        lambda at=at: inside(shown[at:at + AT_ONCE], store)
        for at in range(0, len(shown), AT_ONCE)]


def shown_files(sources):
    """Each file, as an Extract, in the rung where it is new or changed."""
    return [sources.file(f"{rung}/{path}") for rung in sources.rungs
            for path, file in sorted(sources.ladder[rung].items())
            if is_shown(path, file)
            and diffrows.home(sources, rung, path) == rung]


def files(site):
    """A page for each of them, unless there is one because a chapter quotes
    it."""
    sources, done = site.book.sources, site.output.written
    wanted = [one for one in shown_files(sources) if site.output.folder
              / page_of(*one.path.split("/", 1)) not in done]
    codes = inside([(one.language, one.text) for one in wanted],
                   site.book.store)
    for extract, code in zip(wanted, codes):
        site.page(f"source/{extract.path}.html", extract.path,
                  f"{webpage.path_head(extract.path)}\n"
                  + room_html(sources, extract.path)
                  + frame(code, 1, ids=True))


def room_html(sources, path):
    """What the room of a rung's file owns, for the file's page."""
    room, words = sources.about_room(path)
    return f"<p><code>{room}/</code>: {said(words)}.</p>\n" if words else ""


def page_of(rung, path):
    """Where a rung's file is shown."""
    return f"source/{rung}/{path}.html"


class Pair:
    """The page of two rungs."""

    def __init__(self, site, lower, upper):
        self.site, self.sources = site, site.book.sources
        self.lower, self.upper = lower, upper
        self.idea = diffrows.idea(self.sources, lower, upper)
        self.seen = set()  # new rooms that stand on the page

    def write(self):
        """Make the page."""
        title, made = f"{self.lower} → {self.upper}", self.made()
        self.site.page(
            f"diff/{pair(self.lower, self.upper)}.html", title,
            f"<h1>{html.escape(title)}</h1>\n{made['body']}",
            description=self.idea or f"What differs between {self.lower} and "
            f"{self.upper}", contents=made["contents"])

    def made(self):
        """The page's text and contents, kept."""
        digests = [(rung, self.sources.digests[rung])
                   for rung in self.sources.rungs]
        key = digest("pair", TOOLS, self.lower, self.upper, digests)
        return self.site.book.store.get(key, self.make)

    def make(self):
        """The same, made now."""
        groups = diffrows.groups(self.sources, self.lower, self.upper)
        rows = [row for group in groups for row in group.rows]
        body = [self.opening(rows), *map(self.group, groups), self.around()]
        return {"body": "\n".join(body),
                "contents": [(2, slug(group.title), sentence(group.title))
                             for group in groups]}

    def opening(self, rows):
        """The idea, how much there is, and where else to go."""
        total = diffrows.counts(rows)
        new = sum(row.verb == NEW for row in rows)
        regions = sum(row.verb == CHANGED for row in rows)
        words = (f"{plural(new, 'new file')}, {plural(regions, 'place')} "
                 f"changed; {total['+']:,} lines added, {total['-']:,} "
                 "removed, tests included.")
        idea = f'<p class="idea">{said(sentence(self.idea))}</p>\n' \
            if self.idea else ""
        return f'{idea}<p class="small">{words}</p>\n{self.switch()}'

    def switch(self):
        """Links to other pairs: another lower rung, another upper one."""
        rungs = self.sources.rungs
        below = rungs[:rungs.index(self.upper)]
        above = rungs[rungs.index(self.lower) + 1:]
        return ('<nav class="pairs" aria-label="Other rungs">\n<p>From '
                + self.choices(below, self.lower,
                               lambda rung: pair(rung, self.upper))
                + "</p>\n<p>to "
                + self.choices(above, self.upper,
                               lambda rung: pair(self.lower, rung))
                + '</p>\n<p><a href="index.html">All pairs</a></p></nav>')

    @staticmethod
    def choices(rungs, here, name_of):
        """One of several rungs, the page's own marked."""
        return " ".join(
            f'<b aria-current="true">{rung}</b>' if rung == here
            else f'<a href="{name_of(rung)}.html">{rung}</a>'
            for rung in rungs)

    def group(self, group):
        """A step with all that belongs to it."""
        parts = [f'<h2 id="{slug(group.title)}">'
                 f"{said(sentence(group.title))}</h2>"]
        ladder = self.sources.ladder
        rooms = by_room(group.rows, ladder[self.lower], ladder[self.upper])
        for room in rooms:
            parts += self.room_head(room, rooms[0])
            parts += map(self.row, room.rows)
        return "\n".join(parts)

    def room_head(self, room, first):
        """What stands above the rows of a new room, or above those of no new
        room that stand behind such."""
        if not room.name:
            return ["<h3>In other rooms</h3>"] if first.name else []
        name = f"<code>{room.name}/</code>"
        if room.name in self.seen:
            return [f"<h3>In the new room {name}</h3>"]
        self.seen.add(room.name)
        about = f"<p>{said(sentence(room.about))}.</p>"
        return [f"<h3>New room {name}</h3>"] + [about] * bool(room.about)

    def row(self, row):
        """One difference."""
        if row.verb == CHANGED:
            return self.changed(row)
        if row.verb == NEW:
            return self.new(row)
        reason = f": {html.escape(row.reason)}" if row.reason else ""
        return f'<p class="gone"><code>{row.path}</code> is gone{reason}</p>'

    def changed(self, row):
        """A region's lines; a long one is folded."""
        spoken = html.escape(diffrows.spoken(row.name))
        name = "" if row.name == "-" else f" <b>{spoken}</b>"
        reason = f" – {html.escape(row.reason)}" if row.reason else ""
        head = f"<code>{html.escape(row.path)}</code>{name}{reason}"
        if row.lower is None and row.upper is None:
            return f'<p class="gone">{head}: a binary file</p>'
        rows = diffrows.signed(row)
        if not self.are_neighbours() and (is_test(row.path)
                                          or len(rows) > LONG):
            return f'<p class="file">{self.file_link(row)}{name}</p>'
        code = diff_html(rows)
        if len(rows) > LONG:
            return (f'<details class="file"><summary>{head} '
                    f"<small>{len(rows)} lines</small></summary>\n{code}"
                    "</details>")
        return ('<figure class="listing"><figcaption>'
                f"{self.file_link(row)}{name}{reason}</figcaption>"
                f"{code}</figure>")

    def file_link(self, row):
        """A changed file's name; it leads to the place in the upper rung."""
        name = f"<code>{html.escape(row.path)}</code>"
        file = self.sources.ladder[self.upper].get(row.path)
        if row.upper is None or not file or not is_shown(row.path, file):
            return name
        page = page_of(diffrows.home(self.sources, self.upper, row.path),
                       row.path)
        return f'<a href="../{page}#L{row.upper.start}">{name}</a>'

    def new(self, row):
        """A new file, folded: what it owns, what is in it."""
        name = f"<code>{html.escape(row.path)}</code>"
        file = self.sources.ladder[self.upper][row.path]
        if row.upper is None or not is_shown(row.path, file):
            return f'<p class="file">{name} <small>new, {size(file)}</small>' \
                "</p>"
        text = row.upper.text
        whole = page_of(diffrows.home(self.sources, self.upper, row.path),
                        row.path)
        if is_test(row.path) and not self.are_neighbours():
            return f'<p class="file"><a href="../{whole}">{name}</a> ' \
                "<small>new</small></p>"
        n = plural(len(diffrows.lines_of(row.upper)), "line")
        first, rest = first_words(text)
        owns = f" <span>{html.escape(first)}</span>" if first else ""
        if not self.are_neighbours():
            return f'<p class="file"><a href="../{whole}">{name}</a> ' \
                f"<small>new, {n}</small>{owns}</p>"
        body = [f"<{kind}>{html.escape(words)}</{kind}>"
                for kind, words in rest]
        body.append(self.outline(row.path, whole))
        body.append(f'<p><a href="../{whole}">The whole file</a></p>')
        return (f'<details class="file"><summary>{name} <small>new, {n}'
                f"</small>{owns}</summary>\n" + "\n".join(filter(None, body))
                + "</details>")

    def are_neighbours(self):
        """Whether there is no rung between the two."""
        return self.sources.below(self.upper) == self.lower

    def outline(self, path, whole):
        """The functions of a new C file, as links; of tests there are
        thousands, and the file's own page has them."""
        if not is_c(path) or is_test(path):
            return ""
        regions = diffrows.regions(self.sources, f"{self.upper}/{path}")
        items = [f'<li><a href="../{whole}#L{region.start}"><code>'
                 f"{html.escape(diffrows.spoken(region.name))}</code></a></li>"
                 for region in regions.values()
                 if region.name not in ("top", "end")]
        return '<ul class="outline">' + "\n".join(items) + "</ul>" \
            if items else ""

    def around(self):
        """The neighbouring steps of the ladder."""
        rungs, links = self.sources.rungs, []
        at = rungs.index(self.lower)
        if at:
            links.append(link("prev", "Down", rungs[at - 1], self.lower))
        at = rungs.index(self.upper)
        if at + 1 < len(rungs):
            links.append(link("next", "Up", self.upper, rungs[at + 1]))
        return ('<nav class="around" aria-label="Neighbouring steps">'
                + "\n".join(links) + "</nav>") if links else ""


def link(rel, word, lower, upper):
    """A link to a pair beside this one."""
    return (f'<a rel="{rel}" href="{pair(lower, upper)}.html"><span>{word}'
            f"</span> {lower} → {upper}</a>")


def plural(n, noun):
    """1 file, 2 files, no files."""
    return f"{n:,} {noun}{'s' * (n != 1)}" if n else f"no {noun}s"


def size(file):
    """How large a file is that is not shown."""
    n = len(file.data)
    return f"{n:,} bytes" if n < 10_000 else f"{n // 1000:,} kB"


def first_words(text):
    """(first sentence, what follows it) of the comment that opens a file;
    what follows as ("p" or "pre", its text): what is indented is a table or
    a few commands."""
    found = COMMENT.match(text)
    if not found:
        return "", []
    parts = parts_of(next(filter(None, found.groups()), ""))
    first, *rest = re.split(r"(?<=\.) (?=[A-Z])", parts[0][1], maxsplit=1)
    return first, [("p", words) for words in rest] + parts[1:]


def parts_of(comment):
    """The paragraphs and the indented parts of a comment."""
    lines = [re.sub(r"^[ \t]*[*#]?[ \t]?", "", line)
             for line in comment.split("\n")]
    parts = []
    for kind, group in groupby(lines, kind_of):
        if kind == "p":
            parts.append((kind, " ".join(" ".join(group).split())))
        elif kind == "pre":
            parts.append((kind, dedent("\n".join(group))))
    return parts


def kind_of(line):
    """Whether a line of a comment is text or indented, or "" for neither."""
    if not line.strip():
        return ""
    return "pre" if line.startswith("  ") else "p"


def index(site):
    """The page that leads to all pairs."""
    rungs = site.book.sources.rungs
    head = "".join(f'<th scope="col">{rung}</th>' for rung in rungs[:-1])
    body = []
    for at, upper in enumerate(rungs[1:], 1):
        cells = "".join(
            f'<td><a href="{pair(lower, upper)}.html">'
            f"{pair(lower, upper).replace('-', ' → ')}</a></td>"
            for lower in rungs[:at]) + "<td></td>" * (len(rungs) - 1 - at)
        body.append(f'<tr><th scope="row">to {upper}</th>{cells}</tr>')
    table = ('<section class="scroll" tabindex="0" aria-label="All pairs">'
             '<table class="pairs"><thead><tr><td>'
             f"</td>{head}</tr></thead>\n<tbody>\n" + "\n".join(body)
             + "\n</tbody></table></section>") if len(rungs) > 1 else \
        "<p>There is only one rung so far.</p>"
    site.page("diff/index.html", "What changes from rung to rung",
              '<h1>What changes from rung to rung</h1>\n'
              "<p>To learn one idea, read the difference between two "
              "neighbours. Any other two can be compared, too: the column is "
              f"the rung to start from.</p>\n{neighbours(site)}\n{table}")


def neighbours(site):
    """The steps of the ladder, each with its idea."""
    sources, items = site.book.sources, []
    for lower, upper in zip(sources.rungs, sources.rungs[1:]):
        idea = said(sentence(diffrows.idea(sources, lower, upper)))
        items.append(f'<li><a href="{pair(lower, upper)}.html">{lower} → '
                     f"{upper}</a><br>{idea}</li>")
    return '<ol class="steps">' + "\n".join(items) + "</ol>" if items else ""
