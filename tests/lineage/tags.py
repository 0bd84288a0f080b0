"""Names from Universal Ctags: which declaration stands on which line."""

import json
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from problem import Stop

# ctags' kinds, and how a region of that kind is written in LINEAGE.
PREFIX = {
    "function": "", "prototype": "proto:", "struct": "struct:",
    "union": "union:", "enum": "enum:", "typedef": "typedef:",
    "macro": "macro:", "variable": "var:", "externvar": "var:",
}


@dataclass(frozen=True)
class Tag:
    """A name at file scope."""

    line: int
    kind: str
    name: str

    @property
    def region(self):
        """The name of the region that it stands in."""
        return PREFIX[self.kind] + self.name


def tag_texts(texts):
    """The tags of each C text, in order, found by one run of ctags."""
    tags = [[] for _ in texts]
    if not texts:
        return tags
    with tempfile.TemporaryDirectory(prefix="rungs-tags-") as folder:
        for i, text in enumerate(texts):
            data = text.encode("utf-8", "surrogateescape")
            Path(folder, f"{i}.c").write_bytes(data)
        for row in run_ctags(folder, len(texts)):
            if "scope" not in row:
                tag = Tag(row["line"], row["kind"], row["name"])
                tags[int(row["path"][:-2])].append(tag)
    return tags


def run_ctags(folder, count):
    """ctags' rows for the files 0.c … in `folder`."""
    names = "".join(f"{i}.c\n" for i in range(count))
    done = subprocess.run(
        [find_ctags(), "--options=NONE", "--languages=C", "--langmap=C:.c",
         "--kinds-C=fpsugtdvx", "--fields=+nKsZ-P", "--sort=no",
         "--output-format=json", "-f", "-", "-L", "-"],
        input=names, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise Stop("ctags failed: " + done.stderr.strip())
    rows = map(json.loads, done.stdout.splitlines())
    return [row for row in rows if row["_type"] == "tag"]


def find_ctags():
    """The name of the program; some systems have another `ctags` too."""
    for name in ("ctags-universal", "universal-ctags", "ctags"):
        if shutil.which(name):
            return name
    raise Stop("Universal Ctags is missing: apt install universal-ctags, or "
               "brew install universal-ctags")
