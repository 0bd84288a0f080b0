"""Chapters that use the same rung are expanded one after the other."""

import threading
import time
import types
import unittest

from chapters import abreast
from support.mistakes import Wrong

RUNGS = ["m0-sum", "m1-mean", "m2-last"]


def chapter(name, rung=None, text=""):
    return types.SimpleNamespace(name=name, rung=rung, text=text)


class FakeBook:
    """Chapters that note when they are expanded, each for a moment."""

    def __init__(self, *chapters, wrong="", meeting=()):
        """Those of the names in `meeting` wait for each other."""
        self.sources = types.SimpleNamespace(rungs=RUNGS)
        self.chapters, self.wrong = list(chapters), wrong
        self.done, self.now, self.at_once = [], set(), set()
        self.guard = threading.Lock()
        self.meeting = meeting
        self.place = threading.Barrier(max(1, len(meeting)), timeout=30)
        self.workshop = types.SimpleNamespace(close=self.close)
        self.closed = 0

    def close(self):
        self.closed += 1

    def expanded(self, one, medium):
        if one.name == self.wrong:
            raise Wrong("cannot be")
        with self.guard:
            self.at_once |= {frozenset([one.name, other])
                             for other in self.now}
            self.now.add(one.name)
        if one.name in self.meeting and medium == "site":
            self.place.wait()
        time.sleep(0.02)
        with self.guard:
            self.now.remove(one.name)
            self.done.append((one.name, medium))


class Ready(unittest.TestCase):
    def names(self, *left, begun=()):
        return [one.name for one in abreast.ready(
            left, begun, types.SimpleNamespace(rungs=RUNGS))]

    def test_the_first_of_each_rung(self):
        chapters = (chapter("m0", "m0-sum"), chapter("m0-z", "m0-sum"),
                    chapter("m1", "m1-mean"), chapter("m1-z", "m1-mean"))
        self.assertEqual(self.names(*chapters), ["m0", "m1"])
        self.assertEqual(self.names(*chapters[1:], begun=chapters[:1]),
                         ["m1"])

    def test_a_chapter_that_names_another_rung_waits_for_it(self):
        for words in ('```{.console rung=m1}', '{rung="m1-mean"}',
                      'run("./rung", rung="m1")', "run(x, rung = 'm1')"):
            both = chapter("both", "m0-sum", words)
            self.assertEqual(self.names(both, chapter("m1", "m1-mean")),
                             ["both"], words)
            self.assertEqual(self.names(
                both, chapter("m2", "m2-last"),
                begun=[chapter("m1", "m1-mean")]), ["m2"], words)

    def test_the_root_of_the_tree_is_used_by_one_at_a_time(self):
        root = "```{.console rung=none}"
        self.assertEqual(self.names(
            chapter("m0", "m0-sum", root), chapter("m1", "m1-mean"),
            chapter("m2", "m2-last", root)), ["m0", "m1"])

    def test_a_chapter_of_no_rung_uses_the_highest(self):
        self.assertEqual(self.names(
            chapter("start"), chapter("m0", "m0-sum"),
            chapter("m2", "m2-last")), ["start", "m0"])


class Expanding(unittest.TestCase):
    def test_one_after_the_other_in_a_rung_and_rungs_at_once(self):
        book = FakeBook(chapter("m0", "m0-sum"), chapter("m0-z", "m0-sum"),
                        chapter("m1", "m1-mean"), meeting=("m0", "m1"))
        abreast.expand(book, ("site", "print"))
        self.assertEqual([one for one in book.done if one[0] != "m1"],
                         [("m0", "site"), ("m0", "print"),
                          ("m0-z", "site"), ("m0-z", "print")])
        self.assertNotIn({"m0", "m0-z"}, book.at_once)

    def test_what_cannot_go_on_is_raised_and_ends_what_runs(self):
        book = FakeBook(chapter("m0", "m0-sum"), wrong="m0")
        with self.assertRaisesRegex(Wrong, "cannot be"):
            abreast.expand(book, ("site",))
        self.assertEqual(book.closed, 1)


if __name__ == "__main__":
    unittest.main()
