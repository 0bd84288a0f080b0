"""The rungs' sources as the book quotes them: by name, never by line.

Regions (a function with its comment, a struct, a table) are those of the
lineage check, so the book, the diff viewer and the check agree on where each
begins and ends.
"""

import re
import subprocess
import sys
from dataclasses import astuple, dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from support.mistakes import Wrong
from support.store import digest

ROOT = Path(__file__).resolve().parents[3]
for tools in ("lineage", "runner"):
    sys.path.insert(0, str(ROOT / "tests" / tools))

import objects  # noqa: E402, F401
from declarations import parse  # noqa: E402
from differences import about, differences  # noqa: E402
from problem import Refusal  # noqa: E402
from regions import CUTS, Region, cut_all  # noqa: E402
from rooms import find, is_test, room_of  # noqa: E402
from rungs import is_c, read_tree  # noqa: E402

# What commands read beside their rung.
SHARED = ("tests/models/tiny-chat", "tests/models/tiny-draft",
          "tests/models/tiny-embed", "tests/models/goldens",
          "tests/checkpoints", "tests/configs", "tests/gguf",
          "tests/quantized", "tests/tokenizers",
          "tests/oracle/real/real_gemma3.json")

# What those of one rung alone read.
ALONE = {"m7-server": ("tests/models", "tests/markup", "tests/templates",
                       "tests/oracle/template")}

# What commands in the root of the tree are made of, beside the rungs.
TOOLS = ("Makefile", "tests/course", "tests/lineage", "tests/setup")

# The marks of a stretch of a file that a chapter shows on its own:
# /* part: name */ … /* end part */, in any language's comment.
PART = re.compile(r"^.*\bpart: ([\w-]+).*$")
PART_END = re.compile(r"^.*\bend part\b.*$")
# A rule across a file, which is about more than the function below it.
RULE = re.compile(r"\s*/\* --[^\n]*-- \*/\n\n+")


@dataclass(frozen=True)
class Extract:
    """A stretch of a source file."""

    path: str  # m2-forward/math/ops.c
    name: str  # rmsnorm
    first: int  # its first line, from 1
    text: str  # without blank lines around it

    @property
    def last(self):
        """Its last line."""
        return self.first + self.text.count("\n")

    @property
    def language(self):
        """What pandoc's highlighter calls it."""
        suffix = self.path.rpartition(".")[2]
        return {"h": "c", "c": "c", "py": "python"}.get(
            suffix, "makefile" if suffix.endswith("Makefile") else suffix)


@lru_cache(maxsize=None)
def cutter():
    """A digest of what cuts files into regions."""
    version = subprocess.run(["ctags", "--version"], capture_output=True,
                             text=True, check=True).stdout
    return digest(version, *[
        path.read_text() for path in
        sorted((ROOT / "tests" / "lineage").glob("*.py"))
        if not path.name.startswith("test_")])


def packed(cut):
    """The regions of a file, or why it has none, as JSON."""
    if isinstance(cut, Refusal):
        return {"line": cut.line, "message": cut.message}
    return [astuple(region) for region in cut]


def unpacked(kept):
    """The same from JSON."""
    if isinstance(kept, dict):
        return Refusal(**kept)
    return [Region(*fields) for fields in kept]


