"""Lists what differs between two rungs, for people to look at."""

import re
from collections import namedtuple

from compare import changes, cut_files, is_refused
from declarations import CHANGED, NEW, REMOVED
from regions import WHOLE, whole
from rooms import README, list_rooms, name_of, room_of
from rungs import DECLARATION

COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)

# One difference: what happened to which file and region, the region's two
# versions (one may be None), and the reason that LINEAGE gives.
Row = namedtuple("Row", "verb path name lower upper reason")

# Rows of a room that the lower rung does not have, and what the room owns; or
# those of no such room: then its name and `about` are "".
Room = namedtuple("Room", "name about rows")


def differences(lower, upper):
    """Every Row between two rungs' files: changed, new, then removed ones."""
    both = sorted(set(lower) & set(upper) - {DECLARATION})
    rows = []
    for path, below, above in cut_pairs(lower, upper, both):
        rows += [Row(CHANGED, path, change.name, change.lower, change.upper,
                     "") for change in changes(below, above)]
        if below == above and not is_text(upper[path]):
            rows.append(Row(CHANGED, path, WHOLE, None, None, ""))
    for path in sorted(set(upper) - set(lower) - {DECLARATION}, key=reading):
        rows.append(Row(NEW, path, "", None, as_region(upper[path]), ""))
    for path in sorted(set(lower) - set(upper) - {DECLARATION}):
        rows.append(Row(REMOVED, path, "", as_region(lower[path]), None, ""))
    return rows


def reading(path):
    """What to sort files by: a room, then its tests; a header first."""
    folder, _, name = path.rpartition("/")
    stem, _, end = name.rpartition(".")
    return folder, stem, end != "h", end


def owns(text):
    """What a C file owns: the first sentence of the comment that opens it."""
    found = COMMENT.match(text)
    words = " ".join(found.group(1).replace("\n *", "\n").split()) \
        if found else ""
    first = words.partition(". ")[0].rstrip(".")
    return "" if ": see " in first else first


def by_room(rows, lower, upper):
    """The rows in Rooms: new rooms first, lowest first, then the rest."""
    added = [room for room in list_rooms(upper)
             if not any(room_of(path) == room for path in lower)]
    found = []
    for room in added:
        inside = [row for row in rows if room_of(row.path) == room]
        if inside:
            found.append(Room(room, about(upper, room), inside))
    rest = [row for row in rows if room_of(row.path) not in added]
    return found + ([Room("", "", rest)] if rest else [])


def about(files, room):
    """What a room owns: the first sentence of its README."""
    readme = files.get(f"{room}/{README}")
    words = " ".join((readme.text or "").split()) if readme else ""
    return words.partition(". ")[0].rstrip(".")


def find_region(lower, upper, name, only=None):
    """A Row for each file that has a region of this name, changed or not."""
    paths = sorted((set(lower) | set(upper)) - {DECLARATION})
    for path, below, above in cut_pairs(lower, upper, paths, True):
        if only in (None, path, name_of(path)):
            old = next((r for r in below if r.name == name), None)
            new = next((r for r in above if r.name == name), None)
            if old or new:
                yield Row(CHANGED, path, name, old, new, "")


def cut_pairs(lower, upper, paths, equal=False):
    """(path, lower regions, upper regions) of the files that differ, or of
    all; a file outside the limits is one region."""
    paths = [path for path in paths
             if equal or lower.get(path) != upper.get(path)]
    files = {(rung, path): (path, content[path])
             for rung, content in enumerate((lower, upper))
             for path in paths if path in content}
    cuts = cut_files(files)
    for path in paths:
        keys = [key for key in ((0, path), (1, path)) if key in cuts]
        if any(is_refused(cuts[key]) for key in keys):
            cuts.update((key, whole(files[key][1].text)) for key in keys)
        yield path, cuts.get((0, path), []), cuts.get((1, path), [])


def is_text(file):
    """Whether the file can be shown."""
    return file.text is not None


def as_region(file):
    """A whole file as one region, or None for a binary one."""
    return whole(file.text)[0] if is_text(file) else None
