"""Turns what a failed test printed into a few plain lines for the student."""

import re
from pathlib import Path

from hints import hints

WIDTH = 100
MOST_LINES = 4
PLACE = re.compile(r"^(?:\S*/)?([\w.-]+\.[ch]):(\d+): error: Failure!$")
NUMBERS = re.compile(r"^(0x[0-9a-f]+|\d+) (!=|==) (0x[0-9a-f]+|\d+)$")
STRINGS = re.compile(r'^(".*") != (".*")$', re.DOTALL)
TRUTH = re.compile(r"^assert_true\((.*)\);$")
NOISE = re.compile(r"^(Test failed with exception: )")
SANITIZER = re.compile(r"^==\d+==ERROR: \w+Sanitizer: ([\w-]+(?: [a-z]+)*?)"
                       r"(?: on .*)?(?:$|:)")
ACCESS = re.compile(r"^(?:READ|WRITE) of size \d+")
CALL = re.compile(r"^#(\d+) 0x[0-9a-f]+ in (\w+) "
                  r"(?:\S*/)?([\w.-]+\.[ch]):(\d+)")
UNDEFINED = re.compile(r"^(?:\S*/)?([\w.-]+\.[ch]):(\d+):\d+: "
                       r"runtime error: (.*)")
FACTOR = re.compile(r"\boff by (\d+\.\d+|inf) times")
LARGEST_FACTOR = 1000  # a larger one says no more than that


def explain(result, folder):
    """The lines that say what is wrong: first the difference, then where."""
    words = before_leaks(result.words)
    return sanitized(words, folder) or compared(words, result.why, folder)


def before_leaks(words):
    """What a test says, without the leaks of one that failed before: it ended
    there, and gave nothing back."""
    for at, word in enumerate(words):
        found = SANITIZER.match(word)
        if found:
            failed = any(map(PLACE.match, words[:at]))
            leaks = found[1] == "detected memory leaks"
            return words[:at] if failed and leaks else words
    return words


def sanitized(words, folder):
    """What a sanitizer found, and the innermost line of the rung's, and who
    called it; nothing where none did."""
    found = next(filter(None, map(kind_of, words)), None)
    calls = first_stack(words, folder)
    if not found or not calls:
        return []
    access = [found[0] for found in filter(None, map(ACCESS.match, words))]
    name, file, number = calls[0]
    lines = [", ".join([found, *access[:1], f"in {name}"]),
             at(folder, file, number)]
    for caller, file, number in calls[1:2]:
        lines += [f"called by {caller}", at(folder, file, number)]
    return lines


def kind_of(word):
    """What a sanitizer calls its finding, if this is the line of one."""
    found = SANITIZER.match(word)
    undefined = UNDEFINED.match(word)
    return found[1] if found else undefined and undefined[3]


def first_stack(words, folder):
    """The calls of the first stack that is shown, (function, file, line), the
    innermost first: those of the rung's files."""
    calls, before = [], -1
    for call in filter(None, map(CALL.match, words)):
        depth, name, file, number = call.groups()
        if int(depth) <= before:
            break
        before = int(depth)
        if home(folder, file):
            calls.append((name, file, int(number)))
    return calls


def compared(words, why, folder):
    """What the test and cmocka say of a difference."""
    lines, places = [], []
    for word in words:
        place = PLACE.match(word)
        if place:
            places.append((place[1], int(place[2])))
        else:
            lines.append(plain(word))
    if why:
        lines.insert(0, why)
    lines = [cut(line) for line in lines[:MOST_LINES]]
    for file, number in places[:1]:
        statement = at(folder, file, number)
        if lines and lines[-1] in statement:  # which says it again
            lines.pop()
        if not lines or file.endswith(".c"):  # a place in a helper tells less
            lines.append(statement)
    lines += hints(words)
    return lines or ["it says nothing"]


def plain(word):
    """cmocka's words for a difference, as expected and got.  In the tests
    the first of the two is what was computed."""
    numbers = NUMBERS.match(word)
    if numbers and numbers[2] == "!=":
        return f"expected {decimal(numbers[3])}, got {decimal(numbers[1])}"
    strings = STRINGS.match(word)
    if strings:
        return f"expected {strings[2]}, got {strings[1]}"
    return FACTOR.sub(capped, NOISE.sub("crashed: ", word))


def capped(factor):
    """A factor that nobody can picture, as one that is large."""
    return factor[0] if float(factor[1]) <= LARGEST_FACTOR else \
        f"off by more than {LARGEST_FACTOR} times"


def decimal(text):
    """A number as cmocka prints it, which forgets its sign: one so large
    is more likely an int below 0."""
    value = int(text, 0)
    return value - (1 << 64) if value >> 31 == (1 << 33) - 1 else value


def at(folder, file, number):
    """A place, and the statement there."""
    path = home(folder, file)
    statement = statement_at(Path(folder, path), number) if path else ""
    statement = TRUTH.sub(r"expected \1", statement)
    return cut(f"at {path or file}:{number}: {statement}".rstrip(": "))


def home(folder, name):
    """The path of a file in the folder, found in its room by its name; None
    where there is none."""
    found = sorted(Path(folder).rglob(name))
    return str(found[0].relative_to(folder)) if found else None


def statement_at(path, number):
    """The statement that begins on a line of a file, in one line."""
    lines = path.read_text(errors="replace").split("\n")[number - 1:]
    text = ""
    for line in lines[:4]:
        text = f"{text} {line.strip()}".strip()
        if text.endswith((";", "{", "}")):
            break
    return text


def cut(line):
    line = " ".join(line.split())
    return line if len(line) <= WIDTH else line[:WIDTH - 1] + "…"
