"""Whether two answers say the same, but for what another version of Python, of
the C library or of cmocka makes of it: the last digits of a float, the marks
before a failed test's words, the order in which tests failed."""

import math
import re

FLOAT = re.compile(r"(-?\d+\.\d+(?:e[-+]?\d+)?)")
MARKS = re.compile(r"^\[ +(?:LINE|ERROR) +\] --- ", re.MULTILINE)


def alike(one, other):
    """Whether two answers, as JSON holds them, say the same."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(
            alike(*(sorted(each[key]) if key == "failed" else each[key]
                    for each in (one, other))) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, str):
        return one == other or texts_alike(one, other)
    return close(one, other) if isinstance(one, float) else one == other


def texts_alike(one, other):
    """The same for texts, in which floats stand between words."""
    parts, others = (FLOAT.split(MARKS.sub("", text))
                     for text in (one, other))
    return parts[::2] == others[::2] and all(
        close(float(found), float(known))
        for found, known in zip(parts[1::2], others[1::2]))


def close(one, other):
    """Whether floats differ in their last digits only."""
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
