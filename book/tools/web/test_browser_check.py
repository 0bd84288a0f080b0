"""Each check of the site finds the page that is made wrong for it, and finds
nothing wrong with the others."""

import contextlib
import io
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import browser_check
from reading.sources import ROOT
from support import modules
from support.modules import Modules
from web import sitelinks

FIXTURES = browser_check.SCRIPTS / "fixtures"
NODE = shutil.which("node")
BROWSER = browser_check.find_chromium() and NODE

# The pages that are wrong, and the one kind of check that each must fail.
STATIC = {"link.html": "links", "anchor.html": "links",
          "outside.html": "links", "rooted.html": "links",
          "heavy.html": "weight"}
IN_NODE = {"invalid.html": "html", "wide.html": "width",
           "folded.html": "width", "unfolded.html": "width",
           "console.html": "console", "picture.html": "pictures",
           "contrast.html": "axe", "pale.html": "axe", "beside.html": "axe",
           "behind.html": "axe",
           "unreachable.html": "keyboard", "trap.html": "keyboard",
           "scripts.html": "no scripts", "new.js": "old browsers"}


def site(folder):
    """The fixtures as a site, with one page that is too heavy."""
    root = Path(folder) / "site"
    shutil.copytree(FIXTURES, root)
    noise = os.urandom(sitelinks.HEAVIEST).hex()
    text = (root / "good.html").read_text()
    (root / "heavy.html").write_text(text.replace("</p>", noise + "</p>", 1))
    return root


def kinds(results):
    """{page: kinds of checks that failed}."""
    found = {}
    for result in results:
        if result["wrong"]:
            kind = result["check"].rpartition(": ")[2]
            found.setdefault(result["page"], set()).add(kind)
    return found


def only(wrong):
    """The same form, of the tables above."""
    return {page: {kind} for page, kind in wrong.items()}


