"""A rung with a cache gives the bits of the last rung without, whatever the
chunks: see README.md."""

import json
import pathlib
import struct
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"


def having(name):
    """The rungs with a file of this name, whatever its room."""
    return [m.parent for m in sorted(ROOT.glob("m[0-9]*/Makefile"))
            if any(m.parent.rglob(name))]


WITH = having("kvcache.h")
WITHOUT = [rung for rung in having("forward.h") if rung not in WITH]
CHUNKS = (1, 2, 7, 64, 10 ** 6)


def build(rung, reader):
    """The program that writes a rung's scores."""
    program = ROOT / "build" / "bits" / rung.name / "dump"
    made = subprocess.run(
        ["make", "-s", "-C", rung, "-f", "Makefile", "-f",
         "../tests/bits/dump.mk", "dump", f"READER={reader}", f"OUT={program}"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        raise RuntimeError(f"{rung.name}: {made.stdout}")
    return program


def scores(program, text, chunk):
    return subprocess.run([program, *text, str(chunk)], check=True,
                          stdout=subprocess.PIPE).stdout


def names(path):
    """The tensors of a safetensors file."""
    with open(path, "rb") as file:
        size, = struct.unpack("<Q", file.read(8))
        return json.loads(file.read(size)).keys()


def texts():
    """(model, goldens, name) of all texts there are."""
    found = []
    for goldens in sorted(TESTS.glob("checkpoints/goldens/*.safetensors")):
        model = TESTS / "checkpoints" / goldens.stem
        found += [(model, goldens, name) for name in ("ids", "long.ids")
                  if name in names(goldens)]
    goldens = TESTS / "models" / "goldens" / "forward.safetensors"
    found.append((TESTS / "models" / "tiny-chat", goldens, "p4.ids"))
    return found


@unittest.skipUnless(WITH and WITHOUT, "no rung has a cache")
class Bits(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.reference = build(WITHOUT[-1], "whole")
        cls.programs = {rung.name: build(rung, "chunked") for rung in WITH}

    def check(self, text, chunks):
        expected = scores(self.reference, text, 0)
        self.assertGreater(len(expected), 0)
        for rung, program in self.programs.items():
            for chunk in chunks:
                found = scores(program, text, chunk)
                with self.subTest(rung=rung, chunk=chunk, text=text[2],
                                  model=text[0].name):
                    self.assertEqual(len(found), len(expected))
                    self.assertEqual(self.first_difference(found, expected),
                                     None)

    @staticmethod
    def first_difference(found, expected):
        """The number of the first score that differs, and both; or None."""
        if found == expected:
            return None
        at = next(i for i in range(0, len(expected), 4)
                  if found[i:i + 4] != expected[i:i + 4])
        return (at // 4, *struct.unpack_from("<f", found, at),
                *struct.unpack_from("<f", expected, at))

    def test_short_texts_in_all_chunks(self):
        for text in texts():
            if text[2] != "long.ids":
                self.check(text, CHUNKS)

    def test_long_texts(self):
        for text in texts():
            if text[2] == "long.ids":
                self.check(text, (7, 64))


if __name__ == "__main__":
    unittest.main()
