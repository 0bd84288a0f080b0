"""A conflict stops the climb; it goes on once the conflict is mended."""

import os

from ladder import LadderCase
from propagate import main


class Conflicts(LadderCase):
    def stops(self, *arguments):
        """The climb stops with a conflict; what the tool said."""
        status, said = self.run_tool(main, *arguments)
        self.assertEqual(status, 1, said)
        return said

    def goes_on(self):
        """The climb reaches the top from where it stopped."""
        status, said = self.run_tool(main, "--continue")
        self.assertEqual(status, 0, said)
        return said

    def contradict(self):
        """m3-r and above return one thing, the fix in m0-low another."""
        names = self.seven()
        for name in names[3:]:
            self.edit(name + "/shapes.c", "a * a", "a * a * 3")
        self.commit()
        self.edit("m0-low/shapes.c", "a * a", "a * a + 0")
        self.edit("m0-low/shapes.c", "SIDES 4", "SIDES 44")
        return names

    def mend(self, rung):
        """Resolve the conflict in a rung's shapes.c."""
        text = self.read(rung + "/shapes.c")
        start, end = text.index("<<<<<<<"), text.index(">>>>>>>")
        end = text.index("\n", end) + 1
        self.write(rung + "/shapes.c",
                   text[:start] + "    return a * a * 3 + 0;\n" + text[end:])

    def test_it_names_rung_file_and_region(self):
        self.contradict()
        said = self.stops("--from", "m0-low")
        self.assertIn("m2-r: 1 files", said)
        self.assertIn("Stopped at m3-r.  To mend:\n"
                      "  m3-r/shapes.c square: CONFLICT\n"
                      "Then: make propagate CONTINUE=1\n", said)
        self.assertNotIn("m4-r", said)

    def test_markers_stand_in_the_region_and_the_rest_is_carried(self):
        self.contradict()
        self.stops("--from", "m0-low")
        text = self.read("m3-r/shapes.c")
        self.assertIn("int square(int a)\n{\n<<<<<<< m3-r\n"
                      "    return a * a * 3;\n||||||| m2-r, before\n"
                      "    return a * a;\n=======\n    return a * a + 0;\n"
                      ">>>>>>> m2-r, after\n}\n", text)
        self.assertIn("SIDES 44", text)
        self.assertNotIn("SIDES 44", self.read("m4-r/shapes.c"))

    def test_it_goes_on_when_the_conflict_is_mended(self):
        names = self.contradict()
        self.stops("--from", "m0-low")
        self.mend("m3-r")
        self.assertIn("m4-r: 1 files", self.goes_on())
        for name in names[3:]:
            text = self.read(name + "/shapes.c")
            self.assertIn("return a * a * 3 + 0;", text)
            self.assertIn("SIDES 44", text)
        self.assertFalse((self.root / "build/propagate/state.json").exists())

    def test_it_goes_on_from_the_same_commit(self):
        names = self.contradict()
        self.stops("--from", "m0-low")
        self.mend("m3-r")
        self.commit()
        self.goes_on()
        self.assertIn("* 3 + 0", self.read(names[-1] + "/shapes.c"))

    def test_it_refuses_while_markers_remain(self):
        self.contradict()
        self.stops("--from", "m0-low")
        said = self.stops("--continue")
        line = self.line_of("m3-r/shapes.c", "<<<<<<<")
        self.assertIn(f"m3-r/shapes.c:{line}: a conflict marker", said)
        self.assertNotIn("SIDES 44", self.read("m4-r/shapes.c"))

    def test_it_refuses_to_begin_another_climb(self):
        self.contradict()
        self.stops("--from", "m0-low")
        self.assertIn("a climb waits at m3-r", self.stops("--from", "m0-low"))

    def test_it_refuses_to_begin_with_markers_anywhere(self):
        self.seven()
        self.write("m5-r/Makefile", "<<<<<<< a\n")
        self.assertIn("m5-r/Makefile:1: a conflict marker",
                      self.stops("--from", "m0-low"))

    def test_it_goes_on_where_nothing_was_committed(self):
        self.low()
        self.commit()
        self.climb("m0-low", "m1-r")
        self.edit("m1-r/shapes.c", "a * a", "a * a * 3")
        self.climb("m1-r", "m2-r")
        self.edit("m0-low/shapes.c", "a * a", "a * a + 0")
        self.stops("--from", "m0-low")
        self.mend("m1-r")
        self.goes_on()
        self.assertIn("* 3 + 0", self.read("m2-r/shapes.c"))

    def test_a_binary_file_that_differs(self):
        names = self.seven()
        for name in names:
            self.write(name + "/golden/a.bin", b"\0old")
        for name in names[2:]:
            self.write(name + "/golden/a.bin", b"\0other")
        self.commit()
        self.write("m0-low/golden/a.bin", b"\0new")
        said = self.stops("--from", "m0-low")
        self.assertIn("m2-r/golden/a.bin: CONFLICT: a binary file", said)
        self.write("m2-r/golden/a.bin", b"\0newer")
        self.goes_on()
        self.assertEqual((self.root / "m6-r/golden/a.bin").read_bytes(),
                         b"\0newer")

    def test_a_deleted_file_that_differs(self):
        names = self.seven()
        for name in names[2:]:
            self.write(name + "/Makefile", "all: more\n")
        self.commit()
        os.remove(self.root / "m0-low/Makefile")
        said = self.stops("--from", "m0-low")
        self.assertFalse((self.root / "m1-r/Makefile").exists())
        self.assertIn("m2-r/Makefile: CONFLICT: m1-r deletes it", said)
        self.goes_on()
        self.assertTrue((self.root / "m6-r/Makefile").exists())

    def test_a_file_that_both_added(self):
        self.seven()
        self.write("m0-low/golden/b.json", "[1]\n")
        self.write("m1-r/golden/b.json", "[2]\n")
        said = self.stops("--from", "m0-low")
        self.assertIn("m1-r/golden/b.json: CONFLICT\n", said)
        self.assertIn("<<<<<<< m1-r\n[2]\n", self.read("m1-r/golden/b.json"))
