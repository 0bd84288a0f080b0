"""Short stories from a grammar: twelve plots, each sentence with several
wordings.  They keep one hero, one thread and the topic that was asked for,
which a few thousand real stories alone cannot teach a small model."""
import re
from typing import NamedTuple

from . import data
from .phrases import fill, repeated
from .tables import ANIMALS

_WORDS = data.word_lists("story_words.txt")
NAMES_F = _WORDS["names f"]
NAMES_M = _WORDS["names m"]
BEASTS = ANIMALS + _WORDS["more beasts"]
PEOPLE = dict(each.split(":") for each in _WORDS["people"])
THINGS = _WORDS["things"]
FOODS = _WORDS["foods"]
HEROES = BEASTS + list(PEOPLE)
TOPIC_LISTS = [BEASTS, BEASTS, list(PEOPLE), THINGS,
               ["cake", "pie", "soup", "pizza", "cookie"], _WORDS["topics"]]
PRONOUNS = {"f": {"he": "she", "his": "her", "him": "her"},
            "m": {"he": "he", "his": "his", "him": "him"}}
CHOICE = re.compile(r"\[([^\[\]]*)\]")


class Plot(NamedTuple):
    need: str           # "thing", "food", "beast2" (a second beast), "none"
    morals: list
    paragraphs: list


def _read_plots():
    """({title: paragraphs} of the sentences, the plots)"""
    sentences, plots = {}, []
    for block in data.text("plots.txt").split("\n== ")[1:]:
        title, rest = block.split("\n", 1)
        paragraphs = [" ".join(each.split("\n"))
                      for each in rest.strip().split("\n\n")]
        if ", needs " in title:
            plots.append(Plot(title.split(", needs ")[1],
                              paragraphs[0].split("|"), paragraphs[1:]))
        else:
            sentences[title] = [line for each in paragraphs
                                for line in repeated(each)]
    return sentences, plots


SENTENCES, PLOTS = _read_plots()


class Story(NamedTuple):
    topic: str
    text: str


def draw_topic(w):
    if w.chance(.3):
        return w.pick(_WORDS["usual topics"])
    return w.pick(w.pick(TOPIC_LISTS))


def fitting_plots(topic):
    for need, words in (("thing", THINGS), ("food", FOODS)):
        if topic in words:
            return [plot for plot in PLOTS if plot.need == need]
    return PLOTS


def story(w, topic=None, second=None, name=None):
    """topic: an animal, a person, a thing or a food; second: what the
    friend is; name: the hero's.  None: draw one."""
    topic = topic or draw_topic(w)
    kind = (topic if topic in HEROES
            else w.pick(BEASTS + ["girl", "boy"] * 14))
    plot = w.pick(fitting_plots(topic))
    values = _people(w, plot, kind, second, name)
    values |= _props(w, topic)
    _match_friend(w, values)
    values |= {"hobby": w.pick(_WORDS["hobbies"]),
               "skill": w.pick(_WORDS["skills"]),
               "moral": w.pick(plot.morals)}
    return Story(topic, _write(w, plot, values))


def _people(w, plot, kind, second, name):
    gender = (PEOPLE.get(kind) or _gender_of(name)
              or w.pick("fm"))
    name = name or w.pick(NAMES_F if gender == "f" else NAMES_M)
    friend = w.pick(NAMES_F + NAMES_M)
    while friend == name:
        friend = w.pick(NAMES_F + NAMES_M)
    creature = second or _creature(w, plot, kind)
    return {"kind": kind, "name": name, "friend": friend,
            "creature": creature, **PRONOUNS[gender]}


def _gender_of(name):
    return "f" if name in NAMES_F else "m" if name in NAMES_M else None


def _creature(w, plot, kind):
    """What the friend is: not what the hero is."""
    if w.chance(.75) or plot.need == "beast2":
        creature = w.pick(BEASTS)
    else:
        creature = w.pick(["girl", "boy"])
    if creature == kind:
        creature = w.pick([beast for beast in BEASTS if beast != kind])
    return creature


def _props(w, topic):
    return {"place": w.pick(_WORDS["places"]),
            "adjective": w.pick(_WORDS["adjectives"]),
            "manner": w.pick(_WORDS["manners"]),
            "look": w.pick(_WORDS["looks"]),
            "food": (topic if topic in FOODS else
                     w.pick(FOODS[:5] + ["cake"] * 3)).replace("-", " "),
            "fruit": w.pick(_WORDS["fruit"]),
            "thing": topic if topic in THINGS else w.pick(THINGS)}


def _match_friend(w, values):
    """A king is not called Lily."""
    gender = PEOPLE.get(values["creature"])
    for wanted, others, names in (("m", NAMES_F, NAMES_M),
                                  ("f", NAMES_M, NAMES_F)):
        if gender == wanted and values["friend"] in others:
            values["friend"] = w.pick([each for each in names
                                       if each != values["name"]])


def _write(w, plot, values):
    def sentence(template):
        return _fill(w, template, values)

    opening = sentence(w.pick(SENTENCES["openings"]))
    if w.chance(.75):
        opening += " " + sentence(w.pick(SENTENCES["likes"]))
    paragraphs = [opening] + [sentence(each) for each in plot.paragraphs]
    if w.chance(.95):
        endings = w.rng.sample(SENTENCES["endings"], w.one_of(1, 1, 2))
        paragraphs[-1] += " " + " ".join(map(sentence, endings))
    if w.chance(.35):
        paragraphs[:2] = [paragraphs[0] + " " + paragraphs[1]]
    return ("\n\n" if w.chance(.4) else "\n").join(paragraphs)


def _choose(w, text):
    """Draw one of each [a|b], the inner ones first."""
    while match := CHOICE.search(text):
        text = (text[:match.start()] + w.pick(match[1].split("|"))
                + text[match.end():])
    return text


def _fill(w, template, values):
    """Twice, since a hobby may name a {place}."""
    text = _choose(w, template)
    for _ in range(2):
        if "{" in text:
            color = w.pick(_WORDS["colors"])
            text = fill(text, values | {"color": color})
    return re.sub(r" +", " ", text).strip()
