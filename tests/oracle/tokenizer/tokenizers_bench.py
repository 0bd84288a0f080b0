"""How fast `rung` encodes, beside Hugging Face `tokenizers`: `make bench`.

    python3 tests/oracle/tokenizer/tokenizers_bench.py BENCH
        [--runs N] [TEXT...]

BENCH is the program built from a rung's bench_tokenizer.c.  Each text is
encoded N times by each, in turns, each time with an empty cache of words,
one thread, ids only; what counts is the median of the processor time.  The
tokenizer is Qwen2.5's (tokenizers_fetch.py), else the reading one.  Texts:

    english  8 MB of distinct stories from tests/models/train/data
    code     8 MB: this tree's C, then Python's standard library
    chinese  8 MB made of the tokenizer's own Chinese words, at random, a word
             as likely as one over its rank; punctuation in between.  Not
             prose, but its words are as long and as rare as those of prose
    letter, nospace, emoji, spaces
             10 MB each: one letter; random letters; random emoji; one space
"""
import argparse
import importlib.util
import itertools
import json
import lzma
import os
import pathlib
import random
import statistics
import subprocess
import sys
import sysconfig
import time

import tokenizers_fetch

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / "build" / "bench"
READING = ROOT / "tests" / "models" / "tiny-chat" / "tokenizer.json"
STORIES = ROOT / "tests" / "models" / "train" / "data" / "stories.txt.xz"
VENV = ROOT / "build" / "venv" / "bin" / "python"
MB = 1_000_000
EMOJI = "\U0001f600\U0001f680\U0001f34e\U0001f9e0\u2615\U0001f468\u200d" \
    "\U0001f469\u200d\U0001f467\U0001f44d\U0001f3fd\U0001f1eb\U0001f1f7"


# --- texts ----------------------------------------------------------------

def cut(text, size=8 * MB):
    """The first `size` bytes, without the character they break."""
    return text.encode()[:size].decode("utf-8", "ignore")


def english(_):
    return cut(lzma.decompress(STORIES.read_bytes()).decode())


def code(_):
    library = pathlib.Path(sysconfig.get_paths()["stdlib"])
    files = sorted(ROOT.glob("m*/*.[ch]")) + sorted(library.glob("**/*.py"))
    kept, size = [], 0
    for path in files:
        if "site-packages" not in path.parts and size < 8 * MB:
            kept.append(path.read_text(errors="replace"))
            size += len(kept[-1].encode())
    return cut("".join(kept))


def chinese_words(path):
    """A tokenizer's words of Chinese characters, as their ids order them."""
    from tokenizers import Tokenizer
    tokenizer = Tokenizer.from_file(str(path))
    ids = range(tokenizer.get_vocab_size())
    words = tokenizer.decode_batch([[i] for i in ids])
    words = [w for w in words if w and all("\u4e00" <= c < "\ua000"
                                           for c in w)]
    common = bytes(itertools.chain(*itertools.product(
        range(0xb0, 0xd8), range(0xa1, 0xff)))).decode("gb2312", "ignore")
    return words if len(words) > 1000 else list(common)


def chinese(path):
    words = chinese_words(path)
    rng = random.Random("chinese")
    weights = [1 / (rank + 10) for rank in range(len(words))]
    drawn = rng.choices(words, weights, k=2 * MB)
    marks = iter(rng.choices("\uff0c\uff0c\uff0c\u3002\u3001\n", k=MB))
    return cut("".join(word + (next(marks) if i % 7 == 6 else "")
                       for i, word in enumerate(drawn)))


def letters(_):
    rng = random.Random("letters")
    return "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=10 * MB))


def emoji(_):
    rng = random.Random("emoji")
    return cut("".join(rng.choices(EMOJI, k=3 * MB)), 10 * MB)


TEXTS = {"english": english, "code": code, "chinese": chinese,
         "letter": lambda _: "a" * (10 * MB), "nospace": letters,
         "emoji": emoji, "spaces": lambda _: " " * (10 * MB)}


def file_of(name, path):
    """The file of a text, made when it is not there yet."""
    file = FOLDER / f"{path.parent.name}-{name}.txt"
    if not file.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        file.write_bytes(TEXTS[name](path).encode())
    return file


# --- measuring ------------------------------------------------------------

class Library:
    """Hugging Face `tokenizers`; an absent one measures nothing."""

    def __init__(self, path):
        try:
            from tokenizers import Tokenizer, __version__
        except ImportError:
            print("SKIPPED the library: tokenizers is not installed "
                  "(tests/oracle/requirements.txt)")
            self.tokenizer, self.load = None, None
            return
        start = time.process_time()
        self.tokenizer = Tokenizer.from_file(str(path))
        self.load = time.process_time() - start
        print(f"tokenizers {__version__}")

    def measure(self, file):
        """(seconds, ids) of one encoding, from an empty cache; None when the
        library is not there, or fails."""
        if not self.tokenizer:
            return None
        self.tokenizer.model._clear_cache()
        text = file.read_bytes().decode()
        start = time.process_time()
        try:
            ids = self.tokenizer.encode_batch_fast([text])[0].ids
        except BaseException as error:  # its regex gives up on 10 MB of spaces
            if type(error).__name__ != "PanicException":
                raise
            return None
        return time.process_time() - start, len(ids)


def measure_rung(bench, path, file):
    """(seconds to load, seconds to encode, ids)."""
    out = subprocess.run([bench, str(path), str(file)], check=True,
                         capture_output=True, text=True).stdout
    return tuple(json.loads(out))


def median_of(library, bench, path, file, runs):
    ours, theirs, load, counts = [], [], [], set()
    for _ in range(runs):
        loaded, seconds, n = measure_rung(bench, path, file)
        load.append(loaded)
        ours.append(seconds)
        counts.add(n)
        its = library.measure(file)
        if its:
            theirs.append(its[0])
            counts.add(its[1])
    if len(counts) != 1:
        print(f"{file.name}: the numbers of ids differ: {sorted(counts)}")
    return (statistics.median(ours), statistics.median(theirs or [0]),
            statistics.median(load))


def report(args, path):
    library = Library(path)
    print(f"{path.parent.name}: processor time, one thread, median of "
          f"{args.runs}\n\n{'text':10}{'MB':>6}{'rung MB/s':>12}"
          f"{'library MB/s':>14}{'ratio':>8}")
    for name in args.texts or TEXTS:
        file = file_of(name, path)
        size = file.stat().st_size / MB
        ours, theirs, load = median_of(library, args.bench, path, file,
                                       args.runs)
        row = f"{name:10}{size:6.1f}{size / ours:12.1f}"
        if theirs:
            row += f"{size / theirs:14.1f}{theirs / ours:8.2f}"
        elif library.tokenizer:
            row += f"{'fails':>14}"
        print(row, flush=True)
    print(f"\nloading: rung {load:.2f} s" +
          (f", library {library.load:.2f} s" if library.load else ""))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("texts", nargs="*")
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_intermixed_args()
    report(args, tokenizers_fetch.fetch("qwen2_5") or READING)


def find_library():
    """Start again with the oracles' own Python where this one lacks them."""
    missing = importlib.util.find_spec("tokenizers") is None
    if missing and VENV.exists() and pathlib.Path(sys.executable) != VENV:
        os.execv(VENV, [str(VENV), *sys.argv])


if __name__ == "__main__":
    os.environ.update(TOKENIZERS_PARALLELISM="false", RAYON_NUM_THREADS="1",
                      RUST_BACKTRACE="0")
    find_library()
    main()
