"""Make tests/tokenizers/: small tokenizers and what they must answer.

    build/venv/bin/python tests/oracle/tokenizer/tokenizers_goldens.py
        [--check]

Each NAME.json is a tokenizer.json; NAME.golden holds the answers of Hugging
Face `tokenizers` (the pinned version): which ids each of 200 texts has, and
which text some lists of ids have.  texts.json is the list of texts that all
of them share.  A text is chosen for a tokenizer when a change to the
tokenizer (see tokenizers_specs.py) changes its ids; a change that no text
notices is an error.  --check only compares with the files there.
"""
import json
import pathlib
import random
import sys

import tokenizers
from tokenizers import Tokenizer

import tokenizers_more as more
import tokenizers_parts as parts
from tokenizers_texts import all_texts, wild_text

TESTS = pathlib.Path(__file__).resolve().parents[2]
FOLDER = TESTS / "tokenizers"
TEXTS = all_texts()
PER_TOKENIZER = 200
PER_CHANGE = 12
ALL = [parts.normalizers, parts.splits, parts.regexes, parts.byte_levels,
       parts.plain_pre_tokenizers, parts.metaspaces,
       parts.metaspaces_at_the_start, parts.sequences,
       parts.post_processors, more.decoders, more.decoder_added,
       more.added_flags, more.added_others, more.models, more.byte_pipelines,
       more.sentence_piece_pipelines]


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def load(file):
    return Tokenizer.from_str(json.dumps(file))


def decoded(tokenizer, ids):
    """The text of ids, with special tokens and without; None where the
    library itself fails (its Strip panics on an empty token)."""
    try:
        return [tokenizer.decode(ids, skip_special_tokens=skip)
                for skip in (False, True)]
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        return None


def answers(tokenizer, text):
    """All that a golden says of a text: ids, ids with special, texts back."""
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    special = tokenizer.encode(text).ids
    return ids, special, decoded(tokenizer, special)


def choose(name, file, changes):
    """The numbers of the texts to keep: first those that a change alters,
    then any, the short ones rather than the long."""
    tokenizer = load(file)
    before = [answers(tokenizer, text) for text in TEXTS]
    chosen = {}
    for label, change in changes.items():
        other = load(change(file))
        seen = [i for i, text in enumerate(TEXTS)
                if answers(other, text) != before[i]]
        if not seen:
            raise SystemExit(f"{name}: nothing notices the change: {label}")
        chosen.update(dict.fromkeys(seen[:PER_CHANGE]))
    rng = random.Random(name)
    rest = sorted((i for i in range(len(TEXTS)) if i not in chosen),
                  key=lambda i: rng.random() * (4 + len(TEXTS[i])))
    return sorted([*chosen, *rest][:PER_TOKENIZER])


def id_lists(name, tokenizer, count):
    """Lists of random ids, which no text would give; every kind occurs."""
    rng = random.Random("ids of " + name)
    every = sorted(tokenizer.get_vocab().values())
    added = sorted(tokenizer.get_added_tokens_decoder())
    for _ in range(count):
        ids = rng.choices(every, k=rng.randrange(1, 9))
        if added and rng.random() < 0.4:
            ids.insert(rng.randrange(len(ids) + 1), rng.choice(added))
        yield ids


def encode_goldens(tokenizer, numbers):
    """Lines [text, ids], or [text, ids, ids with special] where they differ;
    the text is its number in texts.json, or is there itself."""
    for i in numbers:
        text = TEXTS[i] if isinstance(i, int) else i
        ids, special, _ = answers(tokenizer, text)
        yield [i, ids] + ([special] if special != ids else [])


def decode_goldens(tokenizer, lists):
    """Lines [ids, text], or [ids, text, text without special]."""
    for ids in dict.fromkeys(map(tuple, lists)):
        texts = decoded(tokenizer, ids)
        if texts:
            kept, plain = texts
            yield [ids, kept] + ([plain] if plain != kept else [])


def golden(name, tokenizer, numbers):
    """What the tokenizer answers.  One that has a decoder of its own is
    asked for more texts; all are asked for those of random ids."""
    encode = list(encode_goldens(tokenizer, numbers))
    own = name.startswith(("decoder", "like"))
    lists = list(id_lists(name, tokenizer, 40 if own else 8))
    lists += [line[-1] for line in encode
              if len(line[-1]) < 30][::4 if own else 20]
    return {"made with": "tokenizers " + tokenizers.__version__,
            "encode": encode,
            "decode": list(decode_goldens(tokenizer, lists))}


def as_lines(record):
    """JSON with one answer a line."""
    fields = []
    for key, value in record.items():
        if isinstance(value, list):
            inner = ",\n".join(map(compact, value))
            fields.append(f"{compact(key)}:[\n{inner}\n]")
        else:
            fields.append(f"{compact(key)}:{compact(value)}")
    return "{" + ",\n".join(fields) + "}\n"


def reading_texts():
    """Random strings for the reading models' own tokenizer."""
    rng = random.Random("the reading tokenizer")
    return [wild_text(rng) for _ in range(190)]


def records():
    """Yield (file name, its content) of the whole folder."""
    yield "texts.json", "[\n" + ",\n".join(map(compact, TEXTS)) + "\n]\n"
    for group in ALL:
        for name, file, changes in group():
            numbers = choose(name, file, changes)
            yield name + ".json", compact(file) + "\n"
            yield name + ".golden", as_lines(golden(name, load(file), numbers))
    for model in ("tiny-chat", "tiny-embed"):
        path = TESTS / "models" / model / "tokenizer.json"
        tokenizer = Tokenizer.from_file(str(path))
        texts = reading_texts()[:190 if model == "tiny-chat" else 30]
        record = golden("like " + model, tokenizer, texts)
        yield model + ".golden", as_lines({"tokenizer":
                                           f"models/{model}", **record})


def main():
    check = "--check" in sys.argv
    FOLDER.mkdir(exist_ok=True)
    made, differ = {}, []
    for name, text in records():
        made[name] = text.encode()
        if check and (FOLDER / name).read_bytes() != made[name]:
            differ.append(name)
        if not check:
            (FOLDER / name).write_bytes(made[name])
    differ += [p.name for p in FOLDER.iterdir() if p.name not in made]
    print(f"{len(made)} files, {sum(map(len, made.values()))} bytes; "
          f"{len(differ)} differ or should not be there {differ or ''}")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
