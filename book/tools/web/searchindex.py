"""What the search looks through: headings, terms and functions.

search-index.js is a script that holds data, because a page that was opened
from a file may load scripts and nothing else.  It is loaded when the reader
first searches.
"""

import json

from blocks.listings import path_of
from reading.diffrows import regions, spoken
from support.store import digest
from text.tree import classes_of, each, pairs_of
from web import webpage
from web.diffpages import pair

from regions import RESERVED

NAME = "search-index.js"
PAGE, HEADING, TERM, CODE = "page", "heading", "term", "code"
DIFFERENCE = "difference"


def write(site):
    """Make the index."""
    entries = [*pages(site), *headings(site), *terms(site.book),
               *functions(site), *differences(site.book.sources)]
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False,
                                  separators=(",", ":"))
                       for entry in entries)
    site.output.write(NAME, f"window.searchIndex=[\n{lines}\n];\n")


def pages(site):
    """[kind, words, where, address] of each chapter; where is its rung."""
    return [[PAGE, chapter.title, chapter.rung or "", f"{chapter.name}.html"]
            for chapter in site.book.chapters]


def differences(sources):
    """The same of the step from each rung to the next."""
    steps = [(sources.below(rung), rung) for rung in sources.rungs
             if sources.below(rung)]
    return [[DIFFERENCE, f"{lower} → {upper}", "difference: what changes",
             f"diff/{pair(lower, upper)}.html"] for lower, upper in steps]


def headings(site):
    """The same of each section."""
    return [[HEADING, words, chapter.title, f"{chapter.name}.html#{name}"]
            for chapter in site.book.chapters
            for _, name, words in webpage.sections(
                site.made[chapter.name]["blocks"])]


def terms(book):
    """The same of each term of the glossary; where is what it means."""
    return [[TERM, words, first, f"glossary.html#{name}"]
            for name, (words, first) in sorted(book.glossary.items())]


def functions(site):
    """The same of each function and type, in each rung where it is new or
    changed: the section that shows it, or else the file."""
    sources, shown = site.book.sources, sections_with_code(site.book)
    found = []
    for rung in sources.rungs:
        key = digest("functions", 1, sources.digests[rung],
                     sources.digests.get(sources.below(rung)))
        for path, name, line in site.book.store.get(
                key, lambda: names(sources, rung)):
            address = shown.get((f"{rung}/{path}", name)) or \
                f"source/{rung}/{path}.html#L{line}"
            found.append([CODE, spoken(name), f"{rung}/{path}", address])
    return found


def names(sources, rung):
    """(path, region, line) of all that is new or changed in a rung."""
    return [(path, region.name, region.start)
            for path in sources.c_files(rung)
            for region in changed(sources, rung, path)]


def changed(sources, rung, path):
    """The regions with a name that the rung below does not have like this."""
    below = sources.below(rung)
    old = regions(sources, f"{below}/{path}") \
        if below and path in sources.ladder[below] else {}
    return [region for name, region in
            regions(sources, f"{rung}/{path}").items()
            if name not in RESERVED and not name.startswith("proto:")
            and (name not in old or old[name].text != region.text)]


def sections_with_code(book):
    """{(path, region): address} of the section that shows it."""
    found = {}
    for chapter in book.chapters:
        address = f"{chapter.name}.html"
        for node in each(chapter.parsed, ("Header", "CodeBlock")):
            if node["t"] == "Header":
                name = node["c"][1][0]
                address = f"{chapter.name}.html" + (f"#{name}" if name
                                                    and node["c"][0] > 1
                                                    else "")
            elif "src" in pairs_of(node) and not (
                    {"break", "patch"} & set(classes_of(node))):
                for key in quoted(pairs_of(node), chapter.rung,
                                  book.sources):
                    found.setdefault(key, address)
    return found


def quoted(pairs, rung, sources):
    """The (path, region) that a listing shows by name."""
    path = path_of(pairs, rung, sources)
    names = pairs.get("fn", "").split()
    for kind in ("struct", "union", "enum", "typedef"):
        names += [f"{kind}:{name}" for name in pairs.get("type", "").split()]
    names += [f"var:{name}" for name in pairs.get("var", "").split()]
    return [(path, name) for name in names]
