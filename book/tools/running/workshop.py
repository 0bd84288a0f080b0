"""Copies of the rungs, built, in which the book's commands run.

A copy stands beside copies of the other rungs, with tests/ next to it, as in
the tree; so nothing that a command writes lands among the sources, and what
was read is what is built, even while somebody edits.
"""

import os
import shutil
import signal
import subprocess
import threading
from contextlib import contextmanager, nullcontext

from reading.sources import objects
from support import timing
from support.mistakes import Wrong
from support.store import digest

TIME_LIMIT = 300  # seconds; the slowest command takes 15, alone
BUILD_LIMIT = 1800  # seconds, for building or testing a whole rung
# Make's own rules, of which the rungs need none, are tried for every header:
# without them a rung of a thousand files is looked through ten times as fast.
MAKE = "make -s -r"
FLAGS = "build/plain/flags"  # in a rung, what its objects are made with
# Blocks of commands that run at a time: one less where it is counted beside them
# which lines run.
COMMANDS = max(2, os.cpu_count() or 1)
ROOT = "folder of the tree"  # what holds it


class Workshop:
    """The copies, and what commands said in them."""

    def __init__(self, sources, folder, store, counting=False):
        self.sources = sources
        self.folder = folder / "rungs"
        self.store = store
        self.built = {}
        self.ran = set()  # keys of the commands that ran in this build
        self.places = threading.Semaphore(COMMANDS - counting)
        self.closed = False  # in a helper: two would write the same copies

    def environment(self, folder):
        """A reader's environment: `rung` is found, nothing is coloured."""
        kept = {key: value for key, value in os.environ.items()
                if not key.startswith(("MAKE", "RUNG", "MFLAGS"))}
        return {**kept, "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "TERM": "dumb",
                "PATH": f"{folder}:{os.environ['PATH']}"}

    def copy(self, rung, name):
        """The folder of a copy of a rung, brought up to date."""
        folder = self.folder / name
        self.link_tests()
        write_files(folder, self.sources.ladder[rung])
        return folder

    def link_tests(self):
        """What the rungs share stands beside them."""
        self.refuse_closed()
        self.folder.mkdir(parents=True, exist_ok=True)
        link = self.folder / "tests"
        with self.store.lock("folder tests"):
            if not link.is_symlink():
                link.symlink_to(self.sources.root / "tests")

    def build(self, rung, name=None):
        """The folder of a rung's copy with its program, new.  The one in
        which commands run has the rung's name, and what is in it beside the
        program may be theirs; its objects are those of the one whose tests
        are run, which they leave alone."""
        name = name or rung
        if name != tested_copy(rung):
            self.build(rung, tested_copy(rung))
        with self.store.held(f"folder {name}"):
            if name not in self.built:
                with timing.spent("building the rungs", rung):
                    folder = self.copy(rung, name)
                    self.take_objects(rung, name)
                    status, output = self.execute(MAKE, folder,
                                                  BUILD_LIMIT)
                self.built[name] = output if status else ""
        if self.built[name]:
            raise Wrong(f"{rung} cannot be built: {self.built[name][-500:]}")
        return self.folder / name

    def take_objects(self, rung, name):
        """Copy what need not be compiled: what the tree's rung has, then what
        the tested copies of this rung and of the one below have that are
        built."""
        folder = self.folder / name
        self.execute(f"{MAKE} {FLAGS}", folder, BUILD_LIMIT)
        if not (folder / FLAGS).exists():
            return
        build = objects.Build(folder)
        with self.store.held(ROOT):
            objects.take(build, objects.Build(self.sources.root / rung))
        for copy in map(tested_copy, filter(
                None, (rung, self.sources.below(rung)))):
            if copy != name and self.built.get(copy) == "":
                with self.store.held(f"folder {copy}"):
                    objects.take(build, objects.Build(self.folder / copy))

    def key(self, commands, rung):
        """What the output of commands depends on: themselves, the rung, the
        models (in the root, all rungs and the tools)."""
        digests = self.sources.digests
        seen = digests[rung] if rung else [digests, self.sources.tools]
        return digest("run", commands, rung or "", seen, self.sources.models)

    def key_of_block(self, commands, rung, earlier):
        """The same for the commands of a block behind others."""
        return self.key([*earlier, *commands], rung)

    def run(self, command, rung, status=0):
        """What a command prints, standard error included; the rung is None
        for the root of the tree."""
        return self.run_all([command], rung, [status])[0]

    def run_all(self, commands, rung, expected, earlier=()):
        """What each of some commands prints, run one after the other: a later
        one may read what an earlier one wrote, so they are kept together.
        `earlier` are such lists, too, which wrote what these commands read:
        where their answers were kept, they run now."""
        def find():
            folder = self.build(rung) if rung else self.sources.root
            self.prepare(rung, earlier)
            with self.place(rung), timing.piece(
                    f"{rung or 'the tree'}: {' '.join(commands)[:300]}"):
                results = [self.execute(command, folder, TIME_LIMIT)
                           for command in commands]
            self.ran.add(key)
            return checked(commands, expected, results)
        key = self.key_of_block(commands, rung, earlier)
        results = self.store.get(key, find)
        return [output for _, output in checked(commands, expected, results)]

    @contextmanager
    def place(self, rung):
        """Where a block's commands may run: COMMANDS blocks at a time, and no
        object is taken from the tree while they compile there."""
        tree = nullcontext() if rung else self.store.held(ROOT)
        with self.places, tree, timing.spent("commands", rung or ""):
            yield

    def prepare(self, rung, blocks):
        """Run the commands of blocks that wrote what others read, unless they
        ran in this build."""
        for at, commands in enumerate(blocks):
            key = self.key_of_block(commands, rung, blocks[:at])
            if key not in self.ran:
                folder = self.build(rung) if rung else self.sources.root
                with self.place(rung):
                    for command in commands:
                        self.execute(command, folder, TIME_LIMIT)
                self.ran.add(key)

    def close(self):
        """Let nothing run, and no copy be written."""
        self.closed = True

    def refuse_closed(self):
        """Where nothing may run, nothing does."""
        if self.closed:
            raise Wrong("a helper runs no commands")

    def execute(self, command, folder, limit):
        """Run a command: its exit status and what it printed."""
        self.refuse_closed()
        with subprocess.Popen(
                ["sh", "-c", command], cwd=folder, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                env=self.environment(folder), start_new_session=True) as child:
            late = threading.Timer(limit, os.killpg,
                                   (child.pid, signal.SIGKILL))
            late.start()
            output = child.stdout.read()
            _, status, cost = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            timing.used(cost.ru_utime + cost.ru_stime)
            if late.finished.is_set():
                raise Wrong(f"{command}: not done after {limit} s")
            late.cancel()
        return child.returncode, tidy(output.decode("utf-8", "replace"))


