"""Carries one rung's change into the next rung, file by file.

Nothing here touches the disk: files go in, and files, deeds and conflicts
come out.
"""

from dataclasses import dataclass, field, replace

from compare import is_refused
from merge import Deed, RegionMerge, merge_file
from problem import Stop
from regions import cut_all
from rungs import DECLARATION, File, is_c


@dataclass
class Lift:
    """From one rung to the next: three sets {path: File}, and their names."""

    old: dict
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
    """The Outcome of carrying old → new into the upper."""
    outcome = Outcome()
    paths = (set(lift.old) | set(lift.new)) - {DECLARATION}
    for path in sorted(paths):
        old, new = lift.old.get(path), lift.new.get(path)
        if old != new:
            upper = lift.upper.get(path)
            result, deeds = carry_file(lift, path, old, new, upper)
            if deeds:
                outcome.deeds[path] = deeds
            if result != upper:
                outcome.files[path] = result
    return outcome


def carry_file(lift, path, old, new, upper):
    """(the upper's new File or None, its Deeds) for one changed file."""
    if upper == new:
        return upper, []
    if upper == old:
        return new, [whole_deed(old, new)]
    if new is None:
        return upper, [Deed("", f"CONFLICT: {lift.lower_name} deletes it, "
                            "and it differs here: delete or keep it", True)]
    if upper is None:
        return None, [Deed("", "left out: this rung does not have it", False)]
    return merge_files(lift, path, old, new, upper)


def whole_deed(old, new):
    """How to call the change of a file that the upper had left alone."""
    if old is None:
        return Deed("", "added", False)
    if new is None:
        return Deed("", "deleted", False)
    if old.data == new.data:
        return Deed("", f"mode {new.mode}", False)
    return Deed("", "replaced", False)


def merge_files(lift, path, old, new, upper):
    """Both rungs changed the file; `old` is None when both added it."""
    mode = new.mode if old and upper.mode == old.mode else upper.mode
    if old and old.data == new.data:
        deeds = [Deed("", f"mode {mode}", False)] * (mode != upper.mode)
        return replace(upper, mode=mode), deeds
    texts = [file.text if file else "" for file in (old, new, upper)]
    if None in texts:
        return upper, [Deed("", "CONFLICT: a binary file that differs here "
                            "cannot be merged: put the right one in place",
                            True)]
    merge = merge_c if is_c(path) else merge_other
    merged, deeds = merge(lift, path, texts)
    return File(merged.encode(), mode), deeds


def merge_other(lift, _, texts):
    """Three texts that are not C joined as a whole: (text, deeds)."""
    merged, conflict = merge_file(*texts, lift.labels)
    what = "CONFLICT" if conflict else "merged"
    return merged, [Deed("", what, conflict)] * (merged != texts[2])


def merge_c(lift, path, texts):
    """Three C texts joined region by region: (text, deeds)."""
    rungs = (lift.lower_name, lift.lower_name, lift.upper_name)
    cuts = cut_all(texts)
    for rung, cut in zip(rungs, cuts):
        if is_refused(cut):
            raise Stop(f"{cut.at(f'{rung}/{path}')}\n"
                       "mend this first (make lineage)")
    merge = RegionMerge(*cuts, lift.labels)
    return merge.run(), merge.deeds

