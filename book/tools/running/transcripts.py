"""What the commands of a chapter print, kept in a file and compared.

book/transcripts/m0.txt holds, one after another, a line with the rung and
the command and then, two blanks in, what it printed:

    m0-tokenizer$ ./rung encode Hi
      [17, 42]

A build runs the commands again and fails where something differs;
`make transcripts` writes the file anew.
"""

import re

from support.mistakes import Wrong

COMMAND = re.compile(r"^([\w-]+)\$ (.*(?:\n> .*)*)$", re.MULTILINE)
ROOT = "rungs"  # how a command in the root of the tree begins
MASK = "…"


def parse(text):
    """{(rung, command): output} of a transcripts file; the rung is None for
    the root."""
    parts = COMMAND.split(text)[1:]
    return {(None if rung == ROOT else rung, command.replace("\n> ", "\n")):
            read_output(output)
            for rung, command, output
            in zip(parts[::3], parts[1::3], parts[2::3])}


def read_output(text):
    """What a command printed."""
    return re.sub("^  ", "", text.strip("\n"), flags=re.M)


def render(transcripts):
    """The text of a transcripts file."""
    entries = []
    for (rung, command), output in transcripts.items():
        lines = command.replace("\n", "\n> ")
        shown = re.sub("^(?=.)", "  ", output, flags=re.M)
        entries.append(f"{rung or ROOT}$ {lines}\n{shown}".rstrip() + "\n")
    return "\n".join(entries)


def masked(output, vary):
    """The output with what may vary replaced: what matches, or, where the
    expression has groups, what they match."""
    if not vary:
        return output
    try:
        return re.sub(vary, mask, output)
    except re.error as why:
        raise Wrong(f"vary={vary}: {why}") from None


def mask(found):
    """One match with its varying parts replaced."""
    text, start = found.group(), found.start()
    if not found.re.groups:
        return MASK
    for number in range(found.re.groups, 0, -1):
        first, last = found.span(number)
        if first >= 0:
            text = text[:first - start] + MASK + text[last - start:]
    return text


def difference(kept, got):
    """None, or in words how an output differs from its transcript."""
    if kept == got:
        return None
    if kept is None:
        return "no transcript"
    old, new = kept.split("\n"), got.split("\n")
    for number, (one, other) in enumerate(zip(old, new), 1):
        if one != other:
            return f"line {number} was {one!r}, is {other!r}"
    return f"it had {len(old)} lines, has {len(new)}"
