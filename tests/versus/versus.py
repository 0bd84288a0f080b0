"""Measures this program beside llama.cpp and ik_llama.cpp.

usage: versus.py [OPTION]...

  --rung FILE      the program (else m6-kernels/rung)
  --folder FOLDER  where the models and the packages are (else build/versus)
  --shapes A,B     else smollm2-135m,qwen2.5-0.5b
  --formats A,B    else q4_0,q8_0
  --engines A,B    else llama,ik: those that are installed
  --cases FILTER   only cases whose name begins so
  --threads N      else 2
  --rounds N       else 5
  --worked         divide by the time that the processor worked, instead of by
                   the time that passed; for one thread on a busy machine
  --json FILE      where the numbers go (else versus.json in the folder)

All engines open the same GGUF file, each in a process of its own, and are asked
for one case after the other, each case of all engines in turn, round by round:
so what slows the machine for a while slows all alike.  A speed is that of the
tokens by which T(all) and T(fewest) differ; printed are medians of rounds, and
the median of the ratios that the rounds have, with the quarters around it.
"""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LONGEST = 4096 + 128

CASES = {
    "prefill 512": {"tokens": 512},
    "decode 64": {"tokens": 64, "batch": 1},
    "decode 64 at 4096": {"tokens": 64, "batch": 1, "depth": 4096},
    "batches of 4": {"tokens": 64, "batch": 4},
    "batches of 8": {"tokens": 64, "batch": 8},
    "batches of 16": {"tokens": 64, "batch": 16},
}
NAMES = {"rung": "rung", "llama": "llama.cpp", "ik": "ik_llama.cpp"}


class Engine:
    """A process that measures."""

    def __init__(self, name, words):
        self.name = name
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.opened = self.answer()

    def answer(self):
        """The next line that it prints."""
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name} ended: {self.process.args}")
        return json.loads(line)

    def measure(self, case):
        """{"whole", "least", ...} of a case."""
        self.process.stdin.write(json.dumps(case) + "\n")
        self.process.stdin.flush()
        return self.answer()

    def resident(self):
        """Bytes of memory that it has."""
        text = pathlib.Path(f"/proc/{self.process.pid}/statm").read_text()
        return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def close(self):
        """End it: its input ends."""
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def words_of(engine, options, path):
    """The command that starts an engine."""
    if engine == "rung":
        return [options.rung, "bench", "--jsonl", "-m", str(path), "--cache",
                "f16", "-n", str(LONGEST), "--threads", str(options.threads)]
    python = options.folder / "venv/bin/python"
    return [str(python), str(HERE / "engine_llama.py"), engine, str(path),
            str(options.threads), str(LONGEST)]


def weight_bytes(path):
    """Bytes of a model's file, which has next to nothing but weights."""
    return path.stat().st_size


def speed(answer, case, worked):
    """Tokens a second, by the two points."""
    prefix = "worked_" if worked else ""
    least = case.get("batch", 0) or 1
    seconds = answer[prefix + "whole"] - answer[prefix + "least"]
    return (case["tokens"] - least) / seconds


def measure_start(options, path, name):
    """Seconds from an engine's start to a first token, and its memory above
    the weights when it has read 512 tokens.  A case's "least" is measured
    before its "whole": it is the first token, which may have to fetch what it
    multiplies with."""
    engine = Engine(name, words_of(name, options, path))
    first = engine.measure({"tokens": 1, "batch": 1})
    engine.measure({"tokens": 512})
    above = (engine.resident() - weight_bytes(path)
             - engine.opened.get("resident_before", 0))
    engine.close()
    return {"first token": engine.opened["opening"] + first["least"],
            "memory": above}


def measure_start_twice(options, path, name):
    """What measure_start finds the second time; and under "first start" the
    seconds of the first.  A virtual machine may have given memory that was
    free for some seconds back to its host, and has to wait until it gets
    memory again; what the first start had is still there for the second."""
    first = measure_start(options, path, name)["first token"]
    return measure_start(options, path, name) | {"first start": first}


def kept_file(path):
    """The model again, in a folder where a packed copy stands beside it."""
    kept = path.parent / "kept" / path.name
    kept.parent.mkdir(exist_ok=True)
    if not kept.exists():
        os.link(path, kept)
    return kept


def measure_kept(options, path):
    """Seconds from rung's start to a first token, with --keep-packed: the
    first time it writes the copy, then it maps it."""
    engine = Engine("rung", words_of("rung", options, kept_file(path))
                    + ["--keep-packed"])
    first = engine.measure({"tokens": 1, "batch": 1})
    engine.close()
    return engine.opened["opening"] + first["least"]


def measure_starts(options, path, engines):
    """Of each round {engine: what measure_start_twice finds}; and of rung,
    under "kept", how long it takes with a packed copy."""
    measure_kept(options, path)
    starts = []
    for _ in range(options.rounds):
        starts.append({name: measure_start_twice(options, path, name)
                       for name in engines})
        starts[-1]["rung"]["kept"] = measure_kept(options, path)
    return starts


