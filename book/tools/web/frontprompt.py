"""One prompt's way through the engine, in stages, as the first page shows it:
each as far as there are rungs that compute it."""

import html

from text.compute import shown
from web import frontfacts


def section(front):
    """The whole section; "" while there is no rung at all."""
    got = frontfacts.follow(front.book, front.data["prompt"],
                            [row["name"] for row in front.data["ladder"]])
    stages = list(filter(None, (
        tokens(got), vectors(got), scores(got), chances(got), again(got))))
    if not stages:
        return ""
    items = "\n".join(f"<li><h3>{title}</h3>\n{body}</li>"
                      for title, body in stages)
    return ('<section aria-labelledby="prompt">\n<h2 id="prompt">One prompt, '
            "all the way through</h2>\n<p>The whole book follows this one "
            "sentence. The numbers are those that the rungs print for the "
            "small model that comes with them.</p>\n"
            f'<ol class="way">\n{items}\n</ol>\n</section>')


def tokens(got):
    """The text, cut into tokens."""
    chips = "\n".join(
        f"<li><span>{html.escape(visible(text))}</span> <b>{number}</b></li>"
        for number, text in got.pieces)
    return chips and ("Text becomes tokens", "<p>Pieces that were common in "
                      "much text, each with a number. A space belongs to the "
                      f'word after it.</p>\n<ul class="chips">\n{chips}\n'
                      "</ul>")


def visible(text):
    """A token's text; a space at its begin or end can be seen."""
    inner = text.strip(" ")
    head, _, tail = text.partition(inner) if inner else (text, "", "")
    return head.replace(" ", "␣") + inner + tail.replace(" ", "␣")


def vectors(got):
    """What the network does to them."""
    if not got.shape or not got.pieces:
        return None
    shape = {key: shown(value) for key, value in got.shape.items()
             if isinstance(value, int)}
    return ("Tokens become vectors, and pass through the blocks",
            f"<p>Each number picks a row of a table of {shape['vocab_size']} "
            f"rows: a vector of {shape['hidden_size']} numbers. The "
            f"{len(got.pieces)} vectors pass through {shape['n_layers']} "
            f"blocks. In each, attention with {shape['n_heads']} heads looks "
            "back at earlier tokens, and a small network with "
            f"{shape['intermediate_size']} hidden numbers works on each "
            "token alone.</p>")


def scores(got):
    """What comes out at its end."""
    if not got.candidates or not got.shape:
        return None
    return ("The last vector becomes scores",
            f"<p>It is compared with all {shown(got.shape['vocab_size'])} "
            "tokens of the vocabulary: one score each, a logit.</p>")


def chances(got):
    """The likeliest next tokens."""
    items = "\n".join(bar(*row) for row in got.candidates)
    return items and ("Scores become probabilities", "<p>Softmax makes them "
                      "add up to 1. The likeliest five:</p>\n"
                      f'<ol class="chances">\n{items}\n</ol>')


def bar(probability, number, text):
    """One candidate, with a bar as long as it is likely."""
    value = float(probability)
    words = probability if value else "&lt; 0.0001"
    return (f"<li><span>{html.escape(visible(text))}</span> <b>{number}</b> "
            f'<i style="--part:{value}"></i> <em>{words}</em></li>')


def again(got):
    """The choice, and the loop."""
    if not got.continuation:
        return None
    text = html.escape(got.text)
    more = html.escape(got.continuation).replace("\n", "<br>")
    return ("One is chosen, appended, and it begins again",
            "<p>Always the likeliest here; sampling makes it a matter of "
            "chance. Until the model says that it is "
            f'done:</p>\n<p class="said">{text}<mark>{more}</mark></p>')
