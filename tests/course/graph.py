"""Which function mentions which, read from the sources: comments and strings
do not count, and tables and macros pass a mention on."""

import functools
import re

from tree import cut, find, is_program, is_test, name_of  # it finds others
from scanner import TOKEN

INCLUDE = re.compile(r'^#include "(.*)"$', re.MULTILINE)


@functools.lru_cache(maxsize=None)
def words_of(text):
    """The words of a C text, but for comments and strings; the words of its
    directives count, since macros have some."""
    found = set()
    for token in TOKEN.finditer(text):
        if token.lastgroup == "word":
            found.add(token.group())
        elif token.lastgroup == "directive":
            found |= words_of(token.group().replace("#", " ", 1))
    return frozenset(found)


def comment_of(text):
    """The words of the comment that a region begins with."""
    found = re.match(r"\s*/\*([\s\S]*?)\*/", text)
    return set(re.findall(r"\w+", found[1])) if found else set()


class Includes:
    """Which of a rung's headers each of its files includes."""

    def __init__(self, files):
        self.files = files
        self.places = {name_of(path): path for path in files}
        self.direct = {}  # path: the headers that it names itself

    def of(self, path):
        """The headers that a file includes, and those that they do."""
        found, todo = set(), [path]
        while todo:
            paths = self.named_by(todo.pop())
            todo += paths - found
            found |= paths
        return found

    def named_by(self, path):
        if path not in self.direct:
            names = INCLUDE.findall(self.files[path].text)
            self.direct[path] = {self.places[name] for name in names
                                 if name in self.places}
        return self.direct[path]


class Mentions:
    """Regions of some files by name, and the names that each mentions."""

    def __init__(self, regions):
        self.words = {}   # name: the words of its regions
        self.files = {}   # name: the files that have it
        self.private = set()  # names that only their own file can mean: what
        # is static in a header can be meant by whoever includes that
        for path, found in regions.items():
            for region in found:
                self.add(path, region)

    def add(self, path, region):
        name = region.name.rpartition(":")[2]
        if region.name.startswith("proto:") or name in ("top", "end"):
            return
        self.words.setdefault(name, set()).update(
            words_of(region.text) - {name})
        self.files.setdefault(name, set()).add(path)
        if path.endswith(".c") and \
                "static" in words_of(region.text.partition("{")[0]):
            self.private.add(name)

    def means(self, source, name):
        """Whether `name`, mentioned by `source`, can be that function."""
        return name not in self.private or \
            bool(self.files[name] & self.files[source])

    def reach(self, name, stop=()):
        """All names that `name` mentions, or what it mentions; what is in
        `stop` is reached, and not gone through."""
        seen, todo = set(), [name]
        while todo:
            source = todo.pop()
            for word in self.words.get(source, ()):
                if word in self.words and word not in seen and \
                        self.means(source, word):
                    seen.add(word)
                    if word not in stop:
                        todo.append(word)
        return seen


def callees(files, names):
    """{function: the functions that it calls, of these names}: itself or
    through what is not one of them."""
    mentions = Mentions(cut({path: file for path, file in files.items()
                             if is_program(path)}))
    wanted = set(names)
    return {name: sorted(mentions.reach(name, wanted) & wanted - {name})
            for name in names}


class TestCode:
    """What the tests' own code mentions, in a rung's files: of a program and
    the tests' headers that it includes."""

    def __init__(self, files):
        self.files = files
        self.includes = Includes(files)
        cut({path: file for path, file in files.items() if is_test(path)})
        self.programs = {}
        self.comments = {}

    def mentions(self, program):
        if program not in self.programs:
            path = find(self.files, f"{program}.c")
            paths = [path, *filter(is_test, self.includes.of(path))]
            self.programs[program] = Mentions(cut(
                {each: self.files[each] for each in paths}))
        return self.programs[program]

    def comment(self, test):
        """The words of the comment above a test's function."""
        program, _, name = test.partition(":")
        path = find(self.files, f"{program}.c")
        if path not in self.comments:
            self.comments[path] = {
                region.name: comment_of(region.text)
                for region in cut({path: self.files[path]})[path]}
        return self.comments[path].get(name, set())

    def words(self, test):
        """All words that a test's function reaches; of a test without a
        function of its name, those of its program."""
        program, _, name = test.partition(":")
        mentions = self.mentions(program)
        name = name if name in mentions.words else "main"
        reached = mentions.reach(name) | {name}
        return set().union(*(mentions.words[each] for each in reached))