def measure_rounds(options, path, engines, cases):
    """{case: {engine: [tokens a second, round by round]}}."""
    running = [Engine(name, words_of(name, options, path)) for name in engines]
    speeds = {name: {engine: [] for engine in engines} for name in cases}
    for number in range(options.rounds + 1):
        for name, case in cases.items():
            for engine in running:
                answer = engine.measure(case)
                if number > 0:
                    speeds[name][engine.name].append(
                        speed(answer, case, options.worked))
        print(f"  round {number} of {options.rounds}", file=sys.stderr)
    for engine in running:
        engine.close()
    return speeds


def quarters(numbers):
    """(lower quarter, median, upper quarter)."""
    ordered = sorted(numbers)
    n = len(ordered)
    return ordered[n // 4], statistics.median(ordered), ordered[n * 3 // 4]


def ratios(mine, theirs):
    """The quarters of the ratios, round by round."""
    return quarters([a / b for a, b in zip(mine, theirs)])


def row(name, by_engine, digits=1, scale=1.0, less_is_better=False):
    """A line of the table, as a list of texts."""
    cells = [name]
    for engine, numbers in by_engine.items():
        cells.append(f"{statistics.median(numbers) * scale:.{digits}f}")
    mine = by_engine["rung"]
    for engine, theirs in by_engine.items():
        if engine == "rung":
            continue
        pair = (theirs, mine) if less_is_better else (mine, theirs)
        low, middle, high = ratios(*pair)
        cells.append(f"{middle:.2f} ({low:.2f}–{high:.2f})")
    return cells


def print_table(heading, rows):
    """As Markdown has tables."""
    print("| " + " | ".join(heading) + " |")
    print("|" + "---|" * len(heading))
    for cells in rows:
        print("| " + " | ".join(cells) + " |")
    print()


def print_model(name, engines, speeds, starts):
    """All that was measured of a model."""
    heading = [name] + [NAMES[e] for e in engines]
    heading += [f"ratio to {NAMES[e]}" for e in engines if e != "rung"]
    rows = [row(case, by_engine) for case, by_engine in speeds.items()]
    if starts:
        first = {e: [s[e]["first token"] for s in starts] for e in engines}
        rows.append(row("load to first token, second start, s", first, 3, 1,
                        True))
        start = {e: [s[e]["first start"] for s in starts] for e in engines}
        rows.append(row("the same, first start", start, 3, 1, True))
        kept = first | {"rung": [s["rung"]["kept"] for s in starts]}
        rows.append(row("the same, a packed copy kept", kept, 3, 1, True))
        memory = {e: [s[e]["memory"] for s in starts] for e in engines}
        cells = ["memory above the weights, MB"]
        cells += [f"{statistics.median(memory[e]) / 1e6:.0f}" for e in engines]
        rows.append(cells + [""] * (len(engines) - 1))
    print_table(heading, rows)
    sys.stdout.flush()


def machine():
    """What it was measured on."""
    model = platform.processor()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
    return {"date": time.strftime("%Y-%m-%d"), "processor": model,
            "cores": os.cpu_count(), "load": os.getloadavg()[0]}


def model_file(options, shape, kind):
    """The file of a model, which is written where it is not there."""
    path = options.folder / "models" / f"{shape}-{kind}.gguf"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        python = options.folder / "venv/bin/python"
        part = path.with_suffix(".part")
        subprocess.run([str(python), str(HERE / "write_model.py"), shape, kind,
                        str(part)], check=True)
        part.rename(path)
    return path


def read_options():
    """The command line."""
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--rung", default=str(ROOT / "m6-kernels/rung"))
    parser.add_argument("--folder", type=pathlib.Path,
                        default=ROOT / "build/versus")
    parser.add_argument("--shapes", default="smollm2-135m,qwen2.5-0.5b")
    parser.add_argument("--formats", default="q4_0,q8_0")
    parser.add_argument("--engines", default="llama,ik")
    parser.add_argument("--cases", default="")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--worked", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    return parser.parse_args()


def measure_model(options, shape, kind, engines):
    """Measure one model, print it, and return all of it."""
    path = model_file(options, shape, kind)
    cases = {name: case for name, case in CASES.items()
             if name.startswith(options.cases)}
    starts = [] if options.cases else measure_starts(options, path, engines)
    speeds = measure_rounds(options, path, engines, cases)
    print_model(f"{shape} {kind.upper()}", engines, speeds, starts)
    return {"shape": shape, "format": kind, "speeds": speeds, "starts": starts}


def main():
    """Measure all models."""
    options = read_options()
    engines = ["rung"] + options.engines.split(",")
    result = machine() | {"threads": options.threads,
                          "rounds": options.rounds,
                          "worked": options.worked, "models": []}
    print(f"{result['date']}, {result['processor']}, {options.threads} "
          f"threads, load {result['load']:.1f} when it began\n")
    for shape in options.shapes.split(","):
        for kind in options.formats.split(","):
            result["models"].append(
                measure_model(options, shape, kind, engines))
    result["load at the end"] = os.getloadavg()[0]
    path = options.json or options.folder / "versus.json"
    path.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
