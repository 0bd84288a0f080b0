"""Break-it boxes: a small bug, and the test that notices it.

    ```{.break src=bpe.c fn=merge_pair test=merges_leftmost_pair_first}
    -     if (rank < best)
    +     if (rank <= best)
    Why does it matter which of two equal pairs is merged first?

    Because `merges` …
    ```

The first paragraph is the question, all behind it its answer, which is shown
and hidden as those of exercises are; both are Markdown.  The build makes the
change in a copy of the rung, runs the tests (where an outcome is committed,
those of the program with the test that it quotes), fails unless exactly the
named ones fail, and shows what the first of them says; but with words=differ
not, since that is something else at every run: such tests run until they fail
(trials.MOST_RUNS).
"""

import html
import re
from fnmatch import fnmatchcase

from blocks.answers import folded
from blocks.patches import apply_all, patch_html, read_patch
from running.alike import alike
from running.trials import every_test
from support.mistakes import Wrong
from support.store import digest
from text import tree
from text.tree import div, html as raw, pairs_of

MOST = 12  # lines of a test's words
ADDRESS = re.compile(r"\b0x[0-9a-f]{9,16}\b")  # another one in each run
COPY = re.compile(r"/\S*?/book/rungs/[^/\s]+/")  # where a rung was copied to


def is_break(node):
    """Whether a block is a break-it box."""
    return node["t"] == "CodeBlock" and "break" in node["c"][0][1]


def outcome_of(node, page):
    """{"failed": names, "words": what the test says that the box shows}."""
    patch, _ = read_patch(node, page.rung, page.sources)
    rung = patch.path.partition("/")[0]
    texts = apply_all([patch], page.sources)
    speaking = tests_of(node)[:1] if says_the_same(node) else []
    until = [] if speaking else tests_of(node)
    key = digest("box", 3, page.trials.place(rung), texts,
                 speaking or ["until", *until])
    before = page.outcomes.before(key)

    def look(failed):
        return page.trials.tests(rung, texts, until, failed)

    outcomes = page.outcomes
    if not outcomes.has(key) and before and not every_test() \
            and is_so_again(before, speaking, look):
        return outcomes.take(key, rung, before)
    return outcomes.get(key, "box", rung,
                        lambda: shown_of(look(None), speaking), dear=True)


def is_so_again(before, speaking, look):
    """Whether the programs that hold the test that a box quotes, or where it
    quotes none all that failed, come to their ends, fail as they did before,
    and say the same."""
    wanted = matching_first(before["failed"], speaking) or before["failed"]
    outcome = look(wanted)
    return outcome["ended"] and outcome["failed"] \
        and set(wanted) <= set(outcome["ran"]) \
        and alike(shown_of(outcome, speaking), {
            "failed": those_of(outcome, before["failed"]),
            "words": before["words"]})


def those_of(outcome, failed):
    """Of the names that failed before, those that these programs have to fail.
    A test that is called as a model, qwen2-1, may stand in several programs:
    which of them failed it is not known, and it may pass here."""
    return [name for name in failed if name in outcome["ran"]
            and (name.isidentifier() or name in outcome["failed"])]


def tests_of(node):
    """The tests that are to fail, as a box names them."""
    return pairs_of(node).get("test", "").split()


def says_the_same(node):
    """Whether a test's words are the same at every run."""
    words = pairs_of(node).get("words")
    if words not in (None, "differ"):
        raise Wrong(f"a break-it box with words={words}: differ, or nothing")
    return words is None


def shown_of(outcome, speaking):
    """Of what the tests say, what a box shows: the words of the first that
    fails of those that speak."""
    first = matching_first(outcome["failed"], speaking)
    return {"failed": outcome["failed"],
            "words": "".join(COPY.sub("", ADDRESS.sub("0x…", shortened(
                outcome["words"][name]))) for name in first)}


def expand(node, page):
    """The blocks of one box; the answer is also kept for a page of all
    answers."""
    patch, question, answer = parts_of(node, page)
    expected = tests_of(node)
    if not expected:
        raise Wrong("a break-it box without test=")
    outcome = outcome_of(node, page)
    if outcome:
        check(expected, outcome["failed"])
    number = page.number_of("break")
    shown = [raw(patch_html(patch)), question]
    page.answers.append((f"break-{number}", f"Break it {number}", patch.where,
                         shown, answer))
    said = [raw(said_of(expected, outcome))] if outcome else []
    return [div(["break"], [label(patch, number), *shown, *said,
                            *folded(answer, page)], f"break-{number}")]


def parts_of(node, page):
    """(Patch, question, blocks of the answer) of a box."""
    patch, text = read_patch(node, page.rung, page.sources)
    words = page.store.get(digest("words of a box", 1, text),
                           lambda: tree.parse(text)["blocks"])
    if len(words) < 2:
        raise Wrong("a break-it box without an answer: write it behind the "
                    "question and an empty line")
    for word in tree.each(words):
        word["line"] = tree.line_of(node)
    question, *answer = tree.walk(words, page.expand)
    return patch, question, answer


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


def matching_first(names, patterns):
    """A list of the first name that one of the patterns matches; empty where
    none does."""
    return [name for one in patterns for name in matching(names, one)][:1]


def some(names):
    """A list of names in words, not too long."""
    more = f" and {len(names) - 6} more" if len(names) > 6 else ""
    return " ".join(names[:6]) + more if names else "no test"


def shortened(words):
    """A test's words, without the end of a long list; how much longer it is
    depends on cmocka, whose older versions cut off what a test prints."""
    lines = words.split("\n")
    if len(lines) <= MOST:
        return words
    return "\n".join([*lines[:MOST - 1], "… and more"])


def label(patch, number):
    """What stands above a box."""
    return raw(f'<p class="label">Break it {number}: '
               f"{html.escape(patch.where)}</p>")


def said_of(expected, outcome):
    """One test's words, the names of all."""
    first = matching(outcome["failed"], expected[0])[0]
    others = len(outcome["failed"]) - 1
    tests = f"<code>{html.escape(first)}</code>"
    if others:
        tests += f", and {others} more"
    if not outcome["words"]:
        return (f"<details><summary>Which test fails</summary><p>{tests}: it "
                "says something else at every run.</p></details>")
    said = html.escape(outcome["words"])
    return (f"<details><summary>Which test fails, and what it says</summary>"
            f'<p>{tests}</p><pre class="code console" tabindex="0"><code>'
            f"{said}</code></pre></details>")
