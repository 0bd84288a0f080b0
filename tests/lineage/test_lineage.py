"""make lineage fails on every undeclared difference and untrue declaration."""

import os

from ladder import LadderCase
from lineage import main


class Lineage(LadderCase):
    def passes(self):
        """The check finds nothing to mend."""
        status, said = self.run_tool(main)
        self.assertEqual((status, said.count("\n")), (0, 1), said)

    def fails(self, *expected, only=True):
        """The check prints these beginnings of lines, and no others."""
        status, said = self.run_tool(main)
        self.assertEqual(status, 1, said)
        lines = said.splitlines()[:-1]
        for text in expected:
            self.assertTrue(any(text in line for line in lines), said)
        if only:
            self.assertEqual(len(lines), len(expected), said)

    def test_equal_rungs_pass(self):
        self.two()
        self.passes()

    def test_an_undeclared_function(self):
        self.two()
        self.edit("m1-high/shapes.c", "a * a", "b * b")
        line = self.line_of("m1-high/shapes.c", "int square(")
        self.fails(f"m1-high/shapes.c:{line}: square differs from m0-low: "
                   "declare \"changed shapes.c square # why\"")

    def test_a_declared_function(self):
        self.two("changed shapes.c square # squares are special\n")
        self.edit("m1-high/shapes.c", "a * a", "b * b")
        self.passes()

    def test_an_undeclared_struct(self):
        self.two()
        self.edit("m1-high/shapes.c", "int x;", "long x;")
        self.fails("struct:corner differs")

    def test_an_undeclared_macro(self):
        self.two()
        self.edit("m1-high/shapes.c", "SIDES 4", "SIDES 5")
        self.fails("macro:SIDES differs")

    def test_an_undeclared_table_row(self):
        self.two()
        self.edit("m1-high/shapes.c", "{0, 1},", "{0, 1}, {2, 2},")
        self.fails("var:corners differs")

    def test_an_undeclared_comment_above_a_function(self):
        self.two()
        self.edit("m1-high/shapes.c", "area of a square", "surface of a box")
        self.fails("square differs")

    def test_an_undeclared_line_between_functions(self):
        self.two()
        self.edit("m1-high/shapes.c", "}\n\n/* The area of a rect",
                  "}\n\n\n/* The area of a rect")
        self.fails("rectangle differs")

    def test_an_undeclared_include(self):
        self.two()
        self.edit("m1-high/shapes.c", "<stdio.h>", "<stdio.h>\n#include <a.h>")
        self.fails("m1-high/shapes.c:1: top differs")

    def test_an_undeclared_line_at_the_end(self):
        self.two()
        self.edit("m1-high/shapes.h", "#endif\n", "#endif\n/* done */\n")
        self.fails("m1-high/shapes.h:9: end differs")

    def test_an_undeclared_new_function(self):
        self.two()
        self.write("m1-high/shapes.h", self.read("m1-high/shapes.h").replace(
            "\n#endif", "int circle(int r);\n\n#endif"))
        self.fails("proto:circle is not in m0-low")

    def test_an_undeclared_lost_function(self):
        self.two()
        self.edit("m1-high/shapes.h", "int square(int a);\n", "")
        line = self.line_of("m0-low/shapes.h", "square")
        self.fails(f"m0-low/shapes.h:{line}: proto:square is not in m1-high",
                   "proto:rectangle differs")

    def test_functions_in_another_order(self):
        self.two()
        self.edit("m1-high/shapes.h", "int square(int a);\nint rectangle("
                  "int a, int b);\n", "int rectangle(int a, int b);\n"
                  "int square(int a);\n")
        self.write("m1-high/LINEAGE", "from m0-low\nidea x\nchanged shapes.h "
                   "proto:square proto:rectangle # swapped\n")
        self.fails("proto:rectangle stands in another order")

    def test_an_undeclared_new_file(self):
        self.two()
        self.write("m1-high/extra.c", "int x;\n")
        self.fails("m1-high/extra.c:1: is not in m0-low: declare "
                   "\"new extra.c\"")

    def test_an_undeclared_change_of_a_file_that_is_not_c(self):
        self.two()
        self.write("m1-high/Makefile", "all:\n")
        self.fails("m1-high/Makefile:1: differs from m0-low: declare "
                   "\"changed Makefile - # why\"")

    def test_an_undeclared_binary_file(self):
        self.two()
        self.write("m0-low/golden/a.png", b"\x89PNG\0")
        self.write("m1-high/golden/a.png", b"\x89PNG\1\0")
        self.fails("m1-high/golden/a.png:1: differs")

    def test_an_undeclared_removed_file(self):
        self.two()
        os.remove(self.root / "m1-high/Makefile")
        self.fails("m1-high/Makefile:1: is in m0-low and not here")

    def test_declared_files(self):
        self.two("new extra.c golden/*.png\nremoved Makefile # no need\n")
        os.remove(self.root / "m1-high/Makefile")
        self.write("m1-high/extra.c", "int x;\n")
        self.write("m1-high/golden/a.png", b"\x89PNG\0")
        self.passes()

    def test_a_changed_mode(self):
        self.two()
        os.chmod(self.root / "m1-high/Makefile", 0o755)
        os.chmod(self.root / "m1-high/shapes.c", 0o755)
        self.fails("m1-high/Makefile:1: differs", "another file mode")

    def test_stale_declarations(self):
        self.two("changed shapes.c square # no\nchanged shapes.c round # no\n"
                 "changed other.c f # no\nnew shapes.h\nnew other.h\n"
                 "new golden/*\nremoved shapes.c # no\nremoved none.c # no\n")
        self.fails("LINEAGE:3: \"changed shapes.c square\" is untrue: it does "
                   "not differ", "LINEAGE:4: \"changed shapes.c round\" is "
                   "untrue: there is no such region", "LINEAGE:5:",
                   "LINEAGE:6: \"new shapes.h\" is untrue: m0-low has it too",
                   "LINEAGE:7: \"new other.h\" is untrue: there is no such",
                   "LINEAGE:8: \"new golden/*\" is untrue: m0-low has it too",
                   "LINEAGE:9: \"removed shapes.c\" is untrue: it is still",
                   "LINEAGE:10: \"removed none.c\" is untrue: m0-low does not")

    def test_a_missing_or_surplus_lineage(self):
        self.two()
        os.remove(self.root / "m1-high/LINEAGE")
        self.write("m0-low/LINEAGE", "from m1-high\n")
        self.fails("m1-high/LINEAGE:1: this file is missing",
                   "m0-low/LINEAGE:1: the lowest rung copies none")

    def test_from_is_the_next_rung_below(self):
        self.two()
        self.climb("m1-high", "m2-top")
        self.edit("m2-top/LINEAGE", "from m1-high", "from m0-low")
        self.fails("m2-top/LINEAGE:1: from m0-low, but the rung below is "
                   "m1-high")

    def test_a_form_error_is_reported(self):
        self.two("changed shapes.c square\n")
        self.edit("m1-high/shapes.c", "a * a", "b * b")
        self.fails("m1-high/LINEAGE:3: a changed line needs its reason")

    def test_conflict_markers(self):
        self.two()
        self.write("m0-low/Makefile", "<<<<<<< a\nall:\n=======\n>>>>>>> b\n")
        self.write("m1-high/shapes.c", "int a;\n=======\n")
        self.fails("m0-low/Makefile:1: a conflict marker",
                   "m1-high/shapes.c:2: a conflict marker")

    def test_a_construct_outside_the_limits(self):
        self.two()
        self.edit("m0-low/shapes.h", "int square(int a);", "LIST(square)")
        self.fails("m0-low/shapes.h:5: a macro call")

    def test_a_function_name_that_two_files_share(self):
        self.low()
        self.write("m0-low/other.c", "static int square(int a)\n{\n}\n")
        self.write("m0-low/test_a.c", "int main(void)\n{\n}\n")
        self.write("m0-low/main.c", "int main(void)\n{\n}\n")
        self.fails("function square stands in other.c too")

    def test_headers_that_stand_instead_of_each_other(self):
        self.low()
        self.write("m0-low/set_a.h", "static int sum(int a)\n{\n}\n")
        self.write("m0-low/set_b.h", "static int sum(int a)\n{\n}\n")
        self.passes()
        self.write("m0-low/other.c", "static int sum(int a)\n{\n}\n")
        self.write("m0-low/more.c", "static int sum(int a)\n{\n}\n")
        self.fails("function sum stands in more.c too")

    def test_folders_and_numbers(self):
        self.two()
        self.write("m0-low/more/a.txt", "")
        self.climb("m1-high", "m1-twin")
        self.fails("m0-low/more/a.txt:1: a rung without ROOMS has no folder but",
                   "m1-twin:1: m1-high has this number too", only=False)

    def test_build_products_are_not_looked_at(self):
        self.two()
        self.write("m1-high/build/shapes.o", b"\0")
        self.write("m1-high/rung", b"\0")
        (self.root / ".gitignore").unlink()
        self.passes()

    def test_a_file_that_is_gone_but_still_tracked(self):
        self.two()
        self.commit()
        os.remove(self.root / "m0-low/Makefile")
        os.remove(self.root / "m1-high/Makefile")
        self.passes()
