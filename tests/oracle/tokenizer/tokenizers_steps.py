"""What each step gains that makes m6's tokenizer faster than m0's.

    python3 ../tests/oracle/tokenizer/tokenizers_steps.py [--runs N] [TEXT...]

Runs in the folder of m6-kernels, or of a rung above it.  Beside the program
as it is, five copies are built, each without the last step of the one before
it, a line changed for each.  Each text of tokenizers_bench.py is encoded by
all six, in turn, N times; a figure is the median of the processor time's
ratios, and the last column that of all steps together.  TEXT is one of
tokenizers_bench.py's, by Qwen2.5's tokenizer; or gemma3, which is english by
Gemma 3's.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

import tokenizers_bench
import tokenizers_fetch

BENCH = "build/plain/bench_tokenizer"
FOLDER = pathlib.Path("build/steps")
# A step's name, and the line that takes it out: (file, as it is, without).
STEPS = (
    ("short", "tokenizer/bpe/bpe.c", "if (b->n_symbols > SHORT_WORD)",
     "if (b->n_symbols > 1)"),
    ("cache", "tokenizer/bpe/word_cache.c",
     "if (size == 0 || size > CACHED_SIZE)", "if (c)"),
    ("heap", "tokenizer/bpe/radix_heap.c", "if (number >= h->least)",
     "if (!h)"),
    ("late", "tokenizer/pretokenize.c", "p->n_steps > 0 &&", "false &&"),
    ("cuts", "tokenizer/bpe/word_cuts.c",
     "if (!cuts->model || size <= CACHED_SIZE)", "if (c)"),
)


def make(folder):
    subprocess.run(["make", "-s", BENCH], cwd=folder, check=True)


def change(folder, file, old, new):
    """Replace a line that stands once in a file of a copy."""
    path = folder / file
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"{file}: not once: {old}")
    path.write_text(text.replace(old, new))


def not_wanted(folder, names):
    """Of what is built all but the objects of the program; and tests."""
    if pathlib.Path(folder) == pathlib.Path("build"):
        return [name for name in names if name != "plain"]
    return [name for name in names if name.startswith("test_")]


def copy_without(steps):
    """The benchmark of a copy without these steps; what is built is taken
    along."""
    folder = FOLDER / "-".join(name for name, *_ in steps)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(".", folder, ignore=not_wanted)
    for _, *line in steps:
        change(folder, *line)
    make(folder)
    return str(folder / BENCH)


def build_all():
    """Benchmarks with no step, with one, two, ..., and all of them."""
    make(".")
    return [copy_without(STEPS[i:]) for i in range(len(STEPS))] + [BENCH]


def seconds_of(benches, path, file, runs):
    """[[seconds of each benchmark] of each run]; all find the same ids."""
    rounds = [[tokenizers_bench.measure_rung(bench, path, file)
               for bench in benches] for _ in range(runs)]
    if len({n for row in rounds for _, _, n in row}) != 1:
        sys.exit(f"{file.name}: the numbers of ids differ")
    return [[seconds for _, seconds, _ in row] for row in rounds]


def gains(rounds):
    """Of each step, and of all: the medians of ratios within a run."""
    last = len(STEPS)
    pairs = [*((i, i + 1) for i in range(last)), (0, last)]
    return [statistics.median(row[a] / row[b] for row in rounds)
            for a, b in pairs]


def places_of(name):
    """A tokenizer, and the name of the text that it is to encode."""
    gemma = name == "gemma3"
    path = tokenizers_fetch.fetch("gemma3" if gemma else "qwen2_5")
    if not path:
        sys.exit(f"{name}: its tokenizer could not be had")
    return path, "english" if gemma else name


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("texts", nargs="*",
                        default=["english", "code", "nospace", "gemma3"])
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_intermixed_args()
    benches = build_all()
    names = [name for name, *_ in STEPS] + ["all"]
    print(f"{'text':10}" + "".join(f"{name:>8}" for name in names))
    for text in args.texts:
        path, text_of = places_of(text)
        file = tokenizers_bench.file_of(text_of, path)
        row = gains(seconds_of(benches, path, file, args.runs))
        print(f"{text:10}" + "".join(f"{gain:8.2f}" for gain in row),
              flush=True)


if __name__ == "__main__":
    os.environ.update(TOKENIZERS_PARALLELISM="false")
    main()
