"""What programs answered, committed with the book: book/outcomes/*.json.

A build that verifies finds each answer itself and compares; then it brings
these files up to date, or, as a test, fails where they are not.  `make serve`
on a fresh clone takes them as they are, so that the book is there within a
minute, and says so.  Each answer stands under a digest of the files and texts
that it depends on.  Compiler and libraries are not among them: a build that
verifies finds each again.

Three things it takes as they are.  Two are which tests run what a box changes,
and which failed when it was changed (trials.py).  They say which tests are
tried: all of these, or, where the box quotes one, those of the program that
holds it; what becomes of them is found again.  That so many others fail, too, and no more, is
found again with ALL=1 (EVERY_TEST=1), or when a file of the rung changes; not
where only the compiler or a library does.  The third, for a test that somebody
waits for, are the lines that a rung's main command runs: they are counted where
CI is set, by `make site`, with ALL=1, and when a file of the rung changes.
"""

import json
from base64 import b64decode, b64encode
from collections import Counter
from functools import cached_property

from running.alike import alike
from support.store import digest

LONGEST = 48_000  # characters of an answer; what is longer is found anew
# A longer picture (PNG, as base64) stands in a file of its own, once, named by
# a digest of it, and the answer is [PICTURE, that name].
PICTURES = "pictures"  # their folder
PICTURE = "picture"
PNG = "iVBORw0KGgo"  # how the base64 of each begins
TREE = "tree"  # the file of what runs in no rung
# What is asked for, one and many.
KINDS = {"command": ("command", "commands"),
         "box": ("break-it box", "break-it boxes"),
         "exercise": ("exercise", "exercises"),
         "chapter": ("chapter's computed numbers",
                     "chapters' computed numbers"),
         "length": ("program's length", "programs' lengths"),
         "picture": ("picture", "pictures"),
         "count": ("count of the lines that run",
                   "counts of the lines that run")}


class Outcomes:
    """The committed answers."""

    def __init__(self, folder, store, trusting=False, awaited=False):
        self.folder, self.store, self.trusting = folder, store, trusting
        self.awaited = awaited  # as a test, by somebody
        self.committed = {}  # {key: answer}
        for path in sorted(folder.glob("*.json")):
            self.committed.update(self.read(path))

    def read(self, path):
        """The answers of a file; one whose picture is not there is none."""
        answers = {key: self.picture(answer) for key, answer
                   in json.loads(path.read_text()).items()}
        return {key: answer for key, answer in answers.items()
                if answer is not None}

    def picture(self, answer):
        """The picture that an answer names; what names none as it is.  None
        where the file is missing or is another than its name says."""
        if not (isinstance(answer, list) and len(answer) == 2
                and answer[0] == PICTURE):
            return answer
        path = self.folder / PICTURES / answer[1]
        data = path.read_bytes() if path.exists() else b""
        return b64encode(data).decode() if answer[1] == name_of(data) else None

    @property
    def taken(self):
        """What may depend on committed answers that are taken as they are
        depends on this."""
        return self.digest if self.awaited else ""

    @cached_property
    def digest(self):
        """A digest of all committed answers."""
        return digest(self.committed)

    def get(self, key, find, dear=False):
        """(answer, whether it was found on this machine); None for a dear one
        that is nowhere and that a build which trusts does not look for."""
        if self.trusting and not self.store.path(key).exists() \
                and (dear or key in self.committed):
            return self.committed.get(key), False
        return self.store.get(key, find), True

    def known(self, key):
        """A committed answer that a build which trusts takes as it is, unless
        it has found its own."""
        if self.trusting and not self.store.path(key).exists():
            return self.committed.get(key)
        return None

    def asker(self):
        """Somebody who asks, and knows for what."""
        return Asker(self)

    def differing(self, asked):
        """(file, line, message) of each committed answer to what was asked,
        {key: file}, that another was found for."""
        for name in sorted(set(asked.values())):
            path = self.folder / f"{name}.json"
            lines = path.read_text().split("\n") if path.exists() else []
            for number, line in enumerate(lines, 1):
                key = line[1:].partition('"')[0]
                if key in asked and self.differs(key):
                    yield path, number, (
                        "another outcome was found: "
                        f"{shortened(self.store.peek(key))}; remove the line "
                        "if that is right")

    def differs(self, key):
        """Whether another answer than the committed one was found."""
        found = self.store.peek(key)
        return found is not None and key in self.committed \
            and not alike(found, self.committed[key])

    def renew(self, asked):
        """Make the files hold the answers to what was asked, {key: file}, and
        nothing else; the names of those that changed."""
        changed = self.stale(asked)
        for name, content in changed.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                path.unlink()
            else:
                path.write_bytes(content)
        return list(changed)

    def stale(self, asked):
        """{name: what it should hold, None where it should be gone} of the
        files that do not hold the answers to what was asked, and nothing
        else."""
        files = {str(path.relative_to(self.folder)): path.read_bytes()
                 for pattern in ("*.json", f"{PICTURES}/*")
                 for path in sorted(self.folder.glob(pattern))}
        wanted = self.wanted(asked)
        return {name: wanted.get(name) for name in sorted({*files, *wanted})
                if files.get(name) != wanted.get(name)}

    def wanted(self, asked):
        """{name: what it should hold} of all files."""
        files, answers = {}, {}
        for key, name in asked.items():
            found = self.settled(key)
            if is_long_picture(found):
                data = b64decode(found)
                files[f"{PICTURES}/{name_of(data)}"] = data
                found = [PICTURE, name_of(data)]
            if len(json.dumps(found)) <= LONGEST:
                answers.setdefault(f"{name}.json", {})[key] = found
        return files | {name: rendered(by).encode()
                        for name, by in answers.items()}

    def settled(self, key):
        """The answer to be committed: the one that was found, unless that
        says the same as the committed one."""
        if key in self.committed and not self.differs(key):
            return self.committed[key]
        return self.store.peek(key)


