"""A Writer draws: numbers, names, words, phrases.  Whatever is random in a
document comes from its one seeded stream."""
import random

from .phrases import Phrasebook, an
from .tables import (ADJECTIVES, ANIMALS, CAPITALS, CITIES, CITIES_HELD_OUT,
                     FOODS, NAMES, NAMES_HELD_OUT, OBJECTS, ONSETS, VOWELS)

CODAS = ["", "", "", "n", "r", "l", "s", "m", "t", "k", "x", "nd", "sk",
         "ng", "rt"]
BOOK = Phrasebook("writer")


class Vocabulary:
    """Words that are known only once there are stories and a tokenizer.

    pieces: tokens of the tokenizer, so that copying is learnt for each;
    words, sentences: usual ones of the training stories."""

    def __init__(self, pieces=(), words=(), sentences=()):
        self.pieces = pieces
        self.words = words
        self.sentences = sentences


class Writer:
    """held_out: draw the names and cities that training never sees."""

    def __init__(self, seed, vocabulary=None, held_out=False):
        self.rng = random.Random(seed)
        self.vocabulary = vocabulary or Vocabulary()
        self.held_out = held_out
        self.pick = self.rng.choice
        self.random = self.rng.random
        self.randint = self.rng.randint
        self.randrange = self.rng.randrange

    def chance(self, p):
        return self.rng.random() < p

    def one_of(self, *options):
        return self.rng.choice(options)

    def name(self):
        if self.held_out:
            return self.pick(NAMES_HELD_OUT)
        if self.chance(.8):
            return self.pick(NAMES)
        return self.made_up().capitalize()

    def city(self):
        if self.held_out:
            return self.pick(CITIES_HELD_OUT)
        if self.chance(.55):
            return self.pick(CITIES)
        if self.chance(.3):
            return self.pick(CAPITALS)[1]
        first = self.made_up(2, 3).capitalize()
        if self.chance(.12):
            return first + " " + self.made_up().capitalize()
        return first

    def made_up(self, low=2, high=3):
        """A word that does not exist, of pieces or of syllables."""
        if self.vocabulary.pieces and self.chance(.6):
            count = range(self.randint(1, high))
            return "".join(self.pick(self.vocabulary.pieces)
                           for _ in count)[:14]
        count = range(self.randint(low, high))
        return "".join(self.pick(ONSETS) + self.pick(VOWELS)
                       + self.pick(CODAS) for _ in count)[:11]

    def word(self):
        """A noun, mostly; two of them are rarely equal."""
        if self.vocabulary.words and self.chance(.3):
            return self.pick(self.vocabulary.words)
        x = self.random()
        if x < .6:
            return self.pick(OBJECTS)
        if x < .7:
            return self.pick(ANIMALS)
        return self.made_up() if x < .95 else self.pick(FOODS)

    def words(self, count):
        return [self.word() for _ in range(count)]

    def distinct(self, count, draw):
        """`count` different results of draw()."""
        found = []
        while len(found) < count:
            each = draw()
            if each not in found:
                found.append(each)
        return found

    def phrase(self):
        """A few words that somebody might write, send or search."""
        x = self.random()
        if self.vocabulary.sentences and self.chance(.25):
            return self._piece_of_a_sentence()
        if x < .25:
            return " ".join(self.words(self.randint(1, 5)))
        if x < .5:
            return f"the {self.pick(ADJECTIVES)} {self.word()}"
        if x < .75:
            return (f"{self.name()} has {an(self.pick(ADJECTIVES))} "
                    f"{self.word()}")
        return self._message()

    def _piece_of_a_sentence(self):
        words = self.pick(self.vocabulary.sentences).split()
        start = self.randrange(len(words))
        piece = " ".join(words[start:start + self.randint(2, 9)])
        return piece.strip('",.!?;: ').replace('"', "") or "yes"

    def _message(self):
        return BOOK.say(self, "message", hour=self.randint(1, 12),
                        time=self.randint(8, 18), buy=self.word(),
                        found=self.word(), bring=self.word(),
                        luck=self.word(), city=self.city(),
                        thanks=self.word(), forget=self.word())
