"""Console blocks: what a command prints, kept in a file and checked.

    ```{.console run="rung next 'The capital of France is'" vary="[0-9.]+ ms"}
    ```

A chapter's transcripts stand in book/transcripts/CHAPTER.txt, one after
another: a line "$ COMMAND", then what it printed.  `make transcripts` writes
that file anew; a build compares.  `vary` is a regular expression for what
may differ from run to run (times, speeds); `status` the exit status that is
expected, 0 unless said.
"""

import re

COMMAND = re.compile(r"^\$ (.*)$", re.MULTILINE)


def parse(text):
    """{command: output} of a transcripts file."""
    parts = COMMAND.split(text)[1:]
    return {command: output.strip("\n") for command, output
            in zip(parts[::2], parts[1::2])}


def render(transcripts):
    """The text of a transcripts file."""
    return "\n".join(f"$ {command}\n{output}\n" if output else f"$ {command}\n"
                     for command, output in transcripts.items())


def masked(output, vary):
    """The output with what may vary made equal."""
    return re.sub(vary, "…", output) if vary else output


def compare(command, kept, got, vary):
    """None, or in words how a command's output differs from its transcript."""
    if kept is None:
        return f"no transcript of: {command} (make transcripts)"
    kept_lines = masked(kept, vary).split("\n")
    got_lines = masked(got, vary).split("\n")
    if kept_lines == got_lines:
        return None
    for number, (old, new) in enumerate(zip(kept_lines, got_lines), 1):
        if old != new:
            return (f"stale transcript of: {command}; line {number} was "
                    f"{old!r}, is {new!r} (make transcripts)")
    return (f"stale transcript of: {command}; it had {len(kept_lines)} "
            f"lines, has {len(got_lines)} (make transcripts)")
