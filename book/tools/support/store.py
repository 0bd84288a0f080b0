"""Answers that are dear to find, kept under everything that they depend on.

An answer is never wrong, only unused: its name is the digest of its key, so
whatever changes the answer has to be in the key.
"""

import hashlib
import json
import os
import threading
import time
from contextlib import contextmanager

UNUSED = 30 * 24 * 3600  # seconds after which an answer is forgotten


def digest(*parts):
    """A name for what the parts (text, bytes or JSON values) say together."""
    sum_ = hashlib.sha256()
    for part in parts:
        if not isinstance(part, (str, bytes)):
            part = json.dumps(part, sort_keys=True)
        data = part.encode("utf-8", "surrogateescape") \
            if isinstance(part, str) else part
        sum_.update(len(data).to_bytes(8, "big") + data)
    return sum_.hexdigest()[:32]


class Store:
    """JSON values in a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.guard = threading.Lock()
        self.locks = {}  # one for each answer that was asked for

    def lock(self, key):
        """What lets one thread look for an answer while others wait."""
        with self.guard:
            return self.locks.setdefault(key, threading.Lock())

    @contextmanager
    def held(self, key):
        """Hold an answer's lock."""
        with self.lock(key):
            yield

    def path(self, key, suffix=".json"):
        """The file for an answer; its parent exists."""
        path = self.folder / key[:2] / f"{key}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def get(self, key, find):
        """The answer for a digest: the one that is kept, else find()."""
        path = self.path(key)
        with self.held(key):
            if path.exists():
                os.utime(path)
                return json.loads(path.read_text())
            answer = find()
            self.put(key, answer)
            return answer

    def peek(self, key):
        """The answer that is kept, or None."""
        path = self.path(key)
        return json.loads(path.read_text()) if path.exists() else None

    def put(self, key, answer):
        """Keep an answer; whole or not at all."""
        self.write(self.path(key), json.dumps(answer).encode())

    def write(self, path, data):
        """Write a file; whole or not at all, whoever else does."""
        fresh = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
        fresh.write_bytes(data)
        fresh.replace(path)

    def prune(self):
        """Forget what no build has asked for in a month."""
        oldest = time.time() - UNUSED
        for path in self.folder.glob("*/*"):
            if path.stat().st_mtime < oldest:
                path.unlink()
