"""Every new or changed function of a rung is shown in a chapter about it, or
listed there as left out, with its reason.

    ```{.left-out}
    json.c: * | reading JSON is jansson's work; this only names fields
    options.c: take_option, store | the command line is no part of the idea
    ```

At most SHARE of these functions' lines may be left out, and none that the
rung's main command runs.
"""

import re

from blocks import listings
from running import main_path
from support.mistakes import Wrong
from support.store import digest
from text.tree import each, line_of, pairs_of

SHARE = 0.15
ROW = re.compile(r"^([\w./]+): ([^|]+)\|\s*(\S.*)$")


def is_left_out(node):
    """Whether a block lists what a chapter leaves out."""
    return node["t"] == "CodeBlock" and "left-out" in node["c"][0][1]


def functions_of(sources, rung):
    """{(file, function): lines} of the rung's new or changed functions."""
    lower = sources.below(rung)
    result = {}
    for file in sources.c_files(rung):
        old = old_texts(sources, lower, file)
        for name, region in sources.regions(f"{rung}/{file}").items():
            if region.is_function and old.get(name) != region.text:
                result[file, name] = region.text.strip().count("\n") + 1
    return result


def old_texts(sources, lower, file):
    """{region: text} of a file in the rung below."""
    if lower is None or file not in sources.ladder[lower]:
        return {}
    return {name: region.text for name, region
            in sources.regions(f"{lower}/{file}").items()}


def shown_in(chapter, rung, sources):
    """The (file, function)s of a rung that a chapter's blocks quote."""
    shown = set()
    for node in each(chapter.blocks, ("CodeBlock",)):
        try:
            shown |= quoted_by(node, rung, sources)
        except (Wrong, KeyError):
            pass  # expanding the block reports it
    return shown


def quoted_by(node, rung, sources):
    """The functions of a rung that one block shows."""
    pairs = pairs_of(node)
    if listings.is_difference(node):
        if listings.rungs_of(sources, pairs["diff"])[1] != rung:
            return set()
        path = sources.path(f"{rung}/{pairs['file']}")
        names = pairs.get("fn", "").split() or [
            name for name, region in sources.regions(path).items()
            if region.is_function]
        return {(path.partition("/")[2], name) for name in names}
    if not listings.is_listing(node):
        return set()
    extracts = listings.extracts_of(sources, pairs, rung)
    return {key for extract in extracts if extract.path.startswith(f"{rung}/")
            for key in functions_within(sources, extract)}


def functions_within(sources, extract):
    """The functions of which an Extract shows at least a part."""
    file = extract.path.partition("/")[2]
    if extract.language != "c":
        return set()
    return {(file, name)
            for name, region in sources.regions(extract.path).items()
            if region.is_function and extract.first <= region.last
            and extract.last >= region.start}


def left_out(chapter, functions, mistakes):
    """{(file, function): line} of what the chapter leaves out."""
    result = {}
    for node in each(chapter.blocks, ("CodeBlock",)):
        if not is_left_out(node):
            continue
        for line, row in enumerate(node["c"][1].split("\n"),
                                   line_of(node) + 1):
            try:
                result.update(dict.fromkeys(named(row, functions), line))
            except Wrong as why:
                mistakes.add(chapter.shown, line, why)
    return result


def named(row, functions):
    """The functions that one row names; * stands for all of its file."""
    found = ROW.match(row)
    if not found:
        raise Wrong("expected FILE: FUNCTION, FUNCTION | REASON")
    file, names = found.group(1), found.group(2)
    here = {key[1]: key for key in functions
            if file in (key[0], key[0].rpartition("/")[2])}
    if names.strip() == "*":
        names = ",".join(here)
    chosen = {name.strip() for name in names.split(",") if name}
    for name in sorted(chosen - set(here)):
        raise Wrong(f"{file}: {name} is not new or changed in this rung")
    if not chosen:
        raise Wrong(f"{file} has no function that is new or changed")
    return {here[name] for name in chosen}


class Coverage:
    """What the chapters about one rung show of it."""

    def __init__(self, book, rung, chapters):
        self.book, self.rung, self.chapters = book, rung, chapters
        self.outcomes = book.outcomes.asker()
        sources, mistakes = book.sources, book.mistakes
        self.functions = functions_of(sources, rung)
        self.shown, self.omitted = set(), {}
        for chapter in chapters:
            self.shown |= shown_in(chapter, rung, sources)
            for key, line in left_out(chapter, self.functions,
                                      mistakes).items():
                self.omitted[key] = chapter, line

    def check(self):
        """Note every function that the chapters forget."""
        first = self.chapters[0]
        for file, name in sorted(set(self.functions) - self.shown
                                 - set(self.omitted)):
            self.book.mistakes.add(first.shown, 1, "neither shows nor lists "
                                   f"as left out: {name} in "
                                   f"{self.rung}/{file}")
        self.check_share(first)
        self.check_main_path()

    def check_share(self, chapter):
        """Not too much is left out."""
        omitted = set(self.omitted) - self.shown
        share = (sum(self.functions[key] for key in omitted)
                 / max(1, sum(self.functions.values())))
        if share > SHARE:
            self.book.mistakes.add(chapter.shown, 1, f"{share:.0%} of the "
                                   "new functions' lines are left out; "
                                   f"{SHARE:.0%} at most")

    def check_main_path(self):
        """Nothing that the main command runs is left out."""
        omitted = {key: place for key, place in self.omitted.items()
                   if key not in self.shown}
        if not omitted:
            return
        command = next((chapter.main for chapter in self.chapters
                        if chapter.main), "./rung demo")
        for key in self.left_out_though_run(command, sorted(omitted)):
            chapter, line = omitted[key]
            self.book.mistakes.add(chapter.shown, line, f"{key[1]} in "
                                   f"{key[0]} cannot be left out: "
                                   f"{command} runs it")

    def left_out_though_run(self, command, omitted):
        """Those of some (file, function)s that a command runs."""
        workshop = self.book.workshop
        key = digest("left out though run", 1, omitted,
                     main_path.key_of(workshop, self.rung, command))
        return map(tuple, self.outcomes.get_rarely(
            key, "count", self.rung, lambda: sorted(set(omitted) &
                main_path.functions_run(workshop, self.rung, command))))


def check(book):
    """Every rung that has a chapter."""
    rungs = {}
    for chapter in book.chapters:
        if chapter.rung:
            rungs.setdefault(chapter.rung, []).append(chapter)
    for rung, chapters in rungs.items():
        key = digest("coverage", 2, book.outcomes.taken,
                     book.sources.digests[rung],
                     book.sources.digests.get(book.sources.below(rung)),
                     [(chapter.shown, chapter.text) for chapter in chapters])
        check_rung(book, rung, chapters, key)


def check_rung(book, rung, chapters, key):
    """One rung, unless it was found covered as it is."""
    before, asked = book.mistakes.noted, book.store.peek(key)
    if asked is None:
        try:
            coverage = Coverage(book, rung, chapters)
            coverage.check()
            asked = coverage.outcomes.asked
        except Wrong as why:
            book.mistakes.add(chapters[0].shown, 1, why)
    if book.mistakes.noted == before:
        book.store.put(key, asked)
    book.front.asked.update(asked or {})