def tested_copy(rung):
    """The name of the copy whose tests are run, and no command of the book."""
    return f"{rung}-tested"


def checked(commands, expected, results):
    """The [status, output] of each command, each as expected; what is not is
    no answer, and is not kept."""
    for command, status, (got, output) in zip(commands, expected, results):
        if got != status:
            raise Wrong(f"{command}: ended with status {got}, not "
                        f"{status}: {output[-500:]}")
    return results


def tidy(output):
    """Without blanks at the ends of lines and blank lines around."""
    lines = [line.rstrip() for line in output.split("\n")]
    return "\n".join(lines).strip("\n")


def write_files(folder, files):
    """Make a folder hold these files, but keep what was built in it; files
    that are right already are not touched, so `make` knows what is new."""
    folder.mkdir(parents=True, exist_ok=True)
    remove_others(folder, files)
    for name, file in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != file.data:
            path.write_bytes(file.data)
        path.chmod(0o755 if file.mode == "100755" else 0o644)


def remove_others(folder, files, around=""):
    """Remove what is neither one of these files nor built; `around` is the
    folder's own path in the rung."""
    for path in folder.iterdir():
        name = around + path.name
        if name in ("build", "rung"):
            continue
        if not path.is_dir():
            if name not in files:
                path.unlink()
        elif any(file.startswith(f"{name}/") for file in files):
            remove_others(path, files, f"{name}/")
        else:
            shutil.rmtree(path)
