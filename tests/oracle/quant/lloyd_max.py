"""Make m5-quant/kvcache/forms/lloyd_max.c: the best 4, 8 and 16 numbers to
stand for all of a normal distribution.

    python tests/oracle/quant/lloyd_max.py           writes the file
    python tests/oracle/quant/lloyd_max.py --check   compares only

The mean squared error of numbers c (k,) that stand for a standard normal x is

    sum over i of the integral from b[i - 1] to b[i] of (x - c[i])^2 phi(x) dx

with phi the density, b the borders between them, and infinite ends.  It is
least where its derivatives are 0:

    by b[i]:  (b[i] - c[i])^2 = (b[i] - c[i + 1])^2, so b[i] lies half-way;
    by c[i]:  c[i] is the mean of x between b[i - 1] and b[i], which is
              (phi(b[i - 1]) - phi(b[i])) / (Phi(b[i]) - Phi(b[i - 1])),
              since phi' (x) = -x phi(x), and Phi the integral of phi.

Lloyd's algorithm makes one true after the other until nothing changes any more
(Lloyd 1982; Max 1960).  phi is log-concave, so there is no other minimum
(Fleischer 1964).  The numbers are symmetric, and computed for one side.

The oracle is scipy: it integrates the error numerically, and its minimizer, of
another kind, finds nothing better; and the tables that Max printed.
"""
import argparse
import math
import pathlib
import sys

import numpy
import scipy.integrate
import scipy.optimize
import scipy.stats

ROOT = pathlib.Path(__file__).resolve().parents[3]
FILE = ROOT / "m5-quant" / "kvcache" / "forms" / "lloyd_max.c"
BITS = [2, 3, 4]

# Max 1960, table I: the upper half, and the mean squared error.
PRINTED = {
    2: ([0.4528, 1.510], 0.1175),
    3: ([0.2451, 0.7560, 1.344, 2.152], 0.03454),
    4: ([0.1284, 0.3881, 0.6568, 0.9424, 1.256, 1.618, 2.069, 2.733],
        0.009497),
}

HEAD = '''\
/* The best codes for normal numbers: see lloyd_max.h.  Written by
 * tests/oracle/quant/lloyd_max.py, which has their derivation. */
#include "lloyd_max.h"

'''

TAIL = '''\
static const struct codebook books[] = {
    {centroids2, borders2}, {centroids3, borders3}, {centroids4, borders4}};

const struct codebook *lloyd_max(size_t bits)
{
    return &books[bits - 2];
}

size_t nearest_code(const struct codebook *b, size_t bits, float x)
{
    size_t code = 0, last = ((size_t)1 << bits) - 1;
    for (size_t i = 0; i < last; i++)
        code += x > b->borders[i];
    return code;
}
'''


def density(x):
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def above(x):
    """The probability of a number above x."""
    return math.erfc(x / math.sqrt(2)) / 2


def mean_between(low, high):
    """The mean of the normal numbers between two borders above 0."""
    return (density(low) - density(high)) / (above(low) - above(high))


def improve(upper):
    """One step of Lloyd's algorithm, for the upper half of the centroids."""
    inner = [(a + b) / 2 for a, b in zip(upper, upper[1:])]
    borders = [0, *inner, math.inf]
    return [mean_between(a, b) for a, b in zip(borders, borders[1:])]


def find_centroids(bits):
    """All 2^bits, rising, as 64-bit floats."""
    half = 2 ** (bits - 1)
    upper = [3 * (i + 0.5) / half for i in range(half)]
    for _ in range(20000):
        upper = improve(upper)
    return [-c for c in reversed(upper)] + upper


def find_borders(centroids):
    return [(a + b) / 2 for a, b in zip(centroids, centroids[1:])]


def error_of(centroids):
    """The mean squared error, integrated by scipy."""
    ends = [-numpy.inf, *find_borders(sorted(centroids)), numpy.inf]
    return sum(
        scipy.integrate.quad(
            lambda x, c=c: (x - c) ** 2 * scipy.stats.norm.pdf(x), low, high,
            epsabs=1e-13)[0]
        for c, low, high in zip(sorted(centroids), ends, ends[1:]))


def check_by_scipy(bits, centroids):
    """Its minimizer, from elsewhere, ends at the same numbers; and both are
    those that Max printed."""
    start = numpy.linspace(-2.5, 2.5, len(centroids))
    found = scipy.optimize.minimize(error_of, start, method="BFGS",
                                    options={"gtol": 1e-9})
    numpy.testing.assert_allclose(sorted(found.x), centroids, atol=2e-4)
    assert error_of(centroids) <= found.fun + 1e-12
    printed, error = PRINTED[bits]
    numpy.testing.assert_allclose(centroids[len(printed):], printed, rtol=5e-4)
    numpy.testing.assert_allclose(error_of(centroids), error, rtol=1e-3)


def check_rounding(values):
    """None is so near to the middle of two 32-bit floats that an error of the
    last bits of 64 could change it."""
    for value in values:
        rounded = numpy.float32(value)
        step = numpy.spacing(abs(rounded), dtype=numpy.float32)
        distance = abs(abs(value - float(rounded)) / float(step) - 0.5)
        assert value == 0 or distance > 1e-5, value


def hexadecimal(value):
    """A 32-bit float, exactly: 0x1.5p-3f."""
    text = float(numpy.float32(value)).hex()
    mantissa, exponent = text.split("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}p{exponent}f"


def write_array(name, values):
    """A C array of floats, three a line."""
    check_rounding(values)
    words = [hexadecimal(v) for v in values]
    lines = [", ".join(words[i:i + 3]) for i in range(0, len(words), 3)]
    body = ",\n    ".join(lines)
    return f"static const float {name}[] = {{\n    {body}}};\n\n"


def write_source():
    text = HEAD
    for bits in BITS:
        centroids = find_centroids(bits)
        check_by_scipy(bits, centroids)
        print(f"{bits} bits: mean squared error {error_of(centroids):.6f}")
        text += write_array(f"centroids{bits}", centroids)
        text += write_array(f"borders{bits}", find_borders(centroids))
    return text + TAIL


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    text = write_source()
    if not parser.parse_args().check:
        FILE.write_text(text)
    elif FILE.read_text() != text:
        sys.exit(f"{FILE}: is not what this script makes")


if __name__ == "__main__":
    main()
