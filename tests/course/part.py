"""A part of a rung that builds and runs by itself: some of its test programs,
and of the program's files those that they need.  What takes a minute for a
whole rung takes seconds for such a part."""

import re

from graph import Includes, words_of
from tree import File, cut, find, is_program, is_test, name_of

# What a file declares of another by itself, and another name under which a
# table is compiled, as kernels' tables are for each set of instructions.
EXTERN = re.compile(r"^extern [^;{]*;", re.MULTILINE)
ALIAS = re.compile(r"^#define (\w+) (\w+)$", re.MULTILINE)
MAIN = File(b"int main(void)\n{\n    return 0;\n}\n")  # of its ./rung


def part_of(files, programs):
    """{path: File}: these test programs, what they need, all headers and all
    that is not C."""
    needed = needs(files, [find(files, f"{program}.c")
                           for program in programs])
    kept = {path: file for path, file in files.items()
            if not path.endswith(".c") or path in needed}
    return {**kept, find(files, "main.c") or "main.c": MAIN}


def needs(files, paths):
    """These files, those that define what they use of others, and those that
    these need."""
    return Needs(files).of(paths)


class Needs:
    """The same, of a rung's files: what was looked at once is known."""

    def __init__(self, files):
        self.files = files
        self.homes = find_homes(files)
        self.includes = Includes(files)
        self.found = {}  # path: the files that define what it uses

    def of(self, paths):
        found, todo = set(), list(paths)
        while todo:
            path = todo.pop()
            if path not in found:
                found.add(path)
                todo += self.lenders(path)
        return found

    def lenders(self, path):
        """The files that define what a file uses of others."""
        if path not in self.found:
            self.found[path] = {self.homes[name] for name
                                in self.borrowed(path) if name in self.homes}
        return self.found[path]

    def borrowed(self, path):
        """The words of a file, and of the headers that it includes, that one
        of these headers declares, or an extern of its own: only those can
        stand for something of another file."""
        files, headers = self.files, self.includes.of(path)
        declared = set().union(
            *(words_of(files[h].text) for h in headers),
            *map(words_of, EXTERN.findall(files[path].text)))
        code = [path, *filter(is_test, headers)]
        return declared & set().union(
            *(words_of(files[c].text) for c in code))


def find_homes(files):
    """{name of a function or table that other files can use: its file}."""
    program = {path: file for path, file in files.items()
               if is_program(path) and name_of(path) != "main.c"}
    homes = {region.name.rpartition(":")[2]: path
             for path, regions in cut(program).items() for region in regions
             if is_shared(region)}
    for path in files:
        if path.endswith(".h"):
            homes |= {alias: homes[name] for name, alias
                      in ALIAS.findall(files[path].text) if name in homes}
    return homes


def is_shared(region):
    """Whether a region is a function or table that is not static."""
    kind = region.name.rpartition(":")[0]
    return (region.is_function or kind == "var") and \
        "static" not in words_of(region.text.partition("{")[0])
