"""Which tests run what a box changes: seen once in each rung, for all boxes
of the book.

Each place where a change of a function's body begins gets a mark, which is
left in a folder when it is first run in a process.  All tests that could reach
one of these functions (reach.py) are run once with the marks.  A test that
never comes to such a place does what it did when only the body behind it is
another, so a trial need not run it.  Whatever is not sure (a test that fails
with the marks, a change of more than a body) counts as run.
"""

import json
import os
import re
import shlex

MARK = "book_ran"  # the function that a mark calls, and its file
OPEN, CLOSE = "\n{\n", "\n}"  # of a body, as all rungs write it
DECLARED = f"void {MARK}(const char *number);\n"
CALL = ("{{ static char marked; if (!marked) {{ marked = 1; "
        '{mark}("{number}"); }} }}\n')
# Makes a folder, which needs no room for a file, and no open one; errno stays.
# Where that does not work, all that was started is ended: of this test, and of
# those behind it, nothing is known.
WRITER = DECLARED + """\
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
void {mark}(const char *number)
{{
    char path[4200];
    int before = errno;
    snprintf(path, sizeof path, "%s/%s", {kept}, number);
    if (mkdir(path, 0755) != 0 && errno != EEXIST)
        kill(0, SIGKILL);
    errno = before;
}}
"""
# Runs a test; what it left is listed beside it if it passes.
AROUND = """\
rm -rf {kept}
mkdir {kept}
"$@" || exit
ls {kept} >"$1.ran" || rm "$1.ran"
"""


# What is no code: a comment, a string, a character.
NO_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"'
                     r"|'(?:\\.|[^'\\\n])*'", re.S)
# Jumps to behind a mark, and what is there before the program begins.
NOT_IN_ORDER = re.compile(r"\b(goto|switch|case|default|static)\b")
BLOCK = re.compile(r"(\)|\belse|\bdo) $")  # before the brace of a block
ENDS = re.compile(r"[;}]\s*$|(\)|\belse|\bdo) \{\s*$|^\s*$")
NO_START = re.compile(r"\s*(else\b|[{}]|$)")  # of a statement


def body_of(sources, path, whole):
    """(first, last) places of a function's body in the text of its file, the
    braces left out; None where it is not written as all are."""
    text = sources.text(path)
    first, last = whole.find(OPEN), whole.rfind(CLOSE)
    if text.count(whole) != 1 or whole.count(OPEN) != 1 or last < first \
            or not is_plain(whole[first + len(OPEN):last]):
        return None
    at = text.find(whole)
    return at + first + len(OPEN), at + last


def is_plain(body):
    """Whether it ends nowhere before its end, and says nothing to the
    preprocessor, which others would hear."""
    return not any(line.lstrip().startswith("#") or line.startswith("}")
                   for line in body.split("\n"))


def subject(sources, path, new):
    """(path, place): where in a file's text that code begins which another
    text, `new`, changes, and without which both do the same; None where more
    differs than the body of a function."""
    old = sources.text(path)
    for region in sources.regions(path).values():
        place = region.is_function and body_of(sources, path, region.text)
        if not place:
            continue
        before, behind = old[:place[0]], old[place[1]:]
        body = new[len(before):len(new) - len(behind)]
        if before + body + behind == new and is_plain(body):
            return path, place[0] + beginning(old[slice(*place)], body)
    return None


def beginning(old, new):
    """The place in a body where the last statement begins that comes before
    all that differs in another one, in the same block or around it."""
    if NOT_IN_ORDER.search(without_words(old + "\n" + new)):
        return 0
    first = len(os.path.commonprefix([old, new]))
    same = len(os.path.commonprefix([old[first:][::-1], new[first:][::-1]]))
    for at in line_starts(old, first):
        if starts(old, at) and stays(old[at:len(old) - same]) \
                and stays(new[at:len(new) - same]):
            return at
    return 0


def line_starts(text, last):
    """The places where lines begin, from that of a place on backwards."""
    while (last := text.rfind("\n", 0, last)) >= 0:
        yield last + 1


def starts(body, at):
    """Whether a statement of a block begins with the line at a place."""
    before = without_words(body[:at]).rstrip(" \n")
    blocks = []
    for found in re.finditer(r"[{}]", before):
        if found.group() == "{":
            blocks.append(BLOCK.search(before[:found.start()]))
        elif blocks:
            blocks.pop()
    return (all(blocks) and "/*" not in before
            and before.count("(") == before.count(")")
            and bool(ENDS.search(before.rpartition("\n")[2]))
            and not NO_START.match(without_words(body[at:])))


def stays(text):
    """Whether a text leaves no block that it did not enter."""
    depth = 0
    for brace in re.findall(r"[{}]", without_words(text)):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return True


def without_words(text):
    """Code without what a compiler does not read as such, line by line."""
    return NO_CODE.sub(lambda found: "0" + "\n" * found.group().count("\n")
                       if found.group()[0] != "/"
                       else "\n" * found.group().count("\n"), text)


def marked(sources, subjects):
    """{path: text} of the files with these (path, place)s, each with its
    mark: its number in the list."""
    texts = {}
    for path in sorted({path for path, _ in subjects}):
        text = sources.text(path)
        places = [(place, number) for number, (other, place)
                  in enumerate(subjects) if other == path]
        for place, number in sorted(places, reverse=True):
            call = CALL.format(mark=MARK, number=number)
            text = text[:place] + call + text[place:]
        texts[path] = DECLARED + text
    return texts


def prepare(folder, path):
    """Put the marks' function into a copy of a rung, beside the file at a
    path; the command that runs a test there."""
    kept = folder.resolve() / "build" / "ran"
    room = (folder / path.partition("/")[2]).parent
    (room / f"{MARK}.c").write_text(WRITER.format(
        mark=MARK, kept=json.dumps(str(kept))))
    script = kept.with_suffix(".sh")
    script.write_text(AROUND.format(kept=shlex.quote(str(kept))))
    return shlex.join(["sh", str(script)])


def read(folder, tests):
    """{test: the numbers of the marks that it came to} of those that passed
    with them."""
    paths = {test: folder / f"{test}.ran" for test in tests}
    return {test: sorted(map(int, path.read_text().split()))
            for test, path in paths.items() if path.exists()}
