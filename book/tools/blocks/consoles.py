"""Console blocks: commands and what they print, from the transcripts.

    ```{.console run="./rung next 'The capital of France is'"}
    ```
"""

import html

from blocks.commands import commands_of, rung_of
from running import transcripts
from support.mistakes import Wrong
from support.store import digest
from text.tree import html as raw, pairs_of


def is_console(node):
    """Whether a block shows commands."""
    return node["t"] == "CodeBlock" and "console" in node["c"][0][1]


def expand(node, page):
    """The blocks of one console."""
    parts = [part_html(command, got) for (_, command), got
             in transcribed(node, page).items()]
    return [raw('<pre class="code console" tabindex="0"><code>'
                + "\n".join(parts) + "</code></pre>")]


def transcribed(node, page):
    """{(rung, command): output} of a block as the transcripts have it, which
    is what the commands print.  The outcome is a digest of that, so that the
    text is not kept twice."""
    pairs, rung = pairs_of(node), rung_of(node, page)
    commands = commands_of(node)
    earlier = page.remember(rung, commands)
    kept = {(rung, command): page.transcripts.get((rung, command))
            for command in commands}
    key = digest("console", page.workshop.key_of_block(
        commands, rung, earlier), pairs.get("vary", ""), status_of(pairs))
    said = {}

    def find():
        said.update(run_all(node, page, earlier))
        return digest_of(said)
    found = page.outcomes.get(key, "command", rung, find)
    if found == digest_of(kept):
        return kept
    said = said or run_all(node, page, earlier)
    for (_, command), got in said.items():
        differs = transcripts.difference(kept[rung, command], got)
        if differs:
            page.wrong(node, f"stale transcript of: {command}: {differs} "
                       "(make transcripts)")
    return said


def digest_of(outputs):
    """A digest of what some commands print."""
    return digest(list(outputs.values()))


def run_all(node, page, earlier):
    """{(rung, command): output} of a block, run now; what varies is
    masked."""
    pairs, rung = pairs_of(node), rung_of(node, page)
    commands = commands_of(node)
    expected = [0] * (len(commands) - 1) + [status_of(pairs)]
    outputs = page.workshop.run_all(commands, rung, expected, earlier)
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
