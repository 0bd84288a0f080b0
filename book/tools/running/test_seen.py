"""Which tests run a function."""

import subprocess
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

from running import seen

A = """\
#include <stdlib.h>

/* One more. */
static int more(int x)
{
    return x + 1;
}

int last(int x)
{
    if (x > 2) {
        return 2;
    }
    return more(x);
}

int odd(int x) { return x; }
"""
MAIN = """\
#include <sys/wait.h>
#include <unistd.h>
int last(int x);
int main(int n, char **words)
{
    if (n > 1 && fork() == 0) {
        last(1);
        _exit(0);
    }
    wait(NULL);
    return n > 2;
}
"""
PATH = "m0-x/room/a.c"
MORE, LAST, ODD = [(PATH, name) for name in ("more", "last", "odd")]


def region(path, name):
    """A function of A, with what stands above it."""
    part = next(part for part in A.split("\n\n") if f"{name}(int" in part)
    return SimpleNamespace(text=part.strip("\n"))


SOURCES = SimpleNamespace(text=lambda path: A, region=region)


class Changed(unittest.TestCase):
    def changed(self, old, new, subjects=(MORE, LAST, ODD)):
        """The function whose body alone differs."""
        self.assertIn(old, A)
        return seen.changed_function(SOURCES, subjects, PATH,
                                     A.replace(old, new))

    def test_a_body(self):
        self.assertEqual(self.changed("x + 1", "x + 2"), MORE)
        self.assertEqual(self.changed("    return x + 1;\n", "    x++;\n"
                                      "    return x + 2;\n"), MORE)
        self.assertEqual(self.changed("return 2;", "return 3;"), LAST)

    def test_more_than_a_body(self):
        for old, new in (("#include", "#define x y\n#include"),
                         ("static int more(int x)", "static int more(long x)"),
                         ("    return x + 1;\n", "#define last first\n"),
                         ("    return x + 1;\n", "}\nint two(void)\n{\n"),
                         ("{ return x; }", "{ return 3; }")):
            self.assertIsNone(self.changed(old, new), new)
        both = A.replace("x + 1", "x + 2").replace("x > 2", "x > 3")
        self.assertIsNone(seen.changed_function(SOURCES, (MORE, LAST), PATH,
                                                both))

    def test_a_function_that_nobody_asked_for(self):
        self.assertIsNone(self.changed("x + 1", "x + 2", [LAST]))
        self.assertIsNone(self.changed("x + 1", "x + 2",
                                       [("m0-x/room/b.c", "more")]))


class Marks(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        (self.folder / "room").mkdir()
        (self.folder / "build").mkdir()
        texts = seen.marked(SOURCES, [MORE, LAST, ODD])
        self.around = seen.prepare(self.folder, texts)
        (self.folder / "main.c").write_text(MAIN)
        subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-Wpedantic",
                        "-std=c11", "-D_POSIX_C_SOURCE=200809L",
                        "-Wno-unused-parameter", "-o", "t", "main.c",
                        "room/a.c", f"room/{seen.MARK}.c"],
                       cwd=self.folder, check=True)

    def ran(self, *words):
        """What the program ran when it is called so."""
        subprocess.run(f"{self.around} ./t {' '.join(words)}", shell=True,
                       cwd=self.folder, start_new_session=True)
        return seen.read(self.folder, ["t"], [MORE, LAST, ODD]).get("t")

    def test_what_is_run_in_a_child_counts(self):
        self.assertEqual(self.ran("child"), [MORE, LAST])

    def test_what_is_not_run(self):
        self.assertEqual(self.ran(), [])

    def test_of_a_test_that_fails_nothing_is_known(self):
        self.assertIsNone(self.ran("child", "fail"))

    def test_where_a_mark_cannot_be_left_nothing_is_known(self):
        script = self.folder / "build" / "ran.sh"
        script.write_text(script.read_text().replace(
            '"$@"', 'rmdir build/ran; "$@"'))
        self.assertIsNone(self.ran("child"))

    def test_no_room_for_files_is_no_matter(self):
        script = self.folder / "build" / "ran.sh"
        script.write_text(script.read_text().replace(
            '"$@"', '(ulimit -f 0; "$@")'))
        self.assertEqual(self.ran("child"), [MORE, LAST])


if __name__ == "__main__":
    unittest.main()
