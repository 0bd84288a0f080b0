"""The archive of a made-up book: packed, read again, and what is missing."""

import tempfile
import unittest
import zipfile
from pathlib import Path

from support.mistakes import Wrong
from web import archive


class Archive(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.build = Path(scratch.name)
        for name in ("site/index.html", "site/source/ops.c.html",
                     "book.epub", "book.pdf"):
            path = self.build / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name)

    def pack(self):
        return archive.pack(self.build, "2026-11-22", "0123456789ab")

    def test_all_is_in_one_dated_folder(self):
        path = self.pack()
        self.assertEqual(path.name, "rungs-book-2026-11-22.zip")
        with zipfile.ZipFile(path) as packed:
            self.assertEqual(packed.namelist(), [
                f"rungs-book-2026-11-22/{name}" for name in (
                    "README.txt", "site/index.html", "site/source/ops.c.html",
                    "rungs.epub", "rungs.pdf")])
            self.assertIn(b"commit 0123456789ab",
                          packed.read("rungs-book-2026-11-22/README.txt"))

    def test_the_same_files_give_the_same_bytes(self):
        first = self.pack().read_bytes()
        (self.build / "site/index.html").touch()
        self.assertEqual(self.pack().read_bytes(), first)

    def test_what_is_missing_is_named(self):
        (self.build / "book.pdf").unlink()
        with self.assertRaisesRegex(Wrong, r"book\.pdf is missing"):
            self.pack()
        self.assertEqual(list(self.build.glob("*.zip")), [])

    def test_it_is_read_packed_and_unpacked(self):
        self.pack()
        place = archive.site_in(archive.newest(self.build),
                                self.build / "read")
        self.assertEqual((place / "source/ops.c.html").read_text(),
                         "site/source/ops.c.html")
        for folder in (place, place.parent):
            self.assertEqual(archive.site_in(folder, self.build / "x"), place)

    def test_what_is_no_archive(self):
        (self.build / "x.zip").write_text("words")
        for path, why in (("x.zip", "not a zip file"), ("none", "No such"),
                          (".", None)):
            with self.assertRaisesRegex(Wrong, why or "no site"):
                archive.site_in(self.build / path if why else
                                self.build / "site/source", self.build / "r")
        with self.assertRaisesRegex(Wrong, "no archive"):
            archive.newest(self.build)


if __name__ == "__main__":
    unittest.main()
