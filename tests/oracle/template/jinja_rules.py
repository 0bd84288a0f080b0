"""Jinja's statements as templates use them, each with examples: for the tests
of the room jinja.

    python3 tests/oracle/template/jinja_rules.py

writes m7-server/golden/jinja_rules.json: by rule, each template and what
jinja2 3.1.6 (on Python 3.11) makes of it, or null where that is an error.
jinja_oracle.py has the environment.
"""

import copy
import json
import pathlib

import jinja_oracle

GOLDEN = pathlib.Path(__file__).resolve().parents[3].joinpath(
    "m7-server", "golden", "jinja_rules.json")

NAMES = {
    "n": 3, "s": "Hello", "e": "", "nil": None, "yes": True, "l": [3, 1, 2],
    "d": {"x": 1, "y": "two"}, "pairs": [["a", 1], ["b", 2]],
    "nested": [1, [2, [3, 4]], 5]}

RULES = {
    "a_name_set_in_a_loop_ends_with_it": [
        "{% set q = 0 %}{% for x in l %}{% set q = x %}{{ q }}{% endfor %}{{ q }}",
        "{% if yes %}{% set q = 1 %}{% endif %}{{ q }}",
        "{% for x in l %}{% set z = x %}{% endfor %}{{ z is defined }}",
        "{% for n in l %}{{ n }}{% endfor %}{{ n }}",
        "{% set ns = namespace(c=0) %}{% for x in l %}{% set ns.c = ns.c + x %}"
        "{% endfor %}{{ ns.c }}",
        "{% set d.x = 2 %}", "{% set ns = namespace(d) %}{{ ns.y }}{{ ns.no }}"],
    "several_names_take_the_parts_of_a_value": [
        "{% set a, b = 1, 2 %}{{ a }}{{ b }}", "{% set a, b = l %}",
        "{% set a, b, c = l %}{{ c }}{{ b }}{{ a }}", "{% set a, b = n %}",
        "{% set a, b = 'xy' %}{{ b }}{{ a }}", "{% set (a, b) = pairs %}{{ b }}",
        "{% for a, b in pairs %}{{ b }}{{ a }};{% endfor %}",
        "{% for a, (b, c) in [[1, [2, 3]]] %}{{ c }}{{ b }}{{ a }}{% endfor %}",
        "{% for a, b in l %}{{ a }}{% endfor %}", "{% set a, = [1] %}{{ a }}",
        "{% for a, in [[1]] %}{{ a }}{% endfor %}", "{% set (a,) = [1] %}{{ a }}",
        "{% with a, = [1] %}{{ a }}{% endwith %}", "{% set a, %}1{% endset %}{{ a }}",
        "{% for x in 1, recursive %}{{ x }};{% endfor %}",
        "{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}"],
    "a_block_may_be_kept_in_a_name": [
        "{% set q %}x{{ n }}{% endset %}[{{ q }}]",
        "{% set q | upper | trim %} a{{ s }} {% endset %}[{{ q }}]",
        "{% set q %}{% set n = 8 %}{% endset %}{{ n }}",
        "{% set q | replace('l', 'L', 1) %}{{ s }}{% endset %}{{ q }}",
        "{% set q | no_such %}a{% endset %}", "{% set q %}<{% endset %}{{ q ~ 1 }}"],
    "a_filter_may_be_around_a_block": [
        "{% filter upper %}a{{ s }}{% endfilter %}",
        "{% filter trim | replace('a', 'b') %} a {% endfilter %}|",
        "{% filter upper %}{% set n = 1 %}{{ n }}{% endfilter %}{{ n }}",
        "{% filter %}a{% endfilter %}"],
    "nothing_else_is_called_loop_within_a_loop": [
        "{% for loop in l %}{% endfor %}", "{% for a, loop in pairs %}{% endfor %}",
        "{% for x in l %}{% set loop = 1 %}{% endfor %}",
        "{% for x in l %}{% set loop %}a{% endset %}{% endfor %}",
        "{% for x in l %}{% set loop.x = 1 %}{% endfor %}",
        "{% for x in l %}{% else %}{% set loop = 1 %}{% endfor %}",
        "{% for x in [] %}{% macro m() %}{% set loop = 1 %}{% endmacro %}{% endfor %}",
        "{% for x in l %}{% with loop = x %}{{ loop }}{% endwith %}{% endfor %}",
        "{% for x in l %}{% macro m(loop) %}{{ loop }}{% endmacro %}{{ m(x) }}"
        "{% endfor %}",
        "{% set loop = 1 %}{{ loop }}{% for x in l %}{{ loop.index }}{% endfor %}"
        "{{ loop }}",
        "{% for x in l %}{% endfor %}{% set loop = 2 %}{{ loop }}"],
    "with_has_names_of_its_own": [
        "{% with a=1, b=2 %}{{ a }}{{ b }}{% endwith %}{{ a }}",
        "{% with n=9, m=n %}{{ n }}{{ m }}{% endwith %}{{ n }}",
        "{% with %}{% set n = 5 %}{{ n }}{% endwith %}{{ n }}",
        "{% with a %}{% endwith %}"],
    "blocks_and_generations_are_as_if_they_were_not_there": [
        "{% block b %}{{ n }}{% endblock %}{{ n }}",
        "{% block b %}{% set n = 7 %}{{ n }}{% endblock %}{{ n }}",
        "{% block b %}a{% endblock b %}c", "{% block b %}{% endblock c %}",
        "{% set n = 5 %}{% block b %}{{ n }}{% endblock %}",
        "{% generation %}a{{ n }}{% endgeneration %}b",
        "{% generation %}{% set n = 5 %}{{ n }}{% endgeneration %}{{ n }}",
        "{% print n %}|{% print s, n %}", "{% print %}",
        "{% block b %}a{% endblock %}{% block c %}b{% endblock %}",
        "{% block b %}a{% endblock %}{% block b %}b{% endblock %}"],
    "a_block_sees_the_names_around_it_if_it_says_so": [
        "{% for x in l %}{% block b %}{{ x }}{% endblock %}{% endfor %}",
        "{% for x in l %}{% block b scoped %}{{ x }}{% endblock %}{% endfor %}",
        "{% for x in l %}{% block b scoped %}{% set x = 7 %}{{ x }}{% endblock %}{{ x }}"
        "{% endfor %}", "{% for x in l %}{% block b scoped %}{% break %}{% endblock %}"
        "{% endfor %}",
        "{% for x in l %}{% block b scoped %}{% set y = x %}{% block c %}{{ x }}{{ y }}"
        "{% endblock %}{{ self.c() }}{% endblock %}{% endfor %}{{ self.c() }}",
        "{% macro m() %}{{ self.c() }}{% endmacro %}{% for x in l %}{% block b scoped %}"
        "{{ m() }}{% endblock %}{% endfor %}{% block c %}[{{ x }}]{% endblock %}",
        "{% for x in nested recursive %}{% block b scoped %}{% if x is iterable %}"
        "{{ loop(x) }}{% endif %}{% endblock %}{% block c %}{{ x }}.{% endblock %}"
        "{% endfor %}"],
    "self_has_the_blocks": [
        "{{ self.b() }}{% set q = 5 %}{% block b %}{{ q }}{% endblock %}[{{ self.b() }}]",
        "{% for x in l %}{% if x > 1 %}{{ self.b() }}{% else %}{% block b %}b{{ x }}"
        "{% endblock %}{% endif %}{% endfor %}", "{{ self.b(1) }}{% block b %}{% endblock %}",
        "{{ self.b is callable }}{% block b %}{% endblock %}", "[{{ self.b }}]",
        "{{ self.b() }}", "{{ self }}{{ self is callable }}", "{{ self.b.c }}",
        "{% block b %}{{ self.b() }}{% endblock %}", "{% set self = 1 %}{{ self }}",
        "{{ 'x' if self.b is defined else 'y' }}"],
    "a_loop_counts": [
        "{% for x in l %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}"
        "{{ loop.revindex0 }}{{ loop.length }}{{ loop.first }}{{ loop.last }};"
        "{% endfor %}",
        "{% for x in l if x != 1 %}{{ loop.index }}/{{ loop.length }};{% endfor %}",
        "{% for x in l|map('string') %}{{ loop.revindex }}{{ loop.length }};"
        "{% endfor %}",
        "{% for x in s %}{{ loop.revindex0 }}{% endfor %}",
        "{% for x in range(4) %}{{ loop.length }}{% endfor %}",
        "{% for x in d %}{{ loop|length }}{{ x }}{% endfor %}",
        "{% for x in l %}{{ loop }}{% endfor %}",
        "{% for x in l %}{{ loop.no }}{{ loop.index is defined }}{% endfor %}",
        "{{ loop }}", "{% for x in n %}{% endfor %}",
        "{% for x in missing %}a{% else %}b{% endfor %}"],
    "a_loop_knows_its_neighbours_and_what_changed": [
        "{% for x in l %}{{ loop.previtem }}<{{ x }}<{{ loop.nextitem }};{% endfor %}",
        "{% for x in l %}{{ loop.cycle('a', 'b') }}{% endfor %}",
        "{% for x in l %}{{ loop.cycle() }}{% endfor %}",
        "{% for x in [1, 1, 2, 2, 1] %}{{ loop.changed(x) }};{% endfor %}",
        "{% for x in l %}{{ loop.changed() }}{{ loop.changed(1, x) }};{% endfor %}",
        "{% for x in l %}{{ loop.changed(loop.index0 // 2) }}{% endfor %}",
        "{% for x in l %}{{ loop.cycle(x, a=1) }}{% endfor %}",
        "{% for x in l %}{{ loop.changed(x, a=1) }}{% endfor %}"],
    "a_loop_ends_early_goes_on_or_has_nothing": [
        "{% for x in l %}{% if x == 1 %}{% break %}{% endif %}{{ x }}{% endfor %}",
        "{% for x in l %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% endfor %}",
        "{% for x in [] %}a{% else %}b{% endfor %}",
        "{% for x in l if x > 9 %}a{% else %}b{% endfor %}",
        "{% for x in l %}{% for y in l %}{% break %}{% endfor %}{{ x }}{% endfor %}",
        "{% break %}", "{% continue %}"],
    "a_loop_may_call_itself": [
        "{% for x in nested recursive %}{% if x is iterable %}[{{ loop(x) }}]"
        "{% else %}{{ x }}{{ loop.depth }}{{ loop.depth0 }}{% endif %}{% endfor %}",
        "{% for x in l recursive %}{{ loop() }}{% endfor %}",
        "{% for x in l %}{{ loop(l) }}{% endfor %}"],
    "a_macro_has_defaults_and_takes_what_is_left": [
        "{% macro m(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }};{{ m(1, 3) }};"
        "{{ m(b=5, a=4) }};{{ m() }}",
        "{% macro m(a) %}{{ a }}{{ varargs }}{{ kwargs }}{% endmacro %}"
        "{{ m(1, 2, 3, k=4) }}",
        "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}",
        "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(z=1) }}",
        "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, a=2) }}",
        "{% macro m(a, b=a) %}{{ b }}{% endmacro %}{{ m(6) }}",
        "{% macro m(a, b=n) %}{{ b }}{% endmacro %}{% set n = 5 %}{{ m(1) }}",
        "{% macro m(a=1, b) %}{% endmacro %}{{ m(1, 2) }}",
        "{% macro m(a, b) %}{{ a }}{{ b }}{% endmacro %}{{ m(*[1, 2]) }}"
        "{{ m(**{'a': 4}) }}"],
    "a_macro_calls_itself_its_caller_and_has_a_name": [
        "{% macro m(a) %}{{ a }}{% if a %}{{ m(a - 1) }}{% endif %}{% endmacro %}"
        "{{ m(3) }}",
        "{% macro m() %}<{{ caller() }}>{% endmacro %}{% call m() %}{{ n }}"
        "{% endcall %}",
        "{% macro m(a) %}{{ caller(a, 2) }}{% endmacro %}"
        "{% call(x, y=1) m(8) %}{{ x }}{{ y }}{% endcall %}",
        "{% macro m() %}{{ caller is defined }}{% endmacro %}{{ m() }}",
        "{% macro m() %}a{% endmacro %}{% call m() %}{% endcall %}",
        "{% macro m(a, b) %}{% endmacro %}{{ m.name }}{{ m.no }}",
        "{% macro m(a, b) %}{{ varargs }}{% endmacro %}{{ m.arguments }}"
        "{{ m.catch_varargs }}{{ m.catch_kwargs }}{{ m.caller }}{{ m.explicit_caller }}",
        "{% macro m(caller=1) %}{{ kwargs }}{{ caller }}{% endmacro %}{{ m.catch_varargs }}"
        "{{ m.catch_kwargs }}{{ m.caller }}{{ m.explicit_caller }}{{ m() }}",
        "{% macro m(caller) %}{{ caller }}{% endmacro %}{{ n }}",
        "{% macro m() %}{% endmacro %}{{ m }}", "{% macro m() %}{{ n }}{% endmacro %}"
        "{% for n in l %}{{ m() }}{% endfor %}"],
    "texts_are_joined_and_operators_bind_in_their_order": [
        "{{ 1 ~ 'a' ~ nil ~ l }}", "{{ 1 ~ 2 + 3 }}", "{{ s ~ missing ~ 1 }}",
        "{{ 2 ** 3 ** 2 }}", "{{ -2 ** 2 }}", "{{ 7 // 2 * 2 + 7 % 2 }}",
        "{{ -7 // 2 }}{{ -7 % 2 }}{{ -7.5 // 2 }}{{ 7.5 % -2 }}",
        "{{ 2 ** -1 }}{{ 2.0 ** 3 }}{{ 9 ** 0.5 }}", "{{ 1 / 2 }}{{ 4 / 2 }}",
        "{{ not n == 3 or s }}", "{{ 1 < 2 < 3 > 2 }}{{ 1 < 3 < 2 }}",
        "{{ 1 in l and 4 not in l }}", "{{ n if e else s if nil else 'u' }}",
        "{{ (1 if nil) is defined }}", "{{ s|upper ~ l|first }}", "{{ +n }}{{ - n }}",
        "{{ [1] + [2] }}{{ (1,) + (2,) }}{{ l * 2 }}{{ 'ab' * 2 }}", "{{ +s }}"],
    "a_literal_is_written_as_in_python": [
        "{{ '\\x41\\u00e9\\U0001F600\\n\\t\\q\\\\\\'' }}", "{{ '\\x4' }}",
        "{{ '\\101\\0' == 'A\\x00' }}", "{{ \"a'b\" }}{{ 'a' 'b' }}",
        "{{ 1_000 }}{{ 0x1F }}{{ 0b101 }}{{ 0o17 }}{{ 1e3 }}{{ 2.5E-3 }}",
        "{{ {'a': 1, 'b': [1, 2,],} }}{{ (1,) }}{{ () }}{{ {} }}",
        "{{ true }}{{ False }}{{ none }}{{ None }}", "{{ 1__0 }}", "{{ {1} }}"],
    "blanks_around_tags_go_where_a_sign_says_so": [
        "a\n  {% if yes %}\n  b\n  {% endif %}\nc\n",
        "a {%- if yes -%} b {%- endif -%} c", "a\n {%+ if yes %}\nb{% endif +%}\nc",
        "a {{- n -}} b", "a\n  {{ n }}\n b", "a {#- x -#} b\n  {# y #}\nc",
        "{% raw %}{{ a }}{% b %}{% endraw %}", "{%- raw -%} {{ a {%- endraw %} b",
        "{% raw %}a", "a{% raw %}", "a {#", "a {#-", "a{# b", "a{%- raw -%} ", "{{ 1 }}\n\n", "a\r\n{% if yes %}\r\nb{% endif %}"],
}


def said(template):
    """What becomes of it; None for an error."""
    return jinja_oracle.render(template, copy.deepcopy(NAMES)).get("text")


def main():
    made = {"names": NAMES, "rules": {
        rule: [[template, said(template)] for template in templates]
        for rule, templates in RULES.items()}}
    GOLDEN.write_text(json.dumps(made, ensure_ascii=False, indent=0) + "\n")
    print(sum(map(len, RULES.values())), "templates")


if __name__ == "__main__":
    main()
