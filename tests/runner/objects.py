"""Takes over objects from one built rung into another, where they are the same.

A rung is a copy of the one below, so most of what it compiles was compiled
there.  An object is made of its source, of the headers that this includes,
and of the compiler's options; where all of these are the same in two rungs,
so is the object, but for the folder that its debug information names.

The folders of headers are no part of that as long as they lead to the same
headers: names are unique in a rung, and the compiler has written down which
it read; of a system's folder that only one of the rungs names, nothing may
be read.
"""

import os
import re
import shutil
from pathlib import Path

WHERE = re.compile(r"-iquote \S+|-[IlL]\S+")
SYSTEM = re.compile(r"-I(\S+)")
INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>", re.M)


class Build:
    """What was, or is to be, built in a rung's folder, whose sources stay as
    they are meanwhile: each is read once."""

    def __init__(self, folder, objects="build/plain"):
        self.folder = Path(folder)
        self.objects = self.folder / objects
        self.sources = {path.stem: path for path in sources(self.folder)}
        self.flags = read_text(self.objects / "flags")
        self.set_flags = read_text(self.objects / "set_flags")
        self.known = {}  # {part: (its bytes, when it was changed)}

    def options(self):
        """The compiler's, but for the folders of headers."""
        return WHERE.sub("", self.flags).split()

    def source(self, stem):
        """The path of the source of an object; None where there is none."""
        return self.sources.get(stem.partition(".")[0])

    def stems(self):
        """The names of the objects that were compiled."""
        return sorted(path.name.removesuffix(".o")
                      for path in self.objects.glob("*.o"))

    def object(self, stem):
        """The path of an object."""
        return self.objects / f"{stem}.o"

    def parts(self, stem):
        """The paths, from the rung's folder, of the source and the headers
        that an object was made of; none where it is not known."""
        said = self.objects / f"{stem}.d"
        if not self.source(stem) or not said.exists():
            return []
        rule = said.read_text().replace("\\\n", " ").partition("\n")[0]
        return [self.source(stem),
                *map(Path, rule.partition(":")[2].split())]

    def is_new(self, stem, parts):
        """Whether an object is there, and made after all its parts."""
        made = self.object(stem)
        if not made.exists():
            return False
        when = made.stat().st_mtime
        return all(self.look(part)[1] <= when for part in parts)

    def read(self, part):
        """The bytes of a part; None where there is none."""
        return self.look(part)[0]

    def look(self, part):
        """(its bytes, when it was changed), (None, 0) where there is none."""
        if part not in self.known:
            path = self.folder / part
            self.known[part] = (path.read_bytes(), path.stat().st_mtime) \
                if path.is_file() else (None, 0)
        return self.known[part]


def sources(folder):
    """The paths of C files in a rung's folder, from there; what is being built
    meanwhile is none of it."""
    for around, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "build"]
        yield from (Path(around, name).relative_to(folder)
                    for name in names if name.endswith(".c"))


def read_text(path):
    """What a file holds; nothing where there is none."""
    return path.read_text() if path.exists() else ""


def take(build, other):
    """Copy from `other`, which is built, the objects that are the same into
    `build`, of which only the file `flags` need be there; the names of those
    that were copied."""
    if not build.flags or build.options() != other.options():
        return []
    only_one = set(SYSTEM.findall(build.flags)) ^ set(
        SYSTEM.findall(other.flags))
    same_sets = build.set_flags == other.set_flags
    taken = [stem for stem in other.stems()
             if (same_sets or "." not in stem)
             and is_same(stem, build, other, only_one)]
    for stem in taken:
        for name in (f"{stem}.d", f"{stem}.o"):
            shutil.copyfile(other.objects / name, build.objects / name)
    return taken


def is_same(stem, build, other, only_one):
    """Whether an object of `other` is new, and also that of `build`, which
    lacks it; `only_one` are the folders that only one of them names."""
    parts = other.parts(stem)
    if not parts or parts[0] != build.source(stem):
        return False
    texts = [build.read(part) for part in parts]
    return (None not in texts
            and texts == [other.read(part) for part in parts]
            and other.is_new(stem, parts) and not build.is_new(stem, parts)
            and not any((Path(folder) / name.decode()).exists()
                        for folder in only_one
                        for text in texts for name in INCLUDE.findall(text)))
