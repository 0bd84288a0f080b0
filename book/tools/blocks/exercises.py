"""Exercises, each with an answer that the build checks.

    ::: {.exercise .predict run="…" answer="…" wrong="…|…"}
    ::: {.exercise .change run="…" answer="…"}     and ```{.patch …} in it
    ::: {.exercise .measure run="…" than="…" ratio="2..4" wrong="1|9"}

What is in ::: answer says why; it is folded under the question on the site,
stands at the end of a book, and goes to the instructor's page.  A check that would also take
a wrong answer is a mistake of the chapter.
"""

import html
import re

from blocks.answers import folded
from blocks.commands import rung_of
from blocks.patches import apply_all, patch_html, read_patch
from reading.diffrows import spoken
from support.mistakes import Wrong
from support.store import digest
from text import measured, tree

KINDS = ("predict", "change", "measure")


def is_exercise(node):
    """Whether an element is an exercise."""
    return node["t"] == "Div" and "exercise" in node["c"][0][1]


def kind_of(node):
    """predict, change or measure."""
    kinds = [kind for kind in KINDS if kind in tree.classes_of(node)]
    if len(kinds) != 1:
        raise Wrong("an exercise is one of " + ", ".join(KINDS))
    return kinds[0]


def expand(node, page):
    """The question as the page shows it, on the site with the answer in a
    fold; the answer is also kept for a page of all answers."""
    kind = kind_of(node)
    question, answer = parts_of(node["c"][1])
    check = {"predict": check_predict, "change": check_change,
             "measure": check_measure}[kind]
    said = check(node, answer, page)
    if all(map(is_patch, answer)):
        raise Wrong("an exercise without a word of an answer: write ::: answer")
    number = page.number_of("exercise")
    head = tree.html(f'<p class="label">Exercise {number}, {kind}</p>')
    show = shown_patch(page)
    page.answers.append((f"exercise-{number}", f"Exercise {number}", kind,
                         question, [tree.paragraph(said),
                                    *map(show, answer)]))
    fold = folded([tree.paragraph(said), *[show(block) for block in answer
                                           if not is_wrong(block)]], page)
    return [tree.div(["exercise", kind], [head, *question, *fold],
                     f"exercise-{number}")]


def parts_of(blocks):
    """(question, answer) blocks of an exercise."""
    question, answer = [], []
    for block in blocks:
        if block["t"] == "Div" and "answer" in tree.classes_of(block):
            answer += block["c"][1]
        else:
            question.append(block)
    return question, answer


def is_patch(node):
    """Whether a block is a patch."""
    return node["t"] == "CodeBlock" and "patch" in tree.classes_of(node)


def is_wrong(node):
    """Whether a block is a patch that must not answer."""
    return is_patch(node) and "wrong" in tree.classes_of(node)


def shown_patch(page):
    """What shows patches as differences, with their places and whether they
    are wrong ones, and leaves other blocks alone."""
    def show(node):
        if not is_patch(node):
            return node
        patch = read_patch(node, page.rung, page.sources)[0]
        place = f"{spoken(patch.region)} in {patch.path}" \
            if patch.region else patch.path
        words = "A wrong answer, which the check rejects: " \
            if is_wrong(node) else ""
        return tree.html('<figure class="listing"><figcaption>'
                         f"{words}{html.escape(place)}</figcaption>"
                         f"{patch_html(patch)}</figure>")
    return show


def required(node, *names):
    """The values of attributes that an exercise must have."""
    pairs = tree.pairs_of(node)
    for name in names:
        if not pairs.get(name, "").strip():
            raise Wrong(f"exercise without {name}=")
    return [pairs[name] for name in names]


def accepts(output, answer, pick=None):
    """Whether an answer is right, given what the command printed: it is what
    `pick` picks or, without that, stands there as whole words."""
    if pick:
        found = re.search(pick, output)
        if not found:
            raise Wrong(f"pick={pick} matches nothing of what is printed")
        return answer.strip() == found.group(found.re.groups and 1).strip()
    whole = rf"(?<![\w.]){re.escape(answer.strip())}(?!\w|\.\d)"
    return re.search(whole, output) is not None


