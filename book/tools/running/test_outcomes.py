"""Answers that are committed with the book: compared by a build that verifies,
taken by one that trusts."""

import json
import re
import shutil
import unittest
from base64 import b64encode
from collections import Counter
from unittest import mock

from chapters import ahead
from chapters.book import Book
from running import main_path, outcomes
from support.mistakes import Wrong
from support.modules import Modules
from testing.case import BUILD, BookCase, report
from web import website


class Committed(BookCase):
    """One file of answers, and a store."""

    def setUp(self):
        super().setUp()
        self.store = self.book().store
        self.at = self.folder / "outcomes"

    def outcomes(self, trusting=False, awaited=False):
        return outcomes.Outcomes(self.at, self.store, trusting, awaited)

    def commit(self, **answers):
        """Write answers of m0."""
        self.write("outcomes/m0-sum.json", outcomes.rendered(answers))

    def fail(self):
        """What must not be asked."""
        raise AssertionError("looked for it")

    def test_a_build_that_verifies_finds_its_own(self):
        self.commit(verify1="committed")
        self.assertEqual(self.outcomes().get("verify1", lambda: "found"),
                         ("found", True))

    def test_a_build_that_trusts_takes_what_is_committed(self):
        self.commit(trust1="committed")
        self.assertEqual(self.outcomes(True).get("trust1", self.fail),
                         ("committed", False))
        self.assertIsNone(self.store.peek("trust1"))

    def test_it_finds_what_is_not_committed_unless_that_is_dear(self):
        one = self.outcomes(True)
        self.assertEqual(one.get("trust2", lambda: 3), (3, True))
        self.assertEqual(one.get("dear1", self.fail, True), (None, False))

    def test_what_was_found_here_comes_first(self):
        self.commit(own1="committed")
        self.store.put("own1", "found")
        self.assertEqual(self.outcomes(True).get("own1", self.fail),
                         ("found", True))

    def test_who_waits_for_a_test_gets_a_dear_one_as_it_is_committed(self):
        self.commit(wait1="committed")
        who, other = (self.outcomes(awaited=is_so).asker()
                      for is_so in (True, False))
        self.assertEqual(who.get_rarely("wait1", "count", "m0-sum",
                                        self.fail), "committed")
        self.assertIsNone(self.store.peek("wait1"))
        self.assertEqual(who.get_rarely("wait2", "count", "m0-sum",
                                        lambda: "found"), "found")
        self.assertEqual(who.asked, {"wait1": "m0-sum", "wait2": "m0-sum"})
        self.assertEqual(other.get_rarely("wait1", "count", "m0-sum",
                                          lambda: "found"), "found")

    def test_one_that_differs_is_named(self):
        self.commit(aa_same=1, bb_other=2, cc_idle=3)
        self.store.put("aa_same", 1)
        self.store.put("bb_other", 5)
        asked = dict.fromkeys(["aa_same", "bb_other"], "m0-sum")
        (path, line, why), = self.outcomes().differing(asked)
        self.assertEqual((path.name, line), ("m0-sum.json", 3))
        self.assertIn("another outcome was found: 5", why)

    def test_last_digits_are_no_other_answer(self):
        self.commit(gg_near=0.6047311852694751)
        self.store.put("gg_near", 0.604731185269475)
        asked = {"gg_near": "m0-sum"}
        self.assertEqual(list(self.outcomes().differing(asked)), [])
        self.assertEqual(self.outcomes().stale(asked), {})

    def test_files_hold_what_was_asked_and_nothing_else(self):
        self.commit(dd_gone=1)
        self.write("outcomes/m9-gone.json", outcomes.rendered({"x": 1}))
        for key, answer in (("ee_new", 2), ("ff_long", "x" * 50_000)):
            self.store.put(key, answer)
        asked = {"ee_new": "m0-sum", "ff_long": "m0-sum"}
        self.assertEqual(self.outcomes().stale(asked),
                         {"m0-sum.json": b'{\n"ee_new": 2\n}\n',
                          "m9-gone.json": None})
        self.assertTrue((self.at / "m9-gone.json").exists())
        changed = self.outcomes().renew(asked)
        self.assertEqual(changed, ["m0-sum.json", "m9-gone.json"])
        self.assertEqual(json.loads((self.at / "m0-sum.json").read_text()),
                         {"ee_new": 2})
        self.assertFalse((self.at / "m9-gone.json").exists())
        self.assertEqual(self.outcomes().renew(asked), [])

    def keep_long_picture(self):
        """Commit a long picture as it was found; its file, and asked."""
        answer = b64encode(b"\x89PNG\r\n\x1a\n" + bytes(40_000)).decode()
        self.store.put("hh_long", answer)
        asked = {"hh_long": "m0-sum"}
        _, name = self.outcomes().renew(asked)
        self.assertEqual(self.outcomes(True).committed, {"hh_long": answer})
        self.assertEqual(self.outcomes().stale(asked), {})
        return self.at / name, asked

    def test_a_long_picture_is_a_file(self):
        path, _ = self.keep_long_picture()
        self.assertEqual(path.suffix, ".png")
        self.assertEqual(path.stat().st_size, 40_008)
        self.assertLess((self.at / "m0-sum.json").stat().st_size, 100)
        self.assertEqual(self.outcomes().renew({}),
                         ["m0-sum.json", f"pictures/{path.name}"])
        self.assertFalse(path.exists())

    def test_a_long_picture_that_is_another_is_no_answer(self):
        path, asked = self.keep_long_picture()
        data = path.read_bytes()
        for change in (lambda: path.write_bytes(data[:-1] + b"x"),
                       path.unlink):
            change()
            one = self.outcomes()
            self.assertEqual(one.committed, {})
            self.assertEqual(one.stale(asked),
                             {f"pictures/{path.name}": data})
            self.assertEqual(list(one.differing(asked)), [])

    def test_a_long_picture_that_differs_is_named(self):
        path, asked = self.keep_long_picture()
        data = path.read_bytes()
        self.store.put("hh_long", b64encode(data[:-1] + b"x").decode())
        (_, line, why), = self.outcomes().differing(asked)
        self.assertEqual(line, 2)
        self.assertIn("another outcome was found", why)

    def test_words(self):
        self.assertEqual(outcomes.spoken(Counter(box=2, command=1, count=0)),
                         "2 break-it boxes, 1 command")


