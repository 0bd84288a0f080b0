"""What the book's tools stand on: the store, measuring, serving, the command
line."""

import contextlib
import io
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import build
import measure
from reading import sources
from support.mistakes import Mistakes, Wrong
from support.store import UNUSED, Store, digest
from testing.case import BookCase
from text import measured
import serve


class Settled(unittest.TestCase):
    """A book whose committed outcomes lack what its build found."""

    def setUp(self):
        self.book = mock.Mock(mistakes=Mistakes())
        self.book.trials.settle.return_value = {"key": "m0-sum"}
        self.book.outcomes.trusting = False
        self.book.outcomes.differing.return_value = []
        self.book.outcomes.stale.return_value = {"m0-sum.json": b"{}"}
        self.book.outcomes.renew.return_value = ["m0-sum.json"]

    def settle(self, test):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            build.settle(self.book, mock.Mock(asked=dict), test)
        return said.getvalue()

    def test_a_build_renews_them(self):
        self.assertIn("commit it", self.settle(False))
        self.assertFalse(self.book.mistakes.found)
        self.book.outcomes.renew.assert_called_with({"key": "m0-sum"})

    def test_a_test_fails_and_changes_nothing(self):
        self.settle(True)
        (path, _, why), = self.book.mistakes.found
        self.assertEqual(path, "book/outcomes/m0-sum.json")
        self.assertIn("run make site", why)
        self.book.outcomes.renew.assert_not_called()