def check_answers(output, answer, wrong, pick):
    """The answer is right, and each wrong one is rejected."""
    if not accepts(output, answer, pick):
        raise Wrong(f"the answer {answer!r} is not in what is printed: "
                    f"{output[-300:]}")
    for other in wrong.split("|"):
        if accepts(output, other, pick):
            raise Wrong(f"the wrong answer {other!r} would be taken")


def check_predict(node, _, page):
    """Check a prediction; the answer in words."""
    run, answer, wrong = required(node, "run", "answer", "wrong")
    pick, rung = tree.pairs_of(node).get("pick"), rung_of(node, page)
    earlier = page.remember(rung, [run])

    def find():
        output = page.workshop.run_all([run], rung, [0], earlier)[0]
        check_answers(output, answer, wrong, pick)
        return True
    key = digest("predict", page.workshop.key_of_block([run], rung, earlier),
                 answer, wrong, pick)
    page.outcomes.get(key, "exercise", rung, find)
    return f"Answer: {answer}"


def check_change(node, answer, page):
    """Check a change: the command or the tests answer with the patch, and
    not without it, nor with a wrong one."""
    blocks = [block for block in answer if is_patch(block)]
    right = [block for block in blocks if not is_wrong(block)]
    if not right:
        raise Wrong("a change without a patch in its answer")
    tries = [(apply_patches(right, page), True), ({}, False)]
    tries += [(apply_patches([b], page), False) for b in blocks
              if b not in right]
    pairs, rung = tree.pairs_of(node), rung_of(node, page)

    key = digest("change", page.trials.place(rung), tries, pairs)

    def find():
        try_all(node, tries, page, bool(page.outcomes.before(key)))
        return True
    page.outcomes.get(key, "exercise", rung, find, dear=True)
    if "fails" in pairs:
        return f"Fails then: {', '.join(pairs['fails'].split())}. One answer:"
    return f"Answer: {pairs['answer']}. One way to it:"


def try_all(node, tries, page, before):
    """See that each (changed files, whether they answer) is so, as it was
    `before` or is not known to have been."""
    for texts, expected in tries:
        if answers(node, texts, page, before and expected) != expected:
            raise Wrong("the patch does not answer the exercise" if expected
                        else "the rung answers the exercise "
                        + ("with the wrong patch" if texts else "unchanged"))


def apply_patches(blocks, page):
    """The changed files of some patch blocks."""
    patches = [read_patch(block, page.rung, page.sources)[0]
               for block in blocks]
    return apply_all(patches, page.sources)


def answers(node, texts, page, before):
    """Whether a changed copy does what the exercise asks for; `before`: it
    did when all was the same."""
    pairs, rung = tree.pairs_of(node), rung_of(node, page)
    if "fails" in pairs:
        wanted = pairs["fails"].split()
        found = page.trials.tests(rung, texts, (), wanted if before else None
                                  ) if texts else {"failed": []}
        return sorted(found["failed"]) == sorted(wanted)
    run, answer = required(node, "run", "answer")
    status, output = page.trials.output(rung, texts, run)
    return status == 0 and accepts(output, answer, pairs.get("pick"))


def bounds_of(text):
    """The numbers of 1.5..4."""
    try:
        low, high = map(float, text.split(".."))
    except ValueError:
        raise Wrong(f"ratio={text}: write it as 1.5..4") from None
    return low, high


def ratio_name(node, page):
    """Under which name `make measure` keeps an exercise's ratio."""
    run, than = required(node, "run", "than")
    return f"{rung_of(node, page)}: {run} / {than}"


def check_measure(node, _, page):
    """Check a ratio that was measured."""
    ratio, wrong = required(node, "ratio", "wrong")
    low, high = bounds_of(ratio)
    name = ratio_name(node, page)
    figure = page.figures.get(name)
    if figure is None:
        raise Wrong(f"measured.json has no {name!r} (make measure)")
    if not low <= figure["value"] <= high:
        raise Wrong(f"measured {figure['value']}, not within {ratio}")
    for other in wrong.split("|"):
        if low <= float(other) <= high:
            raise Wrong(f"the wrong answer {other} would be taken")
    return (f"Answer: between {low:g} and {high:g}; measured "
            f"{measured.show(figure, 2)} on {figure['machine']}, "
            f"{figure['date']}, commit {figure['commit'][:10]}.")
