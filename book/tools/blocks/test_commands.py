"""What commands print: consoles and transcripts, tables, pictures."""

import struct
import unittest
import zlib

from blocks import png
from running import transcripts
from support.mistakes import Wrong
from testing.case import BookCase


class Consoles(BookCase):
    def console(self, text):
        """A page with a console block whose transcript is fresh."""
        self.write("m0.md", f"# Title\n\n{text}\n")
        self.keep_transcripts()
        return self.html(text)

    def test_shows_command_and_output(self):
        page = self.console('```{.console run="./rung 1 2"}\n```')
        self.assertIn("<kbd>./rung 1 2</kbd>\nsum 3</code>", page)

    def test_several_commands_and_quotes(self):
        page = self.console("```{.console}\n./rung 1\nNAMES=1 \\\n"
                            "  ./rung '1' \"1\"\n```")
        self.assertIn("<kbd>./rung 1</kbd>\nsum 1\n", page)
        self.assertIn("&#x27;1&#x27; &quot;1&quot;</kbd>\n2 numbers\nsum 2\ntwo", page)

    def test_a_command_may_be_meant_to_fail(self):
        page = self.console('```{.console run="./rung" status=1}\n```')
        self.assertIn("rung: no numbers", page)

    def test_another_rung_and_the_root(self):
        page = self.console('```{.console run="./rung 1 2" rung=m1}\n```\n\n'
                            '```{.console run="ls -d m?-*" rung=none}\n```')
        self.assertIn("mean 1.5", page)
        self.assertIn("m0-sum\nm1-mean", page)

    def test_what_varies_is_masked(self):
        page = self.console('```{.console run="echo took $$ ms"'
                            ' vary="took ([0-9]+)"}\n```')
        self.assertIn("took … ms", page)

    def test_a_later_command_reads_what_an_earlier_one_wrote(self):
        def read_back(word):
            return self.console("```{.console}\n"
                                f"echo {word} > word.txt\ncat word.txt\n```")
        self.assertIn("\none", read_back("one"))
        self.assertIn("\ntwo", read_back("two"))

    def test_what_a_block_above_wrote_is_there_though_its_answer_was_kept(self):
        def read_back(word, read="cat"):
            return self.console(
                f"```{{.console}}\necho {word} > build/word.txt\n```\n\n"
                f"```{{.console}}\n{read} build/word.txt\n```")
        self.assertIn("\none", read_back("one"))
        self.assertIn("\ntwo", read_back("two"))
        (self.root / "build/book/rungs/m0-sum/build/word.txt").unlink()
        self.assertIn("\ntwo", read_back("two", read="tac"))

    def test_a_mistake_is_not_kept(self):
        text = '```{.console run="cat build/late.txt"}\n```'
        self.assert_wrong([(text, "ended with status 1")])
        late = self.root / "build/book/rungs/m0-sum/build/late.txt"
        late.write_text("late\n")
        self.assertIn("\nlate", self.console(text))

    def test_failing_command_and_stale_or_missing_transcript(self):
        self.write("transcripts/m0.txt", "m0-sum$ ./rung 1 2\n  sum 4\n")
        self.assert_wrong([
            ('```{.console run="./rung 1 2"}\n```',
             "stale transcript of: ./rung 1 2: line 1 was 'sum 4', is "
             "'sum 3' (make transcripts)"),
            ('```{.console run="./rung 1"}\n```', "no transcript"),
            ('```{.console run="./rung"}\n```', "status 1, not 0"),
            ('```{.console run="./rung 1" status=2}\n```',
             "status 0, not 2"),
            ("```{.console}\n```", "without a command"),
            ('```{.console run="./rung 1"}\n./rung 2\n```',
             "which is the command?"),
            ('```{.console run="./rung 1" vary="("}\n```', "vary=("),
            ('```{.console run="./rung 1" rung=m7}\n```', "no rung m7")])

    def test_commands_leave_nothing_among_the_sources(self):
        self.console('```{.console run="echo x > left"}\n```')
        self.assertFalse((self.root / "m0-sum" / "left").exists())

    def test_a_command_is_run_once(self):
        text = '```{.console run="date +%N"}\n```'
        self.assertEqual(self.console(text), self.html(text))

    def test_in_the_root_a_tool_that_changed_runs_it_again(self):
        tool = self.root / "tests/course/tool.py"
        tool.parent.mkdir(parents=True, exist_ok=True)
        self.addCleanup(tool.unlink)
        keys = []
        for text in ("1", "2"):
            tool.write_text(text)
            shop = self.book().workshop
            keys.append([shop.key(["ls"], rung) for rung in (None, "m0-sum")])
        self.assertNotEqual(keys[0][0], keys[1][0])
        self.assertEqual(keys[0][1], keys[1][1])


