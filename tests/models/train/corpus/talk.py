"""Copying and spelling, languages and emoji, C programs, terms."""
import re

from .chat import Raw, question_and_answer
from .phrases import capital
from .small_talk import BOOK
from .tables import (EMOJI, GREETING_KEYS, GREETINGS, PROGRAMS, TERMS,
                     number_in_words)


# ----------------------------------------------------------------- copying

def copying(w):
    x, text = w.random(), _text_to_copy(w)
    if x < .6:
        asked, answer = BOOK.say(w, "copy", text=text), text
    elif x < .7:
        word, n = w.word(), w.randint(2, 5)
        asked = BOOK.say(w, "say it often", word=word, n=n,
                         times=number_in_words(n))
        answer = " ".join([word] * n)
    elif x < .8:
        words = w.words(w.randint(2, 5))
        asked = BOOK.say(w, "reverse", list=", ".join(words))
        answer = ", ".join(words[::-1])
    elif x < .9:
        word = w.word()
        asked, answer = BOOK.say(w, "spell", word=word), "-".join(word.upper())
    else:
        word = w.word()
        asked, answer = BOOK.say_parts(
            w, "one letter", word=word, first=word[0].upper(),
            last=word[-1].upper(), **{"in capitals": word.upper()})
    thought = (BOOK.say(w, "copy: thought") if x < .6
               else "I follow the instruction.")
    return question_and_answer(w, asked, answer, thought, .4)


def _text_to_copy(w):
    return w.one_of(
        w.phrase(), " ".join(w.words(w.randint(1, 7))),
        " ".join(w.made_up() for _ in range(w.randint(1, 4))),
        w.pick(GREETINGS)[w.randint(1, 6)],
        w.phrase() + " " + w.pick(EMOJI)[0],
        "".join(str(w.randrange(10)) for _ in range(w.randint(1, 8))))


# --------------------------------------------------------------- languages

def languages(w):
    x = w.random()
    if x < .45:
        return _translation(w)
    if x < .6:
        return _greeting(w)
    if x < .7:
        language, *words = w.pick(GREETINGS)
        i = w.randrange(6)
        return question_and_answer(
            w, f'What does "{words[i]}" mean?',
            f'"{words[i]}" means "{GREETING_KEYS[i]}" in {language}.',
            f"The word is {language}.", .4)
    if x < .88:
        emoji, meaning = w.pick(EMOJI)
        asked, answer = BOOK.say_parts(w, "emoji", emoji=emoji,
                                       meaning=meaning)
        return question_and_answer(w, asked, answer,
                                   f"{emoji} shows {meaning}.", .4)
    return _word_list(w) if x < .94 else _greetings(w)


def _translation(w):
    language, *words = w.pick(GREETINGS)
    i = w.randrange(6)
    values = dict(language=language, meaning=GREETING_KEYS[i], word=words[i])
    return question_and_answer(
        w, BOOK.say(w, "translate", **values),
        BOOK.say(w, "translated", **values),
        f"{capital(GREETING_KEYS[i])} in {language} is {words[i]}.", .4)


def _greeting(w):
    language, *words = w.pick(GREETINGS)
    i = w.pick([0, 1, 2])
    answer = [words[0] + "! 🙂", words[1] + "!", "🙂 " + words[2] + "!"][i]
    return question_and_answer(w, words[i] + w.one_of("", "!"), answer,
                               f"The user writes {language}.", .4)


def _word_list(w):
    language, *words = w.pick(GREETINGS)
    return Raw(f"{language}: " + ", ".join(
        f"{key} = {word}" for key, word in zip(GREETING_KEYS, words)))


def _greetings(w):
    words = [w.pick(GREETINGS)[w.randint(1, 6)] + w.one_of("", "!", ".")
             for _ in range(w.randint(2, 6))]
    return Raw(" ".join(words) + " " + w.pick(EMOJI)[0])


# ---------------------------------------------------------------- programs

def programs(w):
    (purpose, code, remark), x = w.pick(PROGRAMS), w.random()
    kind = "program" if code.startswith("#include") else "function"
    if x < .25:
        return Raw(f"/* {purpose} */\n{code}\n")
    if x < .35:
        return Raw("\n\n".join(
            f"// {each[0]}\n{each[1]}"
            for each in w.rng.sample(PROGRAMS, 2)) + "\n")
    if x < .85:
        return question_and_answer(
            w, BOOK.say(w, "write a program", kind=kind, purpose=purpose),
            f"```c\n{code}\n```\n{remark}",
            f"The user wants a C {kind} that {purpose}.", .4)
    return question_and_answer(
        w, BOOK.say(w, "explain a program", code=code),
        f"This {kind} {purpose}. {remark}", "I read the code.", .4)


# ------------------------------------------------------------------- terms

def without_article(term):
    return re.sub(r"^(a|an) ", "", term)


def terms(w):
    term, definition = w.pick(TERMS)
    bare = without_article(term)
    if w.chance(.25):
        return Raw(definition)
    asked = BOOK.say(w, "term", term=term, bare=bare)
    return question_and_answer(w, asked, definition,
                               BOOK.say(w, "term: thought", bare=bare))
