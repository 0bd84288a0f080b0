"""Wordings: templates from data/phrases/, filled with values.

A line '3x What is {a}?' stands for three equal lines, so that it is drawn
three times as often.  '{an animal}' is the value of 'animal' with its
article, '{Animal}' begins with a capital.  '\\n' is a line break, '\\s' a
space at an end of the line."""
import re

from . import data

_REPEATED = re.compile(r"(\d+)x (.*)")


def an(noun):
    """The noun with its article."""
    return ("an " if noun[0].lower() in "aeiou" else "a ") + noun


def capital(text):
    return text[0].upper() + text[1:]


class Values(dict):
    """The values of a template, with articles and capitals on demand."""

    def __missing__(self, key):
        if key[0].isupper():
            return capital(str(self[key[0].lower() + key[1:]]))
        if key.startswith("an "):
            return an(self[key[3:]])
        raise KeyError(key)


def fill(template, values):
    return template.format_map(Values(values))


def repeated(line):
    """The line as often as its 'Nx ' says."""
    match = _REPEATED.fullmatch(line)
    return [match[2]] * int(match[1]) if match else [line]


def unwrapped(lines):
    """A line that begins with four spaces belongs to the one before."""
    found = []
    for line in lines:
        if line.startswith("    "):
            found[-1] += " " + line.strip()
        else:
            found.append(line)
    return found


def templates(lines):
    return [template for line in unwrapped(lines) if line
            for template in repeated(line.replace("\\n", "\n")
                                     .replace("\\s", " "))]


def one_of(w, wordings):
    """One wording; a single one costs no draw."""
    return wordings[0] if len(wordings) == 1 else w.pick(wordings)


def marked(name, marks):
    """{section: {mark: templates}} of a file whose lines bear marks."""
    return {title: {mark: templates(line[2:] for line in lines
                                    if line.startswith(mark + " "))
                    for mark in marks}
            for title, lines in data.sections(f"phrases/{name}.txt").items()}


class Phrasebook:
    """The wordings of one file of data/phrases/, by section."""

    def __init__(self, name):
        self.sections = {title: templates(lines) for title, lines
                         in data.sections(f"phrases/{name}.txt").items()}

    def say(self, w, section, **values):
        """One wording of a section."""
        return fill(one_of(w, self.sections[section]), values)

    def say_parts(self, w, section, **values):
        """A wording of several parts, written with ' | ' between them."""
        chosen = w.pick(self.sections[section])
        return [fill(part, values) for part in chosen.split(" | ")]

    def fill_row(self, section, i, **values):
        """The wording number i of a section."""
        return fill(self.sections[section][i], values)