class Asker:
    """A page, or the like, with all that it asked for."""

    def __init__(self, outcomes):
        self.outcomes = outcomes
        self.asked = {}  # {key: name of the file for its answer}
        self.unverified = Counter()  # {kind: how many}

    @property
    def trusting(self):
        """Whether committed answers are taken as they are."""
        return self.outcomes.trusting

    def has(self, key):
        """Whether an answer is there without looking for it."""
        outcomes = self.outcomes
        return outcomes.store.path(key).exists() \
            or outcomes.known(key) is not None

    def before(self, key):
        """The committed answer, None where there is none."""
        return self.outcomes.committed.get(key)

    def take(self, key, rung, answer):
        """A committed answer that was not found again, or only a part of it: it
        is no answer for the store."""
        self.asked[key] = rung or TREE
        return answer

    def get(self, key, kind, rung, find, dear=False):
        """An answer of a kind of KINDS."""
        answer, verified = self.outcomes.get(key, find, dear)
        if key not in self.asked:
            self.unverified[kind] += not verified
        self.asked[key] = rung or TREE
        return answer

    def get_rarely(self, key, kind, rung, find):
        """An answer that is dear, and that hardly changes while the files of
        its rung do not: who waits for a test gets the committed one."""
        answer = self.before(key)
        if self.outcomes.awaited and answer is not None:
            return self.take(key, rung, answer)
        return self.get(key, kind, rung, find)


def is_long_picture(answer):
    """Whether an answer is a PNG file that needs a file of its own."""
    return isinstance(answer, str) and answer.startswith(PNG) \
        and len(answer) > LONGEST


def name_of(data):
    """What the file of a picture is called."""
    return f"{digest(data)}.png"


def rendered(answers):
    """The text of a file: a line for each answer."""
    rows = [f"{json.dumps(key)}: {json.dumps(answer, sort_keys=True)}"
            for key, answer in sorted(answers.items())]
    return "{\n" + ",\n".join(rows) + "\n}\n"


def shortened(answer):
    """An answer in a message."""
    text = json.dumps(answer, sort_keys=True)
    return text if len(text) <= 200 else f"{text[:200]} …"


def spoken(unverified):
    """How many answers were taken as they are, in words."""
    return ", ".join(f"{number} {KINDS[kind][number > 1]}"
                     for kind, number in sorted(unverified.items()) if number)
