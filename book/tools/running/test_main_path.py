"""What counting copies say, and which of their objects are not compiled."""

import shutil
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

from running import main_path, workshop
from running.workshop import FLAGS
from support.store import Store


class Workshop:
    """One whose rung is built, with an object for each set."""

    def __init__(self, folder, makefile):
        self.folder = folder
        self.sources = SimpleNamespace(ladder={
            "m6": {"Makefile": SimpleNamespace(text=makefile)}})

    def build(self, rung, name):
        objects = (self.folder / rung / FLAGS).parent
        objects.mkdir(parents=True)
        for name in ("a.o", "k.portable.o", "k.avx2.o", "k.avxvnni.o",
                     "k.avx512.o", "k.neon.o", "k.i8mm.o", "k.avx2.d"):
            (objects / name).write_text(name)
        return self.folder / rung


class Counting(unittest.TestCase):
    def counting(self, makefile):
        return main_path.counting(
            {"Makefile": SimpleNamespace(text=makefile)})

    def test_threads_add_up_atomically_but_for_kernels(self):
        self.assertEqual(self.counting("CC = gcc\n"),
                         "CC=gcc CFLAGS='-O0 --coverage'")
        self.assertEqual(self.counting("A = -lpthread\nSETS_x = portable\n"),
                         "CC=gcc CFLAGS='-O0 --coverage"
                         " -fprofile-update=atomic -DINLINE=static'"
                         " SET_portable=-fprofile-update=single")


class OtherSets(unittest.TestCase):
    def taken(self, makefile):
        with tempfile.TemporaryDirectory() as name:
            built = Workshop(Path(name), makefile)
            copy = Path(name) / "copy"
            (copy / FLAGS).parent.mkdir(parents=True)
            main_path.take_other_sets(built, "m6", copy)
            return sorted(path.name for path in copy.rglob("*.*"))

    def test_they_are_those_that_do_not_run(self):
        self.assertEqual(self.taken("A =\nSETS_x86_64 = portable avx2\n"),
                         ["k.avx2.o", "k.avxvnni.o", "k.i8mm.o"])

    def test_a_rung_without_sets_is_not_built_for_them(self):
        self.assertEqual(self.taken("CC = gcc\n"), [])


MAKEFILE = """\
rung: build/plain/main.o build/plain/a.o
\t$(CC) $(CFLAGS) -o $@ $^

build/plain/%.o: %.c
\t$(CC) $(CFLAGS) -MMD -c -o $@ $<
\techo $@ >>../compiled

build/plain/flags:
\tmkdir -p build/plain
\techo '$(CC) $(CFLAGS)' >$@
"""
# As kernels are: inlined unless the compiler is told otherwise.
INLINED = """\
#ifndef INLINE
#define INLINE static inline __attribute__((always_inline))
#endif
INLINE int one(int x)
{
    return x + 1;
}
int main(void)
{
    return one(0) != 1;
}
"""
A = """\
int a(int x)
{
    if (x > 3)
        return 1;
    return 2;
}
"""
MAIN = """\
int a(int x);
int main(void)
{
    return a(%d) != %d;
}
"""


@unittest.skipUnless(shutil.which("gcov"), "gcov is missing")
class Counted(unittest.TestCase):
    """Two rungs that have a.c in common, counted one after the other."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        files = {rung: {"Makefile": MAKEFILE, "a.c": A,
                        "main.c": MAIN % numbers}
                 for rung, numbers in (("m0", (5, 1)), ("m1", (2, 2)))}
        files["m2"] = {"Makefile": MAKEFILE + "SETS_x86_64 = portable\n",
                       "a.c": A, "main.c": INLINED}
        self.workshop = workshop.Workshop(
            SimpleNamespace(root=self.folder, digests=files, models="",
                            below=lambda rung: None,
                            ladder={rung: {
                                name: SimpleNamespace(
                                    data=text.encode(), text=text,
                                    mode="100644")
                                for name, text in by.items()}
                                for rung, by in files.items()}),
            self.folder, Store(self.folder / "store"))

    def counts(self, rung):
        """Which lines of a.c its program runs."""
        return main_path.lines_run(self.workshop, rung, "./rung")["a.c"]

    def test_what_both_have_is_compiled_once_and_counted_anew(self):
        self.assertEqual(self.counts("m0"),
                         {1: True, 3: True, 4: True, 5: False})
        self.assertEqual(self.counts("m1"),
                         {1: True, 3: True, 4: False, 5: True})
        self.assertEqual((self.folder / "rungs" / "compiled").read_text(),
                         "build/plain/main.o\nbuild/plain/a.o\n"
                         "build/plain/main.o\n")
        self.assertEqual({path.name for path in
                          (self.folder / "rungs").glob("gcov*")}, {"gcov"})

    def test_what_is_inlined_in_kernels_runs_as_other_functions_do(self):
        self.assertEqual(main_path.functions_run(
            self.workshop, "m2", "./rung"), {("main.c", "main"),
                                             ("main.c", "one")})


if __name__ == "__main__":
    unittest.main()
