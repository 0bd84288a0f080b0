"""Questions whose answer is JSON and nothing else."""
from .chat import Chat, assistant, dumps, maybe_system, user
from .phrases import Phrasebook, an, fill, one_of
from .tables import (ANIMALS, CAPITALS, COLORS, DAYS, JOBS, MONTHS, PLANETS,
                     SEASONS, number_in_words)

BOOK = Phrasebook("json")
PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]
FRUITS = ["apple", "pear", "plum", "cherry", "lemon", "grape", "peach",
          "mango", "melon", "banana", "orange"]
FIELDS = ["name", "color", "size", "city", "food", "animal", "title",
          "price", "count", "id", "room", "year", "team", "fruit", "tool"]


def _count(w, n):
    return n if w.chance(.4) else number_in_words(n)


def _say_count(w, section, n, **values):
    """Each wording draws for itself whether n is written in words."""
    wordings = [fill(each, dict(values, n=_count(w, n)))
                for each in BOOK.sections[section]]
    return one_of(w, wordings)


# ---------------------------------- the kinds: each gives (question, value)

def numbers(w, _form):
    n = w.randint(2, 10)
    kind, key, series = w.one_of(
        ("primes", "primes", PRIMES[:n]), ("primes", "primes", PRIMES[:n]),
        ("prime numbers", "primes", PRIMES[:n]),
        ("even numbers", "even", [2 * i for i in range(1, n + 1)]),
        ("odd numbers", "odd", [2 * i + 1 for i in range(n)]),
        ("square numbers", "squares", [i * i for i in range(1, n + 1)]),
        ("natural numbers", "numbers", list(range(1, n + 1))),
        ("multiples of 5", "multiples", [5 * i for i in range(1, n + 1)]),
        ("multiples of 10", "multiples", [10 * i for i in range(1, n + 1)]))
    form = BOOK.say(w, "form of numbers")
    if w.chance(.2):
        return _say_count(w, "numbers as an array", n, kind=kind), series
    return _say_count(w, "numbers", n, kind=kind, form=form), {key: series}


def _person(w):
    name, age = w.name(), w.randint(1, 99)
    sentence = BOOK.say(w, "person", name=name, age=age,
                        pronoun=w.one_of("She", "He"))
    return name, sentence, {"name": name, "age": age}


def _extract(w, form, sentence, what, value):
    return BOOK.say(w, "extract", form=form, sentence=sentence,
                    what=what), value


def person(w, form):
    _, sentence, value = _person(w)
    return _extract(w, form, sentence, "the name and age", value)


def person_in_a_city(w, form):
    name, sentence, value = _person(w)
    city = value["city"] = w.city()
    if sentence.startswith("This"):
        sentence += f" {name} lives in {city}."
    else:
        sentence = sentence.rstrip(".") + BOOK.say(w, "person in a city",
                                                   city=city)
    return _extract(w, form, sentence, BOOK.say(w, "name, age and city"),
                    value)


def person_with_a_job(w, form):
    name, sentence, value = _person(w)
    job = value["job"] = w.pick(JOBS)
    if sentence.startswith("This"):
        sentence += f" {name} is {an(job)}."
    else:
        sentence = f"{sentence.rstrip('.')} and works as {an(job)}."
    return _extract(w, form, sentence, BOOK.say(w, "name, age and job"),
                    value)


def word_list(w, form):
    count = w.randint(2, 5)
    kind, draw = w.one_of(
        ("colors", lambda: w.pick(COLORS)), ("words", w.word),
        ("names", w.name), ("animals", lambda: w.pick(ANIMALS)),
        ("cities", w.city), ("fruits", lambda: w.pick(FRUITS)))
    words = [draw() for _ in range(count)]
    listed = (", ".join(words[:-1]) + w.one_of(" and ", ", ") + words[-1])
    if w.chance(.3):
        return BOOK.say(w, "list as an array", kind=kind,
                        list=listed), words
    return BOOK.say(w, "list", kind=kind, list=listed,
                    form=form), {kind: words}


def capital_of(w, form):
    country, capital, _ = w.pick(CAPITALS)
    return (BOOK.say(w, "capital", country=country, form=form),
            {"country": country.replace("the ", ""), "capital": capital})


