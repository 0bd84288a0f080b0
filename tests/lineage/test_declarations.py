"""The grammar of LINEAGE, and what is said about a line that breaks it."""

import unittest

from declarations import parse

WHOLE = """\
# A comment.
from m3-sampling
idea never compute the past twice

step a cache behind attention
new kvcache.c kvcache.h
changed attention.c attend struct:head  # keys come from the cache
step a session on disk
removed old.c  # the session does it
new golden/*.json
"""

HEAD = "from m0-a\nidea one\n"


class Declarations(unittest.TestCase):
    def complains(self, text, line, message):
        """The text has exactly one problem: this one."""
        problems = parse("m1-b/LINEAGE", text).problems
        self.assertEqual(len(problems), 1, problems)
        self.assertEqual((problems[0].path, problems[0].line),
                         ("m1-b/LINEAGE", line))
        self.assertIn(message, problems[0].message)

    def test_a_whole_file(self):
        lineage = parse("m4-kvcache/LINEAGE", WHOLE)
        self.assertEqual(lineage.problems, [])
        self.assertEqual((lineage.origin, lineage.origin_line, lineage.idea),
                         ("m3-sampling", 2, "never compute the past twice"))
        self.assertEqual([step.title for step in lineage.steps],
                         ["a cache behind attention", "a session on disk"])
        first = [(e.verb, e.file, e.region, e.reason)
                 for e in lineage.steps[0].entries]
        reason = "keys come from the cache"
        self.assertEqual(first, [
            ("new", "kvcache.c", "", ""), ("new", "kvcache.h", "", ""),
            ("changed", "attention.c", "attend", reason),
            ("changed", "attention.c", "struct:head", reason)])

    def test_a_pattern_covers_goldens(self):
        entry = parse("m4-kvcache/LINEAGE", WHOLE).entries[-1]
        self.assertTrue(entry.covers("golden/a.json"))
        self.assertFalse(entry.covers("golden/a.txt"))

    def test_from_and_idea_stand_once_and_say_something(self):
        self.complains("idea one\n", 1, "\"from RUNG\" is missing")
        self.complains("from m0-a\n", 1, "\"idea …\" is missing")
        self.complains(HEAD + "idea two\n", 3, "stands twice")
        self.complains(HEAD + "from m0-a\n", 3, "stands twice")

    def test_a_word_that_is_not_in_the_grammar(self):
        self.complains(HEAD + "added a.c\n", 3, "\"added\" is not a word")

    def test_changed_and_removed_need_a_reason(self):
        self.complains(HEAD + "changed a.c f\n", 3, "needs its reason")
        self.complains(HEAD + "changed a.c f #\n", 3, "needs its reason")
        self.complains(HEAD + "removed a.c\n", 3, "needs its reason")

    def test_a_line_names_what_it_is_about(self):
        self.complains(HEAD + "changed a.c # why\n", 3, "changed FILE REGION")
        self.complains(HEAD + "new\n", 3, "write \"new FILE")

    def test_a_difference_is_declared_once(self):
        self.complains(HEAD + "new a.c\nnew b.c a.c\n", 4,
                       "declared in line 3 already")
        self.complains(HEAD + "changed a.c f # x\nchanged a.c f # y\n", 4,
                       "a.c f is declared in line 3")

    def test_steps_hold_everything_or_nothing(self):
        self.complains(HEAD + "new a.c\nstep two\nnew b.c\n", 4,
                       "above the first step")
        self.complains(HEAD + "step\n", 3, "needs a title")

    def test_patterns_are_for_new_goldens(self):
        self.complains(HEAD + "new *.c\n", 3, "under golden/ only")
        self.complains(HEAD + "removed golden/* # why\n", 3, "under golden/")
