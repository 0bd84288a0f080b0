"""What stands around a page's text: the menu, where to go on, the links of
its headings, and what other sites show of it."""

import re
import unittest

from blocks import png
from support.palette import light
from testing.case import BookCase
from web import linkcard, webpage, website

ROOM = 'Why {skip="Skip it if you know."}'


class Around(BookCase):
    def setUp(self):
        super().setUp()
        self.write("00-start.md", "# Start\n\nHere.\n")
        self.write("m0-why.md", f"# {ROOM}\n\nFor this reason.\n")
        self.write("m0-how.md", "# How\n\nIn this way.\n")
        self.write("m1-other.md", "# Elsewhere {rung=m0}\n\nText.\n")
        self.frame = webpage.Frame(self.book().chapters)

    def page(self, name, body="<p>Text.</p>", **more):
        """A page as a whole."""
        return self.frame.fill(name, "Title", body, **more)

    def nav(self, name):
        """Where a page leads on."""
        return self.page(name).partition('<nav class="around"')[2].partition(
            "</nav>")[0]

    def test_the_menu_has_rooms_below_their_chapters(self):
        menu = self.page("m0-how.html").partition("<ol>")[2].partition(
            "</ol>")[0]
        self.assertIn('<a href="m0.html"><span>m0</span> Sums</a>\n<ul>\n'
                      '<li><a href="m0-how.html" aria-current="page">How</a>'
                      "</li>\n<li><a href=\"m0-why.html\">Why</a></li>\n"
                      '<li><a href="m1-other.html">Elsewhere</a></li>\n'
                      "</ul></li>", menu)
        self.assertEqual(re.findall("<li>[^\n]*</span> (.*?)</a>", menu),
                         ["Start", "Sums", "Means", "Glossary"])

    def test_a_main_chapter_leads_to_the_next_and_to_its_rooms(self):
        nav = self.nav("m0.html")
        self.assertIn('<a href="m1.html" rel="next"><span>Next</span> '
                      "m1: Means</a>", nav)
        self.assertIn('<a href="start.html" rel="prev">', nav)
        self.assertIn('<li><a href="m0-why.html">Why</a> '
                      "Skip it if you know.</li>", nav)

    def test_a_room_leads_back_and_to_the_rooms_beside_it(self):
        nav = self.nav("m0-why.html")
        self.assertIn('<a href="m0.html" rel="prev"><span>Back to</span> '
                      "m0: Sums</a>", nav)
        self.assertIn('<a href="m1.html" rel="next">', nav)
        self.assertEqual(re.findall('<li><a href="(.*?)"', nav),
                         ["m0-how.html", "m1-other.html"])

    def test_the_ends_of_the_way(self):
        self.assertNotIn("prev", self.nav("start.html"))
        self.assertIn('href="m0.html" rel="next"', self.nav("start.html"))
        self.assertNotIn("next", self.nav("m1.html"))
        self.assertEqual(self.nav("glossary.html"), "")
        self.assertEqual(self.nav("index.html"), "")

    def test_headings_link_to_themselves(self):
        for heading, linked in (
                ('<h2 id="a-b">A <code>b</code></h2>', '<h2 id="a-b"><a '
                 'class="anchor" href="#a-b">A <code>b</code></a></h2>'),
                ('<h3 class="x" id="a">A</h3>', '<h3 class="x" id="a"><a '
                 'class="anchor" href="#a">A</a></h3>'),
                *[(same, same) for same in (
                    '<h2 id="a"><a href="b">A</a> b</h2>', "<h2>A</h2>",
                    '<h1 id="a">A</h1>')]):
            with self.subTest(heading):
                self.assertIn(f"\n{linked}\n",
                              self.page("a.html", f"\n{heading}\n"))


class Pictures(BookCase):
    def site(self, address):
        """The names of the pictures that a build draws, and a page."""
        built = self.folder.parent / "built"
        self.keep_transcripts()
        website.build(self.book(), built, address=address,
                      steps=(website.chapters, linkcard.write))
        return (sorted((built / "cards").glob("*")),
                (built / "m0.html").read_text())

    def test_each_chapter_has_one_where_the_site_has_an_address(self):
        cards, page = self.site("https://a.b/c/")
        self.assertEqual([card.name for card in cards], [
            "glossary.png", "index.png", "m0.png", "m1.png"])
        self.assertIn('"og:image" content="https://a.b/c/cards/m0.png"', page)
        for card in cards:
            width, height = png.size(card.read_bytes())
            self.assertEqual(width, 1200)
            self.assertLess(abs(height - 630), 2)

    def test_else_there_are_none(self):
        cards, page = self.site("")
        self.assertEqual(cards, [])
        self.assertNotIn("og:image", page)

    def test_the_rung_of_the_page_stands_out(self):
        warm = re.compile(f'fillcolor="{light("warm")}", pos="760.0,(\\d+)"')
        for rung, place in (("m0", ["70"]), ("m3", ["202"]), ("", [])):
            self.assertEqual(
                warm.findall(linkcard.drawing("A & B", rung)), place)
        self.assertIn("A &amp; B", linkcard.drawing("A & B", ""))


class Card(unittest.TestCase):
    def test_without_an_address_nothing_that_needs_one(self):
        tags = linkcard.tags("", "m0.html", "Sums", "A &amp; B")
        self.assertIn('<meta property="og:title" content="Sums">', tags)
        self.assertIn('<meta property="og:description" content="A &amp; B">',
                      tags)
        self.assertNotRegex(tags, "og:url|og:image|large")

    def test_with_an_address(self):
        cards = ["cards/index.png", "cards/m0.png"]
        for name, page, card in (
                ("m0.html", "m0.html", "cards/m0.png"),
                ("index.html", "", "cards/index.png"),
                ("source/a.c.html", "source/a.c.html", "cards/index.png")):
            tags = linkcard.tags("https://a.b/c", name, "T", "D", cards)
            self.assertIn(f'"og:url" content="https://a.b/c/{page}"', tags)
            self.assertIn(f'"og:image" content="https://a.b/c/{card}"', tags)
            self.assertIn("summary_large_image", tags)


if __name__ == "__main__":
    unittest.main()
