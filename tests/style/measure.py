"""Counts what a reader of C meets: functions, lines, columns, comments."""

import math
import statistics
import sys
import unicodedata
from collections import namedtuple
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lineage"))

from compare import changes, cut_files, is_refused  # noqa: E402
from rooms import name_of  # noqa: E402
from rungs import is_c  # noqa: E402
from scanner import TOKEN  # noqa: E402

# A place and how large it is there: lines of a function or file, or columns.
Size = namedtuple("Size", "size path line name")

PROGRAM, TESTS = "program", "tests"


@dataclass
class Numbers:
    """The numbers of one rung's program files, or of its tests."""

    functions: list = field(default_factory=list)  # Size each, in lines
    files: list = field(default_factory=list)      # Size each, in lines
    widths: list = field(default_factory=list)     # each file's widest line
    wide: list = field(default_factory=list)       # lines past the aim
    refused: list = field(default_factory=list)    # Problem each
    code: int = 0      # lines that hold code
    comments: int = 0  # lines that hold a comment and nothing else
    added: int = 0     # code lines which the rung below does not have
    touched: int = 0   # functions of the rung below, changed or removed

    @property
    def median(self):
        """The median length of a function."""
        return statistics.median(self.lengths) if self.lengths else 0

    @property
    def percentile95(self):
        """The least length that 95% of the functions do not exceed."""
        if not self.lengths:
            return 0
        return self.lengths[math.ceil(0.95 * len(self.lengths)) - 1]

    @property
    def lengths(self):
        """All functions' lengths, the shortest first."""
        return sorted(size.size for size in self.functions)

    @property
    def comment_share(self):
        """Comment lines per line that is not blank."""
        return self.comments / max(1, self.comments + self.code)


def kind_of(path):
    """Which of the two groups a C file belongs to."""
    return TESTS if name_of(path).startswith("test_") else PROGRAM


def measure(rung, files, below, limit):
    """{PROGRAM: Numbers, TESTS: Numbers} of a rung's {path: File}.

    `below` holds the files of the rung below, or None; lines of `limit`
    columns or more are noted.
    """
    numbers = {PROGRAM: Numbers(), TESTS: Numbers()}
    sources = {path: (path, file) for path, file in files.items()
               if is_c(path) and file.text is not None}
    for path, cut in cut_files(sources).items():
        group = numbers[kind_of(path)]
        measure_text(group, path, files[path].text, limit)
        if is_refused(cut):
            group.refused.append(cut.at(f"{rung}/{path}"))
        else:
            group.functions += function_sizes(path, cut)
    if below is not None:
        measure_growth(numbers, files, below)
    return numbers


def measure_text(numbers, path, text, limit):
    """Lines, columns and comments of one file."""
    lines = text.split("\n")[:-1]
    numbers.files.append(Size(len(lines), path, 1, path))
    sizes = [Size(columns(line), path, number, "")
             for number, line in enumerate(lines, 1)]
    numbers.widths.append(max(sizes, default=Size(0, path, 1, "")))
    numbers.wide += [size for size in sizes if size.size >= limit]
    code = len(code_lines(text))
    numbers.code += code
    numbers.comments += sum(bool(line.strip()) for line in lines) - code


def function_sizes(path, regions):
    """Each function's length, from its return type to its closing brace."""
    return [Size(region.last - region.start + 1, path, region.start,
                 region.name)
            for region in regions if region.is_function]


def columns(line):
    """The width of a line on a terminal, tabs to the next multiple of 8."""
    width = 0
    for letter in line.expandtabs(8):
        if unicodedata.combining(letter):
            continue
        width += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
    return width


def code_lines(text):
    """The lines that hold code, without their comments."""
    kept, at = [], 0
    for token in TOKEN.finditer(text):
        if token.lastgroup == "comment":
            kept += [text[at:token.start()], "\n" * token.group().count("\n")]
            at = token.end()
    kept.append(text[at:])
    return [line.rstrip() for line in "".join(kept).split("\n")
            if line.strip()]


def measure_growth(numbers, files, below):
    """What the rung adds to the one below, and how much of it it touches."""
    for path in sorted(set(files) | set(below)):
        if is_c(path) and files.get(path) != below.get(path):
            group = numbers[kind_of(path)]
            lower, upper = text_of(below, path), text_of(files, path)
            group.added += count_added(code_lines(lower), code_lines(upper))
            group.touched += count_touched(path, below, files)


def text_of(files, path):
    """A file's text; an absent or binary one has none."""
    return (files[path].text or "") if path in files else ""


def count_added(lower, upper):
    """How many lines of `upper` a diff to it from `lower` adds."""
    matcher = SequenceMatcher(None, lower, upper, False)
    return len(upper) - sum(block.size
                            for block in matcher.get_matching_blocks())


def count_touched(path, below, files):
    """How many of the functions below have changed or gone."""
    pair = {side: (path, content[path]) for side, content
            in enumerate((below, files)) if path in content}
    cuts = cut_files(pair)
    if 0 not in cuts or any(map(is_refused, cuts.values())):
        return 0
    return sum(change.lower is not None and change.lower.is_function
               for change in changes(cuts[0], cuts.get(1, [])))
