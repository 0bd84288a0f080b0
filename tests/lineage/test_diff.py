"""make diff shows what a rung changes, by step and region."""

from diff import main
from ladder import LadderCase

STEPS = """\
step rounder figures
new circle.c
changed shapes.c top  # pi
step a better square
changed shapes.c square  # exact
removed Makefile  # built by another
"""


class Diff(LadderCase):
    def setUp(self):
        super().setUp()
        self.two(STEPS)
        self.edit("m1-high/shapes.c", "return a * a", "return exact(a * a)")
        self.edit("m1-high/shapes.c", "<math.h>", "<pi.h>")
        self.write("m1-high/circle.c", "int circle(int r)\n{\n}\n")
        (self.root / "m1-high/Makefile").unlink()

    def shows(self, *arguments):
        """What the tool prints."""
        status, said = self.run_tool(main, *arguments)
        self.assertEqual(status, 0, said)
        return said

    def test_neighbours_go_by_the_steps_of_lineage(self):
        said = self.shows("m0-low", "m1-high")
        wanted = ["m0-low -> m1-high: one more", "* rounder figures",
                  "new circle.c\n3 lines", "changed shapes.c top  # pi",
                  "-#include <math.h>", "* a better square",
                  "changed shapes.c square  # exact", "-    return a * a;",
                  "+    return exact(a * a);", "removed Makefile  # built"]
        places = [said.index(text) for text in wanted]
        self.assertEqual(places, sorted(places), said)
        self.assertNotIn("not declared", said)

    def test_hunks_carry_the_lines_of_their_files(self):
        said = self.shows("m0-low", "m1-high")
        first = self.line_of("m0-low/shapes.c", "/* The area of a square")
        self.assertIn(f"@@ -{first},5 +{first},5 @@", said)

    def test_what_lineage_does_not_say_comes_last(self):
        self.edit("m1-high/shapes.h", "int square(int a);", "int square(int);")
        said = self.shows("m0-low", "m1-high")
        self.assertLess(said.index("* not declared in LINEAGE"),
                        said.index("changed shapes.h proto:square"))

    def test_rungs_that_are_no_neighbours_go_by_file(self):
        self.climb("m1-high", "m2-top")
        said = self.shows("m0-low", "m2-top")
        self.assertNotIn("*", said.split("\n")[0])
        self.assertNotIn("* rounder", said)
        self.assertNotIn("not declared", said)
        self.assertIn("changed shapes.c square\n", said)
        self.assertIn("changed shapes.c square\n",
                      self.shows("m2-top", "m0-low"))

    def test_one_function_is_shown_whole(self):
        said = self.shows("m0-low", "m1-high", "--function", "square")
        self.assertIn("shapes.c  square\n", said)
        self.assertIn(" /* The area of a square. */\n int square(int a)\n {\n"
                      "-    return a * a;\n+    return exact(a * a);\n }\n",
                      said)
        self.assertNotIn("pi.h", said)

    def test_a_long_function_is_shown_to_its_end(self):
        long = "int a(void)\n{\n" + "    a();\n" * 20 + "    b();\n}\n"
        self.write("m0-low/a.c", long)
        self.write("m1-high/a.c", long.replace("int a", "long a"))
        said = self.shows("m0-low", "m1-high", "--function", "a")
        self.assertIn("     b();\n }\n", said)

    def test_a_function_may_be_new_or_equal(self):
        said = self.shows("m0-low", "m1-high", "--function", "circle")
        self.assertIn("@@ -0,0 +1,3 @@\n+int circle(int r)\n", said)
        said = self.shows("m0-low", "m1-high", "--function", "triangle")
        self.assertIn("the same in both rungs", said)

    def test_one_file_is_shown_alone_and_a_new_one_in_full(self):
        said = self.shows("m0-low", "m1-high", "--file", "circle.c")
        self.assertIn("+int circle(int r)", said)
        self.assertNotIn("shapes.c", said)

    def test_binary_files_are_only_named(self):
        self.write("m0-low/golden/a.bin", b"\0")
        self.write("m1-high/golden/a.bin", b"\0\1")
        self.write("m1-high/golden/b.bin", b"\0\1")
        said = self.shows("m0-low", "m1-high")
        self.assertIn("changed golden/a.bin -\na binary file", said)
        self.assertIn("new golden/b.bin\na binary file", said)

    def test_colour_is_for_those_who_ask(self):
        self.assertNotIn("\x1b", self.shows("m0-low", "m1-high"))
        self.assertIn("\x1b[32m+    return exact(a * a);\x1b[0m",
                      self.shows("m0-low", "m1-high", "--color"))

    def test_a_file_outside_the_limits_is_shown_as_a_whole(self):
        self.write("m1-high/shapes.h", "LIST(int)\n")
        said = self.shows("m0-low", "m1-high")
        self.assertIn("+LIST(int)", said)
        self.assertIn("-int square(int a);", said)
        self.assertEqual(said.count("changed shapes.h"), 1)

    def test_names_that_do_not_exist_are_explained(self):
        for arguments, message in (
                (["m0-low", "m9-x"], "there is no rung m9-x; the rungs are"),
                (["m0-low", "m1-high", "--function", "none"], "neither rung"),
                (["m0-low", "m1-high", "--file", "none"],
                 "neither rung has a file none"),
                (["m0-low", "m1-high", "--file", "shapes.h"],
                 "nothing differs")):
            status, said = self.run_tool(main, *arguments)
            self.assertEqual(status, 1)
            self.assertIn(message, said)
