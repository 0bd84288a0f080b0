"""Turns what a failed test printed into a few plain lines for the student."""

import re
from pathlib import Path

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
CALL = re.compile(r"^#\d+ 0x[0-9a-f]+ in (\w+) (?:\S*/)?([\w.-]+\.[ch]):(\d+)")


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
    """What a sanitizer found, and the innermost line of the rung's; nothing
    where none did."""
    kinds = list(filter(None, map(SANITIZER.match, words)))
    calls = [call for call in filter(None, map(CALL.match, words))
             if home(folder, call[2])]
    if not kinds or not calls:
        return []
    access = [found[0] for found in filter(None, map(ACCESS.match, words))]
    name, file, number = calls[0].groups()
    return [", ".join([kinds[0][1], *access[:1], f"in {name}"]),
            at(folder, file, int(number))]


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
    return NOISE.sub("crashed: ", word)


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
