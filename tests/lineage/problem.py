"""What the tools say when something is wrong: a place and how to mend it."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Problem:
    """One finding; `path` is relative to the repository's root."""

    path: str
    line: int
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.message}"


class Refusal(Exception):
    """C text that cannot be cut into regions: its line, and why not."""

    def __init__(self, line, message):
        super().__init__(message)
        self.line = line
        self.message = message

    def at(self, path):
        """The same as a Problem of the file at `path`."""
        return Problem(path, self.line, self.message)


class Stop(Exception):
    """The tool cannot go on; the message is for the user."""
