"""More small tokenizers: decoders, added tokens, the model's options, and
whole pipelines of known models.  See tokenizers_specs.py.
"""
import itertools

from tokenizers_parts import (
    METASPACE, byte_level, replace, siblings, split, two_added)
from tokenizers_specs import (
    BYTE_LEVEL, BYTES_ONLY, added, added_all, bytes_model, drop,
    fallback_model, flip, letters_model, put, tokenizer, without)

SPACES = replace("String", "\u2581", " ")


# --- decoders -------------------------------------------------------------

def strip(content, start, stop):
    return {"type": "Strip", "content": content, "start": start,
            "stop": stop}


def sequence(*steps):
    return {"type": "Sequence", "decoders": list(steps)}


def fallback(**parts):
    model = fallback_model()
    return tokenizer(model, added=two_added(model), **parts)


def decoders():
    fuse = {"type": "Fuse"}
    group = {"fuse": fuse, "bytefallback": {"type": "ByteFallback"},
             "replace-string": replace("String", "a", "<a>"),
             "replace-regex": replace("Regex", "[ab]+", ""),
             "strip-start": strip("a", 2, 0), "strip-stop": strip("a", 0, 1),
             "strip-fused": sequence(fuse, strip("a", 1, 1)),
             "llama": sequence(SPACES, {"type": "ByteFallback"}, fuse,
                               strip(" ", 1, 0))}
    for scheme, cut in itertools.product(("always", "first", "never"),
                                         (True,)):
        group["metaspace-" + scheme] = {**METASPACE, "split": cut,
                                        "prepend_scheme": scheme}
    yield from siblings({"decoder-" + name: fallback(decoder=part)
                         for name, part in group.items()}, "decoder",
                        [{"decoder-metaspace-always",
                          "decoder-metaspace-first"}])
    yield "decoder-bytelevel", byte_level(), {"without": without("decoder")}
    yield from decoder_sequences()


def decoder_sequences():
    """Steps that see across tokens once Fuse or ByteLevel joined them."""
    joined = {"fuse-replace": [{"type": "ByteFallback"}, {"type": "Fuse"},
                               replace("Regex", "a+|b.", "-")],
              "fuse-metaspace": [{"type": "Fuse"},
                                 {**METASPACE, "prepend_scheme": "always"}]}
    for name, steps in joined.items():
        yield "decoder-" + name, fallback(decoder=sequence(*steps)), {
            f"without step {i}": drop("decoder", "decoders", i)
            for i in range(len(steps))}
    steps = [BYTES_ONLY, replace("String", "aa", "-"), strip("a", 1, 0)]
    yield "decoder-bytelevel-replace", byte_level(
        decoder=sequence(*steps)), {
            f"without step {i}": drop("decoder", "decoders", i)
            for i in range(len(steps))}


def decoder_added():
    """Added tokens whose text is not in ByteLevel's alphabet."""
    model = bytes_model()
    words = ["\u65e5", "a b", "\u00e9", "\u0120x", "<s>"]
    file = tokenizer(model, pre=BYTES_ONLY, decoder=BYTES_ONLY,
                     added=added_all(model, words))
    file["added_tokens"][-1]["special"] = True
    yield "decoder-bytelevel-added", file, {
        "without": without("decoder"), "no added": put("added_tokens", [])}


# --- added tokens ---------------------------------------------------------

FLAGS = ["lstrip", "rstrip", "single_word", "normalized", "special"]


def added_flags():
    """One token for each way to set the first four flags, and special.

    Where normalizing changes a token's text, `tokenizers` no longer knows
    that it is special, so nothing can notice that flag there."""
    model = letters_model()
    size = max(model["vocab"].values()) + 1
    ways = [(*four, False) for four in
            itertools.product((False, True), repeat=4)]
    for bits in ways + [(False,) * 4 + (True,), (True,) * 5]:
        flags = dict(zip(FLAGS, bits))
        name = "added" + "".join("-" + f for f in FLAGS if flags[f])
        file = tokenizer(model, {"type": "Lowercase"},
                         added=[added(size, "Tok", **flags)])
        changes = {f: flip("added_tokens", 0, f) for f in FLAGS
                   if f != "special" or not flags["normalized"]}
        yield name, file, {**changes, "none": put("added_tokens", [])}


