"""Mutants of a C function: copies of it with one small mistake each.

Five kinds: a constant is another, an operator is another, an argument or a
variable stands in the place of one of the same type, a condition always or
never holds, an intermediate result has another type of float.
"""

import re
from collections import Counter
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache

from bodies import body_of

TOKEN = re.compile(r"""
    (?P<space>\s*\n[ \t]*\#(?:\\\n|[^\n])*  # a directive
              | \s+ | /\*[\s\S]*?\*/ | //[^\n]*)
  | (?P<string>"(?:\\[\s\S]|[^"\\])*" | '(?:\\[\s\S]|[^'\\])*')
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
  | (?P<word>\w+)
  | (?P<mark><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
    """, re.VERBOSE)
OTHERS = {
    "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("/",),
    "<": ("<=", ">"), ">": (">=", "<"), "<=": ("<", ">"), ">=": (">", "<"),
    "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",),
    "+=": ("-=", "="), "-=": ("+=",), "*=": ("/=", "="), "/=": ("*=",),
    "&": ("|",), "|": ("&",), "<<": (">>",), ">>": ("<<",), "|=": ("&=",),
    "&=": ("|=",), "++": ("--",), "--": ("++",)}
UNARY_AFTER = set("([{,;=?:!~<>+-*/%&|^") | {
    "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+=", "-=", "*=", "/=",
    "return", "case"}
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "else", "do",
            "break", "continue", "case", "goto", "static", "const"}
FLOAT_MATH = ("cos", "sin", "exp", "log", "pow", "sqrt", "tanh", "erfc",
              "fabs", "fmax", "fmin", "floor", "ceil", "hypot")
OTHER_TYPE = {"float": "double", "double": "float",
              **{f"{name}f": name for name in FLOAT_MATH},
              **{name: f"{name}f" for name in FLOAT_MATH}}
DECLARED = re.compile(
    r"(?:^|[(,;{}]|\bfor \()\s*(?:static |register )*"
    r"((?:const )?(?:struct \w+|enum \w+|size_t|float|double|int|bool|char|"
    r"unsigned(?: char| int)?|u?int\d+_t))\s+(?=[\w*])([^;(){]*)")
MOST_NAMES = 1  # that one use of a variable is replaced by: the most alike


@dataclass(frozen=True)
class Mutant:
    """One mistake: its kind, the lines that have it before and after, each as
    one line without indent, the whole text of the function, and which it is
    of several whose lines are equal."""

    kind: str
    before: str
    after: str
    text: str
    number: int = 1

    def __str__(self):
        line = f"{self.before} => {self.after}"
        return line if self.number == 1 else f"{line} ({self.number})"


class Token:
    """A word, number or mark of a function's code, from start to end."""

    def __init__(self, found):
        self.kind, self.text = found.lastgroup, found.group()
        self.start, self.end = found.span()


@lru_cache(maxsize=None)
def mutants(function):
    """The Mutants of a Function, each once, in the order of its text."""
    start, end = body_of(function.text)
    code = Code(function.text, start, end)
    found = {}
    for kind, edits in (("constant", code.constants()),
                        ("operator", code.operators()),
                        ("argument", code.arguments()),
                        ("condition", code.conditions()),
                        ("type", code.types())):
        for first, last, new in edits:
            mutant = code.mutant(kind, first, last, new)
            found.setdefault(mutant.text, (first, mutant))
    found.pop(function.text, None)
    return numbered(mutant for _, mutant in sorted(
        found.values(), key=lambda pair: pair[0]))


def numbered(found):
    """The same, each with a name of its own."""
    seen, named = Counter(), []
    for mutant in found:
        seen[str(mutant)] += 1
        named.append(replace(mutant, number=seen[str(mutant)]))
    return named


