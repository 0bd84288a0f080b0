"""Rewrites the bodies of C functions: emptied, or with a mark at their head."""

from tree import cut
from scanner import TOKEN

HEADER = '#include "not_written.h"\n'


def body_of(text):
    """(start, end) of a function's body in its region's text: from behind
    the opening brace to the closing one."""
    depth, start = 0, None
    for token in TOKEN.finditer(text):
        if token.lastgroup != "mark":
            continue
        mark = token.group()
        if mark == "{" and depth == 0 and start is None:
            start = token.end()
        depth += mark in "([{"
        depth -= mark in ")]}"
        if start is not None and mark == "}" and depth == 0:
            return start, token.start()
    raise ValueError("a function without a body")


def empty(function):
    """A function's text with its body emptied."""
    start, end = body_of(function.text)
    stub = f'\n    not_written("{function.name}");\n'
    return function.text[:start] + stub + function.text[end:]


def mark(function, call):
    """A function's text with a statement at its head; no line moves."""
    start, _ = body_of(function.text)
    return function.text[:start] + f" {call} " + function.text[start:]


def rewrite(files, functions, change, header=HEADER):
    """The files ({path: File}) of these functions, each changed by
    `change`, with a line that includes what the change needs."""
    named = {}
    for function in functions:
        named.setdefault(function.file, {})[function.name] = function
    regions = cut({path: files[path] for path in named})
    return {path: with_include("".join(
        change(named[path][region.name]) if region.name in named[path]
        else region.text for region in found), header)
        for path, found in regions.items()}


def with_include(text, header):
    """The text with a line more behind its last #include of a file of the
    rung, or else its last #include, or its first comment."""
    lines = text.splitlines(keepends=True)
    at = last_line(lines, '#include "')
    if at is None:
        at = last_line(lines, "#include <")
    if at is None:
        return header + text
    return "".join(lines[:at + 1] + [header] + lines[at + 1:])


def last_line(lines, start):
    found = [i for i, line in enumerate(lines) if line.startswith(start)]
    return found[-1] if found else None