class Transcripts(unittest.TestCase):
    def test_what_is_written_is_read(self):
        kept = {("m0-sum", "a \\\n b"): "x\n\n$ y\nm0-sum$ z", (None, "ls"): "",
                ("m1-mean", "a"): "  two blanks"}
        self.assertEqual(transcripts.parse(transcripts.render(kept)), kept)

    def test_masks_groups_or_all(self):
        self.assertEqual(transcripts.masked("a 12 b 3", "[0-9]+"), "a … b …")
        self.assertEqual(transcripts.masked("1 s, 2 ms", "([0-9]) m?s"),
                         "… s, … ms")
        self.assertEqual(transcripts.masked("1-2", "([0-9])-([0-9])"), "…-…")
        self.assertEqual(transcripts.masked("x", None), "x")
        with self.assertRaises(Wrong):
            transcripts.masked("x", "[")

    def test_says_where_outputs_differ(self):
        self.assertIsNone(transcripts.difference("a", "a"))
        self.assertIn("line 2", transcripts.difference("a\nb", "a\nc"))
        self.assertIn("1 lines, has 2", transcripts.difference("a", "a\nb"))


class TablesAndPictures(BookCase):
    def test_a_command_prints_a_table(self):
        page = self.html('```{.table caption="Sums"}\n'
                         "printf '| n | s |\\n|--:|:--|\\n| 1 | x |\\n'\n```")
        self.assertIn("<td", page)
        self.assertIn("<figcaption>Sums</figcaption>", page)
        self.assertIn('<div class="scroll" tabindex="0">', page)

    def test_the_engine_draws_a_picture(self):
        self.keep_transcripts()
        page = self.page('```{.picture alt="A <dot>" width=40}\n'
                         "./rung draw dot.png\n```", name="m1")
        blocks = page.expanded()
        self.assertIn('<a href="pictures/m1-1.png">'
                      '<svg role="img" aria-label="A &lt;dot&gt;" width="40" '
                      'height="20" style="min-width:28px" viewBox="0 0 2 1">'
                      '<path', blocks[1]["c"][1])
        self.assertEqual(list(page.pictures), ["m1-1.png"])
        self.assertEqual(page.book.mistakes.found, set())

    def test_on_paper_a_picture_is_as_it_was_drawn(self):
        self.keep_transcripts()
        self.assertIn('alt="A dot" width="2" height="1"', self.html(
            '```{.picture alt="A dot"}\n./rung draw dot.png\n```',
            name="m1", medium="epub"))

    def test_a_picture_that_has_changed_is_noticed(self):
        self.write("transcripts/m1.txt", "m1-mean$ ./rung draw dot.png\n"
                   "  2 x 1\n" + "  00 00 00 00 00 00 00 20\n" * 8)
        self.assert_wrong([('```{.picture alt="x"}\n./rung draw dot.png\n'
                            "```", "draws another picture than before")],
                          name="m1")

    def test_picture_files(self):
        self.write("images/x.svg", "<svg/>")
        page = self.html("![A drawing](images/x.svg){width=300}")
        self.assertIn('src="pictures/x.svg" alt="A drawing" width="300"',
                      page)

    def test_what_is_wrong_with_a_figure_or_table_is_said(self):
        self.assert_wrong([
            ('```{.table run="./rung 1"}\n```', "prints no Markdown table"),
            ('```{.picture run="./rung 1"}\n```', "without alt text"),
            ('```{.picture run="./rung 1" alt="x"}\n```',
             "no word ends in .png"),
            ('```{.picture run="./rung 1 > x.png; rm x.png" alt="x"}\n```',
             "draws nothing"),
            ('```{.picture run="echo no > x.png" alt="x"}\n```',
             "this is no PNG file"),
            ("![](images/x.svg)", "without alt text"),
            ("![x](images/gone.svg)", "no picture images/gone.svg"),
            ("![x](../README.svg)", "no picture")])


