"""Writes character_tables.c of the highest rung: what Python's str says of
characters where their Unicode category does not say it.

    python3 character_tables.py > m7-server/server/template/methods/character_tables.c

Made with Python 3.11 (Unicode 14).
"""

import sys
import unicodedata

ALL = [chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c < 0xE000]


def ranges(chosen):
    found = []
    for c in map(ord, chosen):
        if found and found[-1][1] == c - 1:
            found[-1][1] = c
        else:
            found.append([c, c])
    return [f"{{0x{a:x}, 0x{b:x}}}" for a, b in found]


def points(text):
    return "{" + ", ".join(f"0x{ord(c):x}" for c in text) + "}"


def rows(cells, width=78):
    line = "   "
    for cell in cells:
        if len(line) + len(cell) + 2 > width:
            yield line
            line = "   "
        line += f" {cell},"
    yield line


def table(kind, name, cells):
    print(f"const struct {kind} {name}[] = {{")
    print("\n".join(rows(cells)))
    print("};\n")
    print(f"const size_t n_{name} = sizeof {name} / sizeof {name}[0];\n")


def main():
    print("/* Characters: see character_tables.h.  Data, not reading. */")
    print('#include "character_tables.h"\n')
    table("special_case", "special_cases",
          [f"{{0x{ord(c):x}, {points(c.upper())}, {points(c.title())}}}"
           for c in ALL if len(c.upper()) > 1 or len(c.title()) > 1])
    table("character_range", "odd_digits",
          ranges(c for c in ALL if c.isdigit() and not c.isdecimal()))
    table("character_range", "odd_numbers",
          ranges(c for c in ALL
                 if c.isnumeric() and unicodedata.category(c)[0] != "N"))
    table("character_range", "odd_lowercase",
          ranges(c for c in ALL
                 if c.islower() and unicodedata.category(c) != "Ll"))
    table("character_range", "odd_uppercase",
          ranges(c for c in ALL
                 if c.isupper() and unicodedata.category(c) != "Lu"))


main()