def added_others():
    model = letters_model()
    size = max(model["vocab"].values()) + 1
    overlap = ["<x>", "<xx>", "x>", "xx", "xxx", "a<"]
    yield "added-overlap", tokenizer(
        model, added=added_all(model, overlap)), {
            word: drop("added_tokens", i) for i, word in enumerate(overlap)}
    file = tokenizer(model, {"type": "NFC"}, added=[
        added(size, "A\u030angs", normalized=True), added(size + 1, "\u212b")])
    yield "added-nfc", file, {
        "not normalized": flip("added_tokens", 0, "normalized"),
        "normalized": flip("added_tokens", 1, "normalized")}
    file = tokenizer(model, {"type": "Lowercase"}, added=[
        added(size, "<x>", normalized=True), added(size + 1, "x>a"),
        added(size + 2, "<X", normalized=True)])
    yield "added-order", file, {
        f"normalized {i}": flip("added_tokens", i, "normalized")
        for i in range(2)}
    known = next(t for t in model["vocab"] if len(t) == 2 and t.isalpha())
    file = tokenizer(model, added=[added(model["vocab"][known], known)])
    yield "added-in-vocab", file, {"none": put("added_tokens", [])}
    yield "added-before-prefix", byte_level(
        pre={**BYTE_LEVEL, "add_prefix_space": True}), {
            "none": put("added_tokens", [])}
    yield from added_in_first()


def added_in_first():
    """A token inside of what the text's first character has become."""
    grown = replace("String", "a", "xyz")
    model = bytes_model()
    size = max(model["vocab"].values()) + 1
    yield "added-in-first-bytelevel", tokenizer(
        model, grown, BYTES_ONLY, decoder=BYTES_ONLY,
        added=[added(size, "yz", normalized=True)]), {
            "none": put("added_tokens", [])}
    model = letters_model()
    size = max(model["vocab"].values()) + 1
    yield "added-in-first-metaspace", tokenizer(
        model, grown, {**METASPACE, "prepend_scheme": "first"},
        added=[added(size, "yz", normalized=True)]), {
            scheme: put("pre_tokenizer", "prepend_scheme", scheme)
            for scheme in ("always", "never")}


# --- the model ------------------------------------------------------------

def models():
    words = {"type": "WhitespaceSplit"}
    model = letters_model()
    model["vocab"].update({"hello": 900, "a-b": 901, "-a-b-": 902})
    file = tokenizer({**model, "ignore_merges": True}, pre=words)
    yield "model-ignore-merges", file, {
        "not": put("model", "ignore_merges", False)}
    file = tokenizer(letters_model(fuse_unk=False), pre=words)
    yield "model-unk", file, {"fused": flip("model", "fuse_unk"),
                              "none": put("model", "unk_token", None)}
    yield "model-fuse-unk", tokenizer(letters_model(), pre=words), {
        "not fused": flip("model", "fuse_unk")}
    yield "model-no-unk", tokenizer(letters_model(
        unk_token=None, fuse_unk=False), pre=words), {
            "unk": put("model", "unk_token", "<unk>")}
    file = tokenizer(fallback_model(fuse_unk=False))
    yield "model-byte-fallback", file, {
        "not": flip("model", "byte_fallback")}
    model = fallback_model()
    for missing in ("<0xE2>", "<0x80>", "<0x0A>"):
        del model["vocab"][missing]
    yield "model-byte-fallback-holes", tokenizer(model), {
        "not": flip("model", "byte_fallback"),
        "not fused": flip("model", "fuse_unk")}
    yield "model-merges-strings", tokenizer(in_strings(bytes_model(
        continuing_subword_prefix="", end_of_word_suffix="")),
        pre=BYTE_LEVEL, decoder=BYTE_LEVEL), {
            "fewer": drop("model", "merges", 7)}
    yield "model-merges-pairs", tokenizer(letters_model(
        90, continuing_subword_prefix=None, end_of_word_suffix=None,
        ignore_merges=False)), {
        "fewer": drop("model", "merges", 7)}


