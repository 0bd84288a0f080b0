"""A part of a rung has what its tests need, and no more."""

import unittest
import unittest.mock

from part import MAIN, Needs, needs, part_of
from tree import File

TEXTS = {
    "low/a.h": "int a(void);\n",
    "low/b.h": "extern const int table[2];\nint b(void);\n",
    "c.h": "int c(void);\n",
    "low/a.c": '#include "a.h"\n#include "b.h"\n'
           "static int c(void)\n{\n    return table[0];\n}\n"
           "int a(void)\n{\n    return c();\n}\n",
    "low/b.c": '#include "b.h"\nconst int table[2] = {1, 2};\n'
           "int b(void)\n{\n    return 1;\n}\n",
    "c.c": '#include "c.h"\nint c(void)\n{\n    int a = 1;\n'
           "    return a;\n}\n",
    "high/main.c": "int main(void)\n{\n    return 1;\n}\n",
    "low/tests/test_a.c": '#include "a.h"\nint main(void)\n{\n    return a();\n}\n',
    "high/tests/test_more.h": '#include "c.h"\nstatic inline int more(void)\n{\n'
                   "    return c();\n}\n",
    "test_c.c": '#include "test_more.h"\nint main(void)\n{\n'
                "    return more();\n}\n",
    "kernel.c": "const int set_kernels[1] = {1};\n",
    "set_wide.h": "#define set_kernels wide_kernels\n",
    "choose.c": "extern const int wide_kernels[1];\nint choose(void)\n{\n"
                "    return wide_kernels[0];\n}\n",
    "LINEAGE": "from m0-first\n"}
FILES = {path: File(text.encode()) for path, text in TEXTS.items()}


class Part(unittest.TestCase):
    def test_what_is_called_or_read_is_needed_and_what_that_needs(self):
        self.assertEqual(needs(FILES, ["low/tests/test_a.c"]),
                         {"low/tests/test_a.c", "low/a.c", "low/b.c"})

    def test_a_header_of_the_tests_has_needs_too(self):
        self.assertEqual(needs(FILES, ["test_c.c"]), {"test_c.c", "c.c"})

    def test_a_table_that_is_compiled_under_another_name_is_needed(self):
        self.assertEqual(needs(FILES, ["choose.c"]), {"choose.c", "kernel.c"})

    def test_a_file_that_two_programs_need_is_looked_at_once(self):
        needs_of = Needs(FILES)
        with unittest.mock.patch.object(
                needs_of, "borrowed", wraps=needs_of.borrowed) as borrowed:
            needs_of.of(["low/tests/test_a.c", "test_c.c"])
            needs_of.of(["low/tests/test_a.c"])
        self.assertEqual(sorted(call.args[0] for call
                                in borrowed.call_args_list),
                         ["c.c", "low/a.c", "low/b.c", "low/tests/test_a.c",
                          "test_c.c"])

    def test_headers_and_what_is_not_c_stay_and_the_program_is_another(self):
        part = part_of(FILES, ["test_c"])
        self.assertEqual(sorted(part),
                         ["LINEAGE", "c.c", "c.h", "high/main.c",
                          "high/tests/test_more.h", "low/a.h", "low/b.h",
                          "set_wide.h", "test_c.c"])
        self.assertEqual(part["high/main.c"], MAIN)


if __name__ == "__main__":
    unittest.main()
