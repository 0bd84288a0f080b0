"""Which static functions are only asked whether they failed: whoever calls
them looks at whether the result is 0, and hands it to nobody who looks at
more.  Then which number says so makes no difference.

A call is a question where it stands beside && or ||, behind !, before ?, or is
all of a condition; `return f();` is one where its own function is only asked.
"""

import functools
import re
from collections import defaultdict

from mutants import TOKEN
from tree import cut, is_program

LOGIC = ("&&", "||")
BEFORE = (*LOGIC, "!", "(", "return", "=", "?", ":")


def asked_functions(files):
    """The names of these functions in a rung's files."""
    found = set()
    for regions in cut({path: file for path, file in files.items()
                        if is_program(path)}).values():
        found |= asked_of(tuple((region.name, region.text, region.is_function)
                                for region in regions))
    return found


@functools.lru_cache(maxsize=None)
def asked_of(regions):
    """The same of the regions of one file: (name, text, whether it is a
    function) each."""
    static = {name for name, text, is_function in regions if is_function
              and re.search(r"^static\b", text.partition("{")[0], re.M)}
    uses = defaultdict(list)  # function: (who uses it, how)
    for name, text, _ in regions:
        tokens = [token.group() for token in TOKEN.finditer(text)
                  if token.lastgroup not in ("space", "string")]
        for i, token in enumerate(tokens):
            if token in static and not is_head(name, token, tokens, i):
                uses[token].append((name, use(tokens, i)))
    asked = {name for name in static if uses[name]}
    while wrong := {name for name in asked for user, how in uses[name]
                    if how == "other" or how == "return"
                    and user not in asked}:
        asked -= wrong
    return asked


def is_head(region, name, tokens, i):
    """Whether token i is the function's own name in its head, or in a line
    that declares it."""
    return (region == name and "{" not in tokens[:i]) or \
        (region.startswith("proto:") and region.endswith(name))


def use(tokens, i):
    """What is done with the function at token i: asked, return or other."""
    if tokens[i + 1:i + 2] != ["("]:
        return "other"
    end = closing(tokens, i + 1)
    before, after = tokens[i - 1], tokens[end + 1]
    if before in (*LOGIC, "!") or before in BEFORE and after in (*LOGIC, "?"):
        return "asked"
    if before == "(" and after == ")" and tokens[i - 2] in ("if", "while"):
        return "asked"
    if before == "return" and after == ";":
        return "return"
    if before in ("?", ":") and after in (";", ":"):
        start = max((k for k in range(i) if tokens[k] in (";", "{", "}")),
                    default=0)
        return "return" if tokens[start + 1] == "return" else "other"
    return "other"


def closing(tokens, i):
    """Where the bracket at token i is closed."""
    depth = 0
    for k in range(i, len(tokens)):
        depth += (tokens[k] == "(") - (tokens[k] == ")")
        if depth == 0:
            return k
    return len(tokens) - 2
