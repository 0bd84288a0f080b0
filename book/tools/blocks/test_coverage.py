"""A chapter shows each new function of its rung, or says why not."""

import json
import unittest

from running import main_path
from testing.case import BookCase, report

ALL = "```{src=sum.c}\n```\n\n```{src=main.c}\n```"


class Coverage(BookCase):
    def said(self, text, title="# Sums"):
        """What is wrong with a chapter of m0."""
        self.write("m0.md", f"{title}\n\n{text}\n")
        book = self.book()
        book.check()
        return "\n".join(line for line in report(book).split("\n")
                         if "m0.md" in line)

    def test_fixture_is_covered(self):
        book = self.book()
        book.check()
        self.assertEqual(report(book), "")

    def test_forgotten_function(self):
        said = self.said("```{src=main.c}\n```")
        self.assertEqual(said, "book/m0.md:1: neither shows nor lists as "
                         "left out: sum in m0-sum/sum.c")

    def test_a_part_of_a_function_shows_it(self):
        self.assertEqual(self.said(ALL.replace("src=sum.c",
                                               "src=sum.c part=loop")), "")

    def test_another_chapter_may_show_it(self):
        self.write("00-start.md", "# Start {rung=m0}\n\n```{src=sum.c}\n```\n")
        self.assertEqual(self.said("```{src=main.c}\n```"), "")

    def test_listing_of_another_rung_does_not_count(self):
        said = self.said("```{src=main.c}\n```\n\n```{src=m1-mean/sum.c}\n```")
        self.assertIn("sum in m0-sum/sum.c", said)

    def test_only_what_is_new_or_changed_counts(self):
        self.write("m1.md", "# Means\n\n```{src=mean.c}\n```\n\n"
                   "```{src=dots.c}\n```\n\n```{diff=m0..m1 file=main.c "
                   "fn=main}\n```\n")
        book = self.book()
        book.check()
        self.assertEqual(report(book), "")

    def test_too_much_left_out(self):
        said = self.said("```{src=sum.c}\n```\n\n```{src=main.c fn=main}\n"
                         "```\n\n```{.left-out}\nmain.c: complain, name_of |"
                         " why\n```")
        self.assertRegex(said, r"m0.md:1: \d\d% of the new functions' lines "
                         "are left out; 15% at most")

    def test_what_the_main_command_runs_is_shown(self):
        text = ("```{src=sum.c}\n```\n\n```{src=main.c fn=\"complain main\"}"
                "\n```\n\n```{.left-out}\nmain.c: name_of | why\n```")
        self.assertEqual(self.said(text, '# Sums {main="./rung 1"}'), "")
        said = self.said(text, '# Sums {main="NAMES=1 ./rung 1"}')
        self.assertIn("book/m0.md:10: name_of in main.c cannot be left out: "
                      "NAMES=1 ./rung 1 runs it", said)

    def test_rows_that_say_nothing_true(self):
        said = self.said(ALL + "\n\n```{.left-out}\nmain.c: gone | why\n"
                         "gone.c: * | why\nmain.c: main\n```")
        self.assertIn("m0.md:10: main.c: gone is not new or changed", said)
        self.assertIn("m0.md:11: gone.c has no function", said)
        self.assertIn("m0.md:12: expected FILE: FUNCTION", said)

    def test_main_command_that_fails(self):
        said = self.said("```{src=sum.c}\n```\n\n```{src=main.c fn=\"complain "
                         "main\"}\n```\n\n```{.left-out}\nmain.c: name_of |"
                         " why\n```", '# Sums {main="./rung"}')
        self.assertIn("./rung: rung: no numbers", said)


def counted(file, functions, lines):
    """A line of gcov's."""
    return json.dumps({"files": [{
        "file": file,
        "functions": [{"name": name, "execution_count": count}
                      for name, count in functions.items()],
        "lines": [{"line_number": number, "count": count}
                  for number, count in lines]}]})


class Counts(unittest.TestCase):
    def test_what_was_run(self):
        said = "\n".join(["noise",
                          counted("a.c", {"f": 2, "g": 0}, [(3, 2), (1, 0)]),
                          counted("b.c", {"h": 0}, [(1, 0)]),
                          counted("a.h", {"i": 0}, [(7, 0), (8, 0)]),
                          counted("a.h", {"i": 1}, [(7, 1), (8, 0)]), ""])
        self.assertEqual(main_path.read_counts(said), {
            "functions": [("a.c", "f"), ("a.h", "i")],
            "lines": {"a.c": {1: 0, 3: 1}, "a.h": {7: 1, 8: 0}}})


if __name__ == "__main__":
    unittest.main()