def run(*arguments):
    """(status, output) of the program."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        status = browser_check.main([str(word) for word in arguments])
    return status, out.getvalue()


class Checks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rungs-site-")
        self.addCleanup(folder.cleanup)
        self.site = site(folder.name)

    def test_links_and_weight(self):
        pages = browser_check.pages_of(self.site)
        found = kinds(browser_check.static_checks(self.site, pages))
        self.assertEqual(found, only(STATIC))

    def test_scripts_and_style_sheets_have_their_weight(self):
        noise = os.urandom(sitelinks.HEAVIEST).hex()
        (self.site / "console.js").write_text(f"// {noise}")
        links = sitelinks.Links(self.site)
        self.assertEqual(links.too_heavy("good.html"), [])
        self.assertEqual(len(links.too_heavy("console.html")), 1)

    def test_the_words_for_a_broken_link(self):
        links = sitelinks.Links(self.site)
        self.assertEqual(links.broken("link.html"),
                         ["nothing.html leads nowhere"])
        self.assertEqual(links.broken("anchor.html"), [
            "good.html#nowhere: nothing there has this name"])
        self.assertEqual(links.broken("rooted.html"), [
            "/good.html works only at the root of a server"])
        self.assertEqual(links.broken("outside.html"), [
            "../good.html leads nowhere"])
        self.assertEqual(links.broken("good.html"), [])

    @unittest.skipUnless(BROWSER, "chromium or node is missing")
    def test_in_the_browser(self):
        pages = ["good.html", *(name for name in IN_NODE
                                if name.endswith(".html"))]
        (self.site / "new.js").write_text("/(?<=a)b/")
        results, skipped = browser_check.node_checks(self.site, pages)
        self.assertEqual(skipped, [])
        self.assertEqual(kinds(results), only(IN_NODE), [
            result for result in results if result["wrong"]])

    @unittest.skipUnless(NODE, "node is missing")
    def test_without_a_network_it_is_said(self):
        late = subprocess.TimeoutExpired([], 1)
        with mock.patch("subprocess.run", side_effect=late) as npm, \
                mock.patch.object(Modules, "install", Modules.run_npm):
            results, skipped = browser_check.node_checks(self.site, [])
        self.assertEqual((results, npm.call_count), ([], modules.TRIES))
        self.assertEqual(skipped, [
            f"browser and HTML checks: npm ci failed {modules.TRIES} times, "
            f"at last: no end after {modules.LIMIT} s"])

    @unittest.skipUnless(BROWSER, "chromium or node is missing")
    def test_a_page_that_never_ends(self):
        good = self.site / "good.html"
        (self.site / "endless.html").write_text(good.read_text().replace(
            "</body>", "<script>addEventListener('resize', () => { for (;;); })"
            "</script></body>"))
        results = browser_check.run_node("check.js", {
            "modules": str(Modules(ROOT / "build" / "node").path()),
            "chromium": browser_check.find_chromium(), "seconds": 5,
            "pages": [(name, (self.site / name).as_uri(), True)
                      for name in ("endless.html", "good.html")]})
        wrong = [result for result in results if result["wrong"]]
        self.assertEqual([(one["page"], one["check"]) for one in wrong],
                         [("endless.html", "the browser")])
        self.assertIn("no end after 5 s, after ", wrong[0]["wrong"][0])

    @unittest.skipUnless(NODE, "node is missing")
    def test_a_script_that_never_ends(self):
        said = json.dumps({"page": "a", "check": "b", "wrong": []})
        late = subprocess.TimeoutExpired([], 1, said.encode() + b'\n{"pa')
        with mock.patch("subprocess.run", side_effect=late):
            results = browser_check.run_node("check.js", {})
        self.assertEqual([result["wrong"] for result in results],
                         [[], [f"no end after {browser_check.LIMIT} s"]])

    @unittest.skipUnless(NODE, "node is missing")
    def test_what_old_browsers_cannot_read(self):
        modules = str(Modules(ROOT / "build" / "node").path())
        for text, *words in (
                ("const a = b?.c ?? 1; d ||= 2;",),
                ('"use strict"; const a = /x(?!y)/u, b = "# \\p{L}";',),
                ("class A { #b = 1; }", "not ES2021"),
                ("const a = /(?<!b)c/;", "lookbehind"),
                ("new RegExp(`(?<=${a})b`);", "lookbehind"),
                ("[1].at(-1);", "arrays"),
                ("const b = Object.hasOwn(a, 1);", "2022"),
                ('document.querySelector("a:has(b)");', ":has()")):
            with self.subTest(text):
                (self.site / "new.js").write_text(text)
                found = [result["wrong"] for result in
                         browser_check.script_checks(self.site, modules)
                         if result["page"] == "new.js"]
                self.assertEqual(len(found[0]), len(words), found)
                for word, said in zip(words, found[0]):
                    self.assertIn(word, said)

    @unittest.skipUnless(NODE, "node is missing")
    def test_a_missing_browser_is_named(self):
        with mock.patch.object(browser_check, "find_chromium",
                               return_value=None):
            status, said = run(self.site, "good.html")
        self.assertEqual(status, 0)
        self.assertIn("SKIPPED browser checks: chromium is missing", said)
        self.assertTrue(said.endswith("7 passed, 0 failed\n"), said)


class Program(unittest.TestCase):
    def test_last_line_and_status(self):
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(browser_check, "node_checks",
                                  return_value=([], ["all of it"])):
            root = site(folder)
            status, said = run(root)
            checks = 2 * len(browser_check.pages_of(root))
        self.assertEqual(status, 1)
        self.assertIn("FAILED link.html: links: nothing.html leads nowhere\n",
                      said)
        self.assertIn("SKIPPED all of it\n", said)
        self.assertTrue(said.endswith(
            f"{checks - len(STATIC)} passed, {len(STATIC)} failed\n"), said)

    def test_axe_leaves_out_differences_of_rungs_far_apart(self):
        names = ["m0.html", "diff/index.html", "diff/m0-m1.html",
                 "diff/m0-m2.html", "diff/m9-m10.html"]
        self.assertEqual([browser_check.for_axe(name) for name in names],
                         [True, True, True, False, True])

    def test_a_folder_without_pages(self):
        with tempfile.TemporaryDirectory() as folder, \
                contextlib.redirect_stderr(io.StringIO()) as err:
            self.assertEqual(browser_check.main([folder]), 1)
        self.assertIn("holds no pages", err.getvalue())

    def test_a_checker_that_breaks_has_failed(self):
        broken = subprocess.CompletedProcess([], 1, json.dumps(
            {"page": "a", "check": "b", "wrong": []}) + "\n", "no browser")
        with mock.patch("subprocess.run", return_value=broken):
            results = browser_check.run_node("check.js", {})
        self.assertEqual([result["wrong"] for result in results],
                         [[], ["no browser"]])

    def test_pages_that_are_alike_are_sampled(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "source").mkdir()
            (root / "diff").mkdir()
            for n in range(4):
                (root / "source" / f"{n}.html").write_text("x" * n)
                (root / "diff" / f"m0-m{n + 1}.html").write_text("x" * n)
            for huge in ("source/huge.html", "diff/m0-m7.html"):
                (root / huge).write_text("x" * (browser_check.LARGEST + 1))
            (root / "index.html").write_text("")
            (root / "print.html").write_text("")
            names = browser_check.pages_of(root)
            self.assertEqual(browser_check.sample(root, names), [
                "diff/m0-m1.html", "index.html", "source/3.html",
                "source/2.html", "diff/m0-m4.html", "diff/m0-m3.html"])
            for ci, more in (("true", ["diff/m0-m2.html", "diff/m0-m7.html"]),
                             ("", [])):
                with mock.patch("browser_check.node_checks",
                                return_value=([], [])) as node, \
                        mock.patch.dict(os.environ, CI=ci, ALL="",
                                        EVERY_TEST=""):
                    browser_check.check(root)
                _, opened, valid = node.call_args.args
                self.assertEqual(sorted({*valid} - {*opened}), more)


if __name__ == "__main__":
    unittest.main()
