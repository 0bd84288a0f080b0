"""Lines of a listing that the chapter's main command does not run: the site
dims them, so that the cases of other models do not stand in a reader's way.

Only a function of which a part ran has such lines; where none of it ran, the
listing is about something else, and all of it stays as it is.  So does a file
whose threads wait for each other: which of its lines run is another thing at
every run.
"""

import re

from running import main_path
from support.store import digest

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
WAITS = re.compile(r"\bpthread_cond_")
OPEN = re.compile(r"[^=!<>]=\s*$")  # of a line whose value is on the next
END = re.compile(r"[;{}:]\s*$")  # of a statement, a label, a block's head


def lines_of(page, path):
    """The numbers of a file's dimmed lines; none in a chapter that names no
    main command, or of another rung."""
    rung, _, file = path.partition("/")
    return set(page.idle.get(file, ())) if rung == page.rung else set()


def of_rung(page):
    """{file: [its dimmed lines]} of the files of a chapter's rung."""
    workshop, rung, command = page.workshop, page.rung, page.chapter.main
    key = digest("idle", 3, main_path.key_of(workshop, rung, command))
    return page.outcomes.get_rarely(key, "count", rung, lambda: {
        file: of_file(page.sources, f"{rung}/{file}", ran) for file, ran
        in main_path.lines_run(workshop, rung, command).items()
        if file in page.sources.ladder[rung]})


def of_file(sources, path, ran):
    """The dimmed lines of one file; `ran` says of those with code whether
    they ran."""
    text = sources.text(path)
    if WAITS.search(text):
        return []
    lines, idle = text.split("\n"), set()
    for region in sources.regions(path).values():
        if region.is_function:
            idle |= within(lines, region.first, region.last, ran)
    return sorted(idle)


def within(lines, first, last, ran):
    """The dimmed lines of one function, which stands on these lines of a
    file; `ran` is {line: whether it ran} of the lines with code."""
    if not any(ran.get(line) for line in range(first, last + 1)):
        return set()
    return {line for statement in statements(lines, first, last)
            for line in idle_part(statement, lines, ran)}


def idle_part(statement, lines, ran):
    """The dimmed lines of one statement.  A line that was not counted is like
    the one before it, or, where it ends in =, like its value."""
    counted = [line for line in statement if line in ran]
    state = ran[counted[0]] if counted else True
    for line in statement:
        if OPEN.search(lines[line - 1]):
            state = next((ran[one] for one in counted if one >= line), state)
        else:
            state = ran.get(line, state)
        if not state:
            yield line


def statements(lines, first, last):
    """The lines of each statement, or part of one that ends like one; lines
    without code belong to none."""
    text = "\n".join(lines[first - 1:last])
    bare = COMMENT.sub(lambda found: "\n" * found.group().count("\n"), text)
    statement = []
    for number, line in enumerate(bare.split("\n"), first):
        if not line.strip():
            continue
        statement.append(number)
        if END.search(line):
            yield statement
            statement = []
    if statement:
        yield statement
