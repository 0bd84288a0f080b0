"""The tools: each function draws a definition and says how it is used."""
from typing import Callable, NamedTuple

from .chat import dumps
from .phrases import Phrasebook, an, capital
from .tables import ADJECTIVES, GREETINGS, JOBS

BOOK = Phrasebook("tools")


class Use(NamedTuple):
    """One question, and everything that follows from it."""
    question: str
    arguments: dict
    thought: str
    result: str         # what the program gives back
    answer: str         # what the model says then
    other_answer: str   # or, less often, this


class Tool(NamedTuple):
    definition: dict
    use: Callable       # of a Writer, gives a Use

    @property
    def name(self):
        return self.definition["function"]["name"]


def parameter(kind, description):
    return {"type": kind, "description": description}


def definition(name, description, properties, required=None):
    """As the OpenAI API writes it; all are required if not said."""
    schema = {"type": "object", "properties": properties,
              "required": (list(properties) if required is None
                           else required)}
    return {"type": "function",
            "function": {"name": name, "description": description,
                         "parameters": schema}}


def weather(w):
    argument = BOOK.say(w, "weather: argument")
    function = BOOK.say(w, "weather: function")
    properties = {argument: parameter(
        "string", BOOK.say(w, "weather: of the argument"))}
    has_unit = w.chance(.4)
    if has_unit:
        properties["unit"] = _unit(w)
    description = BOOK.say(w, "weather: description")
    return Tool(definition(function, description, properties, [argument]),
                lambda w: _use_weather(w, function, argument, has_unit))


def _unit(w):
    if w.chance(.7):
        return {"type": "string", "enum": ["celsius", "fahrenheit"]}
    return parameter("string", "celsius or fahrenheit")


def _use_weather(w, function, argument, has_unit):
    city = w.city()
    says_unit = w.chance(.5) and has_unit
    unit = w.one_of("celsius", "fahrenheit")
    asked = BOOK.say(w, "weather: ask", city=city)
    arguments = {argument: city}
    if says_unit:
        end = "?" if asked.endswith("?") else "."
        asked = f"{asked.rstrip('?.')} in {unit}{end}"
        arguments["unit"] = unit
    degrees, sky = w.randint(-10, 38), BOOK.say(w, "weather: sky")
    if not says_unit:
        unit = w.one_of("celsius", "celsius", "celsius", "fahrenheit")
    result = _weather_result(w, argument, city, degrees, unit, sky)
    return Use(asked, arguments,
               f"The user wants to know the weather in {city}. "
               f"I call {function}.", result,
               f"It is {degrees} degrees and {sky} in {city}.",
               f"The weather in {city} is {sky} with {degrees} degrees.")


def _weather_result(w, argument, city, degrees, unit, sky):
    degrees_key = BOOK.say(w, "weather: key of the temperature")
    sky_key = BOOK.say(w, "weather: key of the sky")
    found = {}
    if w.chance(.5):
        found[argument if w.chance(.7) else "city"] = city
    found[degrees_key] = degrees
    if w.chance(.6):
        found["unit"] = unit
    found[sky_key] = sky
    if w.chance(.3):
        found = dict(sorted(found.items(), key=lambda _: w.random()))
    if w.chance(.75):
        return dumps(found)
    return BOOK.say(w, "weather: plain result", sky=sky, degrees=degrees)


def time_of_day(w):
    def use(w):
        city = w.city()
        now = f"{w.randrange(24):02d}:{w.randrange(60):02d}"
        return Use(BOOK.say(w, "time: ask", city=city), {"city": city},
                   f"The user wants the time in {city}. I call get_time.",
                   w.one_of(dumps({"city": city, "time": now}),
                            dumps({"time": now}), now),
                   f"It is {now} in {city}.", f"The time is {now}.")

    return Tool(definition(
        "get_time", BOOK.say(w, "time: description"),
        {"city": parameter("string", BOOK.say(w, "time: city"))}), use)


COMPUTE = {"add": ("+", "plus", lambda a, b: a + b),
           "multiply": ("*", "times", lambda a, b: a * b),
           "subtract": ("-", "minus", lambda a, b: a - b)}


def compute(w):
    function = w.one_of("add", "add", "multiply", "subtract")
    description = BOOK.say(w, "compute: description", verb=function)
    numbers = {key: parameter(BOOK.say(w, "compute: type"), meaning)
               for key, meaning in [("a", "First number"),
                                    ("b", "Second number")]}
    return Tool(definition(function, description, numbers),
                lambda w: _use_compute(w, function))


def _use_compute(w, function):
    sign, word, operation = COMPUTE[function]
    a, b = (w.randint(0, 10 ** w.randint(1, 4)) for _ in range(2))
    value = operation(a, b)
    last = (f"What is {a} - {b}?" if function == "subtract"
            else f"{capital(function)} {a} and {b}.")
    asked = BOOK.say(w, "compute: ask", a=a, b=b, sign=sign, word=word,
                     **{"last form": last})
    return Use(asked, {"a": a, "b": b},
               f"The user wants {a} {sign} {b}. I call {function}.",
               w.one_of(str(value), dumps({"result": value})),
               f"{a} {sign} {b} = {value}", f"The result is {value}.")


def search(w):
    function = BOOK.say(w, "search: function")
    description = BOOK.say(w, "search: description")
    query = parameter("string", BOOK.say(w, "search: query"))
    return Tool(definition(function, description, {"query": query}),
                _use_search)


