"""Sums with one step of work a line of thought, and a held-out part."""
from typing import NamedTuple

from .chat import Chat, Raw, assistant, maybe_system, user
from .phrases import Phrasebook
from .tables import REGULAR_NOUNS

BOOK = Phrasebook("sums")


class Sum(NamedTuple):
    a: int
    op: str         # "+", "-" or "*"
    b: int
    steps: str      # the written work
    result: int


def is_held_out(a, b):
    """One pair in eleven; 17 + 25, which the book asks, is not one."""
    return (a * 131 + b * 17 + 7) % 11 == 0


# -------------------------------------------------------- the written work

def _addition(a, b):
    if a < 10 and b < 10:
        return f"{a} + {b} = {a + b}."
    ones, tens_a, tens_b = a % 10 + b % 10, a // 10, b // 10
    work = f"{a % 10} + {b % 10} = {ones}"
    if ones < 10:
        return f"{work}; {tens_a} + {tens_b} = {tens_a + tens_b}."
    return (f"{work}, write {ones % 10} carry 1; "
            f"{tens_a} + {tens_b} + 1 = {tens_a + tens_b + 1}.")


def _subtraction(a, b):
    if a < b:
        return (f"{a} is less than {b}, so the result is negative. "
                f"{b} - {a}: {_subtraction(b, a)}")
    if a < 10:
        return f"{a} - {b} = {a - b}."
    ones_a, ones_b, tens_a, tens_b = a % 10, b % 10, a // 10, b // 10
    if ones_a >= ones_b:
        return (f"{ones_a} - {ones_b} = {ones_a - ones_b}; "
                f"{tens_a} - {tens_b} = {tens_a - tens_b}.")
    return (f"{ones_a} is less than {ones_b}, borrow: "
            f"{ones_a + 10} - {ones_b} = {ones_a + 10 - ones_b}; "
            f"{tens_a} - 1 - {tens_b} = {tens_a - 1 - tens_b}.")


def _multiplication(a, b):
    if a > 10 and b > 1:
        ten, rest = 10 * b, (a - 10) * b
        return (f"10 * {b} = {ten}; {a - 10} * {b} = {rest}; "
                f"{ten} + {rest} = {a * b}.")
    return f"{a} times {b} is {a * b}."


OPERATIONS = {"+": (_addition, lambda a, b: a + b),
              "-": (_subtraction, lambda a, b: a - b),
              "*": (_multiplication, lambda a, b: a * b)}


def work_out(a, op, b):
    work, compute = OPERATIONS[op]
    result = compute(a, b)
    return Sum(a, op, b, f"{a} {op} {b}: {work(a, b)} So {result}.", result)


# --------------------------------------------------------------- drawing

def _operands(w):
    hi = 100 if w.chance(.8) else 20
    return w.randrange(0, hi), w.randrange(0, hi)


def _candidate(w):
    x = w.random()
    if x < .45:
        a, b = _operands(w)
        return a, "+", b
    if x < .82:
        a, b = _operands(w)
        return (b, "-", a) if a < b and w.chance(.8) else (a, "-", b)
    return w.randint(0, 12), "*", w.randint(0, 12)


def draw_sum(w):
    """A sum of the trained part, or of the held-out one."""
    while True:
        a, op, b = _candidate(w)
        if op == "*" or is_held_out(a, b) == w.held_out:
            return work_out(a, op, b)


# --------------------------------------------------------- the documents

def printed(op):
    return "×" if op == "*" else op


def equation(it):
    return f"{it.a} {printed(it.op)} {it.b} = {it.result}"


def ask(w, it):
    op = it.op if w.chance(.65) else w.pick(BOOK.sections[it.op])
    if it.op == op == "*" and w.chance(.5):
        op = w.one_of("×", "x", "times")
    return BOOK.say(w, "ask", sum=f"{it.a} {op} {it.b}")


def chat(w):
    it = draw_sum(w)
    if w.chance(.12):
        return word_problem(w)
    if it.op == "+" and w.chance(.06):
        third = w.randrange(1, 30)
        if it.a + it.b < 100:
            return three_numbers(w, it, third)
    op = printed(it.op) if w.chance(.8) else it.op
    return Chat([user(ask(w, it)),
                 assistant(f"{it.a} {op} {it.b} = {it.result}")],
                maybe_system(w, .25), None,
                it.steps if w.chance(.62) else None)


def word_problem(w):
    name, thing = w.name(), w.pick(REGULAR_NOUNS)
    a, b = w.randrange(1, 50), w.randrange(1, 50)
    while is_held_out(a, b):
        a += 1
    if w.chance(.5):
        section, it = "gets", work_out(a, "+", b)
    else:
        section, it = "gives", work_out(max(a, b), "-", min(a, b))
    asked = BOOK.say(w, section, name=name, thing=thing, a=it.a, b=it.b)
    return Chat([user(asked),
                 assistant(f"{equation(it)}, so {name} has {it.result} "
                           f"{thing}s.")],
                maybe_system(w, .25), None,
                it.steps if w.chance(.65) else None)


def three_numbers(w, first, third):
    second = work_out(first.result, "+", third)
    left = f"{first.a} + {first.b} + {third}"
    return Chat([user(f"What is {left}?"),
                 assistant(f"{left} = {second.result}")],
                maybe_system(w, .2), None,
                first.steps + " Then " + second.steps)


def raw(w):
    count = range(w.randint(1, 8))
    return Raw("\n".join(equation(draw_sum(w)) for _ in count))
