"""The rooms of a rung: a folder for each idea that it holds.

A rung's Makefile lists them, lowest first: `ROOMS = support tokenizer …`.
That list is the architecture: a file includes nothing of a higher room.  A
room may stand in another (tokenizer/bpe); its tests and benchmarks stand in
its folder tests/, and may look up; in examples/ stand programs that use it as
other people's would.  Names are unique in a rung, so that every
tool finds a file by its name alone.  A rung without ROOMS has one floor.
"""

import re
from collections import Counter

from problem import Problem

MOST_AT_TOP = 16   # entries of a rung's folder
MOST_IN_ROOM = 25  # files of a room, and of its tests
MAKEFILE = "Makefile"
GOLDEN = "golden/"
TESTS = "tests"
EXAMPLES = "examples"
# What every room may have: a few lines that say what it owns.
README = "README.md"
AT_TOP = (MAKEFILE, "LINEAGE")
# All that the rooms of a server know of what lies below them, but for what
# every room uses.
FACE = "server/engine/rung.h"
SHARED = "support"
LIST = re.compile(r"^ROOMS *:?=((?:.*\\\n)*.*)$", re.MULTILINE)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)',
                     re.MULTILINE)


def name_of(path):
    """A file's name without its folders."""
    return path.rpartition("/")[2]


def room_of(path):
    """The room that a file, its test or its example belongs to; "" at the
    top."""
    folder = path.rpartition("/")[0]
    return "" if folder == TESTS else folder.removesuffix(
        "/" + TESTS).removesuffix("/" + EXAMPLES)


def is_example(path):
    """Whether a file shows how a program of someone else uses a room."""
    return path.rpartition("/")[0].endswith("/" + EXAMPLES)


def is_test(path):
    """Whether a file serves tests or benchmarks, or is an example."""
    return name_of(path).startswith(("test_", "bench_")) or is_example(path)


def is_program(path):
    """Whether a file is a part of the program that the rung builds."""
    return path.endswith(".c") and not is_test(path)


def list_rooms(files):
    """The rooms in order, as the Makefile among {path: File} has them."""
    makefile = files.get(MAKEFILE)
    found = LIST.search(makefile.text or "") if makefile else None
    return found.group(1).replace("\\\n", " ").split() if found else []


def find(files, name):
    """The path of a file named by its path or by its name; None without."""
    if name in files:
        return name
    return next((path for path in files if name_of(path) == name), None)


def check_rooms(rung, files):
    """Every Problem with the places of one rung's files."""
    rooms = list_rooms(files)
    problems = [Problem(f"{rung}/{path}", 1, why) for path in files
                if (why := misplaced(path, rooms))]
    return (problems + check_list(rung, files, rooms)
            + check_names(rung, files) + check_counts(rung, files)
            + check_includes(rung, files, rooms))


def misplaced(path, rooms):
    """Why a file cannot stand where it does, or None."""
    if path in AT_TOP or path.startswith(GOLDEN):
        return None
    if not rooms:
        return "a rung without ROOMS has no folder but golden/: move this " \
            "file" if "/" in path else None
    if room_of(path) not in rooms:
        return "stands in no room: move it into one of ROOMS in the " \
            "Makefile, or list its folder there"
    if is_example(path):
        return None
    if is_test(path) != path.rpartition("/")[0].endswith("/" + TESTS):
        return "files of tests, and no others, are called test_… or " \
            "bench_… and stand in their room's tests/"
    return None


def check_list(rung, files, rooms):
    """Each room of the list is there, once, and says what it owns."""
    used = {room_of(path) for path in files}
    said = [(room, "is empty") for room in rooms if room not in used]
    said += [(room, "stands twice") for room, n in Counter(rooms).items()
             if n > 1]
    said += [(room, f"has no {README} that says what it owns")
             for room in rooms if room in used
             and f"{room}/{README}" not in files]
    return [Problem(f"{rung}/{MAKEFILE}", 1, f"ROOMS: {room} {why}")
            for room, why in dict.fromkeys(said)]


def check_names(rung, files):
    """No two files of one name."""
    problems, seen = [], {}
    for path in sorted(files):
        name = name_of(path)
        if name in seen and name != README:
            problems.append(Problem(f"{rung}/{path}", 1, "there is "
                                    f"{seen[name]}, too: rename one of them"))
        seen[name] = path
    return problems


def check_counts(rung, files):
    """A folder can be taken in at a look."""
    problems = []
    top = {path.partition("/")[0] for path in files}
    if list_rooms(files) and len(top) > MOST_AT_TOP:
        problems.append(Problem(rung, 1, f"{len(top)} entries: at most "
                                f"{MOST_AT_TOP}"))
    for folder, n in Counter(path.rpartition("/")[0] for path in files
                             if "/" in path).items():
        if n > MOST_IN_ROOM:
            problems.append(Problem(f"{rung}/{folder}", 1, f"{n} files: at "
                                    f"most {MOST_IN_ROOM}"))
    return problems


def check_includes(rung, files, rooms):
    """A file includes headers of its own room and of lower ones; a file that
    is no test includes none of the tests'."""
    problems = []
    by_name = {name_of(path): path for path in files}
    height = {room: at for at, room in enumerate(rooms)}
    for path, file in files.items():
        if not path.endswith((".c", ".h")):
            continue
        for found in INCLUDE.finditer(file.text or ""):
            why = wrong_spelling(*found.groups(), by_name) or wrong_way(
                path, by_name.get(found.group(2)), height)
            if why:
                line = file.text.count("\n", 0, found.start()) + 1
                problems.append(Problem(f"{rung}/{path}", line, why))
    return problems


def wrong_spelling(mark, name, by_name):
    """Why an include's name is not as a rung writes it, or None: a header of
    the rung by its name alone, in quotes, and all others in brackets."""
    own = name_of(name) in by_name
    if mark == "<":
        return f"includes <{name}>: write \"{name_of(name)}\", since it is " \
            "the rung's own" if own else None
    if name not in by_name or not name.endswith(".h"):
        return f"includes \"{name}\": no header of the rung has this name" \
            + (f"; write \"{name_of(name)}\", without a path" if own
               and name.endswith(".h") else "")
    return None


def wrong_way(path, header, height):
    """Why `path` must not include `header`, or None; None for a header of
    the system."""
    if header is None:
        return None
    if is_test(path):
        return None
    if is_test(header):
        return f"includes {header}, which only tests may"
    low, high = room_of(path), room_of(header)
    if height.get(high, 0) > height.get(low, 0):
        return f"includes {header}: {high} is above {low} (ROOMS in the " \
            "Makefile); lower rooms must not know higher ones"
    return past_face(low, header, height)


def past_face(room, header, height):
    """Why a file of `room` must not include `header`, which is no higher, or
    None: the server's rooms above FACE look at nothing behind it."""
    engine = room_of(FACE)
    floor = height.get(engine)
    if floor is None or not room.startswith(engine.partition("/")[0] + "/") \
            or height.get(room, 0) <= floor:
        return None
    if header == FACE or room_of(header) == SHARED \
            or height.get(room_of(header), 0) > floor:
        return None
    return f"includes {header}: of what lies below it the server knows " \
        f"{name_of(FACE)} alone"
