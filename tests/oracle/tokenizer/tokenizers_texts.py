"""The texts on which the small tokenizers of tests/tokenizers are compared.

They are short and nasty: each line of HAND is there because some component
of some tokenizer treats it in a way of its own.  ALPHABETS adds strings drawn
from small alphabets, so that components meet in combinations that nobody
thought of; the seed is fixed.
"""
import random

SEED = 20240617

HAND = r"""
a|b|ab|abc|aab|aaa|aaaa|abab|cab|bca|hello|Hello World|the cat sat
 a|a |  a|a  | a b |a  b|   |a\tb|\t|\n|\n\n|a\nb|a\n b|\r\n|a\r\nb| \n \n
a-b|a--b|-a|a-|-|--|---|a - b|-.-|a.b|a..b|a...b|.|..|.a|a.|a.-b|a-.b|-a-b-
;~|a;~b|;;|~;|-;.|a;-~b|;a~|a ; b|;-;|~~~
a,b|a, b|a!b|a!!b|!?|(a)|"a"|'a'|don't|I'll|we've|they're|'s|DON'T|it'S
a$b|a+b|a=b|a^b|a`b|a|~|_|a_b|__|a@b.c|#a|100%|<a>|{a}|[a]|a\\b|\\|/|//
1|12|123|1234|12345|a1|1a|a1b2|1.2|1,234.5|-1|1-2|a 1 b|12a34|0x1F|1e9
A|AB|ABC|aB|Ab|aBc|HELLO|camelCase|XMLHttp|A1|I\u0130\u0131|\u01c4\u01c5
\u00a0|a\u00a0b|\u2003a|a\u2003|a\u3000b|a\u200bb|\u2028|a\u2029b|a\u0085b
\u00e9|e\u0301|e\u0301\u0323|e\u0323\u0301|\u1ec7|\u0301|a\u0301b|\u0301\u0301
\u212b|\u00c5|A\u030a|\u2126|\u03a9|\u1e9b\u0323|\u0344|\u0958|\u2adc|\u0f73
\ufb01|fi|\ufb03|\u00b2|x\u00b2|\u2460|\u00bd|1\u2044 2|\uff21\uff22|\uff11
\uac00|\u1100\u1161|\ud55c|\u1112\u1161\u11ab|\ud55c\uad6d|\u3131\u314f
\u65e5\u672c|\u65e5 \u672c|\u65e5\u672c\u8a9e1|\u3042\u308a|\u304b\u3099|\u30ab
\u00df|\u1e9e|STRASSE|\u03a3|\u039f\u03a3|\u039f\u03a3 a|\u03c2|\U00010400
\u0130|\u0130\u0307|\u1e9a|\u0149|\uab70|\u13a0|\u10a0|\u1c90|\u2c00|\ua640
\u0660\u0661|a\u0661b|\u0967\u0968|\u2167|\u216c\u2170|\u3007|\u4e00\u4e8c
\u0915\u094d\u0937|\u0e01\u0e33|\u0e4d\u0e32|\u0627\u0644|\u0622|\u0627\u0653
\ufdfa|\ufe0f|\u2764\ufe0f|\ufeff|\ufeffa|a\ufeff|\u00ad|a\u00adb|\u061c
\U0001f600|a\U0001f600b|\U0001f600\U0001f600|\U0001f1eb\U0001f1f7|\u2615
\U0001f468\u200d\U0001f469\u200d\U0001f467|\U0001f44d\U0001f3fd|1\ufe0f\u20e3
\U0001d400|\U0001d7ce|\U00020000|\U0002f800|\U000e0041|\U00016fe4|\U0001e900
\ufffe|\uffff|\U0001ffff|\U0010ffff|\ue000|\U000f0000|\u0378|\U0003fffd
\u0000|a\u0000b|\u0001|\u007f|\u0080|\u009f|\ufffd|\ufffda|a\ufffd\ufffd
\u2581|\u2581a|a\u2581b|\u2581\u2581a| \u2581|\u2581 a|a\u2581|a\u2581\u2581b
\u2018a\u2019|\u201ca\u201d|\u00aba\u00bb|a\u2014b|a\u2013b|\u2026|a\u2026b
\u00bf|\u3001|\u3002|a\u3002b|\uff01|\u2045|\u00a7|\u00b6|\u2020|\u20ac1
<s>|</s>|<s>a|a<s>|a<s>b|<s> a|a <s>|a <s> b|<s><s>|a  <s>  b|<s></s>|</s>a
<x>|<x>a|a<x>|a<x>b|<x> a|a <x>|a <x> b|<x><x>|a  <x>  b|\n<x>\n|-<x>-|1<x>2
<X>|a<X>b|<x|x>|< x>|<xx>|<x><s>|<s> <x>|_<x>_|\u00e9<x>\u00e9|<x>.|<x>s
<x\u0301>|<x>\u0301|\u65e5<x>\u672c|(<x>)|a\u00a0<x>\u00a0b|\t<x>|<x>\r\n
<x>\u3000
tok|token|tokens|a tok b|atokb|tok.|tok tok|Tok|TOK|tokentok|to|toke|tok\u00e9
Tok | Tok|a Tok b|a  Tok  b|aTok|Tokb|aTokb|aTok b|TokTok|Tok Tok.|\nTok\n
.Tok.
_Tok_|1Tok|Tok2|\u00e9Tok|Tok\u0301|\u65e5Tok\u672c|\u3000Tok\u00a0|\u212bTok
aTok  Tok
\u212a|a\u212ab|\u017f|a\u017fb|I'\u017f|i'S|kK\u212as\u017fS
\u212bngs|\u00c5ngs|A\u030angs|a A\u030angs b|xx|xxx|xxxx|xxxxx|axxb|xx xx
<0x41>|<0x0A>|<0xE2>|<unk>|a<unk>b|<mask>|a <mask> b|a  <mask>b
""".strip("\n").split("\n")


