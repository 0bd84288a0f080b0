"""A rung's files stand in its rooms, and look down only."""

from diff import main as diff
from ladder import LadderCase
from lineage import main
from propagate import main as propagate
from rooms import find, is_test, list_rooms, name_of, room_of
from rungs import File

MAKEFILE = "ROOMS = low \\\n    high/inner high\n\nall:\n"


class Names(LadderCase):
    def test_the_room_of_a_path(self):
        self.assertEqual(room_of("kvcache/kvcache.c"), "kvcache")
        self.assertEqual(room_of("kvcache/tests/test_a.c"), "kvcache")
        self.assertEqual(room_of("kvcache/session/tests/test_a.c"),
                         "kvcache/session")
        self.assertEqual((room_of("Makefile"), room_of("tests/a.c")),
                         ("", ""))
        self.assertEqual(name_of("a/b/c.h"), "c.h")
        self.assertEqual(room_of("low/examples/say.py"), "low")
        self.assertTrue(is_test("a/tests/bench_x.c"))
        self.assertTrue(is_test("a/examples/say.c"))
        self.assertFalse(is_test("a/tests.c"))

    def test_the_list_goes_on_behind_a_backslash(self):
        files = {"Makefile": File(MAKEFILE.encode())}
        self.assertEqual(list_rooms(files), ["low", "high/inner", "high"])
        self.assertEqual(list_rooms({}), [])

    def test_a_file_is_found_by_its_name(self):
        files = {"a/b.c": 0, "c.c": 0}
        self.assertEqual(find(files, "b.c"), "a/b.c")
        self.assertEqual(find(files, "a/b.c"), "a/b.c")
        self.assertIsNone(find(files, "a.c"))


