"""Small talk, and the turns that stand between a memory and its question."""
from . import data, facts, sums
from .chat import Chat, assistant, maybe_system, user
from .phrases import Phrasebook

BOOK = Phrasebook("talk")


def _exchanges():
    """(what the user may say, what may be answered, the thought)"""
    found = []
    for line in data.text("small_talk.txt").splitlines():
        mark, rest = line[:1], line[2:]
        if mark == "~":
            found.append(([], [], rest))
        elif mark in ("?", "="):
            found[-1]["?=".index(mark)].append(rest)
    return found


EXCHANGES = _exchanges()


def exchange(w):
    """(question, answer, thought)"""
    said, answers, thought = w.pick(EXCHANGES)
    return w.pick(said), w.pick(answers), thought


def distractions(w, n):
    """n exchanges about something else."""
    return [turn for _ in range(n) for turn in _distraction(w)]


def _distraction(w):
    x = w.random()
    if x < .45:
        it = facts.fact(w)
        return [user(facts.vary(w, w.pick(it.questions))),
                assistant(it.answer)]
    if x < .55:
        it = sums.work_out(2, "+", 3) if w.held_out else sums.draw_sum(w)
        asked = f"{it.a} {it.op} {it.b}"
        return [user(f"What is {asked}?"),
                assistant(f"{asked} = {it.result}")]
    said, answer, _ = exchange(w)
    return [user(said), assistant(answer)]


def chat(w):
    if w.chance(.12):
        return _introduction(w)
    said, answer, thought = exchange(w)
    before = distractions(w, w.pick([0, 0, 1, 2])) if w.chance(.4) else []
    return Chat(before + [user(said), assistant(answer)], maybe_system(w),
                None, thought if w.chance(.45) else None)


def _introduction(w):
    name = w.name()
    return Chat([user(BOOK.say(w, "introduce myself", name=name)),
                 assistant(BOOK.say(w, "introduced", name=name))],
                maybe_system(w), None,
                f"The user is called {name}." if w.chance(.4) else None)


def several_turns(w):
    """One to three exchanges, then a question of any kind."""
    before, x = distractions(w, w.randint(1, 3)), w.random()
    if x < .5:
        it = facts.fact(w)
        asked, answer, thought = w.pick(it.questions), it.answer, it.thought
    elif x < .75:
        it = sums.draw_sum(w)
        asked = f"What is {it.a} {it.op} {it.b}?"
        answer, thought = sums.equation(it), it.steps
    else:
        asked, answer, thought = exchange(w)
    thinks = w.chance(.5)
    if .5 <= x < .75 and not thinks:    # sums need their steps more often
        thinks = w.chance(.5)
    return Chat(before + [user(asked), assistant(answer)], maybe_system(w),
                None, thought if thinks else None)
