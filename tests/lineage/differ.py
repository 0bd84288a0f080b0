"""Shows two versions of a region as lines, in colour where that is wanted."""

from difflib import SequenceMatcher

CONTEXT = 3
CODES = {"title": "1", "step": "1;34", "reason": "3", "hunk": "36",
         "old": "31", "new": "32"}


class Painter:
    """Colours text for a terminal, or leaves it alone."""

    def __init__(self, on):
        self.on = on

    def paint(self, kind, text):
        """The text in the colour of its kind."""
        return f"\x1b[{CODES[kind]}m{text}\x1b[0m" if self.on else text

    def title(self, text):
        """The heading of a difference."""
        return self.paint("title", text)

    def step(self, text):
        """The heading of a step."""
        return self.paint("step", text)

    def reason(self, text):
        """Why it is so."""
        return self.paint("reason", text)


def show_region(row, paint, whole=False):
    """A region's difference in unified form; nothing when there is none."""
    if row.lower is None and row.upper is None:
        return ["a binary file, or a file mode, differs"]
    old, new = lines_of(row.lower), lines_of(row.upper)
    matcher = SequenceMatcher(None, old, new, False)
    context = len(old) + len(new) if whole else CONTEXT
    lines = []
    for group in matcher.get_grouped_opcodes(context):
        lines.append(paint.paint("hunk", hunk_header(row, group)))
        for operation in group:
            lines += show_operation(operation, old, new, paint)
    return lines


def lines_of(region):
    """A region's lines without their ends."""
    return region.text.split("\n")[:-1] if region else []


def hunk_header(row, group):
    """Where a hunk stands in the two files, as diff -u says it."""
    first, last = group[0], group[-1]
    old = span(row.lower, first[1], last[2])
    new = span(row.upper, first[3], last[4])
    return f"@@ -{old} +{new} @@"


def span(region, start, end):
    """Lines start … end of a region, counted from its file's first."""
    if not region:
        return "0,0"
    return f"{region.first + start},{end - start}"


def show_operation(operation, old, new, paint):
    """The lines of one step of the edit from old to new."""
    what, i, j, k, m = operation
    if what == "equal":
        return [" " + line for line in old[i:j]]
    return ([paint.paint("old", "-" + line) for line in old[i:j]]
            + [paint.paint("new", "+" + line) for line in new[k:m]])


def show_file(row, paint, in_full):
    """A new or removed file: its size or, on request, its lines."""
    region = row.upper or row.lower
    if region is None:
        return ["a binary file"]
    if in_full:
        return show_region(row, paint, whole=True)
    return [f"{len(lines_of(region))} lines"]