class Sources:
    """All rungs of the working tree, read once."""

    def __init__(self, root=ROOT, store=None):
        self.root = Path(root)
        self.store = store  # keeps the regions; None: they are cut each time
        self.ladder = read_tree(root)
        self.rungs = sorted(self.ladder)

    def rung(self, short):
        """m2 or m2-forward: the rung's full name."""
        for name in self.rungs:
            if name == short or name.startswith(short + "-"):
                return name
        raise Wrong(f"there is no rung {short}")

    def below(self, rung):
        """The rung that `rung` was copied from, or None."""
        at = self.rungs.index(rung)
        return self.rungs[at - 1] if at else None

    @cached_property
    def digests(self):
        """{rung: digest of all its files, and of what it alone reads}."""
        return {rung: digest(*[part for path, file in sorted(files.items())
                               for part in (path, file.mode, file.data)],
                             *self.parts_of(ALONE.get(rung, ())))
                for rung, files in self.ladder.items()}

    @cached_property
    def models(self):
        """A digest of the models, goldens and configurations that the rungs
        share, which commands and tests of the book read."""
        return self.digest_of(SHARED, lambda path: path.suffix != ".md")

    @cached_property
    def tools(self):
        """A digest of the tools that commands in the root run."""
        return self.digest_of(TOOLS,
                              lambda path: not path.name.startswith("test_"))

    def digest_of(self, names, counts):
        """A digest of files, and of those in folders, that count."""
        return digest(*self.parts_of(names, counts))

    def parts_of(self, names, counts=lambda path: path.suffix != ".md"):
        """The names and contents of files, and of those in folders, but for
        what Python has compiled."""
        parts = []
        for top in (self.root / name for name in names):
            for path in [top, *sorted(top.rglob("*"))]:
                if path.is_file() and counts(path) \
                        and path.suffix != ".pyc":
                    parts += [str(path.relative_to(self.root)),
                              path.read_bytes()]
        return parts

    def path(self, name):
        """The path of a file that is named by it or, in a rung, by its name
        alone: m2-forward/ops.c is m2-forward/math/ops.c."""
        rung, _, file = name.partition("/")
        found = find(self.ladder.get(rung, {}), file)
        return f"{rung}/{found}" if found else name

    def has(self, rung, name):
        """Whether a rung has a file of this path or name."""
        return find(self.ladder[rung], name) is not None

    def text(self, path):
        """A file of a rung (m2-forward/math/ops.c) or of the tree, as
        text."""
        rung, _, name = path.partition("/")
        file = self.ladder.get(rung, {}).get(name)
        if file:
            return file.text
        full = (self.root / path).resolve()
        if full.is_file() and full.is_relative_to(self.root.resolve()):
            return full.read_text()
        raise Wrong(f"there is no file {path}")

    @lru_cache(maxsize=None)
    def cut(self, rung):
        """{file: its regions, or why it has none} of all C files of a rung,
        found by one run of ctags."""
        files = {name: file.text for name, file in self.ladder[rung].items()
                 if is_c(name) and file.text is not None}
        texts = list(files.values())
        if self.store is None:
            return dict(zip(files, cut_all(texts)))
        kept = self.store.get(digest("regions", cutter(), texts),
                              lambda: [packed(one) for one in cut_all(texts)])
        cuts = list(map(unpacked, kept))
        CUTS.update(zip(texts, cuts))  # for whoever compares rungs
        return dict(zip(files, cuts))

    @lru_cache(maxsize=None)
    def regions(self, path):
        """{name: Region} of one C file."""
        rung, _, name = path.partition("/")
        if name not in self.ladder.get(rung, {}):
            raise Wrong(f"there is no file {path}")
        cut = self.cut(rung).get(name)
        if cut is None:
            raise Wrong(f"{path} is no C file: it has only parts")
        if isinstance(cut, Exception):
            raise Wrong(f"{path}, line {cut.line}: {cut.message}")
        return {region.name: region for region in cut}

    def region(self, path, name):
        """One region of a C file as an Extract."""
        regions = self.regions(path)
        if name not in regions:
            raise Wrong(f"{path} has no {name}")
        region = regions[name]
        rule = RULE.match(region.text)
        skipped = rule.group() if rule else ""
        return trim(path, name, region.first + skipped.count("\n"),
                    region.text[len(skipped):])

    def file(self, path):
        """A whole file as an Extract."""
        return Extract(path, "", 1, self.text(path).strip("\n"))

    def between(self, one, other):
        """The text between two Extracts of a file, blank lines apart; None
        when the second does not come later."""
        if one.path != other.path or one.last >= other.first:
            return None
        lines = self.text(one.path).split("\n")
        return "\n".join(lines[one.last:other.first - 1]).strip()

    def span(self, one, other):
        """The Extract from one Extract to a later one."""
        lines = self.text(one.path).split("\n")
        return Extract(one.path, one.name, one.first,
                       "\n".join(lines[one.first - 1:other.last]))

    def part(self, path, name):
        """A marked stretch of any file as an Extract."""
        first, lines = 0, []
        for number, line in enumerate(self.text(path).split("\n"), 1):
            begins = PART.match(line)
            if first and PART_END.match(line):
                return trim(path, name, first, "\n".join(lines))
            if first:
                lines.append(line)
            elif begins and begins.group(1) == name:
                first = number + 1
        raise Wrong(f"{path} has no " + ("end of " if first else "") +
                      f"part {name}")

    def about_room(self, path):
        """The room of a rung's file and what it owns, or ("", "")."""
        rung, _, file = path.partition("/")
        room = room_of(file)
        return room, about(self.ladder[rung], room) if room else ""

    def lineage(self, rung):
        """What a rung's LINEAGE declares; None for the lowest."""
        file = self.ladder[rung].get("LINEAGE")
        return parse(f"{rung}/LINEAGE", file.text) if file else None

    @lru_cache(maxsize=None)
    def differences(self, lower, upper):
        """What differs between two rungs, region by region."""
        return differences(self.ladder[lower], self.ladder[upper])

    def c_files(self, rung, tests=False):
        """The rung's C files, program files unless `tests`."""
        return [path for path in sorted(self.ladder[rung]) if is_c(path)
                and is_test(path) == tests]


def trim(path, name, first, text):
    """An Extract without the blank lines around it."""
    lines = text.split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
        first += 1
    while lines and not lines[-1].strip():
        lines.pop()
    return Extract(path, name, first, "\n".join(lines))
