"""Things that a user says and asks for later."""
from typing import NamedTuple

from .phrases import fill, marked, one_of
from .tables import ANIMALS, COLORS, DAYS, FOODS, HOBBIES, JOBS, MONTHS

FORMS = marked("memories", "!+?=~")
SECRETS = ["secret word", "password", "code word", "magic word", "secret"]
CODES = ["code", "number", "PIN", "room number", "secret number"]
SIDES = ["in", "under", "behind", "on", "next to"]
PLACES = ["box", "bed", "table", "chair", "tree", "car", "door", "basket",
          "lamp", "sofa", "stone", "bridge"]


class Memory(NamedTuple):
    said: str
    noted: str
    questions: list
    answer: str
    value: str
    thought: str


def word_memory(w, section, value, kind=None):
    forms = FORMS[section]
    values = {"value": value, "kind": kind}
    said, noted = one_of(w, forms["!"]), one_of(w, forms["+"])
    return Memory(fill(said, values), fill(noted, values),
                  [fill(each, values) for each in forms["?"]],
                  fill(forms["="][0], values), value,
                  fill(forms["~"][0], values))


def name(w):
    return word_memory(w, "name", w.name())


def secret(w):
    value = w.word()
    return word_memory(w, "secret", value, w.pick(SECRETS))


def favorite(w):
    kind, value = w.one_of(
        ("color", w.pick(COLORS)), ("food", w.pick(FOODS)),
        ("animal", w.pick(ANIMALS)), ("city", w.city()),
        ("hobby", w.pick(HOBBIES)), ("toy", w.word()),
        ("number", str(w.randint(1, 99))), ("month", w.pick(MONTHS)),
        ("day", w.pick(DAYS)), ("word", w.word()))
    return word_memory(w, "favorite", value, kind)


def city(w):
    return word_memory(w, "city", w.city())


def pet(w):
    return word_memory(w, "pet", w.name(), w.pick(ANIMALS))


def age(w):
    return word_memory(w, "age", str(w.randint(3, 90)))


def code(w):
    value = "".join(str(w.randrange(10)) for _ in range(w.randint(2, 6)))
    return word_memory(w, "code", value, w.pick(CODES))


def place(w):
    thing = w.word()
    where = f"{w.pick(SIDES)} the {w.pick(PLACES)}"
    return word_memory(w, "place", where, thing)


def job(w):
    return word_memory(w, "job", w.pick(JOBS))


KINDS = [name, name, name, secret, secret, favorite, favorite, city, pet,
         age, code, place, job]


def memory(w):
    return KINDS[w.randrange(len(KINDS))](w)
