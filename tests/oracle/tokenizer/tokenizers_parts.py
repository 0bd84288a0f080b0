"""Which small tokenizers there are: see tokenizers_specs.py.

Each function yields (name, tokenizer.json, changes).
"""
import itertools

from tokenizers_specs import (
    BEHAVIORS, BYTE_LEVEL, BYTES_ONLY, added_all, bytes_model, drop,
    letters_model, put, tokenizer, without)

METASPACE = {"type": "Metaspace", "replacement": "\u2581",
             "prepend_scheme": "always", "split": True}


def pattern(kind, text):
    return {kind: text}


def split(kind, text, behavior="Isolated", invert=False):
    return {"type": "Split", "pattern": pattern(kind, text),
            "behavior": behavior, "invert": invert}


def replace(kind, text, content):
    return {"type": "Replace", "pattern": pattern(kind, text),
            "content": content}


def two_added(model):
    x, s = added_all(model, ["<x>", "<s>"])
    return [x, {**s, "special": True}]


def letters(**parts):
    model = letters_model()
    return tokenizer(model, added=two_added(model), **parts)


def byte_level(**parts):
    model = bytes_model()
    return tokenizer(model, added=two_added(model),
                     **{"pre": BYTES_ONLY, "decoder": BYTES_ONLY, **parts})


def siblings(group, part, same=()):
    """Yield a group of tokenizers that differ in one part; the changes are
    to leave it out, and to be each of the others, but for the pairs of names
    that are alike by definition."""
    for name, file in group.items():
        changes = {"without": without(part)}
        for other, its in group.items():
            if other != name and {name, other} not in same:
                changes["as " + other] = put(part, its[part])
        yield name, file, changes


# --- normalizers ----------------------------------------------------------

NORMALIZERS = {
    "nfc": {"type": "NFC"}, "nfd": {"type": "NFD"},
    "nfkc": {"type": "NFKC"}, "nfkd": {"type": "NFKD"},
    "lowercase": {"type": "Lowercase"},
    "replace-string": replace("String", "a.", "1 "),
    "replace-regex": replace("Regex", r"a.|[0-9]+\b", "1 "),
    "replace-nothing": replace("String", " ", ""),
    "prepend": {"type": "Prepend", "prepend": "\u2581"},
    "strip-left": {"type": "Strip", "strip_left": True, "strip_right": False},
    "strip-right": {"type": "Strip", "strip_left": False,
                    "strip_right": True},
    "strip-both": {"type": "Strip", "strip_left": True, "strip_right": True},
}


def normalizers():
    yield from siblings({"normalizer-" + name: byte_level(normalizer=part)
                         for name, part in NORMALIZERS.items()}, "normalizer")
    steps = [{"type": "Strip", "strip_left": True, "strip_right": False},
             {"type": "NFD"}, {"type": "Lowercase"},
             replace("String", "e", "ab")]
    file = byte_level(normalizer={"type": "Sequence", "normalizers": steps})
    changes = {f"without step {i}": drop("normalizer", "normalizers", i)
               for i in range(len(steps))}
    changes["in reverse"] = put("normalizer", "normalizers", steps[::-1])
    yield "normalizer-sequence", file, changes


# --- pre-tokenizers -------------------------------------------------------

def splits():
    """Some are alike by definition: inverting changes nothing where each
    piece stands alone, and to merge with the previous one is to merge with
    the next one when what matches and what does not change places."""
    patterns = {"string": pattern("String", "."),
                "regex": pattern("Regex", r"[-.]+|[;~]")}
    group, same = {}, []
    for kind, behavior, invert in itertools.product(patterns, BEHAVIORS,
                                                    (False, True)):
        (how, text), = patterns[kind].items()
        name = f"split-{kind}-{dashed(behavior)}" + "-invert" * invert
        group[name] = letters(pre=split(how, text, behavior, invert))
    for kind in patterns:
        start = f"split-{kind}-"
        same += [{start + "isolated", start + "isolated-invert"},
                 {start + "contiguous", start + "contiguous-invert"},
                 {start + "merged-with-previous",
                  start + "merged-with-next-invert"},
                 {start + "merged-with-next",
                  start + "merged-with-previous-invert"}]
    yield from siblings(group, "pre_tokenizer", same)


