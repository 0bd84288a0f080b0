"""Make m6-kernels/golden/elementary.json: sines, cosines, powers and logarithms
that the angles of rotary positions are made of.

    python3 elementary_goldens.py

Needs mpmath (1.4.1), which computes them with 50 digits.  Numbers stand as
Python writes floats, which is exact.
"""
import json
import pathlib
import random
import struct

import mpmath

OUT = (pathlib.Path(__file__).resolve().parents[3]
       / "m6-kernels" / "golden" / "elementary.json")
LONGEST = 10_000_000
THETAS = [100, 10000, 25000, 150000, 500000, 1e6, 8e6, 1e7, 5e7, 1e9, 1e11]
STRETCHES = [1.0001, 1.5, 2, 3.7, 8, 32, 50, 1000]


def rounded(x):
    """The float of 32 bits that is nearest to x."""
    return struct.unpack("f", struct.pack("f", x))[0]


def next_to_quarters(n):
    """The n floats up to LONGEST that come nearest to whole quarters of a
    turn, where a sine or a cosine is nearly 0."""
    quarter = mpmath.pi / 2
    found = []
    for k in range(1, 1_000_000):
        exact = k * quarter
        angle = rounded(float(exact))
        found.append((abs(float(angle - exact)), angle))
    return [angle for _, angle in sorted(found)[:n]]


def angles():
    """Positions times frequencies, as floats multiply them, and the worst."""
    chance = random.Random(15)
    some = [0.0, 1.0, 0.5, 0.78539816, 1e-8, 1e-38, float(LONGEST)]
    some += [rounded(chance.uniform(0, LONGEST)) for _ in range(300)]
    some += [rounded(10 ** chance.uniform(-6, 7)) for _ in range(300)]
    some += [-rounded(chance.uniform(0, 1000)) for _ in range(20)]
    return [rounded(x) for x in some] + next_to_quarters(200)


def powers():
    """theta to the 2 i / dim, as rope.c asks for them, and others."""
    asked = [(float(theta), rounded(2 * i / dim)) for theta in THETAS
             for dim in (64, 96, 128, 256) for i in range(0, dim // 2, 7)]
    asked += [(float(s), dim / (dim - 2)) for s in STRETCHES
              for dim in (20, 64, 128)]
    return [[x, y, float(mpmath.mpf(x) ** mpmath.mpf(y))] for x, y in asked]


def main():
    mpmath.mp.dps = 50
    turns = [[a, float(mpmath.cos(mpmath.mpf(a))),
              float(mpmath.sin(mpmath.mpf(a)))] for a in angles()]
    logs = [[float(x), float(mpmath.log(mpmath.mpf(x)))]
            for x in THETAS + STRETCHES + [0.7, 0.99999, 1, 1e-30, 1e300]]
    golden = {"by": f"mpmath {mpmath.__version__}", "turns": turns,
              "powers": powers(), "logs": logs}
    OUT.write_text(json.dumps(golden, indent=0) + "\n")


if __name__ == "__main__":
    main()
