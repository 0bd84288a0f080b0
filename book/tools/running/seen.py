"""Which tests run a function: seen once in each rung, for all functions that
the book breaks in it.

Each of these functions is given a mark, which is left in a folder when it is
first run in a process.  All tests that could reach one of them (reach.py)
are run once with the marks.  A test that never runs a function does what it
did when only the body of that function is another, so a trial need not run
it.  Whatever is not sure counts as run: a test that fails with the marks, a
function that cannot be marked, a change of more than a body.
"""

import json
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


def body_of(sources, subject):
    """(first, last) places of a function's body in the text of its file, the
    braces left out; None where it is not written as all are."""
    text, whole = sources.text(subject[0]), sources.region(*subject).text
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


def changed_function(sources, subjects, path, new):
    """The one of `subjects`, (path, function)s, in whose body alone a file's
    new text differs; None where there is no such."""
    old = sources.text(path)
    for subject in subjects:
        place = subject[0] == path and body_of(sources, subject)
        if not place:
            continue
        before, behind = old[:place[0]], old[place[1]:]
        body = new[len(before):len(new) - len(behind)]
        if before + body + behind == new and is_plain(body):
            return subject
    return None


def marked(sources, subjects):
    """{path: text} of the files with these functions, each with its mark: its
    number in the list."""
    texts = {}
    for path in sorted({path for path, _ in subjects}):
        text = sources.text(path)
        places = [(body_of(sources, one), number)
                  for number, one in enumerate(subjects) if one[0] == path]
        for place, number in sorted(filter(lambda row: row[0], places),
                                    reverse=True):
            call = CALL.format(mark=MARK, number=number)
            text = text[:place[0]] + call + text[place[0]:]
            texts[path] = DECLARED + text
    return texts


def prepare(folder, texts):
    """Put marked files, {path: text}, into a copy of their rung; the command
    that runs a test there."""
    kept = folder.resolve() / "build" / "ran"
    for path, text in texts.items():
        (folder / path.partition("/")[2]).write_text(text)
    room = (folder / min(texts).partition("/")[2]).parent
    (room / f"{MARK}.c").write_text(WRITER.format(
        mark=MARK, kept=json.dumps(str(kept))))
    script = kept.with_suffix(".sh")
    script.write_text(AROUND.format(kept=shlex.quote(str(kept))))
    return shlex.join(["sh", str(script)])


def read(folder, tests, subjects):
    """{test: the (path, function)s that it ran} of those that passed with
    the marks of these."""
    paths = {test: folder / f"{test}.ran" for test in tests}
    return {test: [subjects[number] for number in sorted(
                map(int, path.read_text().split()))]
            for test, path in paths.items() if path.exists()}
