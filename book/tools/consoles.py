"""Console blocks as the page shows them: the command, then what it prints."""

import html

from tree import html as raw, line_of, pairs_of


def is_console(node):
    """Whether a block shows a command."""
    return node["t"] == "CodeBlock" and "console" in node["c"][0][1]


def expand(node, transcripts, path, mistakes):
    """The blocks of one console: from the chapter's transcripts."""
    command = pairs_of(node).get("run")
    if not command:
        mistakes.add(path, line_of(node), "a console block without run=")
        return []
    output = transcripts.get(command)
    if output is None:
        mistakes.add(path, line_of(node), f"no transcript of: {command} "
                     "(make transcripts)")
        return []
    return [raw('<pre class="console" tabindex="0"><code>'
                f'<span class="prompt">$ </span><kbd>{html.escape(command)}'
                f"</kbd>\n{html.escape(output)}</code></pre>")]