def dashed(name):
    return "".join("-" + c.lower() if c.isupper() else c
                   for c in name).strip("-")


REGEXES = {
    "classes": r"\p{Lu}|\p{N}+|\s|\p{M}+",
    "perl": r"\d+|\W+|\w(?=\d)",
    "boundary": r"\b-|\Ba",
    "case": r"(?i:k|s)",
    "lookbehind": r"(?<=a)b|(?<!a)c",
    "lazy": r"a+?|(?:-.)*?\n",
    "possessive": r"a++|[^\r\na-c]?+[a-c]+",
    "dot": r".b|.$",
    "empty": r"a*",
    "unicode": r"\p{L}+|\p{Han}|[\x{3000}-\x{303f}]",
}


def regexes():
    for name, text in REGEXES.items():
        file = letters(pre=split("Regex", text))
        yield "regex-" + name, file, {"without": without("pre_tokenizer")}


def byte_levels():
    group = {}
    for prefix, regex in itertools.product((False, True), repeat=2):
        part = {**BYTE_LEVEL, "add_prefix_space": prefix, "use_regex": regex}
        name = "bytelevel" + "-prefix" * prefix + "-regex" * regex
        group[name] = byte_level(pre=part)
    yield from siblings(group, "pre_tokenizer")
    old = {"type": "ByteLevel", "add_prefix_space": True,
           "trim_offsets": True}
    yield "bytelevel-old", byte_level(pre=old), {
        "without use_regex": put("pre_tokenizer", "use_regex", False)}


def plain_pre_tokenizers():
    group = {"digits-individual": {"type": "Digits",
                                   "individual_digits": True},
             "digits-grouped": {"type": "Digits",
                                "individual_digits": False},
             "whitespace": {"type": "Whitespace"},
             "whitespace-split": {"type": "WhitespaceSplit"}}
    for behavior in BEHAVIORS:
        group["punctuation-" + dashed(behavior)] = {
            "type": "Punctuation", "behavior": behavior}
    yield from siblings({name: letters(pre=part)
                         for name, part in group.items()}, "pre_tokenizer")


def metaspaces():
    group = {}
    for scheme, cut in itertools.product(("always", "first", "never"),
                                         (True, False)):
        part = {**METASPACE, "prepend_scheme": scheme, "split": cut}
        group[f"metaspace-{scheme}" + "-nosplit" * (not cut)] = \
            letters(pre=part)
    group["metaspace-underscore"] = letters(
        pre={**METASPACE, "replacement": "_"})
    yield from siblings(group, "pre_tokenizer")
    old = {"type": "Metaspace", "replacement": "\u2581",
           "add_prefix_space": True}
    never = {**METASPACE, "prepend_scheme": "never"}
    yield "metaspace-old", letters(pre=old), {
        "without": without("pre_tokenizer"),
        "never": put("pre_tokenizer", never)}
    old_never = {**never, "add_prefix_space": False}
    yield "metaspace-old-never", letters(pre=old_never), {
        "without": without("pre_tokenizer"),
        "always": put("pre_tokenizer", METASPACE)}


def metaspaces_at_the_start():
    """Which piece comes "first" is asked of the text as it was before the
    normalizer; so it matters what that did at the very start."""
    first = {**METASPACE, "prepend_scheme": "first"}
    pre = {"type": "Sequence", "pretokenizers": [split("String", "-"), first]}
    for name, part in {**NORMALIZERS,
                       "replace-start": replace("Regex", "^[ab]", ""),
                       "replace-dash": replace("String", "a", "-")}.items():
        if name in ("prepend", "strip-both", "nfkd", "replace-nothing",
                    "replace-start", "replace-dash"):
            yield "first-" + name, letters(normalizer=part, pre=pre), {
                f"{scheme}": put("pre_tokenizer", "pretokenizers", 1,
                                 {**METASPACE, "prepend_scheme": scheme})
                for scheme in ("always", "never")}


