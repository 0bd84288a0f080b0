"""The mixture: which kinds of documents, and how often each."""
from typing import NamedTuple

from . import (facts, json_answers, personas, retrieval, small_talk, stories,
               sums, talk, tools)
from .writer import Writer


class Mixture(NamedTuple):
    weights: dict       # of each kind; their order is part of a seed
    real_share: float   # of the real stories among those asked for in chat


FIRST = Mixture({"fact_raw": 10, "fact_chat": 16, "arith": 20,
                 "arith_raw": 2, "tool": 17, "json": 13, "retrieve": 28,
                 "bind": 6, "gstory": 9, "copy": 9, "small": 8, "persona": 5,
                 "lang": 5, "code": 4, "llm": 8, "multi": 5,
                 "story_chat": 9}, .04)
# The second stage: more who-has-what, more stories, none of them real.
SECOND = Mixture(FIRST.weights | {"bind": 12, "retrieve": 34, "gstory": 12,
                                  "story_chat": 12}, 0)

KINDS = {"gstory": stories.raw_from_grammar, "bind": retrieval.bind,
         "fact_raw": facts.raw, "fact_chat": facts.chat, "arith": sums.chat,
         "arith_raw": sums.raw, "tool": tools.chat,
         "json": json_answers.chat, "retrieve": retrieval.chat,
         "copy": talk.copying, "small": small_talk.chat,
         "persona": personas.chat, "lang": talk.languages,
         "code": talk.programs, "llm": talk.terms,
         "multi": small_talk.several_turns}


def documents(seed, count, real_stories, mixture=FIRST, vocabulary=None):
    """`count` times (kind, document); the same for the same arguments."""
    w = Writer(seed, vocabulary)
    shelf = stories.Shelf(real_stories)
    kinds, weights = zip(*mixture.weights.items())
    for _ in range(count):
        kind = w.rng.choices(kinds, weights)[0]
        if kind == "story_chat":
            yield kind, stories.chat(w, shelf, mixture.real_share)
        else:
            yield kind, KINDS[kind](w)
