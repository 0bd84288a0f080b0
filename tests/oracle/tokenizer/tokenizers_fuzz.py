"""Compare `rung encode` and `rung decode` with Hugging Face `tokenizers` on
many texts: `make fuzz-tokenizer`.

    build/venv/bin/python tests/oracle/tokenizer/tokenizers_fuzz.py
        [OPTION]... [NAME...]

NAME is a tokenizer: "reading" (tests/models/tiny-chat), or a real one that
tokenizers_fetch.py knows; all of them without one.  For each: every code
point, alone and as "a?b"; random strings of every kind, there and back, with
and without special tokens; random lists of ids; random bytes.  A difference
is made as short as possible, and printed.  The exit status is 1 if there
was any.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import tokenizers
from tokenizers import Tokenizer

import tokenizers_fetch
from tokenizers_texts import wild_text

ROOT = pathlib.Path(__file__).resolve().parents[3]
READING = ROOT / "tests" / "models" / "tiny-chat" / "tokenizer.json"
BATCH = 100_000
SHOWN = 20


def answer_all(command, values):
    """What the program answers to each value; its error ends the list."""
    with tempfile.TemporaryFile() as there, tempfile.TemporaryFile() as back:
        there.writelines(json.dumps(v).encode() + b"\n" for v in values)
        there.seek(0)
        done = subprocess.run(command, stdin=there, stdout=back,
                              stderr=subprocess.PIPE)
        back.seek(0)
        answers = [json.loads(line) for line in back]
    if done.returncode or len(answers) != len(values):
        answers.append(f"exit status {done.returncode}: "
                       f"{done.stderr.decode(errors='replace').strip()}")
    return answers


class Both:
    """One question, asked of both: `kind` is encode or decode; `model` is
    what our program reads in place of the tokenizer.json at `path`."""

    def __init__(self, args, path, kind, special, model=None):
        self.special = special
        self.kind = kind
        self.tokenizer = Tokenizer.from_file(str(path))
        self.command = [args.rung, kind, "--jsonl", "-m", str(model or path)]
        self.command += [] if special else ["--no-special"]
        self.child = None

    def expected(self, values):
        if self.kind == "encode":
            return [e.ids for e in self.tokenizer.encode_batch_fast(
                values, add_special_tokens=self.special)]
        return self.tokenizer.decode_batch(
            values, skip_special_tokens=not self.special)

    def differs(self, value):
        """Whether one value is answered otherwise (used to shorten it)."""
        if self.child is None or self.child.poll() is not None:
            self.child = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL)
        try:
            self.child.stdin.write(json.dumps(value).encode() + b"\n")
            self.child.stdin.flush()
            found = self.child.stdout.readline()
        except BrokenPipeError:
            found = b""
        return not found or json.loads(found) != self.expected([value])[0]

    def close(self):
        if self.child:
            self.child.stdin.close()
            self.child.wait()
            self.child.stdout.close()
            self.child = None


def shortest(differs, value):
    """Take parts out of a text or a list for as long as it still differs."""
    size = max(len(value) // 2, 1)
    while size:
        at, before = 0, len(value)
        while at < len(value):
            shorter = value[:at] + value[at + size:]
            if differs(shorter):
                value = shorter
            else:
                at += size
        if len(value) == before or size > 1:
            size //= 2
    return value


class Report:
    def __init__(self):
        self.checked = self.wrong = 0
        self.seen = set()

    def add(self, label, question, value):
        """Count a difference, and print it in its shortest form, once."""
        self.wrong += 1
        if len(self.seen) >= SHOWN:
            return
        value = shortest(question.differs, value)
        if repr(value) in self.seen:
            return
        self.seen.add(repr(value))
        found = answer_all(question.command, [value])[0]
        print(f"  {label}: {question.kind} of {ascii(value)}\n"
              f"    expected {ascii(question.expected([value])[0])}\n"
              f"    found    {ascii(found)}", flush=True)


def compare(report, label, question, values):
    """Ask both about all values, in batches."""
    for start in range(0, len(values), BATCH):
        batch = values[start:start + BATCH]
        found = answer_all(question.command, batch)
        expected = question.expected(batch)
        report.checked += len(batch)
        for i, (f, e) in enumerate(zip(found, expected)):
            if f != e:
                report.add(label, question, batch[i])
            if isinstance(f, str) and f.startswith("exit status"):
                break
    question.close()


# --- what is compared -----------------------------------------------------

def code_points(form):
    return [form.replace("?", chr(code)) for code in range(0x110000)
            if not 0xd800 <= code <= 0xdfff]


def random_texts(rng, count, tokenizer):
    own = [t.content for t in
           list(tokenizer.get_added_tokens_decoder().values())[:400]]
    return [wild_text(rng, rng.choice((8, 24, 80)), own)
            for _ in range(count)]


def random_ids(rng, count, tokenizer):
    every = list(tokenizer.get_vocab().values())
    return [rng.choices(every, k=rng.randrange(1, 12)) for _ in range(count)]


def random_bytes(rng):
    """Bytes that are mostly not UTF-8: leads, tails and edges of ranges."""
    edges = b"a\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed" \
        b"\xee\xef\xf0\xf1\xf3\xf4\xf5\xff"
    pieces = []
    for _ in range(rng.randrange(1, 2000)):
        kind = rng.random()
        if kind < 0.4:
            pieces.append(bytes(rng.choices(edges, k=rng.randrange(1, 6))))
        elif kind < 0.6:
            pieces.append(rng.randbytes(rng.randrange(1, 5)))
        else:
            whole = chr(rng.choice((0x41, 0xe9, 0x65e5, 0x1f600))).encode()
            pieces.append(whole[:rng.randrange(1, len(whole) + 1)])
    return b"".join(pieces)


def encode_bytes(args, path, data):
    done = subprocess.run([args.rung, "encode", "--json", "-m", str(path)],
                          input=data, capture_output=True)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr


def compare_bytes(args, report, path, tokenizer, rng):
    """Standard input as Python's decode("utf-8", "replace") reads it."""
    def differs(data):
        text = data.decode("utf-8", "replace")
        return encode_bytes(args, path, data) != tokenizer.encode(text).ids

    for _ in range(args.bytes):
        data = random_bytes(rng)
        report.checked += 1
        if differs(data):
            report.wrong += 1
            print("  bytes:", shortest(differs, data))


