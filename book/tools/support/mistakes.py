"""Mistakes in a chapter: collected, so that one build names them all."""

from threading import Lock


class Wrong(Exception):
    """What a chapter asks for and cannot have; the message says why."""


class Mistakes:
    """What is wrong, each with its file and line."""

    def __init__(self):
        self.found = set()
        self.noted = 0  # how often one was noted, the same one twice, too
        self.guard = Lock()

    def add(self, path, line, message):
        """Note one: `path` is relative to the repository's root."""
        with self.guard:
            self.noted += 1
            self.found.add((str(path), line, " ".join(str(message).split())))

    def report(self, out):
        """Print them in order; how many there are."""
        for path, line, message in sorted(self.found):
            print(f"{path}:{line}: {message}", file=out)
        return len(self.found)
