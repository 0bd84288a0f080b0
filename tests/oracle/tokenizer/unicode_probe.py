"""What the pinned `tokenizers` knows of each code point, found by asking it.

It holds several Unicode versions: Oniguruma's for regular expressions, Rust's
own for letter case, white space and numbers, and those of three more crates
for normal forms, punctuation and words.  None of them is documented, so every
question is put to the library itself, about all 1,112,064 code points.
"""
import functools

import tokenizers
from tokenizers import Regex, normalizers, pre_tokenizers

assert tokenizers.__version__ == "0.23.2", tokenizers.__version__

ALL = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
TEXT = "".join(map(chr, ALL))
FORMS = ("NFC", "NFD", "NFKC", "NFKD")

CATEGORIES = ("Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po "
              "Sm Sc Sk So Zs Zl Zp Cc Cf Co Cn").split()
SCRIPTS = ("Armenian Bengali Bopomofo Ethiopic Georgian Greek Gujarati "
           "Gurmukhi Han Hangul Hebrew Hiragana Kannada Katakana Khmer Lao "
           "Latin Malayalam Oriya Sinhala Tamil Telugu Thai Tibetan").split()


def matching(pattern):
    """The code points that a pattern for one character matches."""
    split = pre_tokenizers.Split(Regex(f"(?:{pattern})+"), "removed")
    inside = bytearray(b"\1") * len(ALL)
    for _, (start, end) in split.pre_tokenize_str(TEXT):
        inside[start:end] = bytes(end - start)
    return {c for c, yes in zip(ALL, inside) if yes}


def alone(pre_tokenizer):
    """The code points that it cuts off from letters around them."""
    found = set()
    for start in range(0, len(ALL), 50000):
        codes = ALL[start:start + 50000]
        text = "a" + "a".join(map(chr, codes)) + "a"
        pieces = pre_tokenizer.pre_tokenize_str(text)
        cuts = {span for _, span in pieces}
        found.update(c for i, c in enumerate(codes)
                     if (2 * i + 1, 2 * i + 2) in cuts)
    return found


def numeric():
    return alone(pre_tokenizers.Digits(individual_digits=True)) - set(
        map(ord, "a"))


def punctuation():
    return alone(pre_tokenizers.Punctuation())


def words():
    r"""\w of the `regex` crate: what joins with letters to both sides."""
    found = set()
    for start in range(0, len(ALL), 50000):
        codes = ALL[start:start + 50000]
        text = "a" + "a".join(map(chr, codes)) + "a"
        pieces = pre_tokenizers.Whitespace().pre_tokenize_str(text)
        joined = {at for _, (a, b) in pieces for at in range(a, b - 1)}
        found.update(c for i, c in enumerate(codes) if 2 * i in joined)
    return found


def spaces():
    strip = normalizers.Strip()
    return {c for c in ALL if not strip.normalize_str(chr(c))}


@functools.lru_cache
def changes(name):
    """What a normalizer makes of each code point that it changes."""
    normalize = getattr(normalizers, name)().normalize_str
    made = {c: normalize(chr(c)) for c in ALL}
    return {c: text for c, text in made.items() if text != chr(c)}


@functools.lru_cache
def combining():
    """The code points that change places with a mark of the highest
    combining class, U+0345, or are that mark."""
    decompose = normalizers.NFD().normalize_str
    return {0x345} | {c for c in ALL if decompose("a\u0345" + chr(c))
                      .endswith("\u0345")}


@functools.lru_cache
def pairs():
    """The pairs of code points that NFC makes one, without Hangul."""
    compose = normalizers.NFC().normalize_str
    found = {}
    for c, parts in changes("NFD").items():
        first = compose(parts[:-1])
        if (compose(parts) == chr(c) and len(first) == 1
                and not 0xAC00 <= c <= 0xD7A3):
            assert compose(first + parts[-1]) == chr(c)
            found[ord(first), ord(parts[-1])] = c
    return found