def fuzz(args, name, path, model=None):
    report, rng = Report(), random.Random(f"{args.seed} {name}")
    started = time.monotonic()
    with_special = Both(args, path, "encode", True, model)
    without = Both(args, path, "encode", False, model)
    tokenizer = without.tokenizer
    if not args.no_points:
        for form in ("?", "a?b"):
            compare(report, f"code point {form}", without, code_points(form))
    texts = random_texts(rng, args.count, tokenizer)
    compare(report, "random text", with_special, texts)
    compare(report, "random text", without, texts)
    lists = without.expected(texts) + random_ids(rng, args.count, tokenizer)
    for special in (True, False):
        compare(report, "ids", Both(args, path, "decode", special, model),
                lists)
    if name == "reading":
        compare_bytes(args, report, path, tokenizer, rng)
    print(f"{name}: {report.checked} compared, {report.wrong} differ "
          f"({time.monotonic() - started:.0f} s, seed {args.seed})",
          flush=True)
    return report.wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rung", default=str(ROOT / "m0-tokenizer" / "rung"))
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--bytes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-points", action="store_true",
                        help="leave the single code points out")
    args = parser.parse_intermixed_args()
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    print(f"tokenizers {tokenizers.__version__}, seed {args.seed}")
    wrong = 0
    for name in args.names or ["reading", *tokenizers_fetch.PACKAGES]:
        path = READING if name == "reading" else tokenizers_fetch.fetch(name)
        if path:
            wrong += fuzz(args, name, path)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