def comparison(w, form):
    n, kind = w.randint(0, 50), w.one_of("even", "odd", "greater")
    if kind == "greater":
        m = w.randint(0, 50)
        return BOOK.say(w, kind, n=n, m=m, form=form), {kind: n > m}
    return (BOOK.say(w, kind, n=n, form=form),
            {"number": n, kind: n % 2 == (kind == "odd")})


def small_sum(w, form):
    a, b = w.randint(0, 20), w.randint(0, 20)
    return (BOOK.say(w, "sum", a=a, b=b, form=form),
            {"a": a, "b": b, "sum": a + b})


def fields(w, form):
    value = {key: _field(w, key)
             for key in w.rng.sample(FIELDS, w.randint(1, 4))}
    separator = BOOK.say(w, "separator of fields")
    sign = BOOK.say(w, "sign of a field")
    written = separator.join(f"{key}{sign}{each}"
                             for key, each in value.items())
    return BOOK.say(w, "fields", fields=written, form=form), value


def _field(w, key):
    if key in ("price", "count", "id", "year"):
        return w.randint(1, 2000)
    draw = {"name": w.name, "city": w.city,
            "color": lambda: w.pick(COLORS),
            "size": lambda: w.one_of("small", "big", "large", "tiny")}
    return draw.get(key, w.word)()


def pet(w, form):
    owner, animal, name = w.name(), w.pick(ANIMALS), w.name()
    w.randint(1, 15)    # once an age; drawn still, or seeds would shift
    return (BOOK.say(w, "pet", name=owner, animal=animal, pet=name,
                     form=form),
            {"owner": owner, "pet": {"kind": animal, "name": name}})


def people(w, form):
    group = [(w.name(), w.randint(1, 80)) for _ in range(w.randint(2, 3))]
    if w.chance(.5):
        listed = ", ".join(f"{name} ({age})" for name, age in group)
    else:
        listed = " ".join(f"{name} is {age}." for name, age in group)
    return (BOOK.say(w, "people", list=listed, form=form),
            {"people": [{"name": name, "age": age} for name, age in group]})


def purchase(w, form):
    item, price, count = w.word(), w.randint(1, 500), w.randint(1, 20)
    return (BOOK.say(w, "purchase", item=item, price=price, count=count,
                     form=form),
            {"item": item, "price": price, "count": count})


def calendar(w, form):
    n = w.randint(2, 7)
    return w.one_of(
        ("Give me the days of the week as a JSON array.", DAYS),
        (_say_count(w, "days", n), DAYS[:n]),
        (_say_count(w, "months", n, form=form), {"months": MONTHS[:n]}),
        (_say_count(w, "planets", n, form=form), {"planets": PLANETS[:n]}),
        (f"Count from 1 to {n} as a JSON array.", list(range(1, n + 1))),
        (_say_count(w, "letters", n, form=form),
         {"letters": list("ABCDEFG"[:n])}),
        ("Give me the seasons as JSON.", {"seasons": SEASONS}))


def sentiment(w, form):
    for mood, p in (("positive", .5), ("negative", .6)):
        if w.chance(p):
            return (BOOK.say(w, "sentiment", form=form,
                             sentence=BOOK.say(w, mood)),
                    {"sentiment": mood})
    word = w.word()
    return BOOK.say(w, "one word", word=word, form=form), {"word": word}


KINDS = [numbers, person, person_in_a_city, person_with_a_job, word_list,
         word_list, capital_of, comparison, small_sum, fields, fields, pet,
         people, purchase, calendar, sentiment]


# ---------------------------------------------------------- the documents

def item(w):
    """(question, value)"""
    kind = KINDS[w.randrange(len(KINDS))]
    return kind(w, BOOK.say(w, "form"))


def chat(w):
    asked, value = item(w)
    thought = BOOK.say(w, "thought")
    system = maybe_system(w, .3) if w.chance(.8) else BOOK.say(w, "system")
    return Chat([user(asked), assistant(dumps(value))], system, None,
                thought if w.chance(.45) else None)
