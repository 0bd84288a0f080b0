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


def explain(result, folder):
    """The lines that say what is wrong: first the difference, then where."""
    lines, places = [], []
    for word in result.words:
        place = PLACE.match(word)
        if place:
            places.append((place[1], int(place[2])))
        else:
            lines.append(plain(word))
    if result.why:
        lines.insert(0, result.why)
    lines = [cut(line) for line in lines[:MOST_LINES]]
    for file, number in places[:1]:
        statement = statement_at(Path(folder, file), number)
        if lines and lines[-1] in statement:  # which says it again
            lines.pop()
        statement = TRUTH.sub(r"expected \1", statement)
        lines.append(cut(f"at {file}:{number}: {statement}".rstrip(": ")))
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


def statement_at(path, number):
    """The statement that begins on a line of a file, in one line."""
    if not path.exists():
        return ""
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
