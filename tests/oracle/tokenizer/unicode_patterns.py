"""Write m0-tokenizer/golden/regex.json: where `tokenizers` (Oniguruma) finds
the matches of many expressions.

    python3 unicode_patterns.py > ../../../m0-tokenizer/golden/regex.json

`sets`: expressions for one character, and the CRC-32 of the text of all code
points that they match.  `cases`: expressions with texts and the byte offsets
of the pieces that they cut these into.
"""
import json
import random
import sys
import zlib

import tokenizers
from tokenizers import Regex, pre_tokenizers

import unicode_probe as probe

NAMES = (*probe.CATEGORIES, *probe.SCRIPTS, *"LMNPSZC", "LC", "Any", "ASCII",
         "Assigned", "Alpha", "Alphabetic", "Alnum", "Blank", "Cntrl",
         "Digit", "Punct", "Space", "XDigit", "White_Space",
         "Lowercase_Letter", "Decimal Number", "punctuation")
SETS = (
    *(rf"\p{{{name}}}" for name in NAMES),
    *(rf"[^\P{{{name}}}\n]" for name in ("L", "Han", "Alpha", "Mn", "So")),
    r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"\h", r"\H", r"\N", r"\O",
    r"[\w]", r"[\W]", r"[^\w]", r"[\d!]", r"[\D]", r"[^\s]", r"[\H]",
    *(f"[[:{name}:]]" for name in (
        "alnum alpha ascii blank cntrl digit punct space word "
        "xdigit").split()),
    "[[:^alpha:]]", "[^[:punct:]]", r"\p{^L}", r"[^\r\n\p{L}\p{N}]",
    r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]",
    r"[\p{L}&&\p{Latin}&&[^a-c]]", r"[^\p{L}&&\p{Latin}]",
    r"[a[^b]]", r"[^a[^b-d]]", "[a-z&&[^aeiou]x-z]", "[]-a]", "[a-]", "[--a]",
    r"[\b]", r"[\x41\u0042\x{43}\060]", "[\u4e00-\u9fa5\u3040-\u309f]",
    r"[\x{80}-\x{10FFFF}]", r"[\u0600-\u06FF\u08A0-\u08FF\uFB50-\uFDFF]",
    r"[\x{1F300}-\x{1FAFF}]", "(?i:s)", "(?i:K)", "(?i:i)", "(?i:[a-z])",
    "(?i:[^a-z])", r"(?i:[\p{N}'])", r"(?i:\p{Lu})", r"(?i:\w)", ".",
    "(?m:.)", r"\R", r"(?<=[a-z])[^a-z]", r"\p{L}(?!\p{L})", r"\w\b",
    r"\W\B",
)

CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
UPPER, LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
TOKENIZERS = (
    # GPT-2, Qwen, Llama 3, GPT-OSS, Kimi, DeepSeek
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+"
    r"|\s+(?!\S)|\s+",
    CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+"
    r"[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+"
    r"[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    rf"[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]*[{LOWER}]+{CONTRACTIONS}?"
    rf"|[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]+[{LOWER}]*{CONTRACTIONS}?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    rf"[\p{{Han}}]+|[^\r\n\p{{L}}\p{{N}}]?[{UPPER}&&[^\p{{Han}}]]*"
    rf"[{LOWER}&&[^\p{{Han}}]]+{CONTRACTIONS}?|\p{{N}}{{1,3}}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+"
    r"|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+",
    "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
)
TEXTS = (
    "I'm sure we'll  see: 1234567 of THEM'S\r\n\r\n  caf\u00e9s na\u00efve ",
    "\u4f60\u597d\uff0c\u4e16\u754c\uff01 \u3053\u3093\u306b\u3061\u306f "
    "\uc548\ub155 \U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f6dc!",
    "e\u0301\u0327 \u1c89\u1c8a \U00031350 \U00010d50\U00010d70 '\u017f "
    "\u212a 'S\u180e\u00a0\u3000x \u0378 \ufdd0",
)

