"""What a climb remembers under build/propagate/."""

import json
import shutil
from pathlib import Path

from rungs import File


class Place:
    """The folder build/propagate/ of the repository at `root`.

    state.json names the rung with the conflict and the commit that is the
    old side; before/ holds that rung's uncommitted files as they were.
    """

    def __init__(self, root):
        self.folder = Path(root, "build", "propagate")
        self.state = self.folder / "state.json"
        self.before = self.folder / "before"
        self.carried = self.folder / "carried.json"

    def exists(self):
        """Whether a climb waits."""
        return self.state.exists()

    def save(self, rung, commit, before):
        """Remember that the climb stopped at `rung`."""
        self.clear()
        self.before.mkdir(parents=True)
        modes = {}
        for number, (path, file) in enumerate(before.items()):
            (self.before / str(number)).write_bytes(file.data)
            modes[path] = [number, file.mode]
        state = {"rung": rung, "commit": commit, "before": modes}
        self.state.write_text(json.dumps(state, indent=1) + "\n")

    def load(self):
        """The state: rung, commit, and where the files before are."""
        return json.loads(self.state.read_text())

    def load_before(self):
        """{path: File} of the stopped rung's uncommitted files."""
        return {path: File((self.before / str(number)).read_bytes(),
                           mode)
                for path, (number, mode) in self.load()["before"].items()}

    def clear(self):
        """No climb waits any more."""
        self.state.unlink(missing_ok=True)
        shutil.rmtree(self.before, ignore_errors=True)

    def save_carried(self, commit, tree):
        """A climb whose old side was `commit` has left this tree."""
        self.folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"commit": commit, "tree": tree})
        self.carried.write_text(text + "\n")

    def load_carried(self, commit):
        """The tree that the last climb left, if it was from `commit`."""
        if not self.carried.exists():
            return None
        last = json.loads(self.carried.read_text())
        return last["tree"] if last["commit"] == commit else None
