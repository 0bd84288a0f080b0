"""Constructs that leave a region's ends open are refused, with their line."""

import unittest

from problem import Refusal
from regions import cut_all

PLAIN = "int before(void);\n"


class Limits(unittest.TestCase):
    def refused(self, text, message, line=2):
        """The text, after one plain line, is refused on this line."""
        result = cut_all([PLAIN + text])[0]
        self.assertIsInstance(result, Refusal, text)
        self.assertIn(message, result.message)
        self.assertEqual(result.line, line)

    def allowed(self, text):
        """The text is cut into regions."""
        result = cut_all([PLAIN + text])[0]
        self.assertNotIsInstance(result, Refusal, f"{text}: {result}")

    def test_anonymous_types(self):
        self.refused("enum { A };\n", "an anonymous enum")
        self.refused("struct {\n int x;\n} a;\n", "an anonymous struct")
        self.refused("typedef union {\n int x;\n} a;\n", "an anonymous union")
        self.refused("struct __attribute__((packed)) {\n int x;\n} a;\n",
                     "an anonymous struct")
        self.refused("struct a {\n struct {\n  int x;\n } b;\n};\n",
                     "an anonymous struct", 3)
        self.refused("void f(void)\n{\n    enum { A };\n}\n",
                     "an anonymous enum", 4)

    def test_named_types_with_attributes(self):
        self.allowed("struct __attribute__((packed)) a {\n int x;\n};\n")

    def test_macros_that_generate_functions(self):
        self.refused("#define LIST(T) \\\n    int T##_size(void) \\\n"
                     "    { return 1; }\n", "a macro that generates functions")
        self.refused("#define F(x) int x(int (*g)(int)) { return 1; }\n",
                     "a macro that generates functions")

    def test_macros_that_are_statements(self):
        self.allowed("#define TRY(x) do { if (f(x)) { return; } } while (0)\n")
        self.allowed("#define EACH(i, n) for (int i = 0; i < (n); i++) {\n"
                     "#define DONE }\n")
        self.allowed("#define NODE (struct node){0}\n")

    def test_macro_calls_at_file_scope(self):
        self.refused("LIST(int)\nint f(void)\n{\n}\n", "a macro call")
        self.refused("LIST(int);\n", "a macro call at file scope (LIST)")
        self.refused("TEST(name)\n{\n}\n", "a macro call")
        self.refused("static TEST(name)\n{\n}\n", "a macro call")

    def test_declarations_that_look_like_calls(self):
        self.allowed("int (*f)(int);\nsize_t (*g(void))(int);\n")
        self.allowed("__attribute__((cold)) void f(void);\n")
        self.allowed("_Static_assert(1, \"x\");\n")

    def test_old_style_functions(self):
        self.refused("int f(a)\n    int a;\n{\n}\n", "K&R", 4)

    def test_two_variants_under_if(self):
        self.refused("#if X\nint f(void)\n{\n}\n#else\nint f(void)\n{\n}\n"
                     "#endif\n", "f stands here and in line 3", 7)
        self.refused("#if X\n#define A 1\n#else\n#define A 2\n#endif\n",
                     "macro:A stands here and in line 3", 5)

    def test_two_regions_of_one_name(self):
        self.refused("static int f(void);\nstatic int f(void);\n",
                     "proto:f stands here and in line 2", 3)

    def test_brackets_that_only_one_branch_closes(self):
        self.refused("void f(void)\n{\n#if X\n    if (a) {\n#else\n"
                     "    if (b) {\n#endif\n    }\n}\n",
                     "a bracket opens on one side of this #if", 6)

    def test_brackets_that_do_not_match(self):
        self.refused("void f(void)\n{\n", "this { is never closed", 3)
        self.refused("}\n", "this } closes nothing")
        self.refused("int a[2) = 1;\n", "this ) closes nothing")
        self.refused("int a\n", "this declaration never ends")

    def test_other_languages(self):
        self.refused("extern \"C\" {\nint f(void);\n}\n", "extern \"C\"", 2)

    def test_a_declaration_that_ctags_cannot_name(self):
        self.refused("_Atomic(int) a;\n", "ctags finds no name")

    def test_declarations_that_only_newer_ctags_can_name(self):
        self.refused("static _Alignas(8) const float a[2] = {1};\n",
                     "ctags before version 6 cannot read _Alignas")
        self.refused("__typeof__(x) y = 1;\n", "a macro call")
        self.allowed("static float a[2] __attribute__((aligned(8))) = {1};\n")

    def test_functions_with_the_names_of_regions(self):
        self.refused("int end(void)\n{\n}\n", "the name of a region")


