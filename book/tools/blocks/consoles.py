"""Console blocks: commands and what they print, from the transcripts.

    ```{.console run="./rung next 'The capital of France is'"}
    ```
"""

import html

from blocks.commands import commands_of, rung_of
from running import transcripts
from support.mistakes import Wrong
from text.tree import html as raw, pairs_of


def is_console(node):
    """Whether a block shows commands."""
    return node["t"] == "CodeBlock" and "console" in node["c"][0][1]


def expand(node, page):
    """The blocks of one console."""
    parts = []
    for (rung, command), got in run_all(node, page).items():
        kept = page.transcripts.get((rung, command))
        differs = transcripts.difference(kept, got)
        if differs:
            page.wrong(node, f"stale transcript of: {command}: {differs} "
                       "(make transcripts)")
        parts.append(part_html(command, got))
    return [raw('<pre class="code console" tabindex="0"><code>'
                + "\n".join(parts) + "</code></pre>")]


def run_all(node, page):
    """{(rung, command): output} of a block, run now; what varies is
    masked."""
    pairs, rung = pairs_of(node), rung_of(node, page)
    commands = commands_of(node)
    expected = [0] * (len(commands) - 1) + [status_of(pairs)]
    outputs = page.outputs(commands, rung, expected)
    return {(rung, command): transcripts.masked(output, pairs.get("vary"))
            for command, output in zip(commands, outputs)}


def status_of(pairs):
    """The exit status that a block expects."""
    try:
        return int(pairs.get("status", 0))
    except ValueError:
        raise Wrong(f"status={pairs['status']} is no number") from None


def part_html(command, output):
    """One command and its output."""
    head = (f'<span class="prompt">$ </span><kbd>{html.escape(command)}'
            "</kbd>")
    return f"{head}\n{html.escape(output)}" if output else head
