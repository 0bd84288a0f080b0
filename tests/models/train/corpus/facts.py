"""Facts: capitals, opposites, elements, numbers in words and so on."""
import re
from typing import NamedTuple

from . import tables
from .chat import Raw, question_and_answer
from .phrases import Phrasebook, an, fill, marked, one_of
from .tables import CAPITALS, DAYS, MONTHS, ORDINALS, PLANETS

FORMS = marked("facts", "?=.~")
HABITS = Phrasebook("questions")


class Fact(NamedTuple):
    questions: list
    answer: str
    statements: list
    thought: str


def word_fact(w, section, **values):
    """The fact of a section of phrases/facts.txt, with its values."""
    forms = FORMS[section]
    answer, thought = one_of(w, forms["="]), one_of(w, forms["~"])
    return Fact([fill(each, values) for each in forms["?"]],
                fill(answer, values),
                [fill(each, values) for each in forms["."]],
                fill(thought, values))


def one_of_facts(w, *sections, **values):
    """All are worded, one is taken: the order of draws is part of a seed."""
    return w.pick([word_fact(w, section, **values) for section in sections])


def enumeration(words):
    return ", ".join(words[:-1]) + " and " + words[-1]


# ------------------------------------------------------------- the kinds

def country(w):
    name, capital, continent = w.pick(CAPITALS)
    x = w.random()
    if x < .45:
        return word_fact(w, "capital", country=name, capital=capital)
    if x < .8:
        return word_fact(w, "country of a capital", country=name,
                         capital=capital)
    if x < .92 or name not in tables.LANGUAGES:
        return word_fact(w, "continent", country=name, continent=continent)
    return word_fact(w, "language", country=name,
                     language=tables.LANGUAGES[name])


def color(w):
    thing, hue = w.pick(tables.THING_COLORS)
    spelling = w.one_of("color", "colour")
    return word_fact(w, "color", thing=thing, color=hue,
                     **{"word for color": spelling})


def opposite(w):
    word, other = w.pick(tables.OPPOSITES)
    return word_fact(w, "opposite", word=word, opposite=other)


def sound(w):
    animal, noise = w.pick(tables.SOUNDS)
    return word_fact(w, "sound", animal=animal, sound=noise)


def baby(w):
    animal, young = w.pick(tables.BABIES)
    return word_fact(w, "baby", animal=animal, baby=young)


def home(w):
    animal, place = w.pick(tables.HOMES)
    return word_fact(w, "home", animal=animal, home=place,
                     place=place if place == "water" else an(place))


def day(w):
    i = w.randrange(7)
    return one_of_facts(w, "day after", "day before", "all days",
                        day=DAYS[i], next=DAYS[(i + 1) % 7],
                        previous=DAYS[i - 1], all=enumeration(DAYS))


def month(w):
    i = w.randrange(12)
    return one_of_facts(w, "month after", "month before", "month by number",
                        "days of a month", "all months",
                        month=MONTHS[i], next=MONTHS[(i + 1) % 12],
                        previous=MONTHS[i - 1], all=enumeration(MONTHS),
                        ordinal=ORDINALS[i], number=i + 1,
                        days=tables.MONTH_DAYS[MONTHS[i]])


def planet(w):
    i = w.randrange(8)
    return one_of_facts(w, "planet", "all planets", planet=PLANETS[i],
                        ordinal=ORDINALS[i], number=i + 1,
                        all=enumeration(PLANETS))


def element(w):
    name, symbol, number = w.pick(tables.ELEMENTS)
    return one_of_facts(w, "symbol", "element of a symbol", "atomic number",
                        element=name, symbol=symbol, number=number)


def plural(w):
    if w.chance(.6):
        one, many = w.pick(tables.IRREGULAR_PLURALS)
    else:
        one = w.pick(tables.REGULAR_NOUNS)
        many = one + "s"
    return word_fact(w, "plural", one=one, many=many)


def past_tense(w):
    verb, past = w.pick(tables.PAST_TENSES)
    return word_fact(w, "past tense", verb=verb, past=past)


