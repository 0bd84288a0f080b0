"""Write m0-tokenizer/golden/unicode.json: sums over all code points, with a
few samples so that a failure can be understood.

    python3 unicode_goldens.py > ../../../m0-tokenizer/golden/unicode.json

A sum is the CRC-32 of a text, one for each block of 4096 code points up to
U+FFFF and of 65536 behind it.
"""
import itertools
import json
import random
import sys
import zlib

import tokenizers
from tokenizers import normalizers

import unicode_probe as probe

BLOCKS = ([(at, at + 0x1000) for at in range(0, 0x10000, 0x1000)]
          + [(at, at + 0x10000) for at in range(0x10000, 0x110000, 0x10000)])
SURROUNDINGS = ("{}", "A{}", "a\u0327{}\u0345\u0301", "\u1100{}\u11A8")


def crc(text):
    return f"{zlib.crc32(text.encode()):08x}"


def codes(block):
    return (c for c in range(*block) if not 0xD800 <= c < 0xE000)


def set_sums(found):
    return [crc("".join(chr(c) for c in codes(block) if c in found))
            for block in BLOCKS]


def sums(function, surrounding):
    """Of what a function makes of each code point in its surroundings, a
    line for each."""
    return [crc(function("".join(surrounding.format(chr(c)) + "\n"
                                 for c in codes(block))))
            for block in BLOCKS]


def random_texts(rng, count):
    """Marks of many classes, letters that they join, Hangul, and whatever."""
    marks = sorted(probe.combining())
    firsts, seconds = (sorted({pair[i] for pair in probe.pairs()})
                       for i in (0, 1))
    pools = [marks, firsts, seconds, sorted(probe.changes("NFKD")),
             range(0x1100, 0x1200), range(0xAC00, 0xAC40), probe.ALL[1:]]
    for _ in range(count):
        yield "".join(chr(rng.choice(rng.choice(pools)))
                      for _ in range(rng.randint(2, 12)))


def normal_forms():
    rng = random.Random(3)
    texts = list(random_texts(rng, 40))
    many = "\n".join(random_texts(rng, 700))
    seconds = "".join(map(chr, sorted(
        {second for _, second in probe.pairs()} | probe.combining())))
    firsts = "".join(map(chr, sorted({first for first, _ in probe.pairs()})))
    found = {"firsts": firsts, "seconds": seconds, "many": many, "forms": {}}
    for name in probe.FORMS:
        form = getattr(normalizers, name)().normalize_str
        pairs = form("".join(a + b + "\n" for a in firsts for b in seconds))
        found["forms"][name] = {
            "sums": {s: sums(form, s) for s in SURROUNDINGS},
            "pairs": crc(pairs), "many": crc(form(many)),
            "samples": [[text, form(text)] for text in texts]}
    return found


def repairs():
    """What Python makes of broken UTF-8: every four of the bytes at which the
    rules of table 3-7 of the Unicode Standard begin or end."""
    edges = bytes.fromhex("41 80 8f 90 9f a0 bf c1 c2 df e0 e1 ec ed ee ef f0 "
                          "f1 f3 f4 f5 ff")
    fours = b"".join(bytes(four) + b"\n"
                     for four in itertools.product(edges, repeat=4))
    samples = [four for four in fours.split(b"\n")][::30011]
    return {"edges": edges.hex(),
            "sum": crc(fours.decode("utf-8", "replace")),
            "samples": [[four.hex(), four.decode("utf-8", "replace")]
                        for four in samples]}


def main():
    lower = normalizers.Lowercase().normalize_str
    golden = {
        "made": f"tests/oracle/tokenizer/unicode_goldens.py, tokenizers "
                f"{tokenizers.__version__}",
        "repair": repairs(),
        "sets": {"space": set_sums(probe.spaces()),
                 "numeric": set_sums(probe.numeric()),
                 "punctuation": set_sums(probe.punctuation()),
                 "word": set_sums(probe.words())},
        "lowercase": {
            "sums": {"{}": sums(lower, "{}")},
            "samples": [[text, lower(text)] for text in (
                "ASCII \u00c4\u0130\u03a3 \u03a3", "\u1c89 \ua7cb \ua7dc",
                "\U00010d50\U00010d65 \U00016ea0\U00016eb8")]},
        "normal": normal_forms()}
    json.dump(golden, sys.stdout, indent=0, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
