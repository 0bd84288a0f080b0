"""The ladder in the working tree, and the paths that all of this uses."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KIT = HERE / "kit"
CUT = {}  # (path, File): its regions; most rungs share most of their files
for folder in (HERE.parent / "lineage", KIT):
    sys.path.insert(0, str(folder))

from problem import Refusal, Stop  # noqa: E402,F401
from compare import cut_files, is_refused  # noqa: E402
from declarations import CHANGED, NEW, parse  # noqa: E402
from rooms import find, is_program, is_test, name_of  # noqa: E402,F401
from rungs import DECLARATION, File, is_c, read_tree  # noqa: E402,F401


def read_ladder(root=ROOT):
    """{rung: {path: File}}, the lowest rung first."""
    return read_tree(root)


def find_rung(ladder, name):
    """The rung that a name means, or its beginning: m0 is m0-tokenizer."""
    for rung in ladder:
        if rung.startswith(name.rstrip("/")):
            return rung
    raise Stop(f"there is no rung \"{name}\"; there are {' '.join(ladder)}")


def cut(files):
    """{path: its regions} of the C files among {path: File}."""
    wanted = [(path, file) for path, file in files.items() if is_c(path)]
    CUT.update(cut_files({key: key for key in wanted if key not in CUT}))
    for path, file in wanted:
        if is_refused(CUT[path, file]):
            raise Stop(str(CUT[path, file].at(path)))
    return {path: CUT[path, file] for path, file in wanted}


def lineage_of(files):
    """The Lineage of a rung; None for the lowest, which has no such file."""
    if DECLARATION not in files:
        return None
    return parse(DECLARATION, files[DECLARATION].text)