class Rooms(LadderCase):
    def setUp(self):
        super().setUp()
        self.write("m0-low/Makefile", MAKEFILE)
        self.write("m0-low/low/sum.h", "int sum(int a, int b);\n")
        self.write("m0-low/low/sum.c", '#include "sum.h"\n\n'
                   "int sum(int a, int b)\n{\n    return a + b;\n}\n")
        self.write("m0-low/low/tests/test_sum.c", '#include "tool.h"\n\n'
                   "int main(void)\n{\n    return 0;\n}\n")
        self.write("m0-low/high/inner/tool.h", "int tool(void);\n")
        self.write("m0-low/high/tall.c", '#include "tool.h"\n'
                   '#include "sum.h"\n\nint tall(void)\n{\n}\n')
        self.write("m0-low/high/README.md", "Tall things.\n")
        self.write("m0-low/high/inner/README.md", "Tools.\n")
        self.write("m0-low/low/README.md", "Low things.\n")

    def says(self, *expected):
        """The check prints these beginnings of lines, in any order, and
        nothing else."""
        status, said = self.run_tool(main)
        lines = said.splitlines()[:-1]
        self.assertEqual(len(lines), len(expected), said)
        for text in expected:
            self.assertTrue(any(line.startswith(text) for line in lines),
                            said)
        self.assertEqual(status, 1 if expected else 0)

    def test_rooms_that_look_down_pass_and_tests_may_look_up(self):
        self.says()

    def test_a_file_that_looks_up(self):
        self.edit("m0-low/low/sum.c", '"sum.h"', '"sum.h"\n#include "tool.h"')
        self.says("m0-low/low/sum.c:2: includes high/inner/tool.h: "
                  "high/inner is above low")

    def test_an_include_in_another_spelling_hides_nothing(self):
        self.edit("m0-low/low/sum.c", '"sum.h"', '"sum.h"\n #  include '
                  '"tool.h"\n#include "../high/inner/tool.h"\n'
                  '#include <tool.h>\n#include "none.h"\n'
                  '#include "../high/tall.c"\n#include <stdio.h>')
        self.says("m0-low/low/sum.c:2: includes high/inner/tool.h: ",
                  "m0-low/low/sum.c:3: includes \"../high/inner/tool.h\": no "
                  "header of the rung has this name; write \"tool.h\"",
                  "m0-low/low/sum.c:4: includes <tool.h>: write \"tool.h\"",
                  "m0-low/low/sum.c:5: includes \"none.h\": no header",
                  "m0-low/low/sum.c:6: includes \"../high/tall.c\": no header")

    def test_a_file_that_includes_a_tests_header(self):
        self.write("m0-low/low/tests/test_sum.h", "int twice(int a);\n")
        self.edit("m0-low/low/sum.c", "sum.h", "test_sum.h")
        self.says("m0-low/low/sum.c:1: includes low/tests/test_sum.h, which "
                  "only tests may")

    def test_a_file_in_no_room(self):
        self.write("m0-low/a.c", "int a;\n")
        self.write("m0-low/other/b.c", "int b;\n")
        self.says("m0-low/a.c:1: stands in no room",
                  "m0-low/other/b.c:1: stands in no room")

    def test_tests_stand_in_tests(self):
        self.write("m0-low/low/test_a.h", "int a;\n")
        self.write("m0-low/low/tests/b.h", "int b;\n")
        self.says("m0-low/low/test_a.h:1: files of tests, and no others",
                  "m0-low/low/tests/b.h:1: files of tests, and no others")

    def test_a_name_that_occurs_twice(self):
        self.write("m0-low/low/tall.c", "int low;\n")
        self.says("m0-low/low/tall.c:1: there is high/tall.c, too")

    def test_a_room_that_is_empty_or_listed_twice(self):
        self.edit("m0-low/Makefile", "ROOMS = low", "ROOMS = low none low")
        self.says("m0-low/Makefile:1: ROOMS: none is empty",
                  "m0-low/Makefile:1: ROOMS: low stands twice")

    def test_a_room_that_does_not_say_what_it_owns(self):
        (self.root / "m0-low/high/README.md").unlink()
        self.says("m0-low/Makefile:1: ROOMS: high has no README.md that says")

    def test_examples_are_programs_of_their_own(self):
        for name in ("ask", "say"):
            self.write(f"m0-low/low/examples/{name}.c", '#include "sum.h"\n\n'
                       "int main(void)\n{\n}\n")
        self.says()

    def test_too_much_for_a_look(self):
        for at in range(26):
            self.write(f"m0-low/low/tests/test_{at}.h", f"int a{at};\n")
        rooms = " ".join(f"room{at}" for at in range(14))
        self.edit("m0-low/Makefile", "ROOMS =", f"ROOMS = {rooms}")
        for at in range(14):
            self.write(f"m0-low/room{at}/README.md", f"Room {at}.\n")
        self.says("m0-low:1: 17 entries: at most 16",
                  "m0-low/low/tests:1: 27 files: at most 25")

    def test_a_server_knows_the_engine_by_one_header(self):
        self.edit("m0-low/Makefile", "ROOMS = low", "ROOMS = support low "
                  "server/engine server/http server/serve")
        for path in ("support/error.h", "server/engine/rung.h",
                     "server/engine/slots.h", "server/http/http.h",
                     "server/serve/serve.h"):
            name = name_of(path).partition(".")[0]
            self.write(f"m0-low/{path}", f"int {name}(void);\n")
            self.write(f"m0-low/{room_of(path)}/README.md", f"{name}.\n")
        self.write("m0-low/server/engine/slots.c", '#include "slots.h"\n\n'
                   '#include "sum.h"\n\nint slots(void)\n{\n}\n')
        allowed = "".join(f'#include "{name}.h"\n' for name in
                          ("serve", "http", "rung", "error"))
        self.write("m0-low/server/serve/serve.c", allowed)
        self.write("m0-low/server/serve/tests/test_serve.c",
                   allowed + '#include "slots.h"\n#include "sum.h"\n')
        self.write("m0-low/high/up.c", '#include "sum.h"\n')
        self.says()
        self.write("m0-low/server/serve/serve.c", allowed
                   + '#include "slots.h"\n#include "sum.h"\n')
        self.says("m0-low/server/serve/serve.c:5: includes "
                  "server/engine/slots.h: of what lies below it the server "
                  "knows rung.h alone",
                  "m0-low/server/serve/serve.c:6: includes low/sum.h: of ")

    def climbed(self, declarations):
        """A second rung with one more room and a changed function."""
        self.climb("m0-low", "m1-high", declarations)
        self.edit("m1-high/Makefile", "high\n", "high top\n")
        self.write("m1-high/top/README.md", "Peaks. And more.\n")
        self.write("m1-high/top/peak.c", "/* A peak.  It is high. */\n"
                   "int peak(void)\n{\n}\n")
        self.write("m1-high/top/tests/test_peak.c", "int main(void)\n{\n}\n")
        self.edit("m1-high/low/sum.c", "a + b", "b + a")

    def test_a_new_room_in_one_line_and_files_by_name(self):
        self.climbed("new top/\nchanged sum.c sum # turned\n"
                     "changed Makefile - # a room\n")
        self.says()

    def test_rooms_that_are_not_declared_or_not_new(self):
        self.climbed("new low/ none/\nchanged high/ - # no\n"
                     "changed sum.c sum # turned\n"
                     "changed Makefile - # a room\n")
        self.says("m1-high/LINEAGE:3: \"new low/\" is untrue: m0-low has it",
                  "m1-high/LINEAGE:3: \"new none/\" is untrue: there is no "
                  "such room",
                  "m1-high/LINEAGE:4: high/ is a room: name the file",
                  "m1-high/LINEAGE:4: \"changed high/ -\" is untrue",
                  "m1-high/top/README.md:1: is not in m0-low",
                  "m1-high/top/peak.c:1: is not in m0-low",
                  "m1-high/top/tests/test_peak.c:1: is not in m0-low")

    def test_a_file_of_a_new_room_that_is_named_belongs_to_that_line(self):
        self.climbed("step one\nnew top/\nchanged sum.c sum # turned\n"
                     "changed Makefile - # a room\nstep two\nnew peak.c\n")
        self.says()
        _, said = self.run_tool(diff, "m0-low", "m1-high")
        one, two = said.split("* two")
        self.assertIn("new top/tests/test_peak.c", one)
        self.assertNotIn("new top/peak.c", one)
        self.assertIn("in the new room top/\n\nnew top/peak.c", two)

    def test_a_fix_climbs_into_rooms_and_leaves_no_empty_one(self):
        self.climb("m0-low", "m1-high")
        self.commit()
        for name in ("tool.h", "README.md"):
            (self.root / "m0-low/high/inner" / name).unlink()
        self.edit("m0-low/low/sum.c", "a + b", "b + a")
        self.run_tool(propagate, "--from", "m0-low")
        self.assertIn("b + a", self.read("m1-high/low/sum.c"))
        self.assertFalse((self.root / "m1-high/high/inner").exists())

    def test_a_file_that_moved_takes_the_upper_rungs_own_change_along(self):
        self.climb("m0-low", "m1-high")
        self.edit("m1-high/low/sum.c", "int sum(", "long sum(")
        self.commit()
        text = self.read("m0-low/low/sum.c").replace("a + b", "b + a")
        (self.root / "m0-low/low/sum.c").unlink()
        self.write("m0-low/high/sum.c", text)
        status, said = self.run_tool(propagate, "--from", "m0-low")
        self.assertEqual(status, 0, said)
        self.assertIn("low/sum.c: moved to high/sum.c", said)
        self.assertFalse((self.root / "m1-high/low/sum.c").exists())
        mended = self.read("m1-high/high/sum.c")
        self.assertIn("long sum(", mended)
        self.assertIn("b + a", mended)

    def test_a_difference_by_the_name_of_its_file(self):
        self.climbed("new top/\nchanged sum.c sum # turned\n")
        _, said = self.run_tool(diff, "m0-low", "m1-high", "--file", "sum.c")
        self.assertIn("changed low/sum.c sum  # turned", said)
        self.assertNotIn("peak", said)
        _, said = self.run_tool(diff, "m0-low", "m1-high")
        self.assertLess(said.index("new room top/  # Peaks\n"),
                        said.index("new top/peak.c  # A peak\n"))
        self.assertLess(said.index("in other rooms\n"),
                        said.index("changed low/sum.c sum"))

    def test_a_function_that_one_rung_lacks_is_added_or_gone(self):
        self.climb("m0-low", "m1-high", "changed sum.c sum two # renamed\n")
        self.edit("m1-high/low/sum.c", "int sum(", "int two(")
        _, said = self.run_tool(diff, "m0-low", "m1-high")
        self.assertIn("added low/sum.c two  # renamed\n", said)
        self.assertIn("gone low/sum.c sum  # renamed\n", said)

    def test_headers_stand_before_their_sources_and_tests_behind(self):
        self.climbed("new top/\n")
        self.write("m1-high/top/peak.h", "int peak(void);\n")
        _, said = self.run_tool(diff, "m0-low", "m1-high")
        at = [said.index(f"new top/{name}") for name in
              ("peak.h", "peak.c", "tests/test_peak.c")]
        self.assertEqual(at, sorted(at))
