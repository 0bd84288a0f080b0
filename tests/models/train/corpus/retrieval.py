"""Retrieval: the answer stands earlier in the text."""
from typing import NamedTuple, Optional

from .chat import Chat, Raw, assistant, maybe_system, user
from .memories import memory
from .phrases import Phrasebook, an
from .small_talk import distractions
from .tables import COLORS, ORDINALS

BOOK = Phrasebook("retrieval")
# he ..., does he ... ?, the auxiliary
VERBS = [("likes", "like", "does"), ("wants", "want", "does"),
         ("bought", "buy", "did"), ("sees", "see", "does")]
BOUND_VERBS = [("likes", "like"), ("wants", "want"), ("sees", "see")]


class Recall(NamedTuple):
    turns: list
    system: Optional[str]
    value: str          # what a right answer contains
    thought: str


def recall(w):
    x = w.random()
    if x < .42:
        return from_the_user(w)
    if x < .48:
        return from_the_system_prompt(w)
    return from_a_text(w) if x < .80 else from_a_list(w)


def from_the_user(w):
    """Said some turns ago, sometimes with another memory beside it."""
    it, other = memory(w), []
    if w.chance(.3):
        second = memory(w)
        if not set(second.questions) & set(it.questions):
            other = [user(second.said), assistant(second.noted)]
    between = distractions(w, w.pick([0, 1, 1, 1, 2, 2, 3]))
    told = [user(it.said), assistant(it.noted)]
    before = (other + told if w.chance(.5) else told + other) + between
    if w.chance(.12):
        turns = [user(it.said + " " + w.pick(it.questions))]
    else:
        turns = before + [user(w.pick(it.questions))]
    return Recall(turns + [assistant(it.answer)], None, it.value,
                  it.thought)


def from_the_system_prompt(w):
    system, asked, answer, value = BOOK.say_parts(
        w, "asked of the system prompt", name=w.name(), word=w.word())
    return Recall(distractions(w, w.pick([0, 0, 1]))
                  + [user(asked), assistant(answer)], system, value,
                  f"The system prompt says it: {value}.")


def from_a_text(w):
    """Who has, likes, wants, bought or sees what."""
    n = w.randint(2, 4)
    names, things = w.distinct(n, w.name), w.distinct(n, w.word)
    colors = [w.pick(COLORS) for _ in range(n)]
    i = w.randrange(n)
    it = {"name": names[i], "thing": things[i], "color": colors[i]}
    if w.chance(.5):
        text = _owned(names, colors, things)
        parts = BOOK.say_parts(w, "who has what", **it)
    else:
        does_it, do, does = w.pick(VERBS)
        text = _done(names, does_it, things)
        parts = BOOK.say_parts(w, "who does what", does=does, do=do, **it,
                               **{"does it": does_it})
    asked, answer, value = parts
    return Recall([user(BOOK.say(w, "text and question", text=text,
                                 question=asked)), assistant(answer)],
                  None, value, f"The text says: {answer}")


def _owned(names, colors, things):
    return " ".join(f"{name} has {an(color)} {thing}." for name, color, thing
                    in zip(names, colors, things))


def _done(names, does_it, things):
    return " ".join(f"{name} {does_it} the {thing}."
                    for name, thing in zip(names, things))


def from_a_list(w):
    n = w.randint(3, 6)
    words = w.distinct(n, w.word)
    i = w.randrange(n)
    listed = _written_list(w, words)
    kind = BOOK.say(w, "name of a list")
    asked, answer = BOOK.say_parts(
        w, "item of a list", ordinal=ORDINALS[i], word=words[i],
        item="word" if kind == "words" else "item")
    if w.chance(.2):
        i = n - 1
        asked, answer = "What is the last one?", f"The last one is {words[i]}."
    if w.chance(.5):
        head = "The items are" if kind == "items" else f"Here is my {kind}"
        turns = [user(f"{head}: {listed}"),
                 assistant(BOOK.say(w, "list noted", n=n))]
        turns += distractions(w, w.pick([0, 0, 1])) + [user(asked)]
    else:
        head = "Items" if kind == "items" else f"My {kind}"
        turns = [user(f"{head}: {listed}\n{asked}")]
    return Recall(turns + [assistant(answer)], None, words[i],
                  _numbered_thought(words, i))


def _written_list(w, words):
    numbered = [f"{j + 1}. {word}" for j, word in enumerate(words)]
    return w.one_of(", ".join(words),
                    ", ".join(words[:-1]) + " and " + words[-1],
                    "\n" + "\n".join(numbered),
                    "\n" + "\n".join(f"- {word}" for word in words))


def _numbered_thought(words, i):
    counted = ", ".join(f"{j + 1} {word}" for j, word in enumerate(words))
    return f"The list is: {counted}. Number {i + 1} is {words[i]}."


def chat(w):
    it = recall(w)
    return Chat(it.turns, it.system or maybe_system(w, .25), None,
                it.thought if w.chance(.45) else None)


# ------------------------------------------------------------- raw binding

def bind(w):
    """Raw text that says who has what, then asks it back in another order.

    It teaches the step from a thing back to its owner."""
    n = w.randint(2, 6)
    names, things = w.distinct(n, w.name), w.distinct(n, w.word)
    colors = [w.pick(COLORS) for _ in range(n)]
    kind = w.randrange(4)
    order = list(range(n))
    w.rng.shuffle(order)
    text, section, values = _binding(w, kind, names, colors, things)
    asked = [BOOK.say(w, section, name=names[i], thing=things[i],
                      color=colors[i], **values) for i in order]
    return Raw(text + w.one_of(" ", "\n") + w.one_of(" ", "\n").join(asked))


def _binding(w, kind, names, colors, things):
    """(the text, the section of its questions, values for them)"""
    if kind == 0:
        return _owned(names, colors, things), "owned things", {}
    if kind == 1:
        does_it, do = w.pick(BOUND_VERBS)
        return (_done(names, does_it, things), "things done",
                {"does it": does_it, "do": do})
    if kind == 2:
        text = " ".join(f"The {thing} is {color}."
                        for thing, color in zip(things, colors))
        return text, "colored things", {}
    pairs = [f"{name}: {thing}" for name, thing in zip(names, things)]
    return ", ".join(pairs) + ".", "named things", {}
