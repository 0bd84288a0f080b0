"""Checks a finished site, in a real browser and without one.

usage: browser_check.py FOLDER [PAGE]...

Every page: links and their anchors, pictures, how heavy it is.  In chromium,
in both schemes, on a phone, a laptop and paper: nothing wider than the page,
nothing on the console, no violation that axe-core finds, everything within
the keyboard's reach, the text there without scripts, a console copied as its
commands, the reader's place marked in the contents.  By html-validate:
valid HTML.  In node: the search finds the place of each of queries.json, and
the oldest browsers of README.md can read the scripts.

Of pages that are all alike (source/, the differences of rungs that are no
neighbours) only a few are opened, and print.html, which holds what the chapters
hold, is not.  Nor is the HTML of the other differences looked at where somebody
waits, since CI is not set.  Axe-core, which takes most of the time, leaves out those
differences, and looks at the colours of a text once, however many pages,
schemes and widths show alike.

Ends with `N passed, N failed`; names what it had to skip.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from reading.sources import ROOT
from running.trials import somebody_waits
from support.mistakes import Wrong
from support.modules import Modules
from web import sitelinks

SCRIPTS = Path(__file__).resolve().parent / "web" / "browser"
WHOLE = "print.html"  # the whole book as one page
SOURCE = "source/"  # pages that a generator makes by the hundred
SAMPLE = 2  # how many of those are opened: the largest that are
LARGEST = 150_000  # no more bytes than this, since that takes long
DIFFERENCE = re.compile(r"diff/m(\d+)-m(\d+)\.html")
DATA = ("search-index.js", "search-text.js")
LIMIT = 1500  # seconds of a script; check.js has its own for each page
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def find_chromium():
    """The browser, or None."""
    named = os.environ.get("CHROMIUM")
    found = map(shutil.which, [named] if named else CHROMIUM)
    return next(filter(None, found), None)


def pages_of(folder):
    """The names of all pages."""
    return sorted(str(path.relative_to(folder))
                  for path in folder.rglob("*.html"))


def sample(folder, names):
    """The pages to open: all but those that are alike, and some large ones
    of each kind of those."""
    kinds = {kind: [name for name in names if kind_of(name) == kind]
             for kind in ("", "source", "far")}
    opened = [name for name in kinds.pop("") if name != WHOLE]
    for alike in kinds.values():
        sizes = {name: (folder / name).stat().st_size for name in alike}
        opened += sorted((name for name in alike if sizes[name] <= LARGEST),
                         key=sizes.get, reverse=True)[:SAMPLE]
    return opened


def kind_of(name):
    """What a page is alike to: others that show a source, or differences of
    rungs that are far apart; "" for what is like no other."""
    found = DIFFERENCE.fullmatch(name)
    if found and int(found[2]) - int(found[1]) > 1:
        return "far"
    return "source" if name.startswith(SOURCE) else ""


def for_axe(name):
    """Whether axe looks at a page: what stands on the differences of rungs
    that are far apart looks as it does on those of neighbours."""
    return kind_of(name) != "far"


def run_node(script, given):
    """{"page", "check", "wrong"} for each line that a script of ours
    prints."""
    command = ["node", str(SCRIPTS / script), json.dumps(given)]
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              timeout=LIMIT)
        said, wrong = done.stdout, done.returncode and (
            done.stderr.strip() or f"exit status {done.returncode}")
    except subprocess.TimeoutExpired as late:
        said, wrong = (late.stdout or b"").decode(), f"no end after {LIMIT} s"
    results = [json.loads(line) for line in said.splitlines()
               if line.endswith("}")]
    if wrong:
        results.append({"page": script, "check": "the checker itself",
                        "wrong": [wrong]})
    return results


def static_checks(folder, names):
    """What needs no browser."""
    links = sitelinks.Links(folder)
    for name in names:
        yield {"page": name, "check": "links", "wrong": links.broken(name)}
        if name != WHOLE:
            yield {"page": name, "check": "weight",
                   "wrong": links.too_heavy(name)}


def node_checks(folder, names, valid=()):
    """What node does with pages that are opened, and with those (else the
    same) whose HTML is to be valid; and what was skipped."""
    if not shutil.which("node"):
        return [], ["browser and HTML checks: node is missing"]
    try:
        modules = str(Modules(ROOT / "build" / "node").path())
    except Wrong as why:
        return [], [f"browser and HTML checks: {why}"]
    results = run_node("validate.js", {
        "modules": modules, "config": str(SCRIPTS / "html-validate.json"),
        "pages": [(name, str(folder / name)) for name in valid or names]})
    results += search_checks(folder) + script_checks(folder, modules)
    chromium = find_chromium()
    if not chromium:
        return results, ["browser checks: chromium is missing"]
    return results + run_node("check.js", {
        "modules": modules, "chromium": chromium,
        "pages": [(name, (folder / name).as_uri(), for_axe(name))
                  for name in names]}), []


def search_checks(folder, queries=None):
    """Whether the search of a site, if it has one, finds what readers look
    for: a list of [words, addresses of which one is to be found]."""
    if not (folder / "search-text.js").exists():
        return []
    if queries is None:
        queries = json.loads((SCRIPTS / "queries.json").read_text())
    return run_node("queries.js", {"folder": str(folder), "queries": queries})


def script_checks(folder, modules):
    """Whether old browsers can read the scripts of a site; what only holds
    data is left out."""
    return run_node("scripts.js", {"modules": modules, "scripts": [
        (str(path.relative_to(folder)), str(path))
        for path in sorted(folder.rglob("*.js"))
        if path.name not in DATA]})


def check(folder, only=()):
    """(results, skipped) of a whole site, or of some pages."""
    names = list(only) or pages_of(folder)
    if not names:
        raise Wrong(f"{folder} holds no pages: make site")
    results = list(static_checks(folder, names))
    opened = sample(folder, names)
    valid = opened if somebody_waits() else sorted(
        {*opened, *(n for n in names if kind_of(n) == "far")})
    more, skipped = node_checks(folder, opened, valid)
    return results + more, skipped


def main(arguments):
    """The command line."""
    if not arguments or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        results, skipped = check(Path(arguments[0]).resolve(), arguments[1:])
    except Wrong as why:
        print(f"browser_check: {why}", file=sys.stderr)
        return 1
    failed = [result for result in results if result["wrong"]]
    for result in failed:
        for words in result["wrong"]:
            print(f"FAILED {result['page']}: {result['check']}: {words}")
    for words in skipped:
        print(f"SKIPPED {words}")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
