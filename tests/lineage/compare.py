"""What differs between a file of one rung and the same file of another."""

from dataclasses import dataclass
from typing import Optional

from problem import Refusal
from regions import Region, cut_all, whole
from rungs import is_c


@dataclass(frozen=True)
class Change:
    """A region that two versions of a file do not share as it is."""

    lower: Optional[Region]
    upper: Optional[Region]

    @property
    def name(self):
        """The region's name, in whichever version has it."""
        return (self.upper or self.lower).name


def cut_files(files):
    """The regions of each of {key: (path, File)}; a Refusal for some C files.

    A file that is not C is one region.  A binary one has no text and is
    compared by its bytes alone.
    """
    result, keys, texts = {}, [], []
    for key, (path, file) in files.items():
        text = file.text
        if is_c(path) and text is not None:
            keys.append(key)
            texts.append(text)
        else:
            result[key] = whole(text or "")
    result.update(zip(keys, cut_all(texts)))
    return result


def changes(lower, upper):
    """The Changes between two lists of regions, in the upper file's order.

    What only the lower has comes after the region it followed there.
    """
    below = {region.name: region for region in lower}
    above = {region.name: region for region in upper}
    found = [Change(below.get(region.name), region) for region in upper]
    for at, region in enumerate(lower):
        if region.name not in above:
            found.insert(place_after(lower[:at], found), Change(region, None))
    return [c for c in found if not (c.lower and c.upper
                                     and c.lower.text == c.upper.text)]


def place_after(before, found):
    """Where a removed region goes: behind its nearest predecessor."""
    names = [change.name for change in found]
    for region in reversed(before):
        if region.name in names:
            return names.index(region.name) + 1
    return 0


def moved(lower, upper):
    """The first region of the upper file that stands in another order."""
    below = [region.name for region in lower]
    common = [region for region in upper if region.name in below]
    above = {region.name for region in common}
    order = [name for name in below if name in above]
    for region, name in zip(common, order):
        if region.name != name:
            return region
    return None


def is_refused(regions):
    """Whether cutting the file failed."""
    return isinstance(regions, Refusal)
