"""Reads PNG files, as far as telling whether a picture has changed takes it.

A fingerprint is the mean brightness of each field of a grid, so that a last
bit that differs between machines changes nothing, and a new colour map or
another model does.
"""

import struct
import zlib
from functools import lru_cache

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
    found = bytearray(step) + row  # what is left of the row counts as 0
    corners = bytes(step) + above
    for i, (byte, up, corner) in enumerate(zip(row, above, corners)):
        left = found[i]
        if kind == 4:  # whichever is nearest to left + up - corner
            near = left + up - corner
            by_left, by_up = abs(near - left), abs(near - up)
            by_corner = abs(near - corner)
            guess = left if by_left <= by_up and by_left <= by_corner \
                else up if by_up <= by_corner else corner
        else:
            guess = left if kind == 1 else (left + up) // 2
        found[i + step] = (byte + guess) & 255
    return bytes(found[step:])


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
