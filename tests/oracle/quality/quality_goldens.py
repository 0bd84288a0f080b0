"""Make m5-quant/golden/quality.json: what rows of logits say, how percentiles
lie, and how texts are cut into windows.

    python tests/oracle/quality/quality_goldens.py           writes the file
    python tests/oracle/quality/quality_goldens.py --check   compares only

The oracles: scipy.special (logsumexp, rel_entr) for surprise and divergence,
in 64 bits; numpy.percentile; and for the windows the loop of Hugging Face's
page "Perplexity of fixed-length models", which is written here from its
description.  The versions stand in the file.
"""
import argparse
import json
import pathlib

import numpy
import scipy
from scipy.special import logsumexp, rel_entr

ROOT = pathlib.Path(__file__).resolve().parents[3]
FILE = ROOT / "m5-quant" / "golden" / "quality.json"


def floats(row):
    """The row as 32-bit floats, which JSON holds exactly."""
    return [float(each) for each in numpy.float32(row)]


def pair(name, p, q):
    """What two rows of logits say, of a token and of each other."""
    p, q = (numpy.array(floats(each), numpy.float64) for each in (p, q))
    probabilities = [numpy.exp(each - logsumexp(each)) for each in (p, q)]
    return {"name": name, "p": p.tolist(), "q": q.tolist(),
            "surprise_p": (logsumexp(p) - p).tolist(),
            "surprise_q": (logsumexp(q) - q).tolist(),
            "kl": float(rel_entr(*probabilities).sum()),
            "kl_back": float(rel_entr(*probabilities[::-1]).sum()),
            "logit_error": float(numpy.abs(p - q).max())}


def pairs():
    """Rows that agree, differ little, differ much, and are extreme."""
    dice = numpy.random.default_rng(14)
    yield pair("one token", [3.0], [-2.0])
    yield pair("two tokens", [0.0, 1.0], [1.0, 0.0])
    yield pair("a constant added", [1, 2, 3, 4], [11, 12, 13, 14])
    yield pair("far apart", [0, 80, -80], [80, 0, -80])
    yield pair("large logits", [1000, 999, -1000], [990, 1000, -1000])
    for n, noise in [(7, 0.1), (8, 1.0), (9, 5.0), (100, 0.3)]:
        row = dice.normal(0, 4, n)
        yield pair(f"{n} tokens, noise {noise}", row,
                   row + dice.normal(0, noise, n))


def percentiles():
    """Sorted values, and what shares of them do not exceed."""
    dice = numpy.random.default_rng(15)
    shares = [0, 0.25, 0.5, 0.9, 0.99, 1]
    for n in [1, 2, 3, 10, 101, 250]:
        values = sorted(dice.exponential(1, n).tolist())
        found = numpy.percentile(values, [100 * each for each in shares])
        yield {"values": values, "shares": shares,
               "percentiles": found.tolist()}


def windows(n, size, stride):
    """[begin, end, first scored] of each window; the labels of a window are
    shifted by one, so that its first token never is one."""
    found, end = [], 0
    for begin in range(0, n, stride):
        before, end = end, min(begin + size, n)
        found.append([begin, end, max(before, begin + 1)])
        if end == n:
            break
    return {"tokens": n, "size": size, "stride": stride, "windows": found}


def cuts():
    """Texts shorter than a window, as long, longer by one, and long."""
    for n in [1, 2, 5, 6, 7, 11, 12, 13, 40]:
        for size, stride in [(6, 6), (6, 3), (6, 5), (6, 1), (2, 1), (2, 2)]:
            yield windows(n, size, stride)
    yield windows(20000, 512, 512)
    yield windows(20000, 512, 256)


def write(path):
    """A line for each case."""
    parts = {"pairs": pairs(), "percentiles": percentiles(), "cuts": cuts()}
    lines = [f'"versions": "numpy {numpy.__version__}, '
             f'scipy {scipy.__version__}"']
    for name, cases in parts.items():
        listed = ",\n".join(json.dumps(each) for each in cases)
        lines.append(f'"{name}": [\n{listed}]')
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def main():
    """Write the file, or compare it with what would be written."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    before = FILE.read_text() if FILE.exists() else ""
    check = parser.parse_args().check
    made = FILE.with_suffix(".new") if check else FILE
    write(made)
    if check:
        same = made.read_text() == before
        made.unlink()
        raise SystemExit(0 if same else f"{FILE}: differs")


if __name__ == "__main__":
    main()
