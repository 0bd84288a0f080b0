"""Real stories: names, colors and animals swapped; stories asked in chat."""
import re

from . import grammar
from .chat import Raw, question_and_answer
from .phrases import Phrasebook, an
from .tables import (SOURCE_NAMES_F, SOURCE_NAMES_M, STORY_NAMES_F,
                     STORY_NAMES_M, STORY_NOUNS)

BOOK = Phrasebook("stories")
NAME = re.compile(r"\b(" + "|".join(sorted(SOURCE_NAMES_F | SOURCE_NAMES_M))
                  + r")\b")
SWAPPED_COLORS = ["red", "blue", "green", "yellow", "purple", "pink",
                  "brown"]
SWAPPED_BEASTS = ["dog", "cat", "fox", "wolf", "bear", "lion", "tiger",
                  "rabbit", "mouse", "squirrel", "monkey", "elephant"]
# Words by which a reader would notice that a cat became a dog.
GIVEAWAYS = re.compile(
    r"bark|meow|woof|purr|hop|roar|trunk|squeak|kitten|puppy|bunny|growl|"
    r"cheese|mice|wolves|a ele|an [^e]|paw|tail|doggy|kitty")


# ------------------------------------------------------------ augmentation

def rename(w, story):
    """Other names of the same kind: more data, and names must be copied."""
    present = set(NAME.findall(story))
    used, new = set(present), {}
    for name in sorted(present):
        pool = STORY_NAMES_F if name in SOURCE_NAMES_F else STORY_NAMES_M
        other = w.pick(pool)
        while other in used or re.search(rf"\b{other}\b", story):
            other = w.pick(pool)
        used.add(other)
        new[name] = other
    return NAME.sub(lambda match: new[match[1]], story)


def swap_words(w, story, words):
    """Every one of the words becomes another of them, plurals too."""
    shuffled = words[:]
    w.rng.shuffle(shuffled)
    new = dict(zip(words, shuffled))
    return re.sub(r"\b(" + "|".join(words) + r")(s?)\b",
                  lambda match: new[match[1]] + match[2], story)


def mend_articles(story):
    others = "|".join(SWAPPED_BEASTS[:-1])
    story = re.sub(rf"\b([Aa])n (?=({others}))", r"\1 ", story)
    return re.sub(r"\b([Aa])n? (?=elephant)", r"\1n ", story)


def augment(w, story):
    story = rename(w, story)
    if w.chance(.35) and "rainbow" not in story:
        story = swap_words(w, story, SWAPPED_COLORS)
    if w.chance(.3) and not GIVEAWAYS.search(story):
        story = mend_articles(swap_words(w, story, SWAPPED_BEASTS))
    return story


def respace(w, story):
    """Paragraphs with or without an empty line between them."""
    gap = "\n\n" if w.chance(.5) else "\n"
    return re.sub(r"\n\s*\n", gap, story)


def raw(w, story):
    if w.chance(.8):
        story = augment(w, story)
    return Raw(respace(w, story))


# ------------------------------------------------------------------ topics

def topics(story):
    """Nouns of its first sentences that it names three times or more."""
    low = story.lower()
    head = re.findall(r"[a-z]+", story[:240].lower())
    return [word for word in dict.fromkeys(head) if word in STORY_NOUNS
            and len(re.findall(rf"\b{word}s?\b", low)) >= 3]


class Shelf:
    """Real stories, by topic, so that rare topics are asked for too."""

    def __init__(self, stories):
        self.stories = stories
        self.short = [i for i, story in enumerate(stories)
                      if len(story) < 1250]
        self.by_topic = {}
        for i in self.short:
            for topic in topics(stories[i]):
                self.by_topic.setdefault(topic, []).append(i)
        self.topics = sorted(self.by_topic)
        self.weights = [len(self.by_topic[topic]) ** .6
                        for topic in self.topics]

    def pick(self, w):
        """A short story; three times out of four by its topic."""
        if self.topics and w.chance(.75):
            topic = w.rng.choices(self.topics, self.weights)[0]
            return self.stories[w.pick(self.by_topic[topic])]
        return self.stories[w.pick(self.short or range(len(self.stories)))]


# ---------------------------------------------------------- stories in chat

def chat(w, shelf, real_share):
    """real_share: of the real stories; the others are from the grammar."""
    real = w.chance(real_share)
    topic, story = _real(w, shelf) if real else _from_grammar(w)
    if topic and w.chance(.92):
        return question_and_answer(
            w, BOOK.say(w, "ask about", topic=topic), story,
            f"I will tell a short story about {topic}.", .4, .25)
    return question_and_answer(w, BOOK.say(w, "ask"), story,
                               "I will tell a short story.", .4, .25)


def _real(w, shelf):
    story = shelf.pick(w)
    if w.chance(.8):
        story = augment(w, story)
    found = topics(story)
    topic = an(w.pick(found)) if found else None
    named = re.findall(r"named ([A-Z][a-z]+)", story[:250])
    if not topic and named:
        topic = named[0]
    return topic, respace(w, story)


def _from_grammar(w):
    x = w.random()
    if x < .10:
        second, hero = w.pick(grammar.HEROES), w.pick(grammar.HEROES)
        return (f"{an(hero)} and {an(second)}",
                grammar.story(w, hero, second).text)
    if x < .22:
        hero = w.pick(grammar.HEROES)
        name = w.pick(_names_for(hero))
        text = grammar.story(w, hero, None, name).text
        return f"{an(hero)} {w.one_of('named', 'called')} {name}", text
    topic, text = grammar.story(w)
    return an(topic), text


def _names_for(hero):
    if hero not in grammar.PEOPLE:
        return grammar.NAMES_F + grammar.NAMES_M
    return (grammar.NAMES_F if grammar.PEOPLE[hero] == "f"
            else grammar.NAMES_M)


def raw_from_grammar(w):
    return Raw(grammar.story(w).text)
