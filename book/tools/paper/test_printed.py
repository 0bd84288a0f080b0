"""Listings on paper take few boxes, and little measuring."""

import unittest

from paper import printed

START = '<pre class="code numbered"><code><span class="line">'
END = "</span></code></pre>"


class Listings(unittest.TestCase):
    def test_blanks_stand_in_what_comes_before_a_coloured_word(self):
        for line, shown in (
                ("  a", "1</i>    a"),
                ("<span>b</span>  c", "1  </i><span>b</span>  c"),
                ("  <span>b</span>  <span>c</span> d",
                 "1    </i><span>b  </span><span>c</span> d")):
            self.assertIn(shown, printed.NUMBERED.sub(
                printed.numbered, START + line + END))

    def test_only_lines_that_surely_fit_are_not_measured(self):
        longest = "a" * printed.NARROW
        for line, fits in ((longest, 1), (longest + "a", 0), ("\t", 0),
                           (f"<span>{longest}</span>", 1), ("\u2192", 0)):
            text = printed.NUMBERED.sub(printed.numbered, START + line + END)
            self.assertEqual(text.count("fitting"), fits, line)
        small = START.replace(">", ' style="font-size: 7.00pt">', 1)
        self.assertNotIn("fitting", printed.NUMBERED.sub(
            printed.numbered, f"{small}a{END}"))


if __name__ == "__main__":
    unittest.main()