def comparison(w):
    base, more, most = w.pick(tables.COMPARISONS)
    return word_fact(w, "comparison", base=base, more=more, most=most)


def legs(w):
    animal, count = w.pick(tables.LEGS)
    return word_fact(w, "legs", animal=animal, legs=count,
                     **{"how many": "no" if count == "0" else count})


def sides(w):
    shape, count = w.pick(tables.SIDES)
    return word_fact(w, "sides", shape=shape, sides=count)


def number_words(w):
    n = w.one_of(w.randrange(0, 21), w.randrange(0, 100),
                 w.randrange(0, 1000))
    return one_of_facts(w, "number to words", "words to number", number=n,
                        words=tables.number_in_words(n))


def counting(w):
    n = w.one_of(w.randrange(1, 20), w.randrange(1, 120))
    if w.chance(.35):
        return _sequence(w)
    return one_of_facts(w, "number after", "number before", number=n,
                        next=n + 1, previous=n - 1)


def _sequence(w):
    step = w.one_of(1, 1, 1, 2, 5, 10)
    first = w.one_of(1, 1, w.randrange(0, 30)) if step == 1 else step
    length = w.randint(3, 10)
    numbers = [first + step * i for i in range(length)]
    section = "count by ones" if step == 1 else "count by steps"
    return word_fact(w, section, first=first, last=numbers[-1], step=step,
                     sequence=", ".join(map(str, numbers)))


def question(w):
    asked, answer = w.pick(tables.QUESTIONS)
    return Fact([asked, asked, asked.rstrip("?")], answer, [answer], answer)


KINDS = [(.34, country), (.40, color), (.48, opposite), (.52, sound),
         (.55, baby), (.57, home), (.60, day), (.64, month), (.67, planet),
         (.73, element), (.78, plural), (.81, past_tense),
         (.83, comparison), (.85, legs), (.865, sides), (.91, number_words),
         (.935, counting), (1, question)]     # cumulative shares


def fact(w):
    x = w.random()
    return next(kind for limit, kind in KINDS if x < limit)(w)


# --------------------------------------------------------- the documents

def vary(w, asked):
    """A question as people write it: lower case, no mark, a greeting."""
    x = w.random()
    if .5 <= x < .58 and not re.search(r"[A-Z]", asked[1:]):
        return asked.lower()
    if .58 <= x < .66:
        return asked.rstrip("?.")
    if .66 <= x < .74:
        return HABITS.say(w, "begin") + asked
    if .74 <= x < .82:
        return asked + HABITS.say(w, "end")
    return asked


def chat(w):
    it = fact(w)
    return question_and_answer(w, vary(w, w.pick(it.questions)), it.answer,
                               it.thought)


def raw(w):
    x = w.random()
    if x < .55:
        count = range(w.randint(1, 7))
        return Raw(" ".join(w.pick(fact(w).statements) for _ in count))
    if x < .65:
        name, capital, _ = w.pick(CAPITALS)
        return Raw(w.one_of(f"The capital of {name} is {capital}.",
                            f"{capital} is the capital of {name}."))
    if x < .9:
        count = range(w.randint(1, 4))
        return Raw("\n".join(_asked_and_answered(w) for _ in count))
    if x < .95:
        pair = w.pick(tables.OPPOSITES + tables.BABIES
                      + tables.IRREGULAR_PLURALS + tables.PAST_TENSES
                      + tables.SOUNDS)
        return Raw(f"{pair[0]}: {pair[1]}")
    return _list(w)


def _asked_and_answered(w):
    it = fact(w)
    return f"Q: {w.pick(it.questions)}\nA: {it.answer}"


def _list(w):
    alphabet = " ".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return Raw(w.one_of(
        "The days of the week are " + ", ".join(DAYS) + ".",
        "The months of the year are " + ", ".join(MONTHS) + ".",
        "The alphabet: " + alphabet + ".",
        ", ".join(map(str, range(1, w.randint(5, 21)))) + "."))
