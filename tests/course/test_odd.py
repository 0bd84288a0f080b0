"""What a teacher should look at, in objects that were handed in."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from odd import Odd

RUNG = """int answer(int x);
void library(void);
int main(void)
{
    library();
    return answer(1);
}
"""
BOOK = """#include <stdio.h>
int answer(int x)
{
    return puts("") + x;
}
"""
HEAD = "#include <stdio.h>\n#include <stdlib.h>\n"


class Objects(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        cls.odd = Odd([cls.compile("main", RUNG), cls.compile("book", BOOK)])

    @classmethod
    def compile(cls, name, text):
        source = cls.folder / f"{name}.c"
        source.write_text(text)
        subprocess.run([os.environ.get("CC", "cc"), "-c", "-w", source.name],
                       cwd=cls.folder, check=True)
        return source.with_suffix(".o")

    def about(self, more, book=BOOK):
        return self.odd.about([self.compile("made", HEAD + BOOK + more)],
                              book)

    def test_an_answer_is_not(self):
        self.assertEqual(self.about("#include <string.h>\nsize_t f(char *s)\n"
                                    "{\n    return strlen(s);\n}\n"), [])

    def test_nor_a_function_of_its_own(self):
        self.assertEqual(self.about("int helper(void) { return 1; }"), [])

    def test_who_leaves_or_asks_which_test_it_is(self):
        self.assertEqual(
            self.about("void f(void) { puts(getenv(\"A\")); _Exit(0); }"),
            ["it calls _Exit", "it calls getenv"])

    def test_but_not_where_the_book_does(self):
        self.assertEqual(self.about("void f(void) { exit(0); }",
                                    BOOK + "void f(void) { exit(0); }"), [])

    def test_who_takes_the_place_of_a_library_s_function(self):
        self.assertEqual(self.about("void library(void) { }"),
                         ["it takes the place of library"])

    def test_what_runs_before_main(self):
        self.assertEqual(
            self.about("__attribute__((constructor)) static void f(void)\n"
                       "{\n    puts(\"\");\n}\n"),
            ["it runs outside of main"])


if __name__ == "__main__":
    unittest.main()