def sequences():
    groups = {
        "words": [{"type": "WhitespaceSplit"},
                  {"type": "Punctuation", "behavior": "Isolated"},
                  {"type": "Digits", "individual_digits": True}],
        "nested": [{"type": "Sequence", "pretokenizers":
                    [split("String", "-", "Removed"),
                     {"type": "Digits", "individual_digits": False}]},
                   split("Regex", " +", "MergedWithNext")],
        "metaspace": [split("String", "-"),
                      {**METASPACE, "prepend_scheme": "first"}],
        "metaspace-always": [split("String", "-"), METASPACE],
    }
    for name, steps in groups.items():
        part = {"type": "Sequence", "pretokenizers": steps}
        yield "sequence-" + name, letters(pre=part), each_step(steps)
    steps = [split("Regex", "-|\\s+"), {**BYTES_ONLY,
                                        "add_prefix_space": True}]
    part = {"type": "Sequence", "pretokenizers": steps}
    yield "sequence-bytelevel", byte_level(pre=part), each_step(steps)
    # The bytes' letters are pieces for a second step: a space is one, too.
    steps = [BYTES_ONLY, split("Regex", "[aeiou]")]
    part = {"type": "Sequence", "pretokenizers": steps}
    yield "sequence-bytelevel-first", byte_level(pre=part), each_step(steps)
    # They are all the first character's, where that has several bytes.
    first = {**METASPACE, "replacement": "_", "prepend_scheme": "first"}
    steps = [BYTES_ONLY, split("Regex", "."), first]
    part = {"type": "Sequence", "pretokenizers": steps}
    yield "sequence-bytelevel-metaspace", byte_level(pre=part), {
        scheme: put("pre_tokenizer", "pretokenizers", 2, "prepend_scheme",
                    scheme) for scheme in ("always", "never")}


def each_step(steps):
    return {f"without step {i}": drop("pre_tokenizer", "pretokenizers", i)
            for i in range(len(steps))}


# --- post-processors ------------------------------------------------------

def template(*parts, many=False):
    size = max(letters_model()["vocab"].values()) + 1
    special = {"<s>": [size + 1], "<x>": [size]}
    if many:
        special["<s>"] = [size + 1, size, 3]
    steps = [{"Sequence": {"id": "A", "type_id": 0}} if part == "$A" else
             {"SpecialToken": {"id": part, "type_id": 0}} for part in parts]
    return {"type": "TemplateProcessing", "single": steps,
            "pair": steps + [{"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {name: {"id": name, "ids": ids, "tokens":
                                      [name] * len(ids)}
                               for name, ids in special.items()}}


def post_processors():
    only = {"type": "ByteLevel", "add_prefix_space": True,
            "trim_offsets": True, "use_regex": True}
    group = {"template-before": template("<s>", "$A"),
             "template-after": template("$A", "<s>"),
             "template-around": template("<s>", "$A", "<x>", "<s>"),
             "template-many": template("<s>", "$A", many=True),
             "post-sequence": {"type": "Sequence", "processors":
                               [only, template("<s>", "$A")]}}
    yield from siblings({name: letters(post=part)
                         for name, part in group.items()}, "post_processor",
                        [{"template-before", "post-sequence"}])
    yield "post-bytelevel", letters(post=only), {}
    size = max(letters_model()["vocab"].values()) + 1
    pair = {"type": "BertProcessing", "sep": ["<s>", size + 1],
            "cls": ["<x>", size]}
    exchange = {"cls and sep exchanged": put(
        "post_processor", {**pair, "sep": pair["cls"], "cls": pair["sep"]})}
    yield "post-bert", letters(post=pair), exchange
    yield "post-roberta", letters(post={
        **pair, "type": "RobertaProcessing", "trim_offsets": True,
        "add_prefix_space": False}), {}
