"""The constructs that would leave it open where a region begins or ends.

Each is refused with its line and a way round it, because a check that
guesses is no check.
"""

import re

from problem import Refusal

KINDS = ("struct", "union", "enum")
# Words before a declaration's first name which say nothing about its type.
SPECIFIERS = ("static", "extern", "inline", "const", "volatile", "register",
              "_Noreturn", "_Thread_local")
# Words that may stand before ( at the start of a declaration.
NOT_CALLS = ("_Static_assert", "static_assert", "__attribute__", "_Atomic",
             "__extension__")
# Words that hide a declaration's name from some versions of ctags.
UNREADABLE = ("_Alignas", "alignas")
STATEMENTS = ("if", "for", "while", "switch", "return", "sizeof")

MACRO_BODY = re.compile(r"([A-Za-z_]\w*)\s*\(([^(){}]|\([^(){}]*\))*\)"
                        r"[\s\\]*\{")
DEFINE = re.compile(r"\s*#\s*define\s+\w+(\([^)]*\))?")


def check_directive(text, line):
    """Refuse a macro whose expansion would be a function."""
    define = DEFINE.match(text)
    if not define:
        return
    for found in MACRO_BODY.finditer(text, define.end()):
        if found.group(1) not in STATEMENTS:
            raise Refusal(line, "a macro that generates functions: write the "
                          "functions out, so that each can be compared")


def check_opening(before, line):
    """Refuse a { that begins an anonymous struct, union or enum.

    `before` holds the tokens of the declaration so far.
    """
    at = skip_attributes(before)
    if at and before[at - 1] in KINDS:
        kind = before[at - 1]
        raise Refusal(line, f"an anonymous {kind}: give it a name after "
                      f"\"{kind}\", so that it can be declared by name")


def skip_attributes(tokens):
    """Where the __attribute__((…)) at the end of `tokens` begin."""
    at = len(tokens)
    while at and tokens[at - 1] == ")":
        depth = 0
        start = at
        while start:
            start -= 1
            depth += (tokens[start] == ")") - (tokens[start] == "(")
            if not depth:
                break
        if not start or tokens[start - 1] != "__attribute__":
            return at
        at = start - 1
    return at


def check_block(tokens, line):
    """Refuse a { at file scope that follows no declaration of its own."""
    if not tokens:
        raise Refusal(line, "a block without a function before it: is the "
                      "function in the old K&R style?  Write the types "
                      "inside the parentheses")
    if tokens[-1][0].startswith('"'):
        raise Refusal(line, "extern \"C\" is not used here: the rungs are C")


def check_declaration(tokens, has_body):
    """Refuse a declaration whose name cannot be relied on."""
    for text, line in tokens:
        if text in UNREADABLE:
            raise Refusal(line, f"ctags before version 6 cannot read {text}: "
                          "write __attribute__((aligned(…))) behind the name")
    refuse_call(tokens, has_body)


def refuse_call(tokens, has_body):
    """Refuse a macro call at file scope: it may hide a definition."""
    words = [text for text, _ in tokens]
    at = 0
    while words[at] in SPECIFIERS:
        at += 1
    name, after = words[at], words[at + 1:at + 3]
    if name in NOT_CALLS or not name.isidentifier():
        return
    if after[:1] != ["("] or after[1:] == ["*"]:  # int (*f)(int) is plain
        return
    what = "a function without a return type, or " if has_body else ""
    raise Refusal(tokens[0][1], f"{what}a macro call at file scope ({name}): "
                  "what it declares cannot be seen; write it out")
