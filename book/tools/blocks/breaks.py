"""Break-it boxes: a small bug, and the test that notices it.

    ```{.break src=bpe.c fn=merge_pair test=merges_leftmost_pair_first}
    -     if (rank < best)
    +     if (rank <= best)
    Why does it matter which of two equal pairs is merged first?
    ```

The build makes the change in a copy of the rung, runs every test, fails
unless exactly the named tests fail, and shows what the first of them says.
"""

import html
import re
from fnmatch import fnmatchcase

from blocks.patches import apply_all, patch_html, read_patch
from support.mistakes import Wrong
from support.store import digest
from text.tree import html as raw, pairs_of

MOST = 12  # lines of a test's words
ADDRESS = re.compile(r"\b0x[0-9a-f]{9,16}\b")  # another one in each run
CODE = re.compile(r"`([^`]+)`")


def is_break(node):
    """Whether a block is a break-it box."""
    return node["t"] == "CodeBlock" and "break" in node["c"][0][1]


def outcome_of(node, page):
    """{"failed": names, "words": what the test says that the box shows}."""
    patch, _ = read_patch(node, page.rung, page.sources)
    rung = patch.path.partition("/")[0]
    texts = apply_all([patch], page.sources)
    expected = pairs_of(node).get("test", "").split()[:1]
    key = digest("box", 2, page.trials.place(rung), texts, expected)
    return page.outcomes.get(key, "box", rung, lambda: shown_of(
        page.trials.tests(rung, texts), expected), dear=True)


def shown_of(outcome, expected):
    """Of what the tests say, what a box shows."""
    first = [name for one in expected
             for name in matching(outcome["failed"], one)][:1]
    return {"failed": outcome["failed"],
            "words": "".join(ADDRESS.sub("0x…", shortened(
                outcome["words"][name])) for name in first)}


def expand(node, page):
    """The blocks of one box."""
    patch, question = read_patch(node, page.rung, page.sources)
    expected = pairs_of(node).get("test", "").split()
    if not expected:
        raise Wrong("a break-it box without test=")
    outcome = outcome_of(node, page)
    if outcome:
        check(expected, outcome["failed"])
    return [raw(box_html(patch, question, expected, outcome))]


def check(expected, failed):
    """Exactly the expected tests failed; * in a name stands for anything."""
    known = {name for one in expected for name in matching(failed, one)}
    extra = [name for name in failed if name not in known]
    idle = [one for one in expected if not matching(failed, one)]
    if idle:
        raise Wrong(f"break-it box: {' '.join(idle)} did not fail, but "
                    f"{some(failed)}")
    if extra:
        raise Wrong(f"break-it box: {some(extra)} failed, too")


def matching(names, pattern):
    """The names that a pattern matches."""
    return [name for name in names if fnmatchcase(name, pattern)]


def some(names):
    """A list of names in words, not too long."""
    more = f" and {len(names) - 6} more" if len(names) > 6 else ""
    return " ".join(names[:6]) + more if names else "no test"


def shortened(words):
    """A test's words, without the end of a long list."""
    lines = words.split("\n")
    if len(lines) <= MOST:
        return words
    rest = len(lines) - MOST + 1
    return "\n".join([*lines[:MOST - 1], f"… and {rest} lines more"])


def box_html(patch, question, expected, outcome):
    """The box as the page shows it; without an outcome only the question."""
    where = html.escape(patch.where)
    question = CODE.sub(r"<code>\1</code>", html.escape(question))
    said = said_of(expected, outcome) if outcome else ""
    return (f'<div class="break"><p class="label">Break it: {where}</p>'
            f"{patch_html(patch)}<p>{question}</p>{said}</div>")


def said_of(expected, outcome):
    """One test's words, the names of all."""
    first = matching(outcome["failed"], expected[0])[0]
    others = len(outcome["failed"]) - 1
    tests = f"<code>{html.escape(first)}</code>"
    if others:
        tests += f", and {others} more"
    said = html.escape(outcome["words"])
    return (f"<details><summary>Which test fails, and what it says</summary>"
            f'<p>{tests}</p><pre class="code console" tabindex="0"><code>'
            f"{said}</code></pre></details>")
