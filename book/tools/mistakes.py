"""Mistakes in a chapter: collected, so that one build names them all."""


class Mistakes:
    """What is wrong, each with its file and line."""

    def __init__(self):
        self.found = []

    def add(self, path, line, message):
        """Note one: `path` is relative to the repository's root."""
        self.found.append((str(path), line, message))

    def report(self, out):
        """Print them in order; how many there are."""
        for path, line, message in sorted(set(self.found)):
            print(f"{path}:{line}: {message}", file=out)
        return len(self.found)