class Code:
    """The tokens of a body, and what may be done to them: (start, end, new
    text) each."""

    def __init__(self, text, start, end):
        self.text = text
        self.tokens = [Token(t) for t in TOKEN.finditer(text, start, end)
                       if t.lastgroup != "space"]
        head = text[:start].rpartition("*/")[2]
        self.head = len(text[:start]) - len(head)
        self.types_of = declared(
            "(" + head.partition("(")[2] + text[start:end])
        self.loops = [(parts[0][0], parts[-1][1]) for i, token in
                      enumerate(self.tokens) if token.text == "for"
                      for parts in [self.parts(i + 1)] if parts]

    def mutant(self, kind, first, last, new):
        """The Mutant in which first to last is `new`."""
        text = self.text[:first] + new + self.text[last:]
        left = self.text.rfind("\n", 0, first) + 1
        right = self.text.find("\n", last)
        before = " ".join(self.text[left:right].split())
        after = " ".join(
            (self.text[left:first] + new + self.text[last:right]).split())
        return Mutant(kind, before, after, text)

    def before(self, i):
        return self.tokens[i - 1].text if i else "{"

    def after(self, i):
        return self.tokens[i + 1].text if i + 1 < len(self.tokens) else "}"

    def constants(self):
        for token in self.tokens:
            if token.kind == "number":
                for new in other_numbers(token.text):
                    yield token.start, token.end, new

    def operators(self):
        for i, token in enumerate(self.tokens):
            if token.text == "!":
                yield token.start, token.end, ""
            elif token.text == "-" and self.before(i) in UNARY_AFTER:
                yield token.start, token.end, ""
            elif token.text in OTHERS and not (
                    token.text in "&*" and self.before(i) in UNARY_AFTER):
                for new in OTHERS[token.text]:
                    yield token.start, token.end, new

    def arguments(self):
        yield from self.swaps()
        for i, token in enumerate(self.tokens):
            for new in self.others(i, token)[:MOST_NAMES]:
                yield token.start, token.end, new

    def others(self, i, token):
        """The names that could stand here: variables of the same type, or
        members of the same variable."""
        if token.kind != "word" or token.text in KEYWORDS or \
                any(a < token.start < b for a, b in self.loops):
            return []
        if self.before(i) in (".", "->"):
            same = [self.tokens[j].text for j in range(2, len(self.tokens))
                    if self.tokens[j - 1].text in (".", "->")
                    and i >= 2 and self.before(j - 1) == self.before(i - 1)]
        elif self.is_declared_here(i):
            same = []
        else:
            kind = self.types_of.get(token.text)
            same = [name for name, other in self.types_of.items()
                    if kind and other == kind]
        return sorted(set(same) - {token.text}, key=lambda name: (
            -SequenceMatcher(None, name, token.text).ratio(), name))

    def is_declared_here(self, i):
        before = self.tokens[i - 1] if i else None
        return before is not None and (
            before.text in OTHER_TYPE or before.text.endswith("_t")
            or before.text in ("int", "bool", "char", "struct", "enum"))

    def swaps(self):
        """Neighbouring arguments of calls, in each other's place."""
        for i, token in enumerate(self.tokens):
            if token.kind == "word" and token.text not in KEYWORDS and \
                    self.after(i) == "(":
                parts = self.parts(i + 1)
                for (a, b), (c, d) in zip(parts, parts[1:]):
                    text = self.text
                    yield a, d, text[c:d] + text[b:c] + text[a:b]

    def parts(self, i):
        """(start, end) of each argument behind the bracket at token i."""
        found, depth, first = [], 0, i + 1
        for j in range(i, len(self.tokens)):
            text = self.tokens[j].text
            depth += text in ("(", "[", "{")
            depth -= text in (")", "]", "}")
            if depth == 0 or depth == 1 and text == ",":
                if j > first:
                    found.append((self.tokens[first].start,
                                  self.tokens[j - 1].end))
                first = j + 1
            if depth == 0:
                break
        return found

    def conditions(self):
        for i, token in enumerate(self.tokens):
            if token.text in ("if", "while"):
                inside = self.parts(i + 1)
                start, end = inside[0][0], inside[-1][1]
                whole = self.text[start:end]
                if token.text == "if":
                    yield start, end, f"({whole}) || 1"
                yield start, end, f"({whole}) && 0"
            elif token.text == "?":
                yield token.start, token.end, "|| 1 ?"
                yield token.start, token.end, "&& 0 ?"

    def types(self):
        head = self.text[self.head:self.tokens[0].start]
        own = re.match(r"\s*static (?:inline )?(float|double) \w", head)
        if own:
            first = self.head + own.start(1)
            yield first, first + len(own[1]), OTHER_TYPE[own[1]]
        for i, token in enumerate(self.tokens):
            new = OTHER_TYPE.get(token.text)
            if new and (token.text in ("float", "double")
                        or self.after(i) == "("):
                yield token.start, token.end, new
            elif token.kind == "number" and token.text[-1] in "fF" and \
                    not token.text.startswith("0x"):
                yield token.start, token.end, token.text[:-1]


def other_numbers(text):
    """Constants near this one: by 1, or, with a fraction, by a thousandth."""
    if re.fullmatch(r"\d+[uUlL]*", text):
        value = int(text.rstrip("uUlL"))
        return [str(value + 1)] + ([str(value - 1)] if value else [])
    if re.fullmatch(r"0[xX][0-9a-fA-F]+[uUlL]*", text):
        return [f"({text} + 1)", f"({text} >> 1)"]
    return [f"({text} * 1.001f)" if text[-1] in "fF" else f"({text} * 1.001)"]


def declared(text):
    """{variable: its type with its stars} of parameters and locals."""
    text = re.sub(r"/\*[\s\S]*?\*/|//[^\n]*", " ", text)
    text = " ".join(text.split())
    found, at = {}, 0
    while match := DECLARED.search(text, at):
        at = match.start(2)
        kind = match[1].replace("const ", "")
        for part in split_commas(match[2]):
            name = re.match(r"([\s*]*(?:const |restrict )?\s*)(\w+)", part)
            if not name or name[2] in KEYWORDS or \
                    re.match(r"\s*(const |struct |\w+ \**\w)", part) and \
                    not part.lstrip().startswith("*") and " " in \
                    part.partition("=")[0].strip():
                break  # a parameter of another type follows
            stars = name[1].count("*") + ("[" in part.partition("=")[0])
            found[name[2]] = kind + "*" * stars
    return found


def split_commas(text):
    """The parts between commas that stand in no bracket."""
    parts, depth = [""], 0
    for sign in text:
        depth += sign in "([{"
        depth -= sign in ")]}"
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts
