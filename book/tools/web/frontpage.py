"""The first page: site/front.html, filled from site/front.json, from what the
rungs print and from what was measured.

What is not there yet (a rung, a chapter, a figure) is left out or said to be
planned; nothing stands in for it.
"""

import html
import json
from string import Template

from text import measured
from text.compute import shown
from web import frontfacts, frontprompt, webpage

TEXT, DATA = "front.html", "front.json"
# What the figures are called behind their rung, and of a larger model.
SPEEDS, LARGE = ("prefill.speed", "decode.speed"), "large."
# Chapters that stand beside the way through the book.
ASIDE = (("teaching", "Teach with it"), ("glossary", "Glossary"))


def plain(text):
    """A text with the apostrophe that the chapters have."""
    return text.replace("'", "\u2019")


def said(text):
    """The same as HTML."""
    return html.escape(plain(text))


def sentence(text):
    """A title or idea with a capital letter."""
    return text[:1].upper() + text[1:]


class Front:
    """The parts of the page while it is made."""

    def __init__(self, site, data):
        self.site, self.data, self.book = site, data, site.book
        self.chapters = {chapter.name for chapter in self.book.chapters}
        self.figures = self.book.figures
        self.used = []  # names of the figures that the page shows

    def rung(self, short):
        """The rung's full name, whether it exists or not."""
        return next(row["name"] for row in self.data["ladder"]
                    if row["name"].startswith(short + "-"))

    def exists(self, short):
        """Whether the rung is in the tree."""
        return self.rung(short) in self.book.sources.rungs

    def link(self, short, words=None):
        """A rung's name with a link to its chapter, if it has one."""
        text = html.escape(words or self.rung(short))
        if short in self.chapters:
            return f'<a href="{short}.html">{text}</a>'
        return text if self.exists(short) else \
            f'{text} <span class="planned">planned</span>'

    def figure(self, name, digits=3):
        """A measured figure as text, or "" when nobody has measured it."""
        if name not in self.figures:
            return ""
        self.used.append(name)
        return html.escape(measured.show(self.figures[name], digits)
                           .replace(" ", "\u00a0"))

    def first_figure(self, kind):
        """(rung, text) of the highest rung with this figure, or None."""
        for row in reversed(self.data["ladder"]):
            short = row["name"].partition("-")[0]
            text = self.figure(f"{short}.{kind}")
            if text:
                return short, text
        return None


def write(site):
    """Make index.html."""
    data = json.loads((webpage.SITE / DATA).read_text())
    site.page("index.html", "An LLM inference engine, one rung at a time",
              body(site, data), description=plain(data["sentence"]))


def body(site, data):
    """The page's text with everything filled in."""
    front = Front(site, data)
    parts = {"sentence": said(data["sentence"]), "start": start(front),
             "stack": stack(front), "prompt": frontprompt.section(front),
             "ideas": ideas(front), "ladder": ladder(front),
             "covers": covers(front), "others": others(front),
             "differences": differences(front), **split(front),
             "done": sum(row["name"] in front.book.sources.rungs
                         for row in data["ladder"]),
             "total": len(data["ladder"])}
    text = Template((webpage.SITE / TEXT).read_text())
    return text.substitute(parts, measured=note(front))


def start(front):
    """Where to begin: the first chapter, then what else there is."""
    names = [chapter.name for chapter in front.book.chapters]
    links = [f'<a class="button" href="{name}.html">Begin to read</a>'
             for name in names[:1]]
    links += ['<a href="contents.html">All contents</a>',
              '<a href="diff/index.html">Compare two rungs</a>']
    links += [f'<a href="{name}.html">{words}</a>' for name, words in ASIDE
              if name in names]
    return "\n".join(links)


def stack(front):
    """The layers of the machine, each opening in place."""
    layers = []
    for layer in front.data["stack"]:
        rungs = ", ".join(front.link(short) for short in layer["rungs"])
        built = "Built in" if any(map(front.exists, layer["rungs"])) \
            else "To be built in"
        layers.append(
            f"<details><summary><b>{said(layer['name'])}</b> "
            f"<span>{said(layer['line'])}</span></summary>\n<div>"
            f"<p>{said(layer['what'])}</p>\n"
            f"<p><strong>Why it matters.</strong> "
            f"{said(layer['why'])}</p>\n"
            f'<p class="built">{built} {rungs}</p></div></details>')
    return "\n".join(layers)


def split(front):
    """The measured speeds of reading and writing, and what to make of
    them."""
    reading, writing = map(front.first_figure, SPEEDS)
    if reading and writing:
        return {"reading": speed(front, *reading, SPEEDS[0]),
                "writing": speed(front, *writing, SPEEDS[1]),
                "split": close(front)}
    return {"reading": "", "writing": "", "split": recomputing(front)}


def speed(front, short, text, kind):
    """A figure with the rung and the model that it is of; and that of a
    larger model, where it was measured."""
    models = front.data["models"]
    more = front.figure(f"{short}.{LARGE}{kind}")
    other = f"; {more} with {said(models['large'])}" if more else ""
    return (f'<p class="speed"><b>{text}</b> {front.link(short)}</p>\n'
            f'<p class="small">With {said(models["small"])}{other}.</p>')


def close(front):
    """Why the two are near each other, until kernels part them."""
    note = front.data["close"]
    return "" if front.exists(note["until"]) else \
        f"<p>{said(note['text'])}</p>"


def recomputing(front):
    """What writing costs while there is no cache: the figures of the rung
    that computes everything again."""
    rule = front.data["recomputing"]
    text = front.figure(rule["of"])
    if not text:
        return ""
    short, n = rule["of"].partition(".")[0], rule["tokens"]
    figure = front.figures[rule["of"]]
    whole = measured.show({**figure, "value": n * float(figure["value"])}, 2)
    return (f"<p>{front.link(short)} has no cache yet and computes the whole "
            f"text again for each new token. It takes {text} for each token "
            f"that it reads, {n} at once, so to write one more behind those "
            f"{n} takes it about {whole.replace(' ', chr(160))}: as long as "
            f"reading them all. The cache of {front.link(rule['ended'])} "
            "ends that; its figures will stand here.</p>")


def ideas(front):
    """The three ideas, each with its rung."""
    return "\n".join(f"<li><h3>{said(idea['name'])}</h3>\n"
                     f"<p>{said(idea['text'])}</p>\n"
                     f'<p class="built">{front.link(idea["rung"])}</p></li>'
                     for idea in front.data["ideas"])


def ladder(front):
    """The eight rungs."""
    counted = frontfacts.lines(front.book)
    return "\n".join(step(front, row, counted.get(row["name"]))
                     for row in front.data["ladder"])


def step(front, row, lines):
    """One rung of the ladder; `lines` is None for one that is planned."""
    short = row["name"].partition("-")[0]
    facts = []
    if lines:
        facts.append(f"{shown(lines.code)} lines"
                     + f", {shown(lines.added)} of them new"
                     * (lines.added != lines.code))
    for name, words in row["speed"]:
        text = front.figure(name)
        if text:
            facts.append(f"{text} {said(words)}")
    below = front.book.sources.below(row["name"]) if lines else None
    if below:
        facts.append(f'<a href="diff/{pair(below, row["name"])}.html">what '
                     "it changes</a>")
    numbers = f'\n<p class="numbers">{" · ".join(facts)}</p>' if facts else ""
    kind = "" if lines else ' class="coming"'
    return (f"<li{kind}><h3>{front.link(short)}</h3>\n"
            f"<p>{said(sentence(row['idea']))}</p>\n"
            f'<p class="adds">{said(row["adds"])}</p>{numbers}</li>')


def pair(lower, upper):
    """What the page of two rungs is called."""
    return f"{lower.partition('-')[0]}-{upper.partition('-')[0]}"


def differences(front):
    """A sentence with a link to the differences, once there are two
    rungs."""
    if len(front.book.sources.rungs) < 2:
        return ""
    return ('To learn an idea, read <a href="diff/index.html">the difference '
            "between two rungs</a>.")


def covers(front):
    """The table of who covers what."""
    columns = front.data["covers"]["columns"]
    head = "".join(f'<th scope="col">{said(column["name"])}</th>'
                   for column in columns)
    body = []
    for name, *cells in front.data["covers"]["rows"]:
        body.append(f'<tr><th scope="row">{said(name)}</th>'
                    + "".join(f'<td data-label="{said(column["name"])}">'
                              f"{cell(front, text)}</td>"
                              for column, text in zip(columns, cells))
                    + "</tr>")
    return ('<section class="scroll" aria-label="The table" tabindex="0">'
            '<table class="covers">\n<thead><tr><td></td>'
            f"{head}</tr></thead>\n<tbody>\n" + "\n".join(body)
            + "\n</tbody></table></section>")


def cell(front, text):
    """A cell of that table; a rung's name is a link."""
    rungs = {row["name"].partition("-")[0] for row in front.data["ladder"]}
    if text == "–":
        return '<span class="none">–</span>'
    return front.link(text, text) if text in rungs else said(text)


def others(front):
    """What the other projects are, and where these facts were read."""
    rows = []
    for column in front.data["covers"]["columns"]:
        if "link" in column:
            rows.append(f'<dt><a href="{html.escape(column["link"])}">'
                        f"{html.escape(column['name'])}</a></dt>\n"
                        f"<dd>{said(column['is'])} "
                        f"<small>Read: {html.escape(column['read'])}.</small>"
                        "</dd>")
    return "\n".join(rows)


def note(front):
    """Where the page's figures are from."""
    blocks = measured.source_note(front.used, front.figures)
    return front.site.fragment(blocks) if blocks else ""