def in_strings(model):
    return {**model, "merges": [" ".join(m) for m in model["merges"]]}


# --- pipelines of known models --------------------------------------------

CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
QWEN2 = CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}" \
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
LLAMA3 = QWEN2.replace(r"|\p{N}|", r"|\p{N}{1,3}|")
UPPER, LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
O200K = rf"[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]*[{LOWER}]+{CONTRACTIONS}?" \
    rf"|[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]+[{LOWER}]*{CONTRACTIONS}?" \
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def byte_pipeline(expression, normalizer=None, post=None, **options):
    model = bytes_model(120, **options)
    pre = {"type": "Sequence", "pretokenizers":
           [split("Regex", expression), BYTES_ONLY]}
    return tokenizer(model, normalizer, pre, post, BYTE_LEVEL,
                     two_added(model))


def bos(file, content="<s>"):
    """The post-processor that puts one token before the text."""
    number = next((t["id"] for t in file["added_tokens"]
                   if t["content"] == content),
                  file["model"]["vocab"].get(content))
    steps = [{"SpecialToken": {"id": content, "type_id": 0}},
             {"Sequence": {"id": "A", "type_id": 0}}]
    return {"type": "TemplateProcessing", "single": steps,
            "pair": steps + [{"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {content: {"id": content, "ids": [number],
                                         "tokens": [content]}}}


def byte_pipelines():
    gpt2 = {"type": "ByteLevel", "add_prefix_space": False,
            "trim_offsets": True}
    model = in_strings(bytes_model(120))
    yield "like-gpt2", tokenizer(model, None, gpt2, gpt2, gpt2,
                                 two_added(model)), {
        "without": without("pre_tokenizer")}
    expressions = {"qwen2": QWEN2, "llama3": LLAMA3, "o200k": O200K}
    for name, expression in expressions.items():
        nfc = {"type": "NFC"} if name == "qwen2" else None
        file = byte_pipeline(expression, nfc, ignore_merges=name == "llama3")
        if name == "llama3":
            file = put("post_processor", {"type": "Sequence", "processors":
                                          [BYTE_LEVEL, bos(file)]})(file)
        others = [e for e in expressions.values() if e != expression]
        yield "like-" + name, file, {
            f"as other {i}": put("pre_tokenizer", "pretokenizers", 0,
                                 split("Regex", other))
            for i, other in enumerate(others)}
    digits = {"type": "Digits", "individual_digits": True}
    file = byte_pipeline(QWEN2)
    file = put("pre_tokenizer", "pretokenizers", [digits, BYTE_LEVEL])(file)
    yield "like-smollm2", file, {
        f"without step {i}": drop("pre_tokenizer", "pretokenizers", i)
        for i in range(2)}


def sentence_piece_pipelines():
    to_space = replace("String", " ", "\u2581")
    fuse = [{"type": "ByteFallback"}, {"type": "Fuse"}]
    model = fallback_model()
    special = [added(i, t, special=True)
               for i, t in enumerate(["<unk>", "<s>", "</s>"])]
    llama = tokenizer(
        in_strings(model), {"type": "Sequence", "normalizers": [
            {"type": "Prepend", "prepend": "\u2581"}, to_space]},
        decoder=sequence(SPACES, *fuse, strip(" ", 1, 0)), added=special)
    llama["post_processor"] = bos(llama)
    yield "like-llama2", llama, {
        "no prefix": drop("normalizer", "normalizers", 0),
        "no post-processor": without("post_processor"),
        "no strip": drop("decoder", "decoders", 3)}
    mistral = put("normalizer", None)(llama)
    mistral["pre_tokenizer"] = {**METASPACE, "prepend_scheme": "first",
                                "split": False}
    yield "like-mistral", mistral, {"without": without("pre_tokenizer")}
    gemma = tokenizer(model, to_space,
                      split("String", " ", "MergedWithPrevious"),
                      decoder=sequence(SPACES, *fuse), added=special)
    gemma["post_processor"] = bos(gemma)
    yield "like-gemma", gemma, {"no normalizer": without("normalizer"),
                                "no fallback": drop("decoder", "decoders", 1)}
