"""What programs answered, committed with the book: book/outcomes/*.json.

A build that verifies finds each answer itself and compares; then it brings
these files up to date, or, as a test, fails where they are not.  `make serve`
on a fresh clone takes them as they are, so that the book is there within a
minute, and says so.  Each answer stands under a digest of the files and texts
that it depends on.  Compiler and libraries are not among them: a build that
verifies finds each again.

One thing it takes as it is: which tests run what a box changes (trials.py).
That says only which tests are tried; what becomes of them is found again.
"""

import json
from collections import Counter

from running.alike import alike

LONGEST = 48_000  # characters of an answer; what is longer is found anew
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

    def __init__(self, folder, store, trusting=False):
        self.folder, self.store, self.trusting = folder, store, trusting
        self.committed = {}  # {key: answer}
        for path in sorted(folder.glob("*.json")):
            self.committed.update(json.loads(path.read_text()))

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
        return found is not None \
            and not alike(found, self.committed[key])

    def renew(self, asked):
        """Make the files hold the answers to what was asked, {key: file}, and
        nothing else; the names of those that changed."""
        changed = self.stale(asked)
        for name, answers in changed.items():
            path = self.folder / f"{name}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            if answers:
                path.write_text(rendered(answers))
            else:
                path.unlink()
        return list(changed)

    def stale(self, asked):
        """{name: the answers that it should hold} of the files that do not
        hold the answers to what was asked, and nothing else."""
        files = {path.stem: path.read_text()
                 for path in sorted(self.folder.glob("*.json"))}
        answers = {name: {} for name in files}
        for key, name in asked.items():
            found = self.store.peek(key)
            if key in self.committed and not self.differs(key):
                found = self.committed[key]
            if len(json.dumps(found)) <= LONGEST:
                answers.setdefault(name, {})[key] = found
        return {name: by for name, by in sorted(answers.items())
                if files.get(name) != (rendered(by) if by else None)}


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

    def get(self, key, kind, rung, find, dear=False):
        """An answer of a kind of KINDS."""
        answer, verified = self.outcomes.get(key, find, dear)
        if key not in self.asked:
            self.unverified[kind] += not verified
        self.asked[key] = rung or TREE
        return answer


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
