"""Runs a rung's commands for transcripts and pictures, as a reader would."""

import hashlib
import os
import re
import subprocess

TIME_LIMIT = 120  # seconds; the slowest command of the book takes a few


class Runner:
    """Commands that begin with `rung`, run in one rung's folder."""

    def __init__(self, sources, rung):
        self.rung = rung
        self.folder = sources.root / rung
        self.files = sources.ladder.get(rung, {})

    def build(self):
        """Make sure that the program is there and new."""
        subprocess.run(["make", "--no-print-directory", "-s", "-C",
                        self.folder], check=True)

    def key(self, command):
        """What a command's output depends on: itself and the program."""
        digest = hashlib.sha256()
        for path, file in sorted(self.files.items()):
            if path.endswith((".c", ".h")) or path == "Makefile":
                digest.update(path.encode() + b"\0" + file.data)
        return f"{self.rung} {command} {digest.hexdigest()}"

    def run(self, command, status=0):
        """What a command prints, standard error after standard output."""
        environment = {**os.environ, "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
                       "PATH": f"{self.folder}:{os.environ['PATH']}"}
        done = subprocess.run(["sh", "-c", command], cwd=self.folder,
                              env=environment, capture_output=True,
                              timeout=TIME_LIMIT)
        output = (done.stdout + done.stderr).decode("utf-8", "replace")
        if done.returncode != status:
            raise subprocess.CalledProcessError(
                done.returncode, command, stderr=f"{command}: ended with "
                f"{done.returncode}, not {status}: {output.strip()[-500:]}")
        return re.sub(r"[ \t]+$", "", output.strip("\n"), flags=re.M)
