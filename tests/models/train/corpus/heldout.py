"""Held-out items: names, cities, sums and wordings that training never
sees.  They measure generalisation to new values, not to free wordings."""
from typing import NamedTuple

from . import json_answers, personas, retrieval, sums, talk, tools
from .chat import Chat, assistant, user
from .tables import CAPITALS, TERMS
from .tool_kinds import weather
from .writer import Writer


class Item(NamedTuple):
    prompt: str
    expected: str
    exact: bool         # else the answer must contain it


def question(asked, thinks=False):
    """The prompt of one question; thinks: the model shall think first."""
    return Chat([user(asked), assistant("")], None, None,
                "x" if thinks else None).prompt()


def held_out_items(seed=12345, count=100):
    """{task: items}"""
    w = Writer(seed)
    items = _facts(w, count)
    w.held_out = True
    items["addsub_think"] = _sums(w, "+-", True, count)
    items["addsub_nothink"] = _sums(w, "+-", False, count)
    items["mul_think"] = _sums(w, "*", True, 50)
    items |= _tools(w, count)
    items["json"] = [_exact(json_answers.chat(w)) for _ in range(count)]
    items["retrieve"] = [_contains(retrieval.recall(w), w)
                         for _ in range(count)]
    items["persona"] = [_persona(personas.persona(w), w)
                        for _ in range(count)]
    items["copy"] = _copies(w, count)
    items["llm"] = [Item(question(f"What is {term}?"), definition, True)
                    for term, definition in TERMS]
    return items


def _facts(w, count):
    sample = w.rng.sample(CAPITALS, count)
    return {
        "capital_raw": [Item(f"The capital of {country} is", capital, False)
                        for country, capital, _ in CAPITALS],
        "capital_chat": [
            Item(question("Please tell me, what is the capital of "
                          f"{country}?"), capital, False)
            for country, capital, _ in sample],
        "country_chat": [
            Item(question(f"Which country has {capital} as its capital?"),
                 country.replace("the ", ""), False)
            for country, capital, _ in sample]}


def _sums(w, operations, thinks, count):
    found = []
    while len(found) < count:
        it = sums.draw_sum(w)
        if it.op in operations:
            found.append(Item(
                question(f"What is {it.a} {it.op} {it.b}?", thinks),
                sums.equation(it), True))
    return found


def _exact(chat):
    return Item(chat.prompt(), chat.answer(), True)


def _tools(w, count):
    """Calls for the weather first, then calls of any tool; answers."""
    found = {"tool_weather": [], "tool_all": [], "tool_answer": []}
    while min(map(len, found.values())) < count:
        weather_only = len(found["tool_weather"]) < count
        item = _exact(tools.chat(w, weather if weather_only else None))
        if "<tool_call>" in item.expected:
            task = "tool_weather" if weather_only else "tool_all"
        elif "<tool_response>" in item.prompt:
            task = "tool_answer"
        else:
            continue
        if len(found[task]) < count:
            found[task].append(item)
    return found


def _contains(it, w):
    thought = it.thought if w.chance(.5) else None
    return Item(Chat(it.turns, it.system, None, thought).prompt(), it.value,
                False)


def _persona(it, w):
    turns = [user(it.question), assistant(it.answer)]
    thought = it.thought if w.chance(.5) else None
    return Item(Chat(turns, it.system, None, thought).prompt(), it.value,
                False)


def _copies(w, count):
    found = []
    while len(found) < count:
        item = _exact(talk.copying(w))
        if any(verb in item.prompt for verb in ("Repeat", "Say:", "Copy")):
            found.append(item)
    return found
