"""Emptied bodies, whatever the function looks like."""

import unittest

import made_up
from bodies import body_of, empty, mark, rewrite, with_include
from functions import Function, taught_functions
from tree import File


def function(text, name="f"):
    return Function(name, "f.c", text, 1)


def emptied(text):
    return empty(function(text))


class Empty(unittest.TestCase):
    def test_the_comment_and_the_head_stay(self):
        self.assertEqual(
            emptied("\n/* Why. */\nint f(int x)\n{\n    return x;\n}\n"),
            "\n/* Why. */\nint f(int x)\n{\n    not_written(\"f\");\n}\n")

    def test_braces_in_comments_strings_and_parameters(self):
        for head in ("/* { } */\nint f(void)\n", "int f(int (*g)(char c))\n",
                     "struct s f(void) /* { */\n",
                     "__attribute__((format(printf, 1, 2)))\nint f(void)\n"):
            body = "{\n    if (c == '{' || s[0] == \"}\"[0]) { g(); }\n}\n"
            self.assertEqual(emptied(head + body),
                             head + "{\n    not_written(\"f\");\n}\n")

    def test_a_body_on_one_line(self):
        self.assertEqual(emptied("int f(void) { return 1; } /* end */\n"),
                         "int f(void) {\n    not_written(\"f\");\n} "
                         "/* end */\n")

    def test_what_has_no_body_is_no_function(self):
        with self.assertRaises(ValueError):
            body_of("int f(void);\n")


class Mark(unittest.TestCase):
    def test_no_line_moves(self):
        text = "int f(void)\n{\n    return 1;\n}\n"
        self.assertEqual(mark(function(text), "CALLED;"),
                         "int f(void)\n{ CALLED; \n    return 1;\n}\n")


class Include(unittest.TestCase):
    def test_behind_the_files_of_the_rung(self):
        self.assertEqual(
            with_include('#include "a.h"\n\n#include <b.h>\nint x;\n', "X\n"),
            '#include "a.h"\nX\n\n#include <b.h>\nint x;\n')

    def test_or_behind_those_of_the_system(self):
        self.assertEqual(with_include("#include <b.h>\nint x;\n", "X\n"),
                         "#include <b.h>\nX\nint x;\n")

    def test_or_first(self):
        self.assertEqual(with_include("int x;\n", "X\n"), "X\nint x;\n")


class Rewrite(unittest.TestCase):
    def test_only_what_is_asked_for(self):
        files = made_up.rung_files()
        functions = [f for f in taught_functions(files) if f.name == "plus"]
        changed = rewrite(files, functions, empty)["low/sums.c"]
        self.assertEqual(
            changed,
            made_up.SOURCE.replace("    return a + b;\n",
                                   '    not_written("plus");\n')
            .replace('#include "sums.h"\n',
                     '#include "sums.h"\n#include "not_written.h"\n'))

    def test_an_unreadable_file_is_named(self):
        files = {"f.c": File(b"struct { int x; } f(void)\n{\n}\n")}
        with self.assertRaisesRegex(Exception, "f.c:1: an anonymous struct"):
            rewrite(files, [function("", "f")], empty)


if __name__ == "__main__":
    unittest.main()
