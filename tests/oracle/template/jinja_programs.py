"""Small random templates, each about one construct: for tests/templates.

A construct has forms, such as "$S|indent($int, $bool)", in the tables of
jinja_filters.py, jinja_methods.py, jinja_operators.py and jinja_statements.py.
A name behind a dollar stands for one of the alternatives that GRAMMAR or the
construct's own table has for it, which may have such names again.  A form that
has no tag is an expression, and is put where a template may have one.
"""

import random
import re

import jinja_filters
import jinja_methods
import jinja_operators
import jinja_statements

CONTEXT = {
    "n": 3, "f": 1.5, "s": "Hello World", "u": "Grüße 日本 😀", "e": "",
    "yes": True, "no": False, "nil": None, "l": [3, 1, 2],
    "w": ["b", "A", "c", "a"], "d": {"x": 1, "y": "two", "Z": None},
    "items": [{"name": "Al", "age": 3, "t": {"u": [1]}},
              {"name": "bo", "age": 1}, {"name": "Cy", "age": 3, "on": True}],
    "nested": [[1, 2], [3, [4, 5]], []],
    "messages": [{"role": "system", "content": "S"},
                 {"role": "user", "content": " hi "},
                 {"role": "assistant", "content": None, "tool_calls": [
                     {"function": {"name": "f", "arguments": {"a": 1}}}]},
                 {"role": "tool", "content": "{}"}],
}

# What a name stands for; those of DEEP only while there is depth left.
GRAMMAR = {
    "num": ["0", "1", "2", "-3", "7", "10", "2.5", "-0.5", "1e3", "3.0", "100",
            "1e16", "1.5e-7", "0.1", "-7", "4.5", "99.5", "n", "f", "yes",
            "l|length", "-n", "n * 7", "f / 3"],
    "int": ["0", "1", "2", "3", "-1", "-2", "5", "n", "12"],
    "few": ["1", "2", "3", "4", "n"],
    "bool": ["true", "false", "yes", "no"],
    "word": ["'a'", "'Bc'", "'héllo'", "'x y'", "''", "'<b>'", "'日本語'",
             "'Ωμέγα'", "'it\\'s'", "'\"q\"'", "'line\\nbreak'", "'  pad '",
             "'ΑΣ'", "'😀k'", "'A-b c'", "'1'", "'2.5'", "'straße'",
             "'a\\n\\nb\\nc'", "'a,b,,c'", "'hello world, it is I'", "'\\t\\x1f'",
             "'aAbB'", "'ǅ'", "'-12'", "'0x1f'", "'١٢'", "'½'", "'e\\u0301'",
             "'a\\r\\nb\\u2028c'", "'ＡＢ'", "'&lt;'", "'K'", "'ﬁx'"],
    "S": ["$word", "$word", "$word", "s", "u", "e", "w[0]"],
    "sub": ["'l'", "'o'", "''", "' '", "'日'", "'x'", "'lo'", "','", "'a'",
            "'\\n'", "'Ü'", "$word"],
    "Q": ["l", "w", "items", "nested", "range(n)", "[]", "[1, 'a', none]",
          "(1, 2)", "d", "u", "messages", "[$num, $num]", "w|list",
          "d.keys()", "d.values()|list", "l|reverse|list", "[$S, $S, $S]",
          "[$num, $num, $num, $num]", "(yes, $num)", "['b', 'B', 'a']"],
    "texts": ["w", "[$S, $S, $S]", "u", "['b', 'B', 'a', 'A']", "d",
              "[s, $S]", "$S.split()"],
    "nums": ["l", "[$num, $num, $num]", "range($few)", "[]", "(1, 2.5)",
             "[yes, $num]", "[$num, $num]"],
    "L": ["l", "w", "items", "nested", "[]", "[1, 'a', none]", "(1, 2)",
          "[$num, $num]", "[$S, $S]", "messages", "[[1], [1], 2, 2.0]",
          "(1, 'a', 1)", "[yes, 1, 1.0, none]"],
    "D": ["d", "d", "{}", "{'a': $V, $word: 1}", "items[0]", "messages[1]",
          "{1: 'i', none: 'n', true: $num}", "{'B': 2, 'a': 1, 'b': $num}",
          "dict(k=$V)", "{'x': {'y': $num}}"],
    "V": ["$num", "$num", "$S", "$S", "$Q", "$D", "nil", "missing", "yes",
          "no", "items[0]", "d.missing", "true", "none", "d.x", "'x' ~ n"],
    "arith": ["+", "-", "*", "/", "//", "%"],
    "compare": ["==", "!=", "<", ">", "<=", ">="],
}
DEEP = {
    "V": ["($V $arith $V)", "($num $arith $num)", "($V $compare $V)",
          "($V or $V)", "($V and $V)", "($V if $V else $V)", "(not $V)",
          "($V ~ $V)", "($V|string)", "($V|default($V))", "($S|upper)",
          "($Q|list)", "($Q|length)", "($Q|first)", "($S|trim)", "[$V, $V]",
          "{'k': $V}", "($V in $Q)", "($S[$int:])", "($V|tojson)",
          "($S|escape)", "$D.get($S, $V)", "$Q[$int]"],
}
DEPTH = 2

# Where an expression stands.
PLACES = ["{{ $E }}"] * 6 + [
    "{{ ($E) ~ '|' }}", "{% set q = $E %}[{{ q }}]", "{{ [$E] }}",
    "{% if $E %}yes{% else %}no{% endif %}", "{{ ($E)|string|trim }}",
    "{% for x in [$E] %}{{ x }}{% endfor %}", "{{- $E -}}", "{{ ($E)|tojson }}",
    "{% with q = $E %}{{ q }}{% endwith %}",
    "{% macro m(a) %}<{{ a }}>{% endmacro %}{{ m($E) }}"]

FORMS = {**jinja_operators.FORMS, **jinja_filters.FORMS,
         **jinja_methods.FORMS, **jinja_statements.FORMS}
MORE = {**GRAMMAR, **jinja_operators.MORE, **jinja_filters.MORE,
        **jinja_methods.MORE, **jinja_statements.MORE}
CONSTRUCTS = list(FORMS)
NAME = re.compile(r"\$([A-Za-z]\w*)")
TRIES = 100  # for a template that was not there before


class Programs:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, choices):
        """As random.choice, but of what every Python gives for a seed."""
        return choices[int(self.random.random() * len(choices))]

    def stand_in(self, name, depth):
        choices = MORE[name]
        if depth > 0 and name in DEEP and self.random.random() < 0.4:
            choices = DEEP[name]
        return self.expand(self.pick(choices), depth - 1)

    def expand(self, form, depth):
        return NAME.sub(lambda found: self.stand_in(found[1], depth), form)

    def program(self, forms):
        made = self.expand(self.pick(forms), DEPTH)
        if "{{" in made or "{%" in made or "{#" in made:
            return made
        return self.pick(PLACES).replace("$E", made)


def programs(construct, n, seed=1):
    """n different templates."""
    maker, made = Programs(f"{construct} {seed}"), {}
    for _ in range(n * TRIES):
        made[maker.program(FORMS[construct])] = True
        if len(made) == n:
            return list(made)
    raise ValueError(f"{construct} has no {n} different programs")
