"""Which tests run what a box changes."""

import subprocess
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

from running import seen, trials

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


def regions(path):
    """The functions of A, each with what stands above it."""
    parts = A.strip("\n").split("\n\n")[1:]
    return {part: SimpleNamespace(text=part, is_function=True)
            for part in parts}


SOURCES = SimpleNamespace(text=lambda path: A, regions=regions)


def place(line):
    """The place where a line of A begins."""
    return PATH, A.rindex("\n", 0, A.index(line)) + 1


MORE, TWO, LAST = map(place, ("return x + 1", "return 2", "return more"))


class Changed(unittest.TestCase):
    def changed(self, old, new):
        """Where what differs begins."""
        self.assertIn(old, A)
        return seen.subject(SOURCES, PATH, A.replace(old, new))

    def test_a_body(self):
        self.assertEqual(self.changed("x + 1", "x + 2"), MORE)
        self.assertEqual(self.changed("    return x + 1;\n", "    x++;\n"
                                      "    return x + 2;\n"), MORE)
        self.assertEqual(self.changed("return 2;", "return 3;"), TWO)
        self.assertEqual(self.changed("return more", "return -more"), LAST)

    def test_more_than_a_body(self):
        for old, new in (("#include", "#define x y\n#include"),
                         ("static int more(int x)", "static int more(long x)"),
                         ("    return x + 1;\n", "#define last first\n"),
                         ("    return x + 1;\n", "}\nint two(void)\n{\n"),
                         ("{ return x; }", "{ return 3; }")):
            self.assertIsNone(self.changed(old, new), new)
        both = A.replace("x + 1", "x + 2").replace("x > 2", "x > 3")
        self.assertIsNone(seen.subject(SOURCES, PATH, both))


class Beginning(unittest.TestCase):
    """The line before which a body and another one are the same."""

    def begins(self, old, new, line):
        """A body with `old` and with `new` differs from this line on."""
        at = seen.beginning(old, new)
        self.assertEqual(old[at:].split("\n")[0].strip(), line)

    def test_the_statement_that_differs(self):
        self.begins("    a();\n    b(1);\n    c();",
                    "    a();\n    b(2);\n    c();", "b(1);")
        self.begins("    a();\n    b(1,\n      2);",
                    "    a();\n    b(1,\n      3);", "b(1,")
        self.begins("    a();\n    b = 1 +\n        2;",
                    "    a();\n    b = 1 +\n        3;", "b = 1 +")
        self.begins("    a();\n    b();", "    a();\n    z();\n    b();",
                    "b();")
        self.begins("    a();\n    for (b;\n         c;\n         d)\n"
                    "        e();", "    a();\n    for (b;\n         c;\n"
                    "         f)\n        e();", "for (b;")

    def test_a_statement_under_a_condition_begins_with_it(self):
        self.begins("    a();\n    if (b)\n        c();\n    d();",
                    "    a();\n    if (b)\n        z();\n    d();",
                    "if (b)")
        self.begins("    a();\n    if (b)\n        c();\n    else\n"
                    "        d();", "    a();\n    if (b)\n        c();\n"
                    "    else\n        z();", "if (b)")

    def test_within_a_block(self):
        old = "    if (a) {\n        b();\n        c();\n    }\n    d();"
        self.begins(old, old.replace("c()", "z()"), "c();")
        self.begins(old, old.replace("b()", "z()"), "b();")

    def test_what_differs_behind_the_block_too(self):
        old = ("    x();\n    if (a) {\n        b();\n        c();\n    }\n"
               "    d();")
        self.begins(old, old.replace("c()", "z()").replace("d()", "y()"),
                    "if (a) {")
        other = old.replace("if (a) {", "do {").replace("}", "} while (a);")
        self.begins(other, other.replace("(a)", "(c)"), "do {")

    def test_a_brace_that_comes_or_goes(self):
        self.begins("    x();\n    if (a) {\n        b();\n    }\n    c();",
                    "    x();\n    if (a) {\n        b();\n    c();\n    }",
                    "if (a) {")

    def test_words_are_no_code(self):
        self.begins('    x();\n    if (a) {\n        b("{");\n    }\n    c();',
                    '    x();\n    if (a) {\n        b("(");\n    }\n    d();',
                    "if (a) {")
        self.begins("    x();\n    /* so;\n       and so;\n       so */\n"
                    "    a();", "    x();\n    /* so;\n       and so;\n"
                    "       no */\n    b();", "/* so;")

    def test_a_list_is_no_block(self):
        self.begins("    a();\n    int b[] = {\n        1,\n    };",
                    "    a();\n    int b[] = {\n        2,\n    };",
                    "int b[] = {")

    def test_where_code_is_not_in_order_all_of_the_body(self):
        for word in ("goto x;", "switch (x) {\n    case 1:\n    }",
                     "static int x;"):
            body = f"    a();\n    b();\n    {word}"
            self.begins(body, body.replace("b()", "z()"), "a();")


class Marks(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        (self.folder / "room").mkdir()
        (self.folder / "build").mkdir()
        texts = seen.marked(SOURCES, [MORE, TWO, LAST])
        trials.put(self.folder, texts)
        self.around = seen.prepare(self.folder, min(texts))
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
        return seen.read(self.folder, ["t"]).get("t")

    def test_what_is_run_in_a_child_counts(self):
        self.assertEqual(self.ran("child"), [0, 2])  # MORE, LAST

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
        self.assertEqual(self.ran("child"), [0, 2])  # MORE, LAST


if __name__ == "__main__":
    unittest.main()
