"""The site, the e-book and the PDF of the made-up book."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
import zipfile
from unittest import mock
from xml.etree import ElementTree

from paper import cover, ebook, printed
from reading.sources import ROOT
from support import palette
from support.mistakes import Wrong
from support.modules import HERE, Modules
from support.store import digest
from testing.case import BUILD, BookCase, report
from web import diffpages, searchindex, searchtext, webpage, website


def shown(*lines, kind="console", more=""):
    """Code as it is on paper."""
    code = f'<pre class="code {kind}"{more} tabindex="0"><code>' \
        + "\n".join(lines) + "</code></pre>"
    return printed.CODE.sub(printed.fitted, code)


class Outputs(BookCase):
    def setUp(self):
        super().setUp()
        self.keep_transcripts()
        self.built = self.folder.parent / "built"

    def site(self, **more):
        """The site's pages: {name: text}."""
        book = self.book()
        book.check()
        website.build(book, self.built, steps=website.BOOK, **more)
        self.assertEqual(report(book), "")
        return {str(path.relative_to(self.built)): path.read_text()
                for path in sorted(self.built.rglob("*.html"))}


class Site(Outputs):
    def test_a_tables_empty_corner_is_no_heading(self):
        self.assertEqual(
            webpage.tidy('<tr><th class="n"></th><th>n</th></tr>'),
            '<tr><td class="n"></td><th scope="col">n</th></tr>')

    def test_what_is_short_is_not_parted(self):
        for code, kept in (("rung chat --chat -k 50", ["--chat", "-k"]),
                           ("./rung a-b another-b a --", ["./rung", "--"]),
                           ("-" + 24 * "x", []), ("a-b &quot; &lt;&quot;",
                                                  ["a-b &quot; &lt;&quot;"]),
                           ("rung tokenize &quot; little&quot;",
                            ["&quot; little&quot;"])):
            text = webpage.tidy(f"<p><code>{code}</code></p>")
            self.assertEqual(re.findall('"kept">(.*?)</', text), kept)

    def test_many_columns_of_words_need_room(self):
        for columns, cell, marks in ((4, "some more words", 1),
                                     (6, "12,345,678", 0),
                                     (4, "a b", 0),
                                     (3, "some more words", 0),
                                     (3, 20 * "word ", 1),
                                     (2, 20 * "word ", 0)):
            row = f"<tr>{columns * f'<td>{cell}</td>'}</tr>"
            text = webpage.tidy(f"<table>{row}{row}</table>")
            self.assertEqual(text.count('class="roomy"'), marks)

    def test_a_cell_of_a_wide_table_names_its_column(self):
        head = "".join(f'<th class="x">{name}, the column</th>'
                       for name in "abcd")
        row = '<tr><td class="x">1</td><td></td><td>3</td><td>4</td></tr>'
        text = webpage.tidy(f"<table><tr>{head}</tr>{row}</table>")
        self.assertIn('<td class="x" data-label="a, the column">1</td>'
                      '<td data-label="b, the column"></td>', text)
        words = webpage.tidy(f"<table><tr>{head}</tr>"
                             f"{row.replace('>1<', '>one<')}</table>")
        self.assertIn('<td class="x">one</td><td data-label="b', words)

    def test_the_whole_book_begins_with_its_contents(self):
        page = self.site()["print.html"]
        self.assertLess(page.index("<h1>Rungs: an LLM"),
                        page.index('<a href="#m0">m0: '))
        self.assertLess(page.index('<a href="#m0">m0: '),
                        page.index('<h1 id="m0">'))

    def test_pages(self):
        pages = self.site()
        self.assertEqual(list(pages), [
            "contents.html", "glossary.html", "m0.html", "m1.html",
            "print.html", "source/m0-sum/main.c.html",
            "source/m0-sum/sum.c.html", 
            "source/m1-mean/dots/dots.c.html",
            "source/m1-mean/mean.c.html"])
        self.assertIn('<a href="m1.html" rel="next">', pages["m0.html"])
        self.assertIn('<a href="m0.html" rel="prev">', pages["m1.html"])
        self.assertIn('href="m0.html" aria-current="page"', pages["m0.html"])
        self.assertIn('id="L4"', pages["source/m0-sum/sum.c.html"])
        self.assertIn('Shown in <a href="../../m0.html">Sums</a>',
                      pages["source/m0-sum/sum.c.html"])

    def test_every_link_leads_somewhere(self):
        for name, text in self.site(answers=website.APART).items():
            here = self.built / name
            for target in re.findall(r'(?:href|src)="([^"]*)"', text):
                if target.startswith("http") or "index.html" in target:
                    continue
                file, _, anchor = target.partition("#")
                path = (here.parent / file) if file else here
                self.assertTrue(path.is_file(), f"{name}: {target}")
                self.assertFalse(target.startswith("/"), target)
                if anchor:
                    self.assertIn(f'id="{anchor}"', path.read_text(),
                                  f"{name}: {target}")

    def test_an_answer_leads_to_its_chapter(self):
        self.edit("m0.md", "Secret: four", "Secret: [above](#the-code)")
        self.assertIn('<a href="m0.html#the-code">above</a>',
                      self.site(answers=website.APART)["answers.html"])

    def test_names_are_unique_on_each_page(self):
        self.edit("m1.md", "## The mean", "## The code\n\n## The mean")
        for name, text in self.site().items():
            names = re.findall(r'\bid="([^"]*)"', text)
            self.assertEqual(len(names), len(set(names)), name)

    def test_answers_are_folded_under_their_questions(self):
        pages = self.site()
        self.assertRegex(pages["m0.html"], "(?s)2 \\+ 2.*<details><summary>"
                         "Show the answer</summary>.*Answer: 4.*Secret.*"
                         "</details>")
        self.assertNotIn("answers.html", pages)
        self.assertRegex(pages["print.html"], '(?s)-exercise-1".*Answers.*'
                         'href="#m0--exercise-1".*Secret')
        self.assertRegex(pages["m0.html"], "(?s)Which number is left.*<details>"
                         "<summary>Show the answer</summary>.*Secret: the")
        self.assertRegex(pages["print.html"], '(?s)id="m0--break-1".*Answers.*'
                         'href="#m0--break-1".*Secret: the last')
        self.assertEqual(pages["print.html"].count("Secret"), 2)

    def test_no_other_file_holds_an_answer(self):
        self.edit("m0.md", './rung 2 2" answer="4"',
                  './rung 2000 8081" answer="10081"')
        steps = (*website.BOOK, diffpages.write, searchindex.write,
                 searchtext.write)
        for where, holders in (("apart", ["answers.html"]), ("none", []),
                               ("folded", ["m0.html", "print.html"])):
            website.build(self.book(), self.built, where, steps=steps)
            self.assertTrue((self.built / searchindex.NAME).is_file())
            self.assertEqual(
                sorted(path.name for path in self.built.rglob("*")
                       if path.is_file() and re.search(
                           rb"Secret|10081", path.read_bytes())), holders)

    def test_pages_are_valid_html(self):
        modules = Modules(BUILD / "node").path()
        self.site(answers=website.APART)
        done = subprocess.run(
            ["node", modules / "html-validate/bin/html-validate.mjs",
             "--config", ROOT / "book/tools/web/browser/html-validate.json",
             *sorted(self.built.rglob("*.html"))],
            capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_page_that_is_too_large_is_a_mistake(self):
        book = self.book()
        website.check_size(book, book.chapters[0], "x" * 10_000_000)
        self.assertEqual(report(book), "")
        noise = "".join(digest(str(i)) for i in range(8000))
        website.check_size(book, book.chapters[0], noise)
        self.assertRegex(report(book), "m0.md:1: the page has .* bytes")

    def test_what_an_earlier_build_left_is_removed(self):
        self.built.mkdir()
        (self.built / "old").mkdir()
        (self.built / "old" / "page.html").write_text("")
        self.assertNotIn("old/page.html", self.site())
        self.assertFalse((self.built / "old").exists())

    def test_pages_that_have_not_changed_are_not_written(self):
        self.site()
        times = {path: path.stat().st_mtime_ns
                 for path in self.built.rglob("*.*")}
        self.edit("m1.md", "# Means", "# Means\n\nMore.")
        self.site()
        changed = {path.name for path, time in times.items()
                   if path.stat().st_mtime_ns != time}
        self.assertEqual(changed, {"m1.html", "print.html"})

    def test_a_mistake_is_reported_again_until_it_is_mended(self):
        self.edit("m0.md", "fn=sum}\n```\n\n```{.console",
                  "fn=gone}\n```\n\n```{.console")
        for _ in range(2):
            book = self.book()
            website.build(book, self.built, steps=website.BOOK)
            self.assertIn("book/m0.md:8: m0-sum/sum.c has no gone",
                          report(book))


class Books(Outputs):
    def test_ebook(self):
        path = self.built.with_suffix(".epub")
        ebook.build(self.book(), path)
        with zipfile.ZipFile(path) as book:
            text = "".join(book.read(name).decode() for name in
                           book.namelist() if name.endswith(".xhtml"))
            self.assertIn("EPUB/media/cover.svg", book.namelist())
        self.assertIn("<math", text)
        self.assertRegex(text, r'(?s)<h1[^>]*>Answers.*'
                         r'href="ch\d+.xhtml#m0--exercise-1".*Secret')
        self.assertNotIn("var(--", text)

    def test_cover_tells_built_rungs_from_planned(self):
        book = self.book()
        for name in ("m0-tokenizer", "m1-loader"):
            book.sources.rungs.append(name)
        ladder = ElementTree.fromstring(cover.drawing(book))
        self.assertEqual(len(ladder.findall(".//{*}line[@stroke-dasharray]")),
                         6)
        self.assertIn("m7-server", "".join(ladder.itertext()))

    # Each build of the real book runs epubcheck, which takes 5 seconds.
    def test_what_epubcheck_says_counts(self):
        for script, said in (("echo ERROR; exit 1", "ERROR\n"),
                             ("echo WARNING", "WARNING\n"),
                             ("echo fine", "")):
            with mock.patch("paper.ebook.checker",
                            lambda script=script: ["sh", "-c", script]):
                self.assertEqual(ebook.check("book.epub"), said)
        with mock.patch("paper.ebook.checker", lambda: None):
            self.assertIsNone(ebook.check("book.epub"))

    def test_page_for_the_pdf(self):
        text = printed.page(self.book())
        self.assertNotIn("var(--", text)
        self.assertRegex(text, '(?s)id="m0--exercise-1".*>Answers.*'
                         'href="#m0--exercise-1".*Secret')
        self.assertNotIn("Secret", printed.page(self.book(), False))
        self.assertIn('<a href="#m0--the-code">', text)

    def test_a_long_table_may_go_on_over_the_page(self):
        for rows, marks in ((15, 0), (16, 1)):
            table = f"<table>{'<tr></tr>' * rows}</table>"
            self.assertEqual(printed.TABLE.sub(
                printed.breakable, table).count("lasting"), marks)

    def test_a_programs_name_is_not_parted_on_paper(self):
        self.write("m0.md", "# Title\n\nType `./rung 1`.\n")
        self.assertIn('<code class="kept">./rung 1</code>',
                      printed.page(self.book()))

    def test_a_short_paragraph_goes_with_its_heading_and_listing(self):
        for words, marks in (("Read it.", 1), ("Read it. " * 50, 0)):
            self.write("m0.md", f"# Title\n\n## The code\n\n{words}\n\n"
                       "```{src=sum.c fn=sum}\n```\n")
            self.assertEqual(printed.page(self.book()).count(
                '<p class="leads-in">'), marks)

    def test_columns_too_long_for_paper_are_set_smaller(self):
        self.assertNotIn("font-size", shown("x" * 96))
        self.assertIn("font-size: 6.63pt", shown("x" * 96, "&lt;" * 110))
        self.assertNotIn("font-size", shown(f"<kbd>{'x' * 110}</kbd>"))
        self.assertNotIn("font-size", shown("x" * 90, kind="numbered"))
        self.assertIn('"font-size: 6.84pt; counter-reset:line 3"',
                      shown("x" * 100, kind="numbered",
                            more=' style="counter-reset:line 3"'))

    def test_columns_far_too_long_for_paper_are_wrapped(self):
        self.assertIn("font-size: 6.90pt", shown("x" * 400))
        self.assertNotIn("hanging", shown("x" * 110, kind="numbered"))
        long = shown("x" * 111, kind="numbered")
        self.assertIn('class="code hanging numbered"', long)
        self.assertIn("font-size: 6.90pt", long)

    def test_all_pieces_of_a_listing_have_one_size(self):
        pieces = "\n".join(f'<pre class="code numbered"><code>{"x" * n}'
                           "</code></pre>" for n in (9, 100))
        text = f'<figure class="listing">{pieces}</figure>'
        self.assertEqual(printed.CODE.sub(printed.fitted, text).count(
            "font-size: 6.84pt"), 2)

    def test_words_that_announce_stay_with_what_they_announce(self):
        for text, marked in (
                ("<p>So:</p>\n<pre>a</pre>", True),
                ("<p>So <code>a</code>:</p><table>", True),
                ("<p>So.</p>\n<pre>a</pre>", False),
                ("<p>So:</p>\n<p>Or so.</p>", False),
                ("<p>So.</p><p>a:</p><pre>", True)):
            found = printed.ANNOUNCES.sub("<p class=announces>", text)
            self.assertEqual(found.count("announces"), marked, text)

    def test_the_contents_on_paper_name_the_rungs(self):
        self.assertRegex(printed.page(self.book()),
                         r'<nav class="toc">(?s:.*)<a href="#m0">m0: ')

    def test_what_weasyprint_says_when_it_fails(self):
        with self.assertRaisesRegex(Wrong, "weasyprint: no paper"):
            self.lay_out_by("#!/bin/sh\necho no paper >&2; exit 1\n")

    def lay_out_by(self, script):
        """Lay out a page by a made-up weasyprint."""
        program = self.built.parent / "weasyprint"
        program.write_text(script)
        program.chmod(0o755)
        path = f"{program.parent}:{os.environ['PATH']}"
        with mock.patch.dict(os.environ, PATH=path, PYTHONPATH="kept"):
            printed.lay_out(program.parent / "book.html", "book.pdf")

    def test_weasyprint_looks_for_no_rubbish(self):
        python = f"{sys.base_prefix}/bin/python3"
        with self.assertRaisesRegex(Wrong, "weasyprint: False kept"):
            self.lay_out_by(f"#!{python}\nimport gc, os, sys\n"
                            "path = os.environ['PYTHONPATH'].split(':')\n"
                            "sys.exit(f'{gc.isenabled()} {path[-1]}')\n")

    def test_lines_on_paper_have_their_numbers_as_text(self):
        lines = ('<span class="line">a</span>\n'
                 '<span class="line idle"><span class="kw">if</span></span>\n'
                 '<span class="line between"></span>')
        for kind, start, shown in (
                ("numbered", ' style="counter-reset:line 98"',
                 "   99  a;  100  <span class=\"kw\">if</span>;       "),
                ("numbered long", "", "    1  a;    2  "
                 "<span class=\"kw\">if</span>;       ")):
            text = printed.NUMBERED.sub(printed.numbered, (
                f'<pre class="code {kind}"{start} tabindex="0"><code>{lines}'
                "</code></pre>"))
            self.assertEqual(re.sub(r"</?i>|<pre.*?<code>|</code></pre>", "",
                                    text).replace("\xa0", " "),
                             shown.replace(";", "\n"))
        for kind in ("hanging numbered", "console"):
            text = f'<pre class="code {kind}"><code>{lines}</code></pre>'
            self.assertEqual(
                printed.NUMBERED.sub(printed.numbered, text), text)

    def test_pdf(self):
        if not shutil.which("weasyprint"):
            self.skipTest("weasyprint is missing: sh tests/setup/setup.sh "
                          "weasyprint")
        path = self.built.with_suffix(".pdf")
        printed.build(self.book(), path)
        self.assertEqual(path.read_bytes()[:5], b"%PDF-")


class Colours(unittest.TestCase):
    def test_text_is_readable_on_its_grounds(self):
        for ground, names in palette.GROUNDS.items():
            for name in names:
                for scheme in (0, 1):
                    ratio = palette.contrast(palette.COLOURS[name][scheme],
                                             palette.COLOURS[ground][scheme])
                    self.assertGreaterEqual(ratio, 4.5, (name, ground,
                                                         scheme))

    def test_contrast_as_the_standard_computes_it(self):
        self.assertAlmostEqual(palette.contrast("#000000", "#ffffff"), 21)
        self.assertAlmostEqual(palette.contrast("#767676", "#ffffff"), 4.54,
                               2)

    def test_every_colour_of_the_style_sheets_is_the_palettes(self):
        for name in ("book/tools/paper/epub.css", "book/tools/paper/pdf.css",
                     "site/style.css"):
            text = (ROOT / name).read_text()
            for used in re.findall(r"var\(--([\w-]+)\)", text):
                self.assertIn(used, {"lamp", *palette.COLOURS, *printed.FONTS},
                              name)
            colours = set(re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[^{}]*;)", text))
            self.assertLessEqual(colours, {"#fff", "#ffffff"}, name)

    def test_print_is_always_light(self):
        screen = palette.style().split("@media screen")[1]
        self.assertNotIn(palette.COLOURS["paper"][1],
                         palette.style().split("@media screen")[0])
        self.assertEqual(screen.count(palette.COLOURS["paper"][1]), 2)


class Packages(unittest.TestCase):
    def test_lock_file_is_that_of_the_packages(self):
        wanted = json.loads((HERE / "package.json").read_text())
        lock = json.loads((HERE / "package-lock.json").read_text())
        for kind in ("dependencies", "devDependencies"):
            self.assertEqual(lock["packages"][""][kind], wanted[kind])


if __name__ == "__main__":
    unittest.main()
