"""Personas: who the system prompt says that the model is."""
from typing import NamedTuple

from .chat import Chat, assistant, user
from .phrases import an
from .small_talk import BOOK, distractions
from .tables import CREATURES, HOBBIES

TRAITS = ["small", "friendly", "old", "funny", "kind", "brave", "happy",
          "wise", "tiny", "clever", "helpful", "sleepy"]


class Persona(NamedTuple):
    system: str
    question: str
    answer: str
    value: str          # what a right answer contains
    thought: str


def persona(w):
    name = w.name() if w.chance(.5) else w.made_up(1, 2).capitalize()
    trait, creature = w.pick(TRAITS), w.pick(CREATURES)
    description, city = f"{an(trait)} {creature}", w.city()
    home = hobby = extra = ""
    if w.chance(.3):
        extra = home = BOOK.say(w, "persona: home", city=city)
    elif w.chance(.3):
        hobby = w.pick(HOBBIES)
        extra = f" You love {hobby}."
    system = (BOOK.say(w, "persona: system", name=name,
                       description=description) + extra
              + BOOK.say(w, "persona: end of the system", nothing=""))
    questions = _questions(w, name, description, creature)
    if home:
        verb = "live in" if "live" in home else "come from"
        questions.append((BOOK.say(w, "persona: where"),
                          f"I {verb} {city}.", city))
    if hobby:
        questions.append(("What do you love?", f"I love {hobby}.", hobby))
    questions.append((BOOK.say(w, "persona: greet"),
                      f"Hello! I am {name}. How can I help you?", name))
    asked, answer, value = w.pick(questions[:1] * 2 + questions)
    return Persona(system, asked, answer, value,
                   f"The system prompt says that I am {name}, "
                   f"{description}.")


def _questions(w, name, description, creature):
    return [(BOOK.say(w, "persona: who"), f"I am {name}, {description}.",
             name),
            (BOOK.say(w, "persona: name"), f"My name is {name}.", name),
            (BOOK.say(w, "persona: what"), f"I am {description}.", creature)]


def chat(w):
    it = persona(w)
    before = distractions(w, 1) if w.chance(.2) else []
    return Chat(before + [user(it.question), assistant(it.answer)],
                it.system, None, it.thought if w.chance(.45) else None)
