"""Where the clients are that the server is tried with.

    python3 installed.py

installs those from PyPI and npm, of pinned versions, into build/clients.
Where CI is set the tests do so themselves; elsewhere they skip, by its name,
what is not there.
"""

import contextlib
import fcntl
import os
import shutil
import site
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FOLDER = ROOT / "build" / "clients"
LIMIT = 120  # seconds for an installation
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
HOW = "python3 tests/clients/installed.py installs it"


class Missing(unittest.SkipTest):
    """A client is not installed; says which."""


def program(*names):
    """The path of the first of these programs that there is."""
    found = next(filter(None, map(shutil.which, names)), None)
    if not found:
        raise Missing(f"{names[0]} is missing")
    return found


def chromium():
    named = os.environ.get("CHROMIUM")
    return program(*([named] if named else CHROMIUM))


def python_packages(install=os.environ.get("CI")):
    """Makes what requirements.txt names importable."""
    version = "python{}.{}".format(*sys.version_info)
    wanted, mark = HERE / "requirements.txt", FOLDER / f"{version}.txt"
    with alone():
        if not is_same(mark, wanted):
            if not install:
                raise Missing(
                    f"the openai package for Python is missing: {HOW}")
            run([sys.executable, "-m", "venv", FOLDER / "venv"])
            run([FOLDER / "venv" / "bin" / "pip", "install", "--quiet",
                 "--disable-pip-version-check", "-r", wanted])
            shutil.copy(wanted, mark)
    site.addsitedir(str(FOLDER / "venv" / "lib" / version / "site-packages"))


def node_modules(install=os.environ.get("CI")):
    """The folder of what package.json names."""
    program("node")
    wanted, mark = HERE / "package-lock.json", FOLDER / "node.json"
    with alone():
        if not is_same(mark, wanted):
            if not install:
                raise Missing(f"what package.json names is missing: {HOW}")
            for name in ("package.json", "package-lock.json"):
                shutil.copy(HERE / name, FOLDER)
            run([program("npm"), "install", "--no-audit", "--no-fund",
                 "--ignore-scripts", "--silent"])
            shutil.copy(wanted, mark)
    return FOLDER / "node_modules"


@contextlib.contextmanager
def alone():
    """Several suites want the same packages at the same time: while one
    installs them the others wait."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def opencode():
    """The agent's program, for whichever processor."""
    found = sorted(node_modules().glob("opencode-*/bin/opencode"))
    if not found:
        raise Missing("opencode has no program for this machine")
    return found[-1]  # on x86-64 that which wants no newer one


def is_same(mark, wanted):
    return mark.exists() and mark.read_bytes() == wanted.read_bytes()


def run(command):
    """Run what installs; without a network there is nothing to try."""
    try:
        done = subprocess.run(list(map(str, command)), cwd=FOLDER, text=True,
                              capture_output=True, timeout=LIMIT)
        said = (done.stderr or done.stdout).strip().rpartition("\n")[2]
        failed = done.returncode and (said or f"status {done.returncode}")
    except subprocess.TimeoutExpired:
        failed = f"not done after {LIMIT} seconds"
    if failed:
        raise Missing(f"{Path(command[0]).name} installs nothing: {failed}")


if __name__ == "__main__":
    python_packages(install=True)
    print(node_modules(install=True).parent)
