"""Reads a rung's LINEAGE file; README.md has the grammar."""

from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from problem import Problem
from rooms import name_of, room_of

NEW, CHANGED, REMOVED = "new", "changed", "removed"


@dataclass(frozen=True)
class Entry:
    """One name that a line declares: a file, a room, or a region of a
    changed file."""

    verb: str
    file: str
    region: str
    reason: str
    line: int

    def covers(self, path):
        """Whether this entry names the file: by its path, by its name, by
        its room; under golden/, * is allowed."""
        if self.is_room:
            return room_of(path) == self.file.rstrip("/")
        if self.is_pattern:
            return fnmatchcase(path, self.file)
        return self.file in (path, name_of(path))

    @property
    def is_room(self):
        """Whether it names a room, as kvcache/, with its tests."""
        return self.file.endswith("/")

    @property
    def is_pattern(self):
        """Whether it names many goldens at once."""
        return self.verb == NEW and "*" in self.file


@dataclass
class Step:
    """One step of a rung's idea; a rung without steps has one, untitled."""

    title: str
    line: int
    entries: list = field(default_factory=list)


@dataclass
class Lineage:
    """A whole LINEAGE file, with what is wrong with its form."""

    path: str
    origin: str = ""
    origin_line: int = 1
    idea: str = ""
    steps: list = field(default_factory=list)
    problems: list = field(default_factory=list)

    @property
    def entries(self):
        """Every entry, of all steps."""
        return [entry for step in self.steps for entry in step.entries]

    def complain(self, line, message):
        """Note a problem in this file."""
        self.problems.append(Problem(self.path, line, message))


def parse(path, text):
    """The Lineage that `text` spells; `path` stands for it in messages."""
    lineage = Lineage(path)
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split(None, 1)
        if words and not words[0].startswith("#"):
            rest = words[1].strip() if len(words) > 1 else ""
            read_line(lineage, number, words[0], rest)
    if not lineage.origin:
        lineage.complain(1, "the line \"from RUNG\" is missing")
    if not lineage.idea:
        lineage.complain(1, "the line \"idea …\" is missing: say in a line "
                         "what this rung adds")
    return lineage


def read_line(lineage, number, verb, rest):
    """One line that is neither blank nor a comment."""
    if verb == "from":
        set_once(lineage, number, "origin", rest)
        lineage.origin_line = number
    elif verb == "idea":
        set_once(lineage, number, "idea", rest)
    elif verb == "step":
        add_step(lineage, number, rest)
    elif verb in (NEW, CHANGED, REMOVED):
        names, _, reason = rest.partition("#")
        add_entries(lineage, number, verb, names.split(), reason.strip())
    else:
        lineage.complain(number, f"\"{verb}\" is not a word of this file: "
                         "from, idea, step, new, changed and removed are")


def set_once(lineage, number, name, value):
    """`from` and `idea` occur once and say something."""
    if getattr(lineage, name):
        lineage.complain(number, "this line stands twice: keep one")
    elif not value:
        lineage.complain(number, "this line says nothing: fill it in")
    setattr(lineage, name, value)


def add_step(lineage, number, title):
    """A new step begins; entries before the first one have no place."""
    if not title:
        lineage.complain(number, "a step needs a title")
    if lineage.steps and not lineage.steps[0].title:
        lineage.complain(number, "entries stand above the first step: move "
                         "them into one")
    lineage.steps.append(Step(title, number))


def add_entries(lineage, number, verb, names, reason):
    """The entries of a new, changed or removed line."""
    if not reason and verb != NEW:
        lineage.complain(number, f"a {verb} line needs its reason: add "
                         "\"# why\" at its end")
    if len(names) < (2 if verb == CHANGED else 1):
        usage = "FILE REGION…" if verb == CHANGED else "FILE…"
        lineage.complain(number, f"write \"{verb} {usage}\"")
        return
    if not lineage.steps:
        lineage.steps.append(Step("", number))
    for entry in make_entries(number, verb, names, reason):
        refuse_pattern(lineage, entry)
        refuse_room(lineage, entry)
        refuse_double(lineage, entry)
        lineage.steps[-1].entries.append(entry)


def make_entries(number, verb, names, reason):
    """`changed` names a file and its regions, the others files."""
    if verb == CHANGED:
        return [Entry(verb, names[0], region, reason, number)
                for region in names[1:]]
    return [Entry(verb, name, "", reason, number) for name in names]


def refuse_pattern(lineage, entry):
    """Patterns are for new goldens: code is named file by file."""
    if "*" in entry.file:
        if entry.verb != NEW or not entry.file.startswith("golden/"):
            lineage.complain(entry.line, f"{entry.file}: * is for new files "
                             "under golden/ only; name the files")


def refuse_room(lineage, entry):
    """Rooms come whole, and change file by file."""
    if entry.is_room and entry.verb == CHANGED:
        lineage.complain(entry.line, f"{entry.file} is a room: name the file "
                         "that is changed")


def refuse_double(lineage, entry):
    """A difference belongs to one step, so it is declared once."""
    for other in lineage.entries:
        if (other.file, other.region) == (entry.file, entry.region):
            lineage.complain(entry.line, f"{entry.file} {entry.region}".strip()
                             + f" is declared in line {other.line} already")