# Each means something else to other engines, or nothing.
MEANINGS = (
    (r"\d{1,3}+", "1234567"), (r"a{,2}", "aaaaa"), (r"a{3,1}", "aaaaa"),
    (r"a{3,1}ab|b", "aab"),
    (r"a{2}?", "aaaaa"), (r"a{2}+", "aaaaa"), (r"a{,}|a{x|{", "a{,}a{x"),
    (r"a*?b", "aaab"), (r"a++a|a", "aaa"), (r"a?+a", "aaa"),
    (r"a*+b|a", "aab"), (r"(?:a{1,2}){2}", "aaaaaa"), (r"\h+", "12fgABx"),
    (r"^.", "a\nb\n\nc\n"), (r".$", "a\nb\r\nc"), (r"a\Z", "a\na\n"),
    (r"a\z", "a\na"), (r"\Aa", "a\na"), (r"\Ga", "aab a"), (r".+", "a\rb\nc"),
    (r"(?m:.+)", "a\nb"), (r"(?m).+", "a\nb"), (r"a(?i)b|c", "aB C ac Ab"),
    (r"(?i:a(?-i)b|c)d", "Abd ABd cd Cd"), (r"(?-i:k)(?i:k)", "kK Kk k\u212a"),
    (r"\R", "a\r\nb\rc\nd\u2028e\x0b"), (r"\R\n", "a\r\n\r\n\n"),
    (r"\v\t\e\a\f", "\v\t\x1b\a\f"), (r"\x41\u0042\x{43}\060", "ABC0"),
    (r"(?<name>a)(b)", "abab"), (r"(?'name'a)", "aba"), (r"a(?#b)c", "ac"),
    (r"a(?#b)*", "aaa"), (r"(?>a+)b|a", "aaab aa"), (r"(?<=a)b", "abb"),
    (r"(?<!a)b", "abb"), (r"(?<=a|bc)d", "ad bcd cd"), (r"\b", "a\u00b2 b"),
    (r"\w+", "x\u00b2\u24d0\u0301"), (r"\q\_\/\-", "q_/-"), (r"]}", "]}"),
    (r"", "ab"), (r"a|", "ba"), (r"a*", "baab"), (r"\B", "ab c"),
    (r"(?=b)", "abb"), (r"[a-c-e]+", "a-e d"), (r"[\w-]+", "a-b!"),
    (r"[a&&b]|x", "ax"), (r"[a&&a-c]+", "abc"), (r"[\s\S]+", "a\nb"),
    (r"(?:a?)*b", "aab"), (r"(a|ab)(c|bcd)", "abcd"), (r"x*", ""),
    (r"(?i:'ll)", "'Ll 'LL"), (r"(?i:[sk]s?t?)", "\u017fT \u212as kST"),
)

ATOMS = ("a b c 1 \\. x \u00e9 \u4e2d [a-c] [^a-c] [\\s\\d] [a[^b]c] . \\w "
         "\\W \\s \\S \\d \\p{L} \\P{L} \\b ^ $ [\\w&&[^b]] \\n").split()
REPEATS = "* + ? *? +? ?? ++ {2} {1,2} {,2} {1,3}+ {2}?".split()
SHAPES = ("({})", "(?:{})", "(?i:{})", "(?={})", "(?!{})", "(?>{})", "(?m:{})",
          "{}|a", "(?<=a){}")
LETTERS = "aabbcAB1 \n\u00e9\u4e2d\u0301.x"


def random_pattern(rng, depth=0):
    pattern = ""
    for _ in range(rng.randint(1, 3)):
        if depth < 2 and rng.random() < .3:
            part = rng.choice(SHAPES).format(random_pattern(rng, depth + 1))
            fixed = part.startswith(("(?=", "(?!", "(?<")) or "|" in part[-2:]
        else:
            part = rng.choice(ATOMS)
            fixed = part in ("^", "$", "\\b")
        pattern += part
        if not fixed and rng.random() < .3:
            pattern += rng.choice(REPEATS)
    return pattern


def random_cases(count):
    rng = random.Random(5)
    while count:
        pattern = random_pattern(rng)
        if "(?i:" in pattern and (not pattern.isascii() or any(
                part in pattern for part in ("\\p", "&&", "[^"))):
            continue
        try:
            Regex(pattern)
        except Exception:  # a repeat of an assertion, and the like
            continue
        count -= 1
        yield pattern, "".join(rng.choices(LETTERS, k=rng.randint(3, 16)))


def pieces(pattern, text):
    """Byte offsets of where the pieces end."""
    split = pre_tokenizers.Split(Regex(pattern), "isolated")
    return [len(text[:end].encode())
            for _, (_, end) in split.pre_tokenize_str(text)]


def main():
    cases = [(p, t) for p in TOKENIZERS for t in TEXTS]
    cases += [*MEANINGS, *random_cases(250)]
    golden = {
        "made": f"tests/oracle/tokenizer/unicode_patterns.py, tokenizers "
                f"{tokenizers.__version__}",
        "sets": [[p, f"{crc_of(probe.matching(p)):08x}"] for p in SETS],
        "cases": [[p, t, pieces(p, t)] for p, t in cases]}
    json.dump(golden, sys.stdout, indent=0, ensure_ascii=False)
    print()


def crc_of(codes):
    return zlib.crc32("".join(map(chr, sorted(codes))).encode())


if __name__ == "__main__":
    main()