# Each row: an alphabet from which strings are drawn.
ALPHABETS = [
    list("ab c"),
    list("abc -.'12\n"),
    list("ab-.;~ "),
    list("aAbB") + ["\u0130", "\u00df", "\u03a3", "\U00010400", "\u212b"],
    list("a1 -.\t\r\n") + ["\u00a0", "\u3000", "\u2028", "\u0661", "\u00bd"],
    list("ae") + ["\u0301", "\u0323", "\u00e9", "\u030a", "\u1ec7", "\u0345"],
    ["\u1112", "\u1161", "\u11ab", "\ud55c", "\u3099", "\u304b", "\uff76"],
    list("a1! ") + ["\u65e5", "\u672c", "\u3002", "\u300c", "\u2014", "$"],
    ["\U0001f468", "\u200d", "\U0001f3fd", "\ufe0f", "\u20e3", "1", " "],
    ["a", "b", " ", "<x>", "<s>", "</s>", "tok", "\n", ".", "\u00e9", "<"],
    ["a", "b", " ", "\u2581", "  ", "A", "\u212b", "x", "\u0120"],
]


def hand_texts():
    items = "|".join(HAND).split("|")
    return [""] + [i.encode().decode("unicode_escape") for i in items]


def random_texts(count):
    rng = random.Random(SEED)
    texts = []
    for i in range(count):
        alphabet = ALPHABETS[i % len(ALPHABETS)]
        length = 2 + int(rng.random() ** 2 * 12)
        texts.append("".join(rng.choices(alphabet, k=length)))
    return texts


def long_texts():
    """Runs: what is linear in a word, or quadratic, or has a limit."""
    return ["a" * 99, " " * 70, "ab" * 40, "." * 65, "1" * 64,
            "\u00e9" * 33, "\U0001f600" * 17, "\n" * 40, "-a" * 30]


def wild_text(rng, longest=24, own=()):
    """A string of any code points at all: every plane, in runs of a kind;
    `own` are more pieces that may stand in it."""
    ranges = [(0x20, 0x7e), (0x20, 0x7e), (0, 0x2ff), (0x300, 0x36f),
              (0x370, 0x1fff), (0x2000, 0x2bff), (0x3040, 0x30ff),
              (0x4e00, 0x9fff), (0xac00, 0xd7a3), (0xe000, 0xffff),
              (0x10000, 0x1ffff), (0x1f300, 0x1faff), (0x20000, 0x3ffff),
              (0xe0000, 0xe01ff), (0, 0x10ffff)]
    pieces = [" ", "\n", "\r\n", "\u200d", "\ufe0f", "\u0301", "\u00a0",
              "<|im_start|>", "<|im_end|>", "<think>", "<bos>", "'s", "'LL",
              "<|eot_id|>", "<s>", "  ", "\t", "\u2581", "123", "!?"]
    text = ""
    while rng.random() < 0.9 and len(text) < longest:
        kind = rng.random()
        if kind < 0.25:
            text += rng.choice(own if own and rng.random() < .4 else pieces)
        elif kind < 0.32:
            text += rng.choice(pieces + ["a", "7", "-", "\u65e5"]) * \
                rng.randrange(2, 12)
        else:
            low, high = rng.choice(ranges)
            for _ in range(rng.randrange(1, 6)):
                code = rng.randint(low, high)
                if not 0xd800 <= code <= 0xdfff:
                    text += chr(code)
    return text


def all_texts():
    """The shared list, without repetitions, in a fixed order."""
    return list(dict.fromkeys(hand_texts() + random_texts(500) +
                              long_texts()))
