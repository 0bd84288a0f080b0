"""The packages from npm, of pinned versions, that the book is built with."""

import json
import shutil
import subprocess
from pathlib import Path
from threading import Lock

from support import timing
from support.mistakes import Wrong

HERE = Path(__file__).resolve().parent
FILES = ("package.json", "package-lock.json")
TRIES = 3  # of npm, whose network may fall silent
LIMIT = 200  # seconds of each


class Modules:
    """node_modules in the build folder, installed when it is first used."""

    def __init__(self, folder, checks=True):
        """`checks` asks for what looks at a finished site, too."""
        self.folder = folder
        self.checks = checks
        self.ready = False
        self.guard = Lock()

    def path(self):
        """The folder that holds the packages."""
        with self.guard:
            if not self.ready:
                self.install()
        return self.folder / "node_modules"

    def version(self, name):
        """The version of a package that is wanted."""
        wanted = json.loads((HERE / "package.json").read_text())
        return {**wanted["dependencies"], **wanted["devDependencies"]}[name]

    def install(self):
        """Install what the lock file says, unless that is there."""
        lock = (HERE / FILES[1]).read_bytes()
        whole = self.folder / "installed.json"
        mark = whole if self.checks else self.folder / "building.json"
        if not any(one.exists() and one.read_bytes() == lock
                   for one in (mark, whole)):
            self.folder.mkdir(parents=True, exist_ok=True)
            for name in FILES:
                shutil.copy(HERE / name, self.folder)
            whole.unlink(missing_ok=True)
            self.run_npm()
            mark.write_bytes(lock)
        self.ready = True

    def run_npm(self):
        """Let npm do it."""
        if not shutil.which("npm"):
            raise Wrong("npm is missing: sh tests/setup/setup.sh npm")
        with timing.spent("installing from npm"):
            for turn in range(TRIES):
                why = self.try_npm()
                if not why:
                    return
        raise Wrong(f"npm ci failed {TRIES} times, at last: {why}")

    def try_npm(self):
        """Nothing, or why it could not."""
        try:
            done = subprocess.run(
                ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts",
                 "--silent", *["--omit=dev"] * (not self.checks)],
                cwd=self.folder, capture_output=True, text=True,
                timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return f"no end after {LIMIT} s"
        return done.returncode and (
            done.stderr or done.stdout or f"exit status {done.returncode}")
