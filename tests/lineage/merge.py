"""Joins a fix from below with what an upper rung made of the same text.

Three versions meet: the lower rung's old and new text, and the upper's own.
A region that the upper left alone is replaced whole; only what both sides
changed goes through `git merge-file`.
"""

import re
import subprocess
import tempfile
from collections import namedtuple
from difflib import SequenceMatcher
from pathlib import Path

from problem import Stop

# One thing that was merged: a region's name, what was done, and whether the
# two sides contradict each other there.
Deed = namedtuple("Deed", "name what conflict")

CONFLICT = "CONFLICT"
ABSENT = "left out: this rung does not have it"

# Regions whose lines are independent of each other, so that two changes may
# stand side by side.
LISTS = ("top", "var:", "struct:", "enum:", "union:")
SEPARATOR = "\x1e\n"
HUNK = re.compile(r"^<{7} .*\n((?:.*\n)*?)\|{7} .*\n((?:.*\n)*?)"
                  r"={7}\n((?:.*\n)*?)>{7} .*\n", re.MULTILINE)
INCLUDE = re.compile(r"\s*#\s*include\b")


def merge_file(old, new, upper, labels):
    """git merge-file on texts: (merged text, whether it conflicts).

    `labels` name the upper, the old and the new side in conflict markers.
    """
    with tempfile.TemporaryDirectory(prefix="rungs-merge-") as folder:
        paths = [Path(folder, name) for name in ("upper", "old", "new")]
        for path, text in zip(paths, (upper, old, new)):
            path.write_bytes(text.encode())
        marks = [word for label in labels for word in ("-L", label)]
        done = subprocess.run(["git", "merge-file", "-p", "--diff3", *marks,
                               *map(str, paths)], capture_output=True)
    if not 0 <= done.returncode < 128:
        raise Stop("git merge-file: " + done.stderr.decode(errors="replace"))
    text = done.stdout.decode()
    return text, done.returncode > 0


def merge_text(name, old, new, upper, labels):
    """One region's three texts joined: (text, whether it conflicts).

    git calls changes to adjacent lines a conflict.  In a list they are none:
    there, a separator between all lines keeps them apart.
    """
    merged, conflict = merge_file(old, new, upper, labels)
    if conflict and name.startswith(LISTS):
        spread = [spread_lines(text) for text in (old, new, upper)]
        text, _ = merge_file(*spread, labels)
        text = HUNK.sub(join_includes, text.replace(SEPARATOR, ""))
        if not HUNK.search(text):
            return text, False
    return merged, conflict


def spread_lines(text):
    """The text with a separator behind every line."""
    lines = text.removesuffix("\n").split("\n") if text else []
    return "".join(f"{line}\n{SEPARATOR}" for line in lines)


def join_includes(hunk):
    """A conflict between include lists, as one list without it.

    Includes are a set: what either side added is in, what either removed is
    out, in the order that clang-format gives them.
    """
    upper, old, new = (part.splitlines(True) for part in hunk.groups())
    both = upper + old + new
    if not all(INCLUDE.match(line) for line in both):
        return hunk.group()
    kept = [line for line in both
            if (line in upper) + (line in new) > (line in old)]
    return "".join(sorted(set(kept)))


def by_name(regions):
    """{name: text} in the file's order."""
    return {region.name: region.text for region in regions}


def merge_any(name, bases, new, upper, labels):
    """merge_text with the first base that gives no conflict, or the first."""
    results = []
    for base in dict.fromkeys(bases):
        result = merge_text(name, base or "", new, upper, labels)
        if not result[1]:
            return result
        results.append(result)
    return results[0]


class RegionMerge:
    """Carries a change of a C file into the upper's regions.

    `bases` are the lower file's earlier versions, as lists of regions: what
    the upper shares with any of them, it has left alone.
    """

    def __init__(self, bases, new, upper, labels):
        self.bases = list(map(by_name, bases))
        self.new = by_name(new)
        self.texts = by_name(upper)
        self.order = list(self.texts)
        self.labels = labels
        self.deeds = []

    def run(self):
        """The merged text of the file; `deeds` says what was done."""
        gone = [name for base in self.bases for name in base
                if name not in self.new]
        for name in dict.fromkeys(gone + list(self.new)):
            self.carry(name)
        self.carry_moves()
        return "".join(map(self.closed, self.order))

    def closed(self, name):
        """A region's text; all but the last need their newline."""
        text = self.texts[name]
        last = name == self.order[-1]
        return text if last or text.endswith("\n") else text + "\n"

    def note(self, name, what, conflict=False):
        """Remember a deed."""
        self.deeds.append(Deed(name, what, conflict))

    def carry(self, name):
        """One region; where a version lacks it, its text is None."""
        bases = [base.get(name) for base in self.bases]
        new, upper = self.new.get(name), self.texts.get(name)
        if upper == new or all(base == new for base in bases):
            return
        if upper in bases:
            self.replace(name, upper, new)
        elif upper is None:
            self.note(name, ABSENT)
        else:
            self.join(name, bases, new or "")

    def replace(self, name, upper, new):
        """The upper had left the region alone, or out."""
        if new is None:
            del self.texts[name]
            self.order.remove(name)
            self.note(name, "removed")
            return
        self.texts[name] = new
        if upper is None:
            self.order.insert(self.place(name), name)
        self.note(name, "added" if upper is None else "replaced")

    def join(self, name, bases, new):
        """Both sides changed the region."""
        upper = self.texts[name]
        merged, conflict = merge_any(name, bases, new, upper, self.labels)
        self.texts[name] = merged
        if conflict:
            self.note(name, CONFLICT, True)
        elif merged != upper:
            self.note(name, "merged")

    def place(self, name):
        """Where a region belongs: behind its nearest predecessor in new."""
        if name == "end":
            return len(self.order)
        names = list(self.new)
        for before in reversed(names[:names.index(name)]):
            if before in self.order:
                return self.order.index(before) + 1
        return 0

    def carry_moves(self):
        """The lower put regions in another order."""
        base = self.bases[-1]
        common = [name for name in base if name in self.new]
        order = [name for name in self.new if name in base]
        blocks = SequenceMatcher(None, common, order, False)
        kept = {common[i + k] for i, _, size in blocks.get_matching_blocks()
                for k in range(size)}
        for name in order:
            if name not in kept and name in self.order:
                at = self.order.index(name)
                self.order.remove(name)
                self.order.insert(self.place(name), name)
                if self.order.index(name) != at:
                    self.note(name, "moved")
