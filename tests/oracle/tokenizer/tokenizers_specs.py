"""The small tokenizers of tests/tokenizers: one for each component and flag.

A specification is a tokenizer.json as a Python dictionary, and a list of
`changes`: the same tokenizer with that component taken out, or with the flag
the other way.  tokenizers_goldens.py demands that each change gives other
ids (or another text, for a decoder), so that a program which leaves the
component out cannot pass.
"""
import copy
import functools
from collections import Counter

from tokenizers_texts import all_texts

UNKNOWN = "<unk>"
LETTERS = list("abcdehiklnorstxyABCDHKLOTXYZ0123456789 .,-_'!?()$\n\t\r") + \
    ["\u00e9", "\u0301", "\u00c5", "\u2581", "\u65e5", "\u672c", "\u3002",
     "\u00a0", "\u3000", "\u0661", "\u00bd", "\u2167", "\u2014"]


# --- vocabularies ---------------------------------------------------------

def byte_letters():
    """The 256 visible characters that ByteLevel writes bytes as (GPT-2)."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters, extra = {}, 256
    for byte in range(256):
        letters[byte] = chr(byte) if byte in plain else chr(extra)
        extra += byte not in plain
    return letters


def short_texts():
    """What the merges are learnt from: not from the added tokens."""
    return tuple(text for text in all_texts() if len(text) < 20
                 and not any(added in text.lower()
                         for added in ("tok", "xx", "<x>", "<s>")))


@functools.cache
def train(words, count, known):
    """Plain BPE training, ties broken by the pair itself: `count` merges."""
    words = [list(word) for word in words]
    merges = []
    while len(merges) < count:
        pairs = Counter(pair for word in words for pair in zip(word, word[1:])
                        if pair[0] in known and pair[1] in known)
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(list(best))
        known = known | {"".join(best)}
        for word in words:
            merge_in(word, best)
    return merges


def merge_in(word, pair):
    i = 0
    while i + 1 < len(word):
        if (word[i], word[i + 1]) == pair:
            word[i:i + 2] = ["".join(pair)]
        i += 1


def bpe(tokens, merges, **options):
    vocab = {token: i for i, token in enumerate(tokens)}
    for left, right in merges:
        vocab.setdefault(left + right, len(vocab))
    return {"type": "BPE", "dropout": None, "unk_token": None,
            "fuse_unk": False, "byte_fallback": False, "vocab": vocab,
            "merges": merges, **options}


def letters_model(count=50, **options):
    """Characters, merged across every kind of boundary; the rest is unknown,
    and neighbouring unknowns of one piece become one token: splits show."""
    merges = train(short_texts(), count, frozenset(LETTERS))
    options = {"unk_token": UNKNOWN, "fuse_unk": True, **options}
    return bpe([UNKNOWN] + LETTERS, merges, **options)


def bytes_model(count=30, **options):
    letters = byte_letters()
    words = tuple("".join(letters[b] for b in text.encode())
                  for text in short_texts())
    merges = train(words, count, frozenset(letters.values()))
    return bpe(list(letters.values()), merges, **options)


def fallback_model(**options):
    """As Llama 2 and Gemma: characters, and 256 tokens for bytes."""
    tokens = [UNKNOWN, "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)]
    words = tuple(text.replace(" ", "\u2581") for text in short_texts())
    letters = [c for c in LETTERS if c not in " \u3002\u2014"]
    merges = train(words, 25, frozenset(letters))
    options = {"unk_token": UNKNOWN, "byte_fallback": True, "fuse_unk": True,
               **options}
    return bpe(tokens + letters, merges, **options)


# --- a tokenizer.json and its changes -------------------------------------

def tokenizer(model, normalizer=None, pre=None, post=None, decoder=None,
              added=()):
    return {"version": "1.0", "truncation": None, "padding": None,
            "added_tokens": list(added), "normalizer": normalizer,
            "pre_tokenizer": pre, "post_processor": post, "decoder": decoder,
            "model": model}


def added_all(model, contents, **flags):
    """Added tokens, numbered after the vocabulary unless they are in it."""
    size = max(model["vocab"].values()) + 1
    new = [c for c in contents if c not in model["vocab"]]
    numbers = {**model["vocab"], **{c: size + i for i, c in enumerate(new)}}
    return [added(numbers[c], c, **flags) for c in contents]


def added(number, content, **flags):
    return {"id": number, "content": content, "single_word": False,
            "lstrip": False, "rstrip": False, "normalized": False,
            "special": False, **flags}


def changed(file, *path_and_value):
    """A copy of `file` with the value at a path of keys replaced."""
    *path, last, value = path_and_value
    file = copy.deepcopy(file)
    at = file
    for key in path:
        at = at[key]
    at[last] = value
    return file


def without(part):
    """The change that takes a whole component out."""
    return lambda file: changed(file, part, None)


def flip(*path):
    def change(file):
        value = file
        for key in path:
            value = value[key]
        return changed(file, *path, not value)
    return change


def put(*path_and_value):
    return lambda file: changed(file, *path_and_value)


def drop(*path):
    """The change that removes one element of a list."""
    def change(file):
        items = file
        for key in path[:-1]:
            items = items[key]
        rest = items[:path[-1]] + items[path[-1] + 1:]
        return changed(file, *path[:-1], rest)
    return change


BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False,
              "trim_offsets": True, "use_regex": True}
BYTES_ONLY = {**BYTE_LEVEL, "use_regex": False}
BEHAVIORS = ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext",
             "Contiguous"]
