"""The rooms stand one upon another: no import goes up."""

import ast
import re
import tempfile
import unittest
from pathlib import Path

from architecture import ROOMS

TOOLS = Path(__file__).resolve().parents[1]
ROW = re.compile(r"^\| `(\w+)/` (\|.*)$", re.M)  # of README.md's table
NAME = re.compile(r"`(\w+)`")
AT_THE_TOP, IN_A_ROOM = 15, 25  # entries, files


def entries(folder):
    """What stands in a folder, without what Python keeps there."""
    return [path for path in sorted(folder.iterdir())
            if path.name != "__pycache__"]


def imported(path):
    """The modules that a file imports: text.tree, json."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def rises(folder, rooms):
    """(file, import) of each module, tests apart, that imports a higher
    room, or a command."""
    commands = {path.stem for path in folder.glob("*.py")}
    for at, room in enumerate(rooms):
        for path in sorted((folder / room).glob("*.py")):
            for name in imported(path):
                if name.partition(".")[0] in {*rooms[at + 1:], *commands} \
                        and not path.name.startswith("test_"):
                    yield f"{room}/{path.name}", name


class Rooms(unittest.TestCase):
    def test_no_import_goes_up(self):
        self.assertEqual(list(rises(TOOLS, ROOMS)), [])

    def test_an_import_that_goes_up_is_found(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for path, text in (("build.py", ""),
                               ("low/a.py", "import json\nimport low.b\n"),
                               ("low/b.py", "from high import c\n"),
                               ("low/d.py", "from high.c import e\n"),
                               ("low/f.py", "def g():\n    import build\n"),
                               ("low/test_b.py", "from high import c\n"),
                               ("high/c.py", "from low.b import c\n")):
                (folder / path).parent.mkdir(exist_ok=True)
                (folder / path).write_text(text)
            self.assertEqual(list(rises(folder, ("low", "high"))), [
                ("low/b.py", "high"), ("low/d.py", "high.c"),
                ("low/f.py", "build")])

    def test_every_folder_is_a_room(self):
        self.assertEqual({path.name for path in entries(TOOLS)
                          if path.is_dir()}, set(ROOMS))
        for room in ROOMS:
            self.assertTrue((TOOLS / room / "__init__.py").is_file(), room)

    def test_no_floor_is_crowded(self):
        self.assertLessEqual(len(entries(TOOLS)), AT_THE_TOP)
        for room in ROOMS:
            self.assertLessEqual(len(entries(TOOLS / room)), IN_A_ROOM, room)

    def test_no_name_occurs_twice(self):
        names = [path.name for path in TOOLS.rglob("*.py")
                 if path.name != "__init__.py"]
        self.assertEqual(len(names), len(set(names)), sorted(names))

    def test_the_page_names_every_module_in_its_rooms_row(self):
        rows = dict(ROW.findall((TOOLS / "README.md").read_text()))
        self.assertEqual(tuple(rows), ROOMS)
        for room in ROOMS:
            modules = {path.stem for path in (TOOLS / room).glob("*.py")
                       if not path.name.startswith(("test_", "__"))}
            self.assertLessEqual(modules, set(NAME.findall(rows[room])), room)


if __name__ == "__main__":
    unittest.main()
