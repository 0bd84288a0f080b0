"""Make tests/gguf/sentencepiece-*.gguf and sentencepiece.json: two tokenizers
of SentencePiece as GGUF files, and the ids that SentencePiece itself gives to
random texts.

    python gguf_sentencepiece.py                  makes the files
    python gguf_sentencepiece.py check PROGRAM    asks ./rung about 100,000 more

The oracle is the package sentencepiece of PyPI, 0.2.3, which also trains the
tokenizers: "plain" like Gemma's, no space before a text, with pieces that
users added; "prefix" like Llama 2's, with a space there, and without such
pieces, since transformers puts a space behind each of them, too, where
SentencePiece does not.  Both spell in bytes what they have no piece for.  No
text has the sign for a space in it: beside a space, SentencePiece finds added
pieces of signs there, transformers does not.
"""
import io
import json
import pathlib
import random
import subprocess
import sys

import gguf
import sentencepiece

TESTS = pathlib.Path(__file__).resolve().parents[2]
OUT = TESTS / "gguf"
ADDED = ["<|user|>", "\n", "\n\n", "▁▁", "▁▁▁▁", "<a>", "tea"]
TEXTS, MORE = 700, 100_000
NORMAL, UNKNOWN, CONTROL, USER, UNUSED, BYTE = range(1, 7)


def train(prefix, added):
    """A tokenizer of 600 pieces, from the stories of the reading model."""
    model = io.BytesIO()
    stories = (TESTS / "models" / "goldens" / "heldout.txt").read_text()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(stories.split("\n")), model_writer=model,
        vocab_size=600, model_type="bpe", byte_fallback=True,
        normalization_rule_name="identity", remove_extra_whitespaces=False,
        add_dummy_prefix=prefix, user_defined_symbols=added,
        num_threads=1, minloglevel=2)
    return sentencepiece.SentencePieceProcessor(
        model_proto=model.getvalue())


def type_of(oracle, i):
    for is_so, kind in ((oracle.IsUnknown, UNKNOWN), (oracle.IsByte, BYTE),
                        (oracle.IsControl, CONTROL), (oracle.IsUnused, UNUSED)):
        if is_so(i):
            return kind
    return USER if oracle.IdToPiece(i) in ADDED else NORMAL


def spelled(oracle, i):
    """llama.cpp's converter writes pieces that users added with spaces."""
    piece = oracle.IdToPiece(i)
    return piece.replace("▁", " ") if type_of(oracle, i) == USER else piece


def write(oracle, name, prefix):
    ids = range(oracle.GetPieceSize())
    writer = gguf.GGUFWriter(OUT / f"sentencepiece-{name}.gguf", "llama")
    writer.add_tokenizer_model("llama")
    writer.add_token_list([spelled(oracle, i) for i in ids])
    writer.add_token_scores([oracle.GetScore(i) for i in ids])
    writer.add_token_types([type_of(oracle, i) for i in ids])
    writer.add_bos_token_id(oracle.bos_id())
    writer.add_eos_token_id(oracle.eos_id())
    writer.add_unk_token_id(oracle.unk_id())
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(prefix)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def random_text(dice, oracle):
    """Pieces, spaces, bytes of other alphabets, what users added."""
    odd = [" ", "  ", "   ", "\n", "\n\n", "\t", "é", "日本", "🙂", "tea",
           "<|user|>", "<a>", "<s>", "e", "T", "\u0301", "1", "."]
    parts = []
    for _ in range(dice.randrange(1, 9)):
        piece = oracle.IdToPiece(dice.randrange(oracle.GetPieceSize()))
        parts.append(dice.choice(odd) if dice.random() < .5
                     else piece.replace("▁", " "))
    return "".join(parts)


def makers():
    """Name, oracle and whether a text begins with a space."""
    yield "plain", train(False, ADDED), False
    yield "prefix", train(True, []), True


def pairs(name, oracle, n):
    """Texts and their ids; control tokens in a text are left out, since
    SentencePiece does not look for them."""
    dice = random.Random(f"sentencepiece {name} {n}")
    while n:
        text = random_text(dice, oracle)
        if not any(token in text for token in ("<s>", "</s>", "<unk>")):
            n -= 1
            yield text, [oracle.bos_id(), *oracle.encode(text)]


def check(program):
    wrong = 0
    for name, oracle, _ in makers():
        asked = list(pairs(name, oracle, MORE))
        lines = "".join(json.dumps(text) + "\n" for text, _ in asked)
        answers = subprocess.run(
            [program, "encode", "--jsonl", "-m",
             str(OUT / f"sentencepiece-{name}.gguf")], input=lines,
            capture_output=True, text=True, check=True).stdout.splitlines()
        for (text, ids), answer in zip(asked, answers, strict=True):
            if json.loads(answer) != ids:
                wrong += 1
                if wrong < 10:
                    print(f"{name}: {text!r}: {answer}, not {ids}")
        print(f"{name}: {len(asked)} compared")
    print(f"{wrong} differ")
    return wrong > 0


def make():
    said = {"sentencepiece": sentencepiece.__version__}
    for name, oracle, prefix in makers():
        write(oracle, name, prefix)
        said[name] = list(pairs(name, oracle, TEXTS))
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    (OUT / "sentencepiece.json").write_text(
        text.replace("],[\"", "],\n[\"") + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        sys.exit(check(sys.argv[2]))
    make()