def predicted(kind, left, up, corner):
    """What a PNG's filter expects of a byte, as its specification says."""
    if kind < 4:
        return (0, left, up, (left + up) // 2)[kind]
    near = left + up - corner
    return min((left, up, corner), key=lambda value: abs(near - value))


class Looks(unittest.TestCase):
    @staticmethod
    def picture(rows, colour=0, filters=(0,)):
        """A PNG file; the filters are used in turn, and so filtered."""
        step, above = png.CHANNELS[colour], bytes(len(rows[0]))
        body = b""
        for number, row in enumerate(rows):
            kind = filters[number % len(filters)]
            left = bytes(step) + row
            corner = bytes(step) + above
            body += bytes([kind]) + bytes(
                (value - predicted(kind, left[i], above[i], corner[i]))
                & 255 for i, value in enumerate(row))
            above = row
        head = struct.pack(">II5B", len(rows[0]) // step, len(rows), 8,
                           colour, 0, 0, 0)
        return png.SIGNATURE + b"".join(
            struct.pack(">I4s", len(data), kind) + data + bytes(4)
            for kind, data in ((b"IHDR", head), (b"IDAT",
                                                 zlib.compress(body))))

    def test_every_filter_is_undone(self):
        rows = [bytes(range(y, y + 24)) for y in range(0, 200, 20)]
        for colour in png.CHANNELS:
            plain = self.picture(rows, colour)
            self.assertEqual([bytes(row) for row, _ in png.rows(plain)], rows)
            mixed = self.picture(rows, colour, (1, 2, 3, 4))
            self.assertNotEqual(mixed, plain)
            self.assertEqual([bytes(row) for row, _ in png.rows(mixed)], rows)

    def test_fingerprint_is_the_brightness_of_fields(self):
        rows = [bytes([10] * 8 + [200] * 8)] * 8 + [bytes(16)] * 8
        look = png.fingerprint(self.picture(rows)).split("\n")
        self.assertEqual(look[0], "16 x 16")
        self.assertEqual(look[1], "0a 0a 0a 0a c8 c8 c8 c8")
        self.assertEqual(look[8], "00 00 00 00 00 00 00 00")

    def test_a_last_bit_is_no_other_picture(self):
        self.assertTrue(png.alike("1 x 1\n10 20", "1 x 1\n12 1e"))
        self.assertFalse(png.alike("1 x 1\n10 20", "1 x 1\n10 26"))
        self.assertFalse(png.alike("1 x 1\n10 20", "2 x 1\n10 20"))
        self.assertFalse(png.alike("1 x 1\n10 20", "1 x 1\n10 20\n10 20"))

    def test_other_files_are_refused(self):
        with self.assertRaises(Wrong):
            png.size(b"GIF89a")
        deep = bytearray(self.picture([b"ab"]))
        deep[24] = 16
        with self.assertRaises(Wrong):
            png.fingerprint(bytes(deep))


if __name__ == "__main__":
    unittest.main()
