"""How long a page takes to read, and where it says so."""

import unittest
from unittest import mock

from testing.case import BookCase, report
from web import minutes, website
from web.minutes import Length, length_of, unfolded

PAGE = """<h1>Two words</h1>
<p>It is <code>code</code> &amp; more</p>
<pre class="code" tabindex="0"><code>one
two

four</code></pre>
<svg><text>in a picture</text></svg>
"""
FOLD = ("<details><summary>Not read</summary><p>nor this</p>"
        "<details><pre>a\nb</pre></details> nor this</details>")


class Lengths(unittest.TestCase):
    def test_words_and_lines(self):
        self.assertEqual(length_of(PAGE), Length(7, 4))

    def test_every_block_of_lines_counts(self):
        self.assertEqual(length_of("<pre>\na\n</pre>" * 3).lines, 9)

    def test_folds_do_not_count_nor_what_is_in_them(self):
        self.assertEqual(length_of(f"{FOLD}{PAGE}{FOLD}").words, 7)
        self.assertEqual(length_of(f"{PAGE}{FOLD}").lines, 4)
        self.assertEqual(unfolded("a<details>b</details>c"), "a c")

    def test_minutes(self):
        self.assertEqual(Length(400, 0).minutes, 2)
        self.assertEqual(Length(100, 10).minutes, 1)


class Heads(BookCase):
    def head(self, name, title, text):
        """What the page of a chapter says below its title."""
        self.write(f"{name}.md", f"# {title}\n\n{text}\n")
        self.keep_transcripts()
        book = self.book()
        site = website.Site(book, self.folder / "site")
        self.assertEqual(report(book), "")
        website.chapters(site)
        page = (self.folder / "site" / f"{name.removeprefix('00-')}.html"
                ).read_text()
        return page.partition('</h1>\n<p class="minutes">')[2].partition(
            "</p>")[0]

    def test_main_path(self):
        self.assertEqual(
            self.head("m0", "Sums", "word " * 399 + "\n\n```\na\nb\n```"),
            "Main path: 2 minutes (400 words, 2 lines of code and output).")

    def test_folds_are_named(self):
        fold = '::: {.fold title="More" skip="Skip it."}\nMore.\n:::'
        self.assertEqual(
            self.head("00-start", "Start", fold), "Main path: 1 minute "
            "(1 word, 0 lines of code and output), without its folds.")

    def test_side_rooms_say_who_may_skip_them(self):
        said = self.head("m0-more", 'More {skip="Skip it if R&amp;D is not '
                         'for you."}', "Two words.")
        self.assertEqual(said, "Side room: 1 minute (3 words, 0 lines of "
                         "code and output). Skip it if R&amp;D is not for you.")


class Limit(BookCase):
    def said(self, name, words):
        """What is wrong with a chapter of so many words."""
        self.write(f"{name}.md", "# Title\n\n" + "word " * words + "\n")
        self.keep_transcripts()
        book = self.book()
        with mock.patch.object(minutes, "LIMIT", 3):
            website.chapters(website.Site(book, self.folder / "site"))
        return report(book)

    def test_a_main_chapter_is_an_evening(self):
        self.assertEqual(minutes.LIMIT, 75)
        self.assertEqual(self.said("m0", 3 * 200 - 1), "")
        self.assertIn("book/m0.md:1: the chapter takes 4 minutes (801 words, "
                      "0 lines of code and output) to read, 3 at most: ",
                      self.said("m0", 4 * 200))

    def test_a_side_room_has_no_limit(self):
        self.assertEqual(self.said("m0-more", 4 * 200), "")


class Table(BookCase):
    def test_a_row_for_each_chapter(self):
        start, more = self.book().chapters[0], self.book().chapters[-1]
        self.assertEqual(minutes.table([(start, Length(1000, 1200)),
                                        (more, Length(10, 0))]),
                         "chapter              minutes   words  lines\n"
                         "m0                      65.0   1,000  1,200\n"
                         "glossary                 0.1      10      0"
                         "  side room")


if __name__ == "__main__":
    unittest.main()
