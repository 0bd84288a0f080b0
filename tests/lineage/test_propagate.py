"""make propagate carries a fix from one rung to the top of the ladder."""

import os

import lineage
from ladder import LadderCase
from propagate import main

TOP = "m6-r"


class Propagate(LadderCase):
    def carries(self, start="m0-low"):
        """The climb reaches the top; what the tool said."""
        status, said = self.run_tool(main, "--from", start)
        self.assertEqual(status, 0, said)
        return said

    def declare(self, rung, *lines):
        """Add lines to a rung's LINEAGE and commit all."""
        with open(self.root / rung / "LINEAGE", "a", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        self.commit()

    def higher(self, names, start, path, old, new):
        """Make one edit in the rung `start` and all above."""
        for name in names[names.index(start):]:
            self.edit(f"{name}/{path}", old, new)

    def everywhere(self, names, path, text):
        """The text now stands in the file of each rung."""
        for name in names:
            self.assertIn(text, self.read(f"{name}/{path}"), name)

    def lineage_holds(self):
        """make lineage finds nothing to mend."""
        status, said = self.run_tool(lineage.main)
        self.assertEqual(status, 0, said)

    def test_a_fix_reaches_every_rung(self):
        names = self.seven()
        self.edit("m0-low/shapes.c", "return a * a;", "return a * a + 0;")
        said = self.carries()
        self.everywhere(names, "shapes.c", "a * a + 0")
        self.assertIn("m1-r: 1 files\n  shapes.c: replaced\n", said)
        self.assertIn("make lineage", said)
        self.lineage_holds()

    def test_a_fix_next_to_a_function_that_a_higher_rung_changed(self):
        names = self.seven()
        self.higher(names, "m3-r", "shapes.c", "return a * b;",
                    "return b * a;")
        self.declare("m3-r", "changed shapes.c rectangle # order matters")
        self.edit("m0-low/shapes.c", "    return a * a;\n}\n",
                  "    return a * a + 0;\n} /* square */\n")
        said = self.carries()
        self.everywhere(names, "shapes.c", "a + 0;\n} /* square */")
        self.everywhere(names[3:], "shapes.c", "return b * a;")
        self.assertIn("m3-r: 1 files\n  shapes.c: square replaced\n", said)
        self.lineage_holds()

    def test_a_fix_in_a_table_that_has_more_rows_above(self):
        names = self.seven()
        self.higher(names, "m2-r", "shapes.c", "    {1, 1},\n",
                    "    {1, 1},\n    {2, 2},\n")
        self.higher(names, "m5-r", "shapes.c", "    {2, 2},\n",
                    "    {2, 2},\n    {3, 3},\n")
        for rung in ("m2-r", "m5-r"):
            self.declare(rung, "changed shapes.c var:corners # more")
        self.edit("m0-low/shapes.c", "{1, 1}", "{1, 11}")
        self.carries()
        self.everywhere(names, "shapes.c", "    {1, 11},\n")
        self.assertIn("    {1, 11},\n    {2, 2},\n    {3, 3},\n};",
                      self.read(TOP + "/shapes.c"))
        self.lineage_holds()

    def test_a_fix_in_an_include_list_that_has_grown(self):
        names = self.seven()
        self.higher(names, "m1-r", "shapes.c", "#include <stdio.h>\n",
                    "#include <stdio.h>\n#include <stdlib.h>\n")
        self.declare("m1-r", "changed shapes.c top # allocates")
        self.edit("m0-low/shapes.c", "#include <stdio.h>\n",
                  "#include <stdio.h>\n#include <string.h>\n")
        self.carries()
        self.everywhere(names[1:], "shapes.c", "#include <stdio.h>\n#include "
                        "<stdlib.h>\n#include <string.h>\n\n")
        self.lineage_holds()

    def test_a_new_function_follows_its_predecessor(self):
        names = self.seven()
        self.higher(names, "m4-r", "shapes.h", "\n#endif",
                    "int circle(int r);\n\n#endif")
        self.declare("m4-r", "changed shapes.h proto:circle # round ones too")
        self.edit("m0-low/shapes.h", "int height);\n",
                  "int height);\nint kite(int p, int q);\n")
        self.carries()
        self.assertIn("int height);\nint kite(int p, int q);\n"
                      "int circle(int r);\n\n#endif\n",
                      self.read(TOP + "/shapes.h"))
        self.lineage_holds()

    def test_a_new_function_at_the_end_of_the_file(self):
        names = self.seven()
        self.higher(names, "m4-r", "shapes.c", "    return a * a;\n", "")
        self.declare("m4-r", "changed shapes.c square # no")
        last = "\nint kite(int p, int q)\n{\n    return p * q / 2;\n}\n"
        self.write("m0-low/shapes.c", self.read("m0-low/shapes.c") + last)
        said = self.carries()
        self.everywhere(names, "shapes.c", last)
        self.assertIn("m4-r: 1 files\n  shapes.c: kite added\n", said)
        self.lineage_holds()

    def test_a_deleted_function(self):
        names = self.seven()
        self.higher(names, "m2-r", "shapes.c", "a * b", "b * a")
        self.declare("m2-r", "changed shapes.c rectangle # order matters")
        text = self.read("m0-low/shapes.c")
        self.write("m0-low/shapes.c", text[:text.index("\n/* Twice")])
        self.carries()
        for name in names:
            self.assertNotIn("triangle(", self.read(name + "/shapes.c"))
        self.assertIn("b * a;\n}\n", self.read(TOP + "/shapes.c"))
        self.lineage_holds()

    def test_files_come_go_and_change_their_mode(self):
        names = self.seven()
        self.write("m0-low/golden/new.bin", b"\0\1\2")
        os.remove(self.root / "m0-low/golden/areas.json")
        os.chmod(self.root / "m0-low/Makefile", 0o755)
        said = self.carries()
        for name in names:
            rung = self.root / name
            self.assertEqual((rung / "golden/new.bin").read_bytes(), b"\0\1\2")
            self.assertFalse((rung / "golden/areas.json").exists())
            self.assertTrue(os.access(rung / "Makefile", os.X_OK))
        for what in ("areas.json: deleted", "new.bin: added", "mode 100755"):
            self.assertIn(what, said)
        self.lineage_holds()

    def test_a_binary_golden_is_replaced(self):
        names = self.seven()
        for name in names:
            self.write(f"{name}/golden/a.bin", b"\0old")
        self.commit()
        self.write("m0-low/golden/a.bin", b"\0new")
        self.carries()
        self.assertEqual((self.root / TOP / "golden/a.bin").read_bytes(),
                         b"\0new")

    def test_a_mode_is_carried_to_a_file_that_differs(self):
        names = self.seven()
        self.higher(names, "m1-r", "Makefile", "-c", "-O -c")
        self.declare("m1-r", "changed Makefile - # faster")
        os.chmod(self.root / "m0-low/Makefile", 0o755)
        self.carries()
        self.assertTrue(os.access(self.root / TOP / "Makefile", os.X_OK))
        self.assertIn("-O -c", self.read(TOP + "/Makefile"))

    def test_a_file_that_a_higher_rung_removed_stays_removed(self):
        names = self.seven()
        for name in names[3:]:
            os.remove(self.root / name / "Makefile")
        self.declare("m3-r", "removed Makefile # another builds it")
        self.write("m0-low/Makefile", "all:\n")
        said = self.carries()
        self.assertEqual(self.read("m2-r/Makefile"), "all:\n")
        self.assertFalse((self.root / "m3-r/Makefile").exists())
        self.assertIn("Makefile: left out: this rung does not have it", said)

    def test_a_fix_may_begin_in_any_rung(self):
        names = self.seven()
        self.edit("m3-r/shapes.c", "a * a", "a * a * 1")
        self.carries("m3-r")
        self.everywhere(names[3:], "shapes.c", "a * a * 1")
        self.assertNotIn("* 1", self.read("m2-r/shapes.c"))

    def test_a_declaration_is_never_touched(self):
        self.seven()
        self.edit("m1-r/LINEAGE", "idea one more", "idea another")
        self.edit("m1-r/shapes.c", "a * a", "a * a * 1")
        self.carries("m1-r")
        self.assertIn("idea one more", self.read("m2-r/LINEAGE"))

    def test_rungs_above_need_not_be_committed(self):
        self.low()
        self.commit()
        self.climb("m0-low", "m1-r", "changed shapes.c triangle # half\n")
        self.edit("m1-r/shapes.c", "base * height", "base * height / 2")
        self.climb("m1-r", "m2-r")
        self.edit("m0-low/shapes.c", "a * a", "a * a + 0")
        self.carries()
        self.assertIn("a * a + 0", self.read("m2-r/shapes.c"))
        self.assertIn("height / 2", self.read("m2-r/shapes.c"))
        self.lineage_holds()

    def test_uncommitted_work_above_is_kept(self):
        self.seven()
        self.edit(TOP + "/shapes.c", "int square(int a)", "int square(int aa)")
        self.edit("m0-low/shapes.c", "return a * a;", "return a * a + 0;")
        self.edit(TOP + "/Makefile", "cc -c", "cc -O -c")
        self.carries()
        text = self.read(TOP + "/shapes.c")
        self.assertIn("int square(int aa)\n{\n    return a * a + 0;", text)
        self.assertIn("cc -O -c", self.read(TOP + "/Makefile"))

    def test_carrying_twice_changes_nothing_more(self):
        names = self.seven()
        self.edit("m0-low/shapes.c", "a * a", "a * a + 0")
        self.carries()
        before = [self.read(name + "/shapes.c") for name in names]
        self.assertIn("m1-r: nothing to do", self.carries())
        self.assertEqual(before,
                         [self.read(name + "/shapes.c") for name in names])

    def test_a_second_thought_replaces_the_first(self):
        names = self.seven()
        self.higher(names, "m3-r", "shapes.c", "/* The area of a square. */",
                    "/* The square's area. */")
        self.declare("m3-r", "changed shapes.c square # words")
        self.edit("m0-low/shapes.c", "a * a", "a * a + 0")
        self.edit("m0-low/Makefile", "-c", "-O -c")
        self.carries()
        self.edit("m0-low/shapes.c", "a * a + 0", "a * a + 1")
        self.edit("m0-low/Makefile", "-O", "-O2")
        self.carries()
        self.everywhere(names, "shapes.c", "a * a + 1;")
        self.everywhere(names, "Makefile", "-O2 -c")
        self.lineage_holds()

    def test_a_fix_that_is_taken_back_is_taken_back_everywhere(self):
        names = self.seven()
        self.edit("m0-low/shapes.c", "a * a", "a * a + 0")
        self.write("m0-low/new.h", "int x;\n")
        self.carries()
        self.edit("m0-low/shapes.c", "a * a + 0", "a * a")
        os.remove(self.root / "m0-low/new.h")
        self.carries()
        self.everywhere(names, "shapes.c", "a * a;")
        self.assertFalse((self.root / TOP / "new.h").exists())

    def test_rungs_that_were_put_back_get_the_fix_again(self):
        names = self.seven()
        self.edit("m0-low/shapes.c", "a * a", "a * a + 0")
        self.carries()
        self.git("checkout", "--", *names[1:])
        self.edit("m0-low/shapes.c", "a * a + 0", "a * a + 1")
        self.carries()
        self.everywhere(names, "shapes.c", "a * a + 1")

    def test_calls_that_make_no_sense_are_explained(self):
        self.low()
        self.climb("m0-low", "m1-r")
        for arguments, message in (
                (["--from", "m9-none"], "no rung m9-none; the rungs are m0"),
                (["--from", "m0-low"], "m0-low is not in HEAD: commit it"),
                (["--continue"], "no climb waits")):
            status, said = self.run_tool(main, *arguments)
            self.assertEqual(status, 1)
            self.assertIn(message, said)

    def test_a_construct_outside_the_limits_stops_before_anything(self):
        self.seven()
        self.edit("m1-r/shapes.c", "#define SIDES 4", "SIDES(4)")
        self.edit("m0-low/shapes.c", "a * a", "a * a + 0")
        status, said = self.run_tool(main, "--from", "m0-low")
        self.assertEqual(status, 1)
        self.assertIn("m1-r/shapes.c:7: a macro call", said)
        self.assertNotIn("+ 0", self.read("m1-r/shapes.c"))
