"""Carries one rung's change into the next rung, file by file.

Nothing here touches the disk: files go in, and files, deeds and conflicts
come out.
"""

from dataclasses import dataclass, field, replace

from compare import is_refused
from merge import ABSENT, CONFLICT, Deed, RegionMerge, merge_any
from problem import Stop
from regions import cut_all
from rooms import README, name_of
from rungs import DECLARATION, File, is_c


@dataclass
class Lift:
    """From one rung to the next: sets of files, {path: File}.

    `bases` are earlier versions of the lower rung; the first is what its
    last commit has.  `new` is the lower rung now.
    """

    bases: list
    new: dict
    upper: dict
    lower_name: str
    upper_name: str

    @property
    def labels(self):
        """What conflict markers call upper, old and new."""
        return (self.upper_name, f"{self.lower_name}, before",
                f"{self.lower_name}, after")


@dataclass
class Outcome:
    """What the upper rung becomes: files to write or, if None, to delete."""

    files: dict = field(default_factory=dict)
    deeds: dict = field(default_factory=dict)  # {path: [Deed]}

    @property
    def conflicts(self):
        """The (path, Deed) of each contradiction."""
        return [(path, deed) for path, deeds in self.deeds.items()
                for deed in deeds if deed.conflict]


def carry(lift):
    """The Outcome of carrying the lower rung's change into the upper."""
    outcome = Outcome()
    moves = find_moves(lift)
    for old, new in moves.items():
        if old in lift.upper:
            outcome.files.update({old: None, new: lift.upper[old]})
            outcome.deeds[old] = [Deed("", f"moved to {new}", False)]
    lift = replace(lift, bases=[moved(base, moves) for base in lift.bases],
                   upper=moved(lift.upper, moves))
    paths = set(lift.new).union(*lift.bases) - {DECLARATION}
    for path in sorted(paths):
        upper = lift.upper.get(path)
        result, deeds = carry_file(lift, path, upper)
        if deeds:
            outcome.deeds[path] = deeds
        if result != upper:
            outcome.files[path] = result
    return outcome


def find_moves(lift):
    """{old path: new path} of the files that the lower rung put into another
    room: their names, which are unique, stay."""
    gone = {name_of(path): path for path in lift.bases[0]
            if path not in lift.new}
    return {gone[name_of(path)]: path for path in lift.new
            if path not in lift.bases[0] and name_of(path) in gone
            and name_of(path) != README}


def moved(files, moves):
    """The files, those that moved at their new places."""
    return {moves.get(path, path): file for path, file in files.items()}


def carry_file(lift, path, upper):
    """(the upper's new File or None, its Deeds) for one file."""
    bases = [base.get(path) for base in lift.bases]
    new = lift.new.get(path)
    if upper == new or all(base == new for base in bases):
        return upper, []
    if upper in bases:
        return new, [Deed("", name_change(upper, new), False)]
    if upper is None:
        return None, [Deed("", ABSENT, False)] if new else []
    if new is None:
        return upper, [Deed("", f"{CONFLICT}: {lift.lower_name} deletes it, "
                            "and it differs here: delete or keep it", True)]
    return merge_files(lift, path, bases, upper)


def name_change(old, new):
    """How to call the change of a file that the upper had left alone."""
    if old is None:
        return "added"
    if new is None:
        return "deleted"
    return f"mode {new.mode}" if old.data == new.data else "replaced"


def merge_files(lift, path, bases, upper):
    """Both rungs changed the file; a base is None that does not have it."""
    new = lift.new[path]
    known = [base for base in bases if base]
    mode = upper.mode
    if any(base.mode == mode for base in known):
        mode = new.mode
    if known and all(base.data == new.data for base in known):
        deeds = [Deed("", f"mode {mode}", False)] * (mode != upper.mode)
        return replace(upper, mode=mode), deeds
    texts = [base.text if base else "" for base in bases]
    texts += [new.text, upper.text]
    if None in texts:
        return upper, [Deed("", f"{CONFLICT}: a binary file that differs here "
                            "cannot be merged: put the right one in place",
                            True)]
    merge = merge_c if is_c(path) else merge_other
    merged, deeds = merge(lift, path, texts)
    return File(merged.encode(), mode), deeds


def merge_other(lift, _, texts):
    """Texts that are not C joined as a whole: (text, deeds)."""
    *bases, new, upper = texts
    merged, conflict = merge_any("", bases, new, upper, lift.labels)
    what = CONFLICT if conflict else "merged"
    return merged, [Deed("", what, conflict)] * (merged != upper)


def merge_c(lift, path, texts):
    """C texts joined region by region: (text, deeds)."""
    cuts = cut_all(texts)
    for cut in cuts:
        if is_refused(cut):
            rung = lift.upper_name if cut is cuts[-1] else lift.lower_name
            raise Stop(f"{cut.at(f'{rung}/{path}')}\n"
                       "mend this first (make lineage)")
    *bases, new, upper = cuts
    merge = RegionMerge(bases, new, upper, lift.labels)
    return merge.run(), merge.deeds
