"""What the rungs aim at, and who misses it."""

MEDIAN = 12    # lines of a function, at most
LONG = 45      # lines; 95% of the functions stay under it
FILE = 400     # lines; every file stays under it
WIDTH = 80     # columns; every line stays under it
GENERATED = ("unicode_tables.c",)  # by a program: nobody reads their length

SUMMARY = (f"Aims: functions' median {MEDIAN} or less, 95% under {LONG}, "
           f"files under {FILE} lines,\nlines under {WIDTH} columns.")


def missed(numbers):
    """The aims that these numbers miss, each as a phrase."""
    phrases = []
    if numbers.median > MEDIAN:
        phrases.append(f"median {numbers.median:g}")
    if numbers.percentile95 >= LONG:
        phrases.append(f"95th percentile {numbers.percentile95}")
    if long_files(numbers):
        phrases.append("a file too long")
    if numbers.wide:
        phrases.append("a line too wide")
    if numbers.refused:
        phrases.append("a file that cannot be measured")
    return phrases


def long_files(numbers):
    """The files that somebody wrote and that are too long."""
    return [size for size in numbers.files if size.size >= FILE
            and size.path.rpartition("/")[2] not in GENERATED]


def offenders(rung, numbers):
    """(key, "file:line: what") of all that is past an aim's size.

    The key is the same for the same offence in a copy further up.
    """
    found = []
    for size in numbers.functions:
        if size.size >= LONG:
            found.append((size, f"{size.name} has {size.size} lines"))
    for size in long_files(numbers):
        found.append((size, f"the file has {size.size} lines"))
    for size in numbers.wide:
        found.append((size, f"the line has {size.size} columns"))
    rows = [((size.path, size.name or size.line, what),
             f"{rung}/{size.path}:{size.line}: {what}")
            for size, what in found]
    return rows + [((p.path.partition("/")[2], p.message), str(p))
                   for p in numbers.refused]
