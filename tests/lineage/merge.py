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


class RegionMerge:
    """Carries the change old → new of a C file into the upper's regions."""

    def __init__(self, old, new, upper, labels):
        self.old = {region.name: region.text for region in old}
        self.new = {region.name: region.text for region in new}
        self.texts = {region.name: region.text for region in upper}
        self.order = [region.name for region in upper]
        self.labels = labels
        self.deeds = []

    def run(self):
        """The merged text of the file; `deeds` says what was done."""
        for name in self.old:
            if name not in self.new:
                self.carry_removed(name)
        for name in self.new:
            if name not in self.old:
                self.carry_added(name)
            elif self.new[name] != self.old[name]:
                self.carry_changed(name)
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

    def carry_removed(self, name):
        """The lower removed a region."""
        if name not in self.texts:
            return
        if self.texts[name] == self.old[name]:
            del self.texts[name]
            self.order.remove(name)
            self.note(name, "removed")
        else:
            self.join(name, self.old[name], "")

    def carry_added(self, name):
        """The lower has a region that it did not have."""
        if name not in self.texts:
            self.texts[name] = self.new[name]
            self.order.insert(self.place(name), name)
            self.note(name, "added")
        elif self.texts[name] != self.new[name]:
            self.join(name, "", self.new[name])

    def carry_changed(self, name):
        """The lower changed a region."""
        if name not in self.texts:
            self.note(name, "left out: this rung does not have it")
        elif self.texts[name] == self.old[name]:
            self.texts[name] = self.new[name]
            self.note(name, "replaced")
        elif self.texts[name] != self.new[name]:
            self.join(name, self.old[name], self.new[name])

    def join(self, name, old, new):
        """Both sides changed the region."""
        before = self.texts[name]
        merged, conflict = merge_text(name, old, new, before, self.labels)
        self.texts[name] = merged
        if conflict:
            self.note(name, "CONFLICT", True)
        elif merged != before:
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
        common = [name for name in self.old if name in self.new]
        order = [name for name in self.new if name in self.old]
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