def _use_search(w):
    what = BOOK.say(w, "search: what", **{
        "phrase": w.phrase(), "word": w.word(), "word 2": w.word(),
        "best": w.word(), "city": w.city(), "painted": w.word(),
        "cheap": w.word(), "name": w.name(), "made up": w.made_up(),
        "history": w.word()})
    if w.chance(.5):
        found = f"The {w.word()} is {w.pick(ADJECTIVES)}."
    else:
        found = (f"{capital(w.made_up())} is {an(w.pick(JOBS))} from "
                 f"{w.city()}.")
    return Use(BOOK.say(w, "search: ask", what=what), {"query": what},
               f"The user wants me to search for {what}.",
               w.one_of(found, dumps({"result": found}), dumps([found])),
               f"I found this: {found}", f"The search says: {found}")


def message(w):
    function = BOOK.say(w, "message: function")
    description = BOOK.say(w, "message: description")
    fields = {key: parameter("string", BOOK.say(w, f"message: {key}"))
              for key in ("to", "text")}

    def use(w):
        name, text = w.name(), w.phrase()
        return Use(BOOK.say(w, "message: ask", name=name, text=text),
                   {"to": name, "text": text},
                   f"The user wants to send a message to {name}. "
                   f"I call {function}.", BOOK.say(w, "message: result"),
                   f"I sent the message to {name}.",
                   f"Your message to {name} has been sent.")

    return Tool(definition(function, description, fields), use)


def timer(w):
    def use(w):
        minutes = w.randint(1, 120)
        return Use(BOOK.say(w, "timer: ask", minutes=minutes),
                   {"minutes": minutes},
                   f"The user wants a timer of {minutes} minutes.",
                   BOOK.say(w, "timer: result", minutes=minutes),
                   f"I set a timer for {minutes} minutes.",
                   f"The timer is set for {minutes} minutes.")

    return Tool(definition(
        "set_timer", BOOK.say(w, "timer: description"),
        {"minutes": parameter(BOOK.say(w, "timer: type"),
                              BOOK.say(w, "timer: minutes"))}), use)


def song(w):
    def use(w):
        title = BOOK.say(w, "song: title", **{
            "phrase": w.phrase(), "adjective": w.pick(ADJECTIVES),
            "word": w.word(), "word 2": w.word(), "word 3": w.word()})
        title = title.title().replace("'S", "'s")
        return Use(BOOK.say(w, "song: ask", title=title), {"title": title},
                   f"The user wants to hear {title}.",
                   BOOK.say(w, "song: result"),
                   f"I am playing {title}.", f"Now playing {title}.")

    return Tool(definition("play_song", "Play a song", {
        "title": parameter("string", "Title of the song")}), use)


def translate(w):
    def use(w):
        text, language = w.phrase(), w.pick(GREETINGS)[0]
        found = w.made_up() + " " + w.made_up()
        return Use(BOOK.say(w, "translate: ask", text=text,
                            language=language),
                   {"text": text, "language": language},
                   f"The user wants a translation into {language}. "
                   "I call translate.",
                   w.one_of(found, dumps({"translation": found})),
                   f'In {language} it is "{found}".',
                   f'The translation is "{found}".')

    return Tool(definition("translate", "Translate a text", {
        "text": parameter("string", "The text"),
        "language": parameter("string", "Target language")}), use)


def light(w):
    state = w.one_of("on", "off")

    def use(w):
        room = BOOK.say(w, "light: room", **{"made up": w.made_up()})
        return Use(BOOK.say(w, "light: ask", state=state, room=room),
                   {"room": room},
                   f"The user wants the light in the {room} {state}.",
                   BOOK.say(w, "light: result"),
                   f"The light in the {room} is {state}.",
                   f"I turned {state} the light in the {room}.")

    return Tool(definition(
        f"turn_{state}_light", f"Turn {state} the light in a room",
        {"room": parameter("string", "The room")}), use)


def price(w):
    function = BOOK.say(w, "price: function")

    def use(w):
        item = w.one_of(w.word(), f"{w.pick(ADJECTIVES)} {w.word()}",
                        w.made_up().upper()[:4])
        value = w.randint(1, 900)
        return Use(BOOK.say(w, "price: ask", item=item), {"item": item},
                   f"The user asks for the price of {item}. "
                   f"I call {function}.",
                   w.one_of(dumps({"item": item, "price": value}),
                            str(value)),
                   f"The price of {item} is {value}.",
                   f"It costs {value}.")

    return Tool(definition(function, BOOK.say(w, "price: description"), {
        "item": parameter("string", "Name of the item")}), use)


def note(w):
    function = BOOK.say(w, "note: function")

    def use(w):
        text = w.phrase()
        return Use(BOOK.say(w, "note: ask", text=text), {"text": text},
                   f"The user wants to save a note. I call {function}.",
                   BOOK.say(w, "note: result", id=w.randint(1, 99)),
                   "I saved the note.", "Your note is saved.")

    return Tool(definition(function, "Save a note", {
        "text": parameter("string", "Text of the note")}), use)


def user_by_id(w):
    def use(w):
        number, name, age = w.randint(1, 9999), w.name(), w.randint(5, 90)
        return Use(BOOK.say(w, "user: ask", id=number), {"id": number},
                   f"The user asks about user {number}. I call get_user.",
                   dumps({"id": number, "name": name, "age": age}),
                   f"User {number} is {name}, {age} years old.",
                   f"The user is {name}.")

    return Tool(definition("get_user", "Get a user by id", {
        "id": parameter("integer", "The id of the user")}), use)


KINDS = ([weather] * 6 + [time_of_day] * 3 + [compute] * 2 + [search] * 3
         + [message] * 3 + [timer] * 2
         + [song, translate, light, price, note, user_by_id])
