"""The rungs of a ladder and their files, in the working tree or a commit.

Only what git tracks or would track is looked at, so build products are not.
Contents stay bytes here: goldens may be binary.
"""

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from problem import Stop

RUNG = re.compile(r"m\d-[a-z0-9][a-z0-9-]*\Z")
PATHSPEC = "m[0-9]-*"
MARKER = re.compile(r"^(<{7} |\|{7} |>{7} |={7}\r?$)", re.MULTILINE)
DECLARATION = "LINEAGE"


@dataclass(frozen=True)
class File:
    """A file's content and git mode: 100644, 100755, or 120000 for a link."""

    data: bytes
    mode: str = "100644"

    @property
    def text(self):
        """The content as text, or None for a binary file."""
        if b"\0" in self.data:
            return None
        try:
            return self.data.decode("utf-8")
        except UnicodeDecodeError:
            return None


def is_c(path):
    """C files are compared region by region, all others as a whole."""
    return path.endswith((".c", ".h"))


def is_product(path):
    """Whether a rung's file is built, should git not ignore it yet."""
    return path == "rung" or path.startswith("build/")


def repository():
    """The root of the repository these tools stand in."""
    return Path(__file__).resolve().parents[2]


def git(root, *arguments, feed=None, **variables):
    """Run git in `root`, in an environment with more variables; its standard
    output, as bytes."""
    done = subprocess.run(["git", "-C", str(root), *arguments], input=feed,
                          env={**os.environ, **variables},
                          capture_output=True)
    if done.returncode:
        raise Stop(done.stderr.decode(errors="replace").strip())
    return done.stdout


def head(root):
    """The current commit's id, or None before the first commit."""
    try:
        name = git(root, "rev-parse", "--verify", "-q", "HEAD")
        return name.decode().strip()
    except Stop:
        return None


def read_tree(root):
    """{rung: {path: File}} of the working tree, lowest rung first."""
    listing = git(root, "ls-files", "-z", "--cached", "--others",
                  "--exclude-standard", "--", PATHSPEC)
    ladder = {}
    for name in sorted(set(listing.decode().split("\0")) - {""}):
        rung, _, path = name.partition("/")
        full = Path(root, name)
        if path and RUNG.match(rung) and os.path.lexists(full):
            if not is_product(path):
                ladder.setdefault(rung, {})[path] = read_file(full)
    return ladder


def read_file(full):
    """One file of the working tree, as git would store it."""
    if full.is_symlink():
        return File(os.readlink(full).encode(), "120000")
    executable = os.stat(full).st_mode & 0o100
    return File(full.read_bytes(), "100755" if executable else "100644")


def write_file(full, file):
    """Put `file` at the path `full`, with its mode."""
    full.parent.mkdir(parents=True, exist_ok=True)
    if os.path.lexists(full):
        full.unlink()
    if file.mode == "120000":
        os.symlink(file.data, full)
        return
    full.write_bytes(file.data)
    if file.mode == "100755":
        full.chmod(full.stat().st_mode | 0o111)


def read_commit(root, commit, rung):
    """{path: File} of one rung as a commit or tree has it, if it does."""
    if commit is None:
        return {}
    listing = git(root, "ls-tree", "-r", "-z", commit, "--", rung + "/")
    rows = [row.split(None, 3) for row in listing.decode().split("\0") if row]
    contents = read_blobs(root, [row[2] for row in rows])
    files = {}
    for (mode, _, _, name), data in zip(rows, contents):
        path = name.partition("/")[2]
        if not is_product(path):
            files[path] = File(data, mode)
    return files


def snapshot(root):
    """Keep the rungs' files as a git tree, beside the index; its id."""
    with tempfile.TemporaryDirectory(prefix="rungs-index-") as folder:
        index = {"GIT_INDEX_FILE": os.path.join(folder, "index")}
        git(root, "add", "--", PATHSPEC, **index)
        return git(root, "write-tree", **index).decode().strip()


def read_blobs(root, ids):
    """The contents of git objects, in order, by one git process."""
    feed = "".join(f"{i}\n" for i in ids).encode()
    out = git(root, "cat-file", "--batch", feed=feed)
    contents, at = [], 0
    for _ in ids:
        newline = out.index(b"\n", at)
        size = int(out[at:newline].split()[2])
        contents.append(out[newline + 1:newline + 1 + size])
        at = newline + size + 2
    return contents


def marker_line(file):
    """The line of the first conflict marker, or None."""
    text = file.text
    found = MARKER.search(text) if text is not None else None
    return text.count("\n", 0, found.start()) + 1 if found else None

