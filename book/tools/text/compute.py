"""Numbers of worked examples, computed when the book is built.

    ```{.compute}
    rms = sqrt(mean([v * v for v in x]))
    ```
    … the root mean square is `rms`{.value digits=4}: $\\value{rms}{4}$ …

The language is Python with the names below and no import: what an example by
hand needs.  Names live until the chapter's end.
"""

import json
import math
import re
import struct

from support.mistakes import Wrong
from text.tree import attributes, classes_of, pairs_of

PYTHON = (abs, all, any, bool, dict, enumerate, float, int, len, list, max,
          min, pow, range, reversed, round, set, sorted, str, sum, tuple, zip)
MATH = ("ceil", "cos", "e", "erf", "exp", "floor", "fsum", "inf", "log",
        "log2", "pi", "prod", "sin", "sqrt", "tanh")
IN_FORMULA = re.compile(r"\\value\{([^{}]*)\}(?:\{(\d+)\})?")
IN_TEXT = re.compile(r"\$\(((?:[^()]|\([^()]*\))*)\)")


def mean(xs):
    """The mean."""
    return math.fsum(xs) / len(xs)


def dot(a, b):
    """The dot product of two vectors."""
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def matvec(rows, x):
    """A matrix, given by its rows, times a vector."""
    return [dot(row, x) for row in rows]


def softmax(xs):
    """Softmax, without overflow."""
    powers = [math.exp(x - max(xs)) for x in xs]
    return [power / math.fsum(powers) for power in powers]


def f32(x):
    """A number, or each of a list, rounded to fp32."""
    if isinstance(x, (list, tuple)):
        return [f32(v) for v in x]
    return struct.unpack("<f", struct.pack("<f", x))[0]


def claim(words, holds):
    """What a page rests on; the build fails where it does not hold."""
    if not holds:
        raise Wrong(f"a claim does not hold: {words}")


class Values:
    """The names of one chapter."""

    def __init__(self, run, figures=None, known=None, remember=None):
        """`run` is what prints a command's output; `figures` are measured
        ones; `known` is what found() of the same chapter said, so that
        nothing has to be computed: `remember` is told of each command that
        would run, since it may have written what those below it read."""
        self.figures, self.asked = figures or {}, []
        self.values, self.known = [], None  # in the order of the chapter
        self.ran = []  # for each block and value, what it ran
        self.run, self.remember = run, remember
        if known is not None:
            self.known = iter(zip(known["values"], known["ran"], strict=True))
            self.asked = list(known["measured"])
        self.names = {
            "__builtins__": {f.__name__: f for f in PYTHON},
            **{name: getattr(math, name) for name in MATH},
            **{f.__name__: f for f in (mean, dot, matvec, softmax, f32,
                                             claim)},
            "run": self.run_command, "json": json.loads,
            "measured": self.measured}

    def run_command(self, command, rung=None):
        """What a command prints."""
        self.ran[-1].append([command, rung])
        return self.run(command, rung)

    def measured(self, name):
        """A measured figure, as a number without its unit."""
        if name not in self.figures:
            raise Wrong(f"measured.json has no {name}")
        self.asked.append(name)
        return float(self.figures[name]["value"])

    def execute(self, code):
        """Run a block."""
        self.next(lambda: exec(code, self.names))

    def value(self, expression):
        """The value of an expression."""
        return self.next(lambda: eval(expression, self.names))

    def next(self, action):
        """What a block (None) or an expression gives, or has given."""
        if self.known is None:
            self.ran.append([])
            self.values.append(self.attempt(action))
        else:
            value, ran = next(self.known)
            self.values.append(value)
            self.ran.append(ran)
            for command, rung in ran:
                self.remember(command, rung)
        return self.values[-1]

    def found(self):
        """What blocks and values gave, as JSON, and what they ran; and the
        figures that were asked for."""
        return {"values": json.loads(json.dumps(self.values, default=str)),
                "ran": self.ran, "measured": self.asked}

    def attempt(self, action):
        """Python's own words when something goes wrong."""
        try:
            return action()
        except Wrong:
            raise
        except Exception as why:
            raise Wrong(f"compute: {type(why).__name__}: {why}") from None


def shown(value, digits=None, places=None):
    """A value as text: rounded to significant digits, or to places."""
    if isinstance(value, (list, tuple)):
        return ", ".join(shown(item, digits, places) for item in value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if places is not None:
        text = f"{value:,.{places}f}"
    elif digits is not None:
        text = significant(value, digits)
    else:
        text = f"{value:,}" if isinstance(value, int) else repr(value)
    return text.replace("-", "−")


def significant(value, digits):
    """A number rounded to significant digits, zeros at its end kept; very
    small and very large ones as powers of ten."""
    if value == 0 or not math.isfinite(value):
        return f"{value:.{digits - 1}f}"
    power = int(f"{value:.{digits - 1}e}".partition("e")[2])
    if -5 <= power < max(digits, 15):
        rounded = float(f"{value:.{digits - 1}e}")
        return f"{rounded:,.{max(0, digits - 1 - power)}f}"
    return f"{value / 10 ** power:.{digits - 1}f} × 10" + superscript(power)


def superscript(number):
    """A number as an exponent."""
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def number_of(pairs, name):
    """digits= or places=, or None."""
    if name not in pairs:
        return None
    if not pairs[name].isdigit() or name == "digits" and pairs[name] == "0":
        raise Wrong(f"{name}={pairs[name]} is no such number")
    return int(pairs[name])


def is_compute(node):
    """Whether a block computes."""
    return node["t"] == "CodeBlock" and "compute" in node["c"][0][1]


def expand(node, page):
    """Run a block; show it where it says so."""
    page.values.execute(node["c"][1])
    if "shown" not in node["c"][0][1]:
        return []
    return [{**node, "c": [["", ["python"], []], node["c"][1]]}]


def is_value(node):
    """Whether an element stands for a value."""
    return node["t"] == "Code" and "value" in node["c"][0][1]


def expand_value(node, page):
    """The value's text, as code where the class `code` says so."""
    pairs = pairs_of(node)
    text = shown(page.values.value(node["c"][1]), number_of(pairs, "digits"),
                 number_of(pairs, "places"))
    content = [attributes(), text] if "code" in classes_of(node) else text
    return [{"t": "Str" if content is text else "Code", "c": content,
             "line": node.get("line", 0)}]


def is_formula(node):
    """Whether an element is a formula with values in it."""
    return node["t"] == "Math" and "\\value" in node["c"][1]


def expand_formula(node, page):
    """The formula with its values."""
    def put(found):
        digits = int(found.group(2)) if found.group(2) else None
        return in_tex(shown(page.values.value(found.group(1)), digits))
    return [{**node, "c": [node["c"][0], IN_FORMULA.sub(put, node["c"][1])]}]


def in_tex(text):
    """A shown number as TeX."""
    text = re.sub(r" × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda found: r" \times 10^{%s}" %
                  found.group(1).translate(
                      str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")), text)
    return re.sub(r"(?<=\d),(?=\d)", r"{,}", text).replace("−", "-")


def fill(text, values):
    """A text with each $(expression), or $(expression:digits), computed."""
    def put(found):
        expression, _, digits = found.group(1).rpartition(":")
        if expression and digits.strip().isdigit():
            return shown(values.value(expression), int(digits))
        return shown(values.value(found.group(1)))
    return IN_TEXT.sub(put, text)
