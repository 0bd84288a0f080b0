"""Answers to exercises and to break-it boxes, each in a fold of its own.

On the site they are folded under the question; a book has them at its end,
and the instructor's page beside each question.  A page keeps them all:
page.answers is a list of (anchor, name, kind, question, answer).
"""

from text import tree

FOLD = "solution"  # the class of an answer on the question's page


def folded(answer, page):
    """[The answer in a fold] on the site; elsewhere nothing.  without() takes
    it away again."""
    if page.medium != "site":
        return []
    return [tree.div([FOLD], [
        tree.html("<details><summary>Show the answer</summary>"),
        *answer, tree.html("</details>")])]


def without(blocks):
    """The blocks of a page without the answers in folds."""
    return tree.walk(blocks, lambda node: [] if node["t"] == "Div"
                     and FOLD in tree.classes_of(node) else None)
