"""What outcomes are kept under: all that programs of the book read."""

import re
import tempfile
import unittest
from pathlib import Path

from reading.sources import ALONE, ROOT, SHARED, Sources

OF_COMMANDS = re.compile(r"\.\./(tests/[\w./-]+)")
READ = [*SHARED, *(path for paths in ALONE.values() for path in paths)]
OF_TESTS = re.compile(r'test_path\("([\w./-]+)"|"%s%s%s/([\w./-]+)"')


def read_by_commands():
    """The paths below tests/ that commands of chapters name."""
    return {path for chapter in (ROOT / "book").glob("*.md")
            for path in OF_COMMANDS.findall(chapter.read_text())}


def read_by_tests():
    """The same of the rungs' tests."""
    return {f"tests/{one or other}" for rung in ROOT.glob("m[0-9]*-*")
            for file in rung.rglob("tests/*.[ch]")
            for one, other in OF_TESTS.findall(file.read_text())}


class Shared(unittest.TestCase):
    def test_all_that_is_read_is_in_the_digest(self):
        for read in (read_by_commands(), read_by_tests()):
            self.assertGreater(len(read), 5)
            self.assertEqual([], [
                path for path in sorted(read)
                if not any(f"{path}/".startswith(f"{one}/")
                           for one in READ)])

    def test_what_it_names_is_there(self):
        for path in READ:
            self.assertTrue((ROOT / path).exists(), path)

    def test_a_changed_file_is_another_digest(self):
        def digest(*without):
            return Sources.digest_of(sources, SHARED,
                                     lambda path: path.name not in without)
        sources = Sources.__new__(Sources)
        sources.root = ROOT
        for name in ("published.jsonl", "heldout.txt", "real_gemma3.json"):
            self.assertNotEqual(digest(), digest(name))

    def test_what_python_compiles_is_none_of_them(self):
        with tempfile.TemporaryDirectory() as folder:
            sources = Sources.__new__(Sources)
            sources.root = Path(folder)
            (sources.root / "tool.py").write_text("")
            before = sources.parts_of(["."])
            (sources.root / "__pycache__").mkdir()
            (sources.root / "__pycache__/tool.pyc").write_bytes(b"compiled")
            self.assertEqual(sources.parts_of(["."]), before)
            self.assertTrue(before)


if __name__ == "__main__":
    unittest.main()