class Stored(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.store = Store(Path(folder.name))

    def test_finds_once(self):
        answers = iter([[1], [2]])
        for _ in range(2):
            self.assertEqual(self.store.get("key", lambda: next(answers)),
                             [1])

    def test_finds_once_for_two_who_ask_at_once(self):
        found = []

        def find():
            found.append(1)
            time.sleep(0.05)
            return len(found)
        with ThreadPoolExecutor(2) as pool:
            answers = pool.map(lambda _: self.store.get("key", find), (1, 2))
        self.assertEqual(list(answers), [1, 1])

    def test_a_failure_is_not_kept(self):
        def fail():
            raise Wrong("no")
        with self.assertRaises(Wrong):
            self.store.get("key", fail)
        self.assertEqual(self.store.get("key", lambda: 3), 3)

    def test_forgets_what_is_not_asked_for(self):
        for key in ("aaa", "bbb"):
            self.store.put(key, 1)
            os.utime(self.store.path(key), (0, os.path.getmtime(
                self.store.path(key)) - UNUSED - 60))
        self.store.get("aaa", lambda: 2)
        self.store.prune()
        self.assertEqual(self.store.peek("aaa"), 1)
        self.assertIsNone(self.store.peek("bbb"))

    def test_digests_keep_their_parts_apart(self):
        self.assertNotEqual(digest("ab", "c"), digest("a", "bc"))
        self.assertEqual(digest({"a": 1, "b": 2}), digest({"b": 2, "a": 1}))


class Regions(unittest.TestCase):
    def test_what_is_kept_says_the_same(self):
        texts = ["int one(void)\n{\n    return 1;\n}\n", "int two(\n"]
        cut = sources.cut_all(texts)
        kept = json.loads(json.dumps([sources.packed(one) for one in cut]))
        whole, broken = map(sources.unpacked, kept)
        self.assertEqual(whole, cut[0])
        self.assertIsInstance(cut[1], sources.Refusal)
        self.assertEqual((broken.line, broken.message),
                         (cut[1].line, cut[1].message))


class Measuring(BookCase):
    def test_shows_value_and_unit_and_says_where_from(self):
        self.keep({"m0.sum": 0.0123456})
        page = self.html('It takes [](){.measured of="m0.sum" digits=2}.')
        self.assertIn("It takes 0.012\u00a0s.", page)
        self.assertIn("Measured figures on this page: M, D, commit "
                      "0123456789.", page)

    def keep(self, values):
        """Write measured figures."""
        self.write("measured.json", json.dumps({
            name: {"value": value, "unit": "s", "machine": "M", "date": "D",
                   "commit": "0123456789abcdef"}
            for name, value in values.items()}))

    def test_unknown_figure_is_wrong(self):
        self.assert_wrong([("[](){.measured of=\"gone\"}",
                            "measured.json has no gone"),
                           ("[](){.measured}", "measured.json has no None")])

    def test_no_note_without_figures(self):
        self.assertEqual(measured.source_note([], {}), [])

    def test_commits_of_one_machine_and_day_stand_together(self):
        figure = {"machine": "M", "date": "D"}
        figures = {name: {**figure, "commit": name * 12} for name in "ab"}
        figures["c"] = {**figure, "date": "E", "commit": "c" * 12}
        self.assertEqual(
            measured.places("bca", figures),
            f"M, D, commits {'a' * 10}, {'b' * 10}; M, E, commit {'c' * 10}")

    def test_number_or_time(self):
        shop = self.book().workshop
        self.assertEqual(measure.measure(shop, "m0-sum", "./rung 3 4",
                                         "sum ([0-9]+)", 1), 7)
        self.assertLess(measure.measure(shop, "m0-sum", "./rung 3", runs=1),
                        60)
        self.assertEqual(measure.ratio(shop, "m0-sum", "./rung 8",
                                       "./rung 4", "sum (.+)", 1), 2)
        with self.assertRaisesRegex(Wrong, "matches nothing"):
            measure.measure(shop, "m0-sum", "./rung 3", "gone (.)", 1)
        with self.assertRaisesRegex(Wrong, "status 1"):
            measure.measure(shop, "m0-sum", "./rung", runs=1)

    def test_table_holds_the_exercises(self):
        self.write("measures.json", '[{"name": "a", "rung": "m0", '
                   '"run": "./rung 1"}]')
        self.write("m0.md", "# T\n\n::: {.exercise .measure run=\"./rung 1\" "
                   "than=\"./rung 2\" ratio=1..2 wrong=3}\nQ?\n:::\n")
        names = [row["name"] for row in measure.table(self.book())]
        self.assertEqual(names, ["a", "m0-sum: ./rung 1 / ./rung 2"])

    def test_changes_that_are_not_committed_are_refused(self):
        with self.assertRaisesRegex(Wrong, "not committed"):
            measure.refuse_changes(self.root, "m0-sum")

    def test_figures_know_machine_date_and_commit(self):
        with tempfile.TemporaryDirectory() as root:
            git = ["git", "-C", root, "-c", "user.name=T", "-c",
                   "user.email=t@example.org"]
            subprocess.run(["git", "init", "-q", root], check=True)
            subprocess.run([*git, "commit", "-q", "--allow-empty", "-m",
                            "x"], check=True)
            book = self.book()
            book.root = Path(root)
            made = measure.figures(book, [{"name": "a", "rung": "m0",
                                           "run": "./rung 5", "unit": "n",
                                           "pick": "sum (.*)"}],
                                   {"b": 1}, io.StringIO())
        self.assertEqual(made["b"], 1)
        self.assertEqual(made["a"]["value"], 5)
        self.assertRegex(made["a"]["commit"], "^[0-9a-f]{40}$")
        self.assertRegex(made["a"]["machine"], "threads$")


class Serving(unittest.TestCase):
    def test_serves_the_folder_on_this_machine_only(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "index.html").write_text("hello")
            with serve.server(folder, 0) as one:
                self.assertEqual(one.server_address[0], "127.0.0.1")
                threading.Thread(target=one.serve_forever,
                                 daemon=True).start()
                address = f"http://127.0.0.1:{one.server_port}/"
                with urllib.request.urlopen(address) as answer:
                    self.assertEqual(answer.read(), b"hello")
                one.shutdown()

    def test_takes_another_port_when_one_is_taken(self):
        with serve.server(".", 0) as one, \
                serve.server(".", one.server_port) as other:
            self.assertNotEqual(one.server_port, other.server_port)


class CommandLine(unittest.TestCase):
    def test_usage(self):
        for arguments in ([], ["gone"], ["site", "--gone"], ["site", "book"],
                          ["site", "--answers"], ["site", "--answers=gone"],
                          ["site", "--site=somewhere"]):
            with contextlib.redirect_stderr(io.StringIO()) as said:
                self.assertEqual(build.main(arguments), 2)
            self.assertIn("usage: build.py", said.getvalue())

    def test_commands_are_interrupted_in_a_background_job_too(self):
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        build.leave_background()
        done = subprocess.run(["sh", "-c", "kill -INT $$; exit 3"])
        self.assertEqual(done.returncode, -signal.SIGINT)

    def test_mistakes_are_said_once_and_in_order(self):
        mistakes, out = Mistakes(), io.StringIO()
        for line in (10, 9, 10):
            mistakes.add("book/m0.md", line, "so\n  wrong")
        self.assertEqual(mistakes.report(out), 2)
        self.assertEqual(out.getvalue(), "book/m0.md:9: so wrong\n"
                         "book/m0.md:10: so wrong\n")


if __name__ == "__main__":
    unittest.main()