class Trusting(BookCase):
    """The made-up book, as a fresh clone shows it."""

    def setUp(self):
        super().setUp()
        self.keep_transcripts()
        book = self.book()
        site = website.Site(book, self.folder / "site")
        self.assertEqual(report(book), "")
        self.asked = site.asked()
        book.outcomes.renew(self.asked)
        self.verified = site.made

    def fresh(self):
        """A book on a machine where nothing was found, nor can be."""
        book = Book(self.root, self.folder, self.folder / "build",
                    Modules(BUILD / "node"), trusting=True)
        for one, name in ((book.workshop, "execute"),
                          (book.trials, "changed")):
            setattr(one, name, self.refuse)
        return book

    def refuse(self, *what):
        raise Wrong(f"ran: {what}")

    def drop(self, holds):
        """Remove the committed answers that hold a text."""
        for path in (self.folder / "outcomes").glob("*.json"):
            answers = json.loads(path.read_text())
            path.write_text(json.dumps({
                key: answer for key, answer in answers.items()
                if holds not in json.dumps(answer)}))

    def test_nothing_runs_and_the_pages_are_the_same(self):
        book = self.fresh()
        with ahead.trying(book):
            made = website.Site(book, self.folder / "site").made
        self.assertEqual(report(book), "")
        hide = re.compile(r"/[^' ]*\.png")
        for name, page in made.items():
            self.assertEqual(hide.sub("", str(page["blocks"])), hide.sub(
                "", str(self.verified[name]["blocks"])))
        self.assertEqual(made["m0"]["unverified"], {
            "command": 2, "exercise": 1, "box": 1, "count": 1, "chapter": 1})

    def helped(self):
        """The chapters that helpers expanded, in a book that they may use as
        they like."""
        book = Book(self.root, self.folder, self.folder / "build",
                    Modules(BUILD / "node"), trusting=True)
        with mock.patch("os.cpu_count", return_value=2):
            book.expand_ahead()
        self.assertFalse((self.folder / "build" / "rungs").exists())
        expanded = []
        with mock.patch.object(book, "expand",
                               lambda chapter, *_: expanded.append(chapter)):
            for chapter in book.chapters:
                book.expanded(chapter, "site")
        return {one.name for one in book.chapters} - {
            one.name for one in expanded}

    def test_helpers_expand_what_needs_no_command(self):
        self.assertEqual(self.helped(), {"m0", "m1", "glossary"})
        self.edit("m0.md", 'answer="4" wrong="22|5"',
                  'answer="5" wrong="22|6"')
        shutil.rmtree(self.folder / "build")
        self.assertEqual(self.helped(), {"m1", "glossary"})

    def test_the_page_says_what_did_not_run(self):
        site = website.Site(self.fresh(), self.folder / "site")
        website.chapters(site)
        page = (self.folder / "site" / "m0.html").read_text()
        self.assertIn("Not run again on this machine: 1 break-it box, ", page)
        website.chapters(website.Site(self.book(), self.folder / "site"))
        page = (self.folder / "site" / "m0.html").read_text()
        self.assertNotIn("Not run again", page)

    def test_a_box_that_nobody_tried_is_shown_without_an_outcome(self):
        self.drop("adds_all")
        book = self.fresh()
        page = str(website.Site(book, self.folder / "site").made["m0"])
        self.assertEqual(report(book), "")
        self.assertIn("Break it 1: sum in", page)
        self.assertNotIn("Which test fails", page)

    def test_what_is_stale_is_not_taken(self):
        self.edit("m0.md", 'answer="4" wrong="22|5"',
                  'answer="5" wrong="22|6"')
        book = self.fresh()
        website.Site(book, self.folder / "site")
        self.assertRegex(report(book), r"book/m0.md:\d+: ran: ")

    def test_a_transcript_that_is_not_the_committed_one_is_not_taken(self):
        path = self.folder / "transcripts" / "m0.txt"
        path.write_text(path.read_text().replace("sum 7", "sum 8"))
        book = self.fresh()
        website.Site(book, self.folder / "site")
        self.assertRegex(report(book), r"book/m0.md:\d+: ran: ")

    def site_of(self, awaited):
        """A site that is built of nothing, as for a test; how often it was
        counted which lines run; what it was made of."""
        shutil.rmtree(self.folder / "build", ignore_errors=True)
        book = Book(self.root, self.folder, self.folder / "build",
                    Modules(BUILD / "node"), awaited=awaited)
        with mock.patch("running.main_path.measure",
                        wraps=main_path.measure) as measure:
            with ahead.trying(book):
                site = website.Site(book, self.folder / "site")
            book.check()
        self.assertEqual(report(book), "")
        asked = site.asked() | book.trials.settle()
        return str(site.made["m0"]["blocks"]), measure.call_count, \
            book.outcomes.wanted(asked)

    def test_who_waits_for_a_test_waits_for_no_count(self):
        shown, counted, files = self.site_of(False)
        self.assertIn("line idle", shown)
        self.assertEqual(counted, 1)
        for name, content in files.items():
            (self.folder / "outcomes" / name).write_bytes(content)
        self.assertEqual(self.site_of(True), (shown, 0, files))


if __name__ == "__main__":
    unittest.main()
