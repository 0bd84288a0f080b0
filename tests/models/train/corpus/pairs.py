"""Pairs of texts that belong together, for the embedding model."""
import re
from contextlib import contextmanager
from typing import NamedTuple

from . import facts
from .phrases import Phrasebook
from .stories import augment
from .tables import COLORS, GREETING_KEYS, GREETINGS, PROGRAMS, TERMS
from .talk import without_article

BOOK = Phrasebook("pairs")
QUERY_PREFIX = ("Instruct: Given a web search query, retrieve relevant "
                "passages that answer the query\nQuery:")
SENTENCE_END = r"(?<=[.!?\"])\s+"


class Pair(NamedTuple):
    key: str            # pairs with one key are not negatives of each other
    query: str
    passage: str


def pair(w, stories, held_out=False):
    """held_out: wordings, names and whole stories as training has none;
    every fact's last form of question is kept for these."""
    x = w.random()
    if x < .42:
        return _fact(w, held_out)
    if x < .58:
        return _term(w, held_out)
    if x < .78:
        return _story(w, stories, held_out)
    if x < .92:
        return _sentence(w, held_out)
    return _program(w) if x < .96 else _greeting(w)


def word_key(text):
    """The words of a text, whatever their order."""
    return " ".join(sorted(set(re.findall(r"\w+", text.lower()))))


def _fact(w, held_out):
    it = facts.fact(w)
    forms = (it.questions[-1:] if held_out
             else it.questions[:-1] or it.questions)
    query = w.pick(forms)
    if held_out or w.chance(.65):
        passage = w.pick(it.statements + [it.answer])
    else:
        passage = w.pick(forms)
    if not held_out:
        query = facts.vary(w, query)
    return Pair(word_key(it.statements[0]), query, passage)


def _term(w, held_out):
    term, definition = w.pick(TERMS)
    names = {"term": term, "bare": without_article(term)}
    if held_out:
        return Pair(term, BOOK.say(w, "term, held out", **names), definition)
    query = BOOK.say(w, "term", **names)
    if w.chance(.3):
        return Pair(term, query, BOOK.say(w, "term, again", **names))
    if w.chance(.7):
        return Pair(term, query, definition)
    return Pair(term, query, w.pick(re.split(r"(?<=[.]) ", definition)))


def _story(w, stories, held_out):
    """Two halves, or one sentence and the others."""
    story = w.pick(stories)
    if not held_out and w.chance(.5):
        story = augment(w, story)
    sentences = re.split(SENTENCE_END, story)
    if held_out or w.chance(.6):
        half = len(sentences) // 2
        return Pair(story[:60], " ".join(sentences[:half])[-700:],
                    " ".join(sentences[half:])[:700])
    i = w.randrange(len(sentences))
    others = sentences[:i] + sentences[i + 1:]
    return Pair(story[:60], sentences[i], " ".join(others)[:700])


@contextmanager
def _names_held_out(w, held_out):
    before, w.held_out = w.held_out, held_out
    yield
    w.held_out = before


def _sentence(w, held_out):
    with _names_held_out(w, held_out):
        values = {"name": w.name(), "thing": w.word(),
                  "color": w.pick(COLORS), "city": w.city()}
    # One question is drawn for each sentence, then one of the sentences.
    queries = [BOOK.say(w, f"about {title}", **values)
               for title in ("having", "living", "liking", "going")]
    price = w.randint(1, 99)
    queries.append(BOOK.say(w, "about costing", **values))
    i = w.randrange(len(queries))
    sentence = BOOK.fill_row("sentences", i, price=price, **values)
    return Pair(sentence, queries[i], sentence)


def _program(w):
    purpose, code, remark = w.pick(PROGRAMS)
    return Pair(purpose, BOOK.say(w, "program", purpose=purpose),
                w.one_of(code, code, remark))


def _greeting(w):
    language, *words = w.pick(GREETINGS)
    i = w.randrange(6)
    return Pair(language + GREETING_KEYS[i],
                f"{GREETING_KEYS[i]} in {language}",
                w.one_of(words[i], f"{language}: {words[i]}"))
