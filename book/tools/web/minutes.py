"""How long a chapter takes to read: said at its head, for all in a table.

A minute is 200 words or 20 lines of code.  Lines are those of listings,
differences and consoles; words are all others.  What is folded away counts
for neither.
"""

import html
import re
from dataclasses import dataclass

WORDS, LINES = 200, 20  # that are read in a minute
LIMIT = 75  # minutes, of a chapter of the main path
MAIN = re.compile(r"start|m\d+")

FOLD = re.compile(r"<(/?)details\b[^>]*>")
CODE = re.compile(r"<pre\b.*?</pre>", re.S)
UNREAD = re.compile(r"<pre\b.*?</pre>|<svg\b.*?</svg>|<math\b.*?</math>|"
                    r"<script\b.*?</script>", re.S)
TAG = re.compile(r"<[^>]+>")


@dataclass(frozen=True)
class Length:
    """What a page asks its reader to read."""

    words: int
    lines: int

    @property
    def minutes(self):
        """How long that takes."""
        return self.words / WORDS + self.lines / LINES


def length_of(text):
    """The Length of a page's HTML."""
    text = unfolded(text)
    lines = sum(block.strip("\n").count("\n") + 1
                for block in CODE.findall(text))
    words = html.unescape(TAG.sub(" ", UNREAD.sub(" ", text))).split()
    return Length(len(words), lines)


def unfolded(text):
    """The HTML without its folds, however deep they are."""
    kept, depth, end = [], 0, 0
    for tag in FOLD.finditer(text):
        if not depth:
            kept.append(text[end:tag.start()])
        depth += -1 if tag[1] else 1
        end = tag.end()
    return " ".join([*kept, text[end:]])


def is_main(chapter):
    """Whether a chapter is part of the main path; the others are side
    rooms."""
    return bool(MAIN.fullmatch(chapter.name))


def headed(chapter, text):
    """A chapter's HTML with its length below the title."""
    length = length_of(text)
    place = "Main path" if is_main(chapter) else "Side room"
    skip = chapter.attribute("skip")
    folds = ", without its folds" * ("<details" in text)
    said = f"{place}: {spoken(length)}{folds}. {skip}".strip()
    return text.replace("</h1>", '</h1>\n<p class="minutes">'
                        f"{html.escape(said)}</p>", 1)


def check(book, chapter, text):
    """A chapter of the main path is an evening."""
    length = length_of(text)
    if is_main(chapter) and length.minutes > LIMIT:
        book.mistakes.add(chapter.shown, 1, f"the chapter takes "
                          f"{spoken(length)} to read, {LIMIT} at most: fold "
                          "away or move what a reader may skip")


def spoken(length):
    """A Length in words."""
    return (f"{counted(max(1, round(length.minutes)), 'minute')} "
            f"({counted(length.words, 'word')}, "
            f"{counted(length.lines, 'line')} of code and output)")


def counted(number, name):
    """1 word, 2 words."""
    return f"{number:,} {name}{'s' * (number != 1)}"


def table(rows):
    """The text of a table of (chapter, Length)."""
    lines = [f"{'chapter':20}{'minutes':>8}{'words':>8}{'lines':>7}"]
    for chapter, length in rows:
        place = "" if is_main(chapter) else "  side room"
        lines.append(f"{chapter.name:20}{length.minutes:8.1f}"
                     f"{length.words:8,}{length.lines:7,}{place}")
    return "\n".join(lines)
