"""Reads PNG files, as far as telling whether a picture has changed takes it.

A fingerprint is the mean brightness of each field of a grid, so that a last
bit that differs between machines changes nothing, and a new colour map or
another model does.
"""

import struct
import zlib
from functools import lru_cache
from itertools import accumulate

from support.mistakes import Wrong

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}  # by PNG's colour type, 8 bits each
GRID = 8  # fields in a row and in a column
TOLERANCE = 3  # of 255, in a field


def size(data):
    """Width and height."""
    if data[:8] != SIGNATURE:
        raise Wrong("this is no PNG file")
    return struct.unpack(">II", data[16:24])


def chunks(data):
    """Each (type, content) of a file."""
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += 12 + length


@lru_cache(maxsize=1)  # most pictures are asked for twice
def rows(data):
    """[(a row's bytes, how many of them are a pixel)]."""
    width, height = size(data)
    depth, colour, _, _, interlaced = struct.unpack(">5B", data[24:29])
    if depth != 8 or colour not in CHANNELS or interlaced:
        raise Wrong("this kind of PNG file is not read here")
    step = CHANNELS[colour]
    packed = b"".join(body for kind, body in chunks(data) if kind == b"IDAT")
    raw, length = zlib.decompress(packed), 1 + width * step
    row, found = bytes(length - 1), []
    for at in range(0, height * length, length):
        row = unfilter(raw[at], raw[at + 1:at + length], row, step)
        found.append((row, step))
    return found


def unfilter(kind, row, above, step):
    """A row without PNG's filter (PNG specification, section 9)."""
    if kind == 0:
        return row
    if kind == 2:  # often nothing but zeros
        return bytes((byte + up) & 255 for byte, up in zip(row, above)) \
            if any(row) else above
    guess = {1: beside, 3: halfway, 4: nearest}[kind]
    found = bytearray(len(row))
    for channel in range(step):
        guess(row[channel::step], above[channel::step], found, channel, step)
    return bytes(found)


# What is left of a row, and above that, counts as 0.

def beside(row, _, found, channel, step):
    """Each byte is said by how it differs from the one left of it."""
    found[channel::step] = bytes(byte & 255 for byte in accumulate(row))


def halfway(row, above, found, channel, step):
    """… from the mean of the one left and the one above."""
    left = 0
    for at, (byte, up) in enumerate(zip(row, above)):
        left = (byte + (left + up) // 2) & 255
        found[channel + at * step] = left


def nearest(row, above, found, channel, step):
    """… from whichever of left, above and corner is nearest to left + above -
    corner."""
    left, corner, at = 0, 0, channel
    for byte, up in zip(row, above):
        by_left, by_up = up - corner, left - corner
        by_corner = by_left + by_up
        if by_left < 0:
            by_left = -by_left
        if by_up < 0:
            by_up = -by_up
        if by_corner < 0:
            by_corner = -by_corner
        if by_up < by_left or by_corner < by_left:
            left = up if by_up <= by_corner else corner
        found[at] = left = (byte + left) & 255
        corner = up
        at += step


def fingerprint(data):
    """"WIDTH x HEIGHT" and a line of brightness for each row of fields, in
    hexadecimal."""
    width, height = size(data)
    sums = [[0] * GRID for _ in range(GRID)]
    counts = [[0] * GRID for _ in range(GRID)]
    for y, (row, step) in enumerate(rows(data)):
        line, count = sums[y * GRID // height], counts[y * GRID // height]
        for field in range(GRID):
            part = row[field * width // GRID * step:
                       (field + 1) * width // GRID * step]
            line[field] += sum(part)
            count[field] += len(part)
    lines = [" ".join(f"{total // max(1, n):02x}" for total, n in
                      zip(*pair)) for pair in zip(sums, counts)]
    return "\n".join([f"{width} x {height}", *lines])


def alike(one, other):
    """Whether two fingerprints are of the same picture."""
    first, second = one.split("\n"), other.split("\n")
    if first[0] != second[0] or len(first) != len(second):
        return False
    fields = zip(" ".join(first[1:]).split(), " ".join(second[1:]).split())
    return all(abs(int(a, 16) - int(b, 16)) <= TOLERANCE for a, b in fields)
