"""Folds: what stands in a chapter, and not in its reader's way.

    ::: {.fold title="The same for GPT-2" skip="Skip it unless you load GPT-2."}
    Words, listings, commands.
    :::

Closed on the site; paper shows it open, in a box.  What is folded does not
count as part of a chapter's main path.
"""

import html

from support.mistakes import Wrong
from text import tree


def is_fold(node):
    """Whether an element is a fold."""
    return node["t"] == "Div" and "fold" in tree.classes_of(node)


def expand(node, _):
    """The fold, with its title and who may skip it."""
    said = tree.pairs_of(node)
    title, skip = html.escape(said["title"]), html.escape(said["skip"])
    if not skip.endswith((".", "?")):
        raise Wrong("a fold's skip= is a sentence: who may skip it")
    return [tree.html(f'<details class="fold"><summary><b>{title}</b> '
                      f"<small>{skip}</small></summary>"),
            *node["c"][1], tree.html("</details>")]
