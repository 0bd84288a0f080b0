"""A folder of finished files: written where they differ, and nothing else in
it when the build is done."""

from pathlib import Path


class Output:
    """The folder, and what has been put into it."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.written = set()

    def write(self, name, content):
        """Put a file there: text or bytes."""
        data = content if isinstance(content, bytes) else content.encode()
        path = self.folder / name
        self.written.add(path)
        if path.exists() and path.read_bytes() == data:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def copy(self, source, name):
        """Put a copy of a file, or of a folder's files, there."""
        source = Path(source)
        if source.is_dir():
            for path in sorted(source.rglob("*")):
                if path.is_file():
                    self.copy(path, f"{name}/{path.relative_to(source)}")
        else:
            self.write(name, source.read_bytes())

    def finish(self):
        """Remove what an earlier build left."""
        for path in sorted(self.folder.rglob("*"), reverse=True):
            if path.is_file() and path not in self.written:
                path.unlink()
            elif path.is_dir() and not any(path.iterdir()):
                path.rmdir()
