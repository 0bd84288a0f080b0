"""A picture in the page's colours: shapes for what has a name, and a PNG of
the rest."""

import re
import struct
import unittest
import zlib

from blocks import png, redrawn

W, K, G = (255, 255, 255), (26, 26, 26), (96, 96, 96)  # paper, ink, muted
LETTER = [[W, W, W, W, W],
          [W, K, K, W, G],
          [W, K, K, W, W],
          [W, K, W, W, W]]
BAR = (31, 81, 133)


def picture(rows):
    """A PNG of some rows of pixels."""
    lines = b"".join(b"\0" + bytes(part for pixel in row for part in pixel)
                     for row in rows)
    head = struct.pack(">2I5B", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    return png.SIGNATURE + b"".join(map(redrawn.chunk, (
        b"IHDR", b"IDAT", b"IEND"), (head, zlib.compress(lines), b"")))


def pixels(data):
    """The rows of a PNG."""
    return [list(map(tuple, redrawn.pixels(row, step)))
            for row, step in png.rows(data)]


def painted(paths, width, height):
    """{(x, y): style} of what the paths cover: rectangles, each of which
    begins where the one before did."""
    found = {}
    for style, shapes in re.findall(r'style="(.*?)" d="M0 0(.*?)"', paths):
        left = top = 0
        for numbers in re.findall(r"m(-?\d+) (-?\d+)h(\d+)v(\d+)h-\3z",
                                  shapes):
            across, down, wide, high = map(int, numbers)
            left, top = left + across, top + down
            found.update({(x, y): style for x in range(left, left + wide)
                          for y in range(top, top + high)})
    assert all(x < width and y < height for x, y in found)
    return found


class Redrawn(unittest.TestCase):
    def test_words_are_shapes_in_named_colours(self):
        paths, cells = redrawn.redrawn(picture(LETTER))
        self.assertIsNone(cells)
        styles = {K: "fill:var(--ink)", G: "fill:var(--muted)"}
        self.assertEqual(painted(paths, 5, 4), {
            (x, y): styles[pixel] for y, row in enumerate(LETTER)
            for x, pixel in enumerate(row) if pixel != W})

    def test_equal_rows_are_one_rectangle(self):
        rows = [(bytes(row), step) for row, step in
                png.rows(picture(LETTER))]
        self.assertEqual(sorted(redrawn.rectangles(rows)[K]),
                         [(1, 1, 2, 2), (1, 3, 1, 1)])

    def test_a_chart_is_all_shapes(self):
        warm = (149, 64, 28)
        paths, cells = redrawn.redrawn(picture([[BAR, W, warm, K]]))
        self.assertIsNone(cells)
        self.assertEqual(painted(paths, 4, 1), {
            (0, 0): "fill:var(--accent)", (2, 0): "fill:var(--warm)",
            (3, 0): "fill:var(--ink)"})

    def test_cells_of_a_map_keep_their_colours(self):
        shades = [(200 + n, 0, 0) for n in range(redrawn.FEW + 1)]
        paths, cells = redrawn.redrawn(picture([[K, W, *shades], [W] * 6]))
        self.assertEqual(painted(paths, 6, 2), {(0, 0): "fill:var(--ink)"})
        self.assertEqual(pixels(cells), [[W, W, *shades], [W] * 6])
        clear = dict(png.chunks(cells))[b"tRNS"]
        self.assertEqual(struct.unpack(">3H", clear), W)

    def test_equal_letters_are_equal_text(self):
        row = [[*line, *line] for line in LETTER]
        paths, _ = redrawn.redrawn(picture(row))
        ink = re.search('ink.*? d="M0 0(.*?)"', paths)[1].split("z")[:-1]
        self.assertEqual(ink, ["m1 1h2v2h-2", "m0 2h1v1h-1",
                               "m5 -2h2v2h-2", "m0 2h1v1h-1"])


if __name__ == "__main__":
    unittest.main()
