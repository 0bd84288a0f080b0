"""Python's rules as templates meet them, each with examples: for the tests of
the rooms values, methods and filters.

    python3 tests/oracle/template/python_semantics.py

writes m7-server/golden/python_semantics.json: by room and rule, each
expression and what jinja2 3.1.6 (on Python 3.11) prints of it, or null where
that is an error.  They stand in a list that is printed, so a string shows its
quotes and its mark as safe.  jinja_oracle.py has the environment.
"""

import copy
import json
import pathlib

import jinja_oracle

GOLDEN = pathlib.Path(__file__).resolve().parents[3].joinpath(
    "m7-server", "golden", "python_semantics.json")

# What the expressions may name: where an operand is a name, jinja2 computes
# when it renders, not when it compiles, which has rules of its own.
NAMES = {
    "n": 3, "t": True, "s": "Hello", "u": "Grüße 日本 😀", "e": "", "x": None,
    "l": [3, 1, 2], "d": {"b": 1, "a": 2}, "big": 2**63 - 1, "small": -2**63,
    "exact": 2**53 + 1, "zero": 0, "half": 0.5, "huge": 1.7976931348623157e308,
    "people": [{"name": "bo", "age": 2}, {"name": "Al", "age": 3},
               {"name": "cy", "age": 2}]}

VALUES = {
    "a_slice_counts_from_the_end_and_goes_backwards": [
        "l[1:]", "l[:-1]", "l[::-1]", "l[::2]", "l[-1:0:-1]", "l[5:]",
        "l[:-9:-1]", "l[9::-2]", "l[2:1]", "u[::-1]", "u[-1]", "u[6:8]",
        "s[::-2]", "range(9)[::-3]|list", "range(9)[1:5][::2]|list",
        "(1, 2, 3)[::-1]", "l[none:none:none]", "l[t:]", "u[-99:99]"],
    "a_slice_needs_whole_numbers_and_a_sequence": [
        "l[::zero]", "l[half:]", "l[s:]", "n[1:]", "x[1:]", "d[1:]",
        "d.keys()[1:]", "l[x:2]"],
    "an_index_that_is_not_there_is_undefined": [
        "l[3]", "l[-3]", "l[-4]", "s[9]", "d['q']", "d.q", "l['0']", "l[1.0]",
        "(l[9])[0]", "range(3)[-1]", "range(3)[3]"],
    "numbers_of_different_types_are_equal_when_they_are_exactly": [
        "n == 3.0", "t == 1", "t == 1.0", "zero == false", "n == '3'",
        "0.1 + 0.2 == 0.3", "exact == 9007199254740992.0",
        "exact > 9007199254740992.0", "9007199254740992.0 < exact",
        "big == 9223372036854775808.0", "big < 9223372036854775808.0",
        "small == -9223372036854775808.0", "zero == -0.0", "n < 3.5",
        "[1, 2.0, true] == [1.0, 2, 1]", "(1, 2) == [1, 2]",
        "(e ~ 'nan')|float == (e ~ 'nan')|float", "n < (e ~ 'nan')|float",
        "n > (e ~ '-inf')|float"],
    "equal_numbers_are_one_key_of_a_dict": [
        "{1: 'a', 1.0: 'b', t: 'c'}", "{0: 'a', -0.0: 'b', false: 'c'}",
        "{1: 'a'}[t]", "{2.0: 'a'}[2]", "1.0 in {1: 0}", "{'1': 0}[1]",
        "{(1, 2): 'a'}[(1.0, 2)]", "{none: 1}[x]", "{l: 1}", "{d: 1}",
        "{(l,): 1}", "{d.keys(): 1}"],
    "a_dict_keeps_the_order_in_which_its_keys_came": [
        "d", "d.keys()", "d.values()", "d.items()", "d|list",
        "{'b': 1, 'a': 2, 'b': 3}", "dict(d, c=3, b=9)",
        "dict.fromkeys('aba')", "dict.fromkeys(l, s)", "d.fromkeys(n)", "dict.fromkeys()",
        "dict.fromkeys([l])", "dict.keys is defined", "range.fromkeys is defined",
        "dict([('z', 1), ('y', 2)])", "d == {'a': 2, 'b': 1}"],
    "values_of_different_types_have_no_order": [
        "n < '3'", "x < 1", "l < (1, 2)", "d < d", "none < none", "t < 2",
        "'a' < 'b' < 'c'", "'Z' < 'a'", "'é' > 'z'", "[1, 2] < [1, 2, 0]",
        "[1, 'a'] < [2, none]", "[1, 'a'] < [1, 2]", "() < (1,)",
        "missing == x", "missing < 1", "missing == missing2"],
    "division_goes_towards_minus_infinity": [
        "7 // 2", "-7 // n", "7 // -n", "-7 % n", "7 % -n", "-7.5 // n",
        "-7.5 % n", "n / 2", "4 / 2", "6 % -n", "0.0 * -1", "-0.0 + 0",
        "n // 0.7", "1e308 // 1e-3", "small // n", "small % -1"],
    "division_by_zero_is_an_error": [
        "n / zero", "n // zero", "n % zero", "half / zero", "half // 0.0",
        "half % 0.0", "zero ** -1", "0.0 ** -1"],
    "a_power_is_whole_when_both_are_and_the_exponent_is_not_negative": [
        "n ** 3", "n ** -1", "n ** 0", "2.0 ** n", "2 ** half", "2 ** 3 ** 2",
        "(-n) ** 2", "2 ** 62", "huge ** 2", "n ** t"],
    "text_and_lists_are_joined_and_repeated": [
        "s + 'x'", "s + 1", "1 + s", "s * 2", "2 * s", "s * -1", "s * 1.0",
        "l + [4]", "l + (4,)", "(1,) + (2,)", "[0] * n", "[] * n", "l - l",
        "s ~ 1 ~ none ~ l", "s ~ missing", "t + t", "-t", "+t", "- s",
        "u * 2"],
    "what_is_empty_or_zero_is_false": [
        "not v" if v is None else f"not {v}" for v in (
            "zero", "0.0", "e", "' '", "[]", "[0]", "()", "{}", "{0: 0}",
            "x", "missing", "range(0)", "range(1)", "d.keys()", "{}.keys()",
            "l|reverse", "[]|reverse", "namespace()", "-0.0")],
    "and_and_or_give_the_operand_that_decided": [
        "e or 'x'", "s and l", "zero and missing.y", "s or missing.y",
        "none or 0 or []", "1 and 0 or 2", "not s or l", "1 if e else 2",
        "(1 if e) is defined", "n is not none and n > 2"],
    "in_looks_for_items_keys_and_parts_of_text": [
        "1 in l", "1.0 in l", "'1' in l", "'a' in d", "2 in d", "'' in s",
        "'ell' in s", "n in s", "x in l", "l in [l]", "2 in range(9)[::2]",
        "('a', 2) in d.items()", "2 in d.values()", "1 in n", "l in d",
        "missing in s", "missing in l", "1 in missing", "'日' in u",
        "(l, 2) in d.items()", "(l, 2) in d.values()", "(l, 2, 3) in d.items()"],
    "floats_are_written_with_the_fewest_digits_that_read_back": [
        "0.1", "1e16", "1e15", "123456789012345680.0", "1e-4", "1e-5", "1e22",
        "1.0", "-0.0", "1/3", "2/3", "1e100", "5e-324", "huge", "100.0",
        "(e ~ 'inf')|float", "-(e ~ 'inf')|float", "(e ~ 'nan')|float"],
    "repr_chooses_quotes_and_escapes_what_cannot_be_seen": [
        "'a'", "\"it's\"", "'say \"hi\"'", "'\\'\"'", "'a\\nb\\t\\r'",
        "'\\x00\\x1f\\x7f'", "'é日😀'", "'\\u2028\\xa0\\u200b'", "'\\\\'",
        "('<a>'|safe)", "(1,)", "()", "{'a': [none, true]}",
        "range(3)", "range(1, 9, 2)", "namespace(a=1)"],
    "string_escapes_are_those_of_python": [
        r"'\x41\u00e9\U0001F600\101\0'", r"'\q\z'", r"'\a\b\f\v'|list",
        r"'a\'b'", r"'\x4'", r"'\u12'", r"'\777'",
        r"'\\n'", "'a\\\nb'"],
}

METHODS = {
    "split_without_a_separator_ignores_blanks_at_the_ends": [
        "'  a  b '.split()", "'  a  b '.split(' ')", "'a,b,,c'.split(',')",
        "'a,b,c'.split(',', 1)", "'a b c'.split(none, 1)", "''.split()",
        "''.split(',')", "'a  b c '.split(none, 1)", "'a'.split('')",
        "'a,b,c'.rsplit(',', 1)", "' a b  c'.rsplit(none, 1)",
        "'a\u2003b\u00a0c'.split()", "'aXbX'.split('X', -1)",
        "'a,b'.split(',', 0)", "'a--b'.split('--')", "s.split(1)",
        "'あ b'.split()", "'¢`¢ `'.split()", "'あ い'.rsplit()", "'日本 あ'.split(none, 1)"],
    "strip_takes_characters_not_a_word": [
        "'xyaxy'.strip('yx')", "'  a '.lstrip()", "'  a '.rstrip()",
        "'\u3000a\u2028'.strip()", "'éaé'.strip('é')", "s.strip('')",
        "s.strip(none)", "s.strip(1)", "'<|a|>'.strip('<|>')"],
    "places_in_text_count_characters": [
        "u.find('日')", "u.find('x')", "u.index('x')", "u.rfind(' ')",
        "u.find('', 3)", "u.find('', 99)", "u.count('')", "u.count(' ')",
        "'aaaa'.count('aa')", "u.startswith('日', 6)", "s.startswith('')",
        "s.startswith(('x', 'He'))", "s.startswith(['He'])",
        "s.endswith('lo', 0, 3)", "s.startswith('l', -3)", "u.find('本', -3)"],
    "replace_finds_the_empty_string_everywhere": [
        "'ab'.replace('', '-')", "'ab'.replace('', '-', 2)",
        "''.replace('', 'x')", "'aaa'.replace('a', 'b', 2)",
        "'aaa'.replace('aa', 'b')", "'a'.replace('a', 1)", "'日本'.replace('', '.')",
        "'aaa'.replace('a', 'b', -1)"],
    "cases_are_those_of_unicode": [
        "'straße'.upper()", "'ΑΣ ΟΔΟΣ'.lower()", "'ǆ'.title()",
        "\"they're bill's\".title()", "'hELLO wORLD'.capitalize()",
        "'ﬁx'.capitalize()", "'İ'.lower()|length", "'aBc'.swapcase()",
        "'ß'.isupper()", "'A1'.isupper()", "'1'.isupper()", "'Ab Cd'.istitle()",
        "'²'.isdigit()", "'²'.isdecimal()", "'½'.isnumeric()", "''.isalpha()",
        "'日'.isalpha()", "'٣'.isdigit()", "'\u00a0'.isspace()"],
    "lines_end_at_more_than_newlines": [
        "'a\\nb\\r\\nc\\rd'.splitlines()", "'a\\n\\nb\\n'.splitlines()",
        "'a\\x0bb\\u2028c\\x85d'.splitlines()", "''.splitlines()",
        "'a\\n'.splitlines(true)", "'a\\r\\nb'.splitlines(true)"],
    "padding_puts_the_odd_blank_where_python_does": [
        "'ab'.center(5)", "'a'.center(4)", "'a'.center(4, '日')",
        "'ab'.center(1)", "'-7'.zfill(5)", "'+'.zfill(3)", "'é'.ljust(3, '.')",
        "'a'.rjust(3, '')", "'a'.rjust(3, 'xy')", "'ab'.zfill(-1)"],
    "partition_gives_three_parts": [
        "'a=b=c'.partition('=')", "'a=b=c'.rpartition('=')",
        "'a'.partition('=')", "'a'.rpartition('=')", "'a'.partition('')",
        "'a.b'.removeprefix('a.')", "'a.b'.removesuffix('.b')",
        "'a'.removeprefix('b')"],
    "percent_takes_a_tuple_a_dict_or_one_value": [
        "'%s' % 1", "'%s-%s' % (1, 'a')", "'%s' % (1,)", "'%s' % [1, 2]",
        "'%s %s' % 1", "'%s' % (1, 2)", "'a' % 1", "'a' % d", "'a' % l",
        "'a' % range(2)", "'a' % missing", "'%s' % missing", "'a' % (1,)",
        "'%(a)s %(b)r' % d", "'%(q)s' % d", "'%(a)s' % 1", "'%%' % ()",
        "'%%'", "'%' % 1", "'%y' % 1", "'%é' % 1"],
    "percent_formats_numbers_as_c_does": [
        "'%5d|%-5d|%05d' % (n, n, n)", "'%+d|% d' % (n, n)", "'%d' % 2.9",
        "'%d' % '3'", "'%x %X %#x %o' % (255, 255, 255, 8)", "'%c%c' % (97, 'b')",
        "'%.2f|%8.3f|%e' % (half, half, half)", "'%g %g %g' % (1e-5, 1e5, 1e16)",
        "'%.3s|%5.1s|' % (s, s)", "'%r %a' % (u, u)", "'%*d|%-*d|' % (5, n, 5, n)",
        "'%.0f %.0f %.0f' % (0.5, 1.5, 2.5)", "'%s' % 1e16", "'%i' % t",
        "'%f' % (e ~ 'inf')|float", "'%G' % ((e ~ 'nan')|float)",
        "'%.2c|' % 'a'"],
    "braces_name_their_value_or_count": [
        "'{} {}'.format(1, 'a')", "'{1}{0}{1}'.format(1, 2)",
        "'{a}{b.a}{b[a]}'.format(a=1, b=d)", "'{0[1]}'.format(l)",
        "'{} {}'.format(1)", "'{{}}'.format()", "'{'.format()", "'}'.format()",
        "'{a}'.format(b=1)", "'{!r}{!s}{!a}'.format(s, s, u)",
        "'{:>{}}'.format(s, 9)", "'{!q}'.format(1)", "'{0}{}'.format(1, 2)"],
    "a_format_says_fill_sign_width_and_kind": [
        "'{:5}|{:<5}|{:^5}|{:>5}'.format(n, n, n, s)", "'{:*^9}'.format(s)",
        "'{:é>4}'.format(n)", "'{:+} {: }'.format(n, n)", "'{:05}'.format(-n)",
        "'{:05}|{:<05}'.format('ab', -0.5)", "'{:,} {:_}'.format(1234567, 1234567)",
        "'{:,.2f}'.format(1234567.891)", "'{:012,}'.format(1234567)",
        "'{:04,}'.format(1)", "'{:010_x}'.format(255)", "'{:08,.1f}'.format(3.14159)",
        "'{:x} {:#x} {:b} {:o}'.format(255, 255, 5, 8)", "'{:c}|{:3c}'.format(97, 98)",
        "'{:.3}|{:.1}'.format(s, 0.25)", "'{:%} {:.1%}'.format(half, 0.125)",
        "'{:e} {:g} {:n}'.format(1234.5, 1e6, 1234.5)", "'{:F}'.format((e ~ 'nan')|float)",
        "'{:d}'.format(1.5)", "'{:s}'.format(1)", "'{:d}'.format(s)",
        "'{:.2d}'.format(1)", "'{:_s}'.format(s)", "'{:+}'.format(s)",
        "'{:5}'.format(l)", "'{}'.format(l)", "'{:=5}'.format(s)"],
    "dicts_and_lists_answer_but_do_not_change": [
        "d.get('a')", "d.get('q')", "d.get('q', 5)", "d.get(l)", "d.items()|list",
        "d.update({})", "d.pop('a')", "l.append(1)", "l.index(1)", "l.index(9)",
        "l.count(1)", "[1, true, 1.0].count(1)", "l.copy()", "(1, 2).copy()",
        "(1, 2).index(2)", "d.copy() == d", "l.sort()", "s.__class__"],
    "a_safe_text_stays_safe_and_escapes_what_joins_it": [
        "('<b>'|safe).upper()", "('<b>'|safe) + '<'", "'<' + ('<b>'|safe)",
        "('<b>'|safe).center(7)", "('a'|safe).center(5, '<')", "('a'|safe).ljust(5, '.')",
        "('a'|safe).rjust(5, 7)", "'a'.rjust(5, 7)", "('a\\nb'|safe).splitlines()",
        "('a\\nb'|safe).splitlines(true)", "('<b>'|safe).partition('b')",
        "('%s'|safe) % '<'", "('{}'|safe).format('<')", "('<'|safe).join(['&'])",
        "('<b>'|safe)[1:]", "('<b>'|safe)|last", "('<b>'|safe)|string",
        "('a b'|safe).split()", "('<b>'|safe) * 2", "('<b>'|safe) ~ '<'",
        "('7'|safe).zfill(3)", "('<b>'|safe).removeprefix('<')"],
}

FILTERS = {
    "sort_is_stable_and_ignores_case_unless_told": [
        "['b', 'A', 'a', 'B']|sort", "['b', 'A', 'a', 'B']|sort(case_sensitive=true)",
        "['b', 'A', 'a', 'B']|sort(reverse=true)", "people|sort(attribute='age')",
        "people|sort(attribute='age', reverse=true)", "people|sort(attribute='name')",
        "people|sort(attribute='age,name')|map(attribute='name')|list",
        "l|sort", "[1, true, 1.0, 0]|sort", "d|sort", "u|sort"],
    "sort_of_mixed_types_is_an_error": [
        "[1, 'a']|sort", "[none, 1]|sort", "[l, 1]|sort", "[[2], [1, 5]]|sort",
        "[none]|sort", "people|sort", "n|sort", "missing|sort", "['a', missing]|sort"],
    "round_goes_to_the_even_neighbour_of_what_the_digits_say": [
        "0.5|round", "1.5|round", "2.5|round", "-0.5|round", "2.675|round(2)",
        "0.125|round(2)", "1.005|round(2)", "n|round", "25|round(-1)",
        "35|round(-1)", "25.0|round(-1)", "150.0|round(-2)", "huge|round(-20)",
        "huge|round(-308)", "4.9|round(-1)", "2.1|round(0, 'ceil')",
        "-2.1|round(0, 'ceil')", "2.19|round(1, 'floor')", "-0.2|round(0, 'ceil')",
        "1.5|round(method='up')", "s|round", "t|round",
        "(e ~ 'inf')|float|round", "(e ~ 'inf')|float|round(0, 'ceil')"],
    "int_and_float_give_their_default_for_what_is_no_number": [
        "'42'|int", "' 42\\n'|int", "'42.9'|int", "'-1e3'|int", "'x'|int",
        "'x'|int(7)", "x|int", "x|int(none)", "2.9|int", "-2.9|int", "t|int",
        "''|int", "'1_000'|int", "'1__0'|int", "'0x1f'|int", "'0x1f'|int(0, 16)",
        "'1f'|int(0, 16)", "'0b11'|int(0, 2)", "'0x1f'|int(5, 0)", "'010'|int(5, 0)",
        "'010'|int", "'9'|int(5, 8)", "'5'|int(7, 1)", "'٣'|int", "'３.５'|float",
        "'nan'|float", "'inf'|float", "(e ~ 'inf')|float|int", "'1e400'|float",
        "'.5'|float", "'5.'|float", "'x'|float", "'x'|float(1)", "l|float",
        "'0x1p3'|float", "missing|int", "l|int(3)", "(e ~ 'nan')|float|int(3)"],
    "tojson_writes_unicode_as_it_is_and_nothing_for_html": [
        "u|tojson", "u|tojson(ensure_ascii=true)", "'<&\\'\">'|tojson",
        "'\\x00\\n\\x7f\\u2028\\\\/'|tojson", "'😀'|tojson(ensure_ascii=true)",
        "[1, 1.0, -0.0, 1e22, true, none]|tojson", "{1: 2, none: 3, true: 4, 1.5: 5}|tojson",
        "{(1, 2): 3}|tojson", "(1, 2)|tojson", "missing|tojson", "range(2)|tojson",
        "(e ~ 'nan')|float|tojson", "-(e ~ 'inf')|float|tojson", "d.keys()|tojson",
        "('<'|safe)|tojson", "big|tojson"],
    "tojson_has_separators_an_order_and_an_indent": [
        "[1, {'a': 2}]|tojson(indent=2)", "[1, [], {}, [[]]]|tojson(indent=1)",
        "[1, 2]|tojson(indent=0)", "[1]|tojson(indent=-1)", "[1]|tojson(indent='--')",
        "d|tojson(sort_keys=true)", "{'b': {'d': 1, 'c': 2}, 'a': 0}|tojson(sort_keys=true)",
        "{1: 0, 'a': 0}|tojson(sort_keys=true)", "d|tojson(separators=(',', ':'))",
        "d|tojson(separators=(',', ':'), indent=1)", "d|tojson(separators=1)",
        "l|tojson(indent=none)", "l|tojson(true)", "l|tojson(indent=true)",
        "l|tojson(indent=1.5)"],
    "map_and_select_read_names_and_paths": [
        "people|map(attribute='name')|list", "people|map(attribute='q')|list",
        "people|map(attribute='q', default=0)|list", "people|map(attribute='name.0')|list",
        "[[1, 2], [3]]|map(attribute=0)|list", "['a', 'b']|map('upper')|list",
        "[' a']|map('trim')|map('upper')|list", "l|map('nope')|list", "l|map|list",
        "l|select('odd')|list", "l|select|list", "[0, 1, none, '']|select|list",
        "[0, 1]|reject|list", "people|selectattr('age', 'gt', 2)|list",
        "people|rejectattr('age', 'equalto', 2)|map(attribute='name')|list",
        "people|selectattr('q')|list", "people|selectattr('q', 'defined')|list",
        "l|select('in', [1, 2])|list", "missing|map('upper')|list", "l|map('string')|list",
        "people|groupby('age')", "people|groupby('age')|map('first')|list",
        "people|groupby('q', default='-')|map('first')|list"],
    "default_stands_for_what_is_undefined_or_if_told_false": [
        "missing|default('x')", "e|default('x')", "e|default('x', true)",
        "x|default('x')", "d.q|default(1)", "missing|default", "zero|d(1, boolean=true)",
        "missing.y|default(1)", "d.q.z|default(1)"],
    "lists_give_their_first_last_and_unique": [
        "l|first", "l|last", "[]|first", "[]|last", "missing|first", "missing|last",
        "u|first", "u|last", "d|first", "l|reverse|list", "s|reverse", "n|reverse",
        "[1, 1.0, true, 2]|unique|list", "['a', 'A', 'b']|unique|list",
        "['a', 'A']|unique(true)|list", "people|unique(attribute='age')|list",
        "l|length", "u|length", "d|length", "n|length", "missing|length",
        "(l|reverse)|length", "namespace(a=1)|length", "l|min", "l|max", "[]|max",
        "[1, 'a']|max", "['b', 'A']|min", "people|max(attribute='age')", "l|sum",
        "[1.5, 2]|sum", "[[1], [2]]|sum(start=[])", "['a']|sum", "people|sum('age')"],
    "join_writes_all_and_batch_and_slice_fill_up": [
        "l|join", "l|join(', ')", "[1, none, 'a', [2]]|join('-')", "people|join(',', 'name')",
        "missing|join", "s|join('.')", "d|join(',')", "range(5)|batch(2)|list",
        "range(5)|batch(2, 'x')|list", "range(5)|slice(2)|list", "range(5)|slice(3, 'x')|list",
        "[]|batch(2)|list", "l|slice(zero)|list", "l|batch(zero)|list", "range(4)|slice(3, 'x')|list",
        "l|batch(half)|list", "l|batch(2.0)|list", "l|batch(s)|list", "l|batch(s, 1)|list",
        "l|batch(2.5, 1)|list", "l|batch(3.5, 1)|list", "l|batch(x)|list", "[]|batch(x, 1)|list",
        "l|batch(2.0, 1)|list", "l|batch(t, 'x')|list"],
    "dictsort_and_items_give_pairs": [
        "d|dictsort", "{'B': 1, 'a': 2}|dictsort", "{'B': 1, 'a': 2}|dictsort(true)",
        "{'B': 1, 'a': 2}|dictsort(by='value', reverse=true)", "d|dictsort(by='q')",
        "{1: 1, 'a': 2}|dictsort", "l|dictsort", "d|items|list", "missing|items|list",
        "l|items|list", "none|items|list", "d|attr('a')", "d|attr('keys')() |list"],
    "text_is_indented_cut_counted_and_centred": [
        "'a\\nb\\n\\nc'|indent", "'a\\nb\\n\\nc'|indent(2, true)", "'a\\nb\\n\\nc'|indent(2, true, true)",
        "'a\\n'|indent", "'a\\nb'|indent('> ')", "l|indent", "'a b c d e f'|truncate(7)",
        "'a b c d e f'|truncate(7, leeway=0)", "'abcdefghijkl'|truncate(6, true)",
        "'abcdefghijkl'|truncate(6, true, '')", "s|truncate(2)", "l|truncate(9)",
        "range(99)|truncate(9)", "missing|truncate(9)",
        "('<b>abc'|safe)|truncate(4, true, '<', 0)", "'<b>abc'|truncate(4, true, '<'|safe, 0)",
        "('a <b>'|safe)|truncate(4, false, '<', 0)", "' abc'|truncate(3, false, '', 0)", "n|truncate", "'a-b c_d'|wordcount",
        "s|center(11)", "'hello wORLD-x(y'|title", "' a '|trim", "'xax'|trim('x')", "n|trim",
        "'aXb'|replace('X', '-')", "1211|replace(1, 3)", "'aaa'|replace('a', 'b', 2)",
        "'%s-%s'|format(1, 2)", "'%(a)s'|format(a=1)", "'é /?&'|urlencode", "d|urlencode",
        "[('a', 'b c')]|urlencode", "range(2)|urlencode", "1500|filesizeformat",
        "1500|filesizeformat(true)", "-0.0|filesizeformat", "'3'|filesizeformat",
        "'<&>'|escape", "'<'|safe|escape", "l|string", "-5|abs", "'a'|abs", "t|abs"],
    "a_cycler_turns_round_and_a_joiner_waits_for_the_second": [
        "cycler(1, 2).next()", "cycler(1, 2).current", "cycler(1, 2).items", "cycler(1).pos",
        "cycler()", "cycler(1, a=2)", "joiner()()", "joiner(sep='x')()", "joiner(1, 2)"],
    "namespaces_take_pairs_and_no_name_with_an_underscore": [
        "namespace(d, c=1).c", "namespace(a=1)['a']", "namespace(_a=1)", "namespace({'_a': 1})",
        "namespace({1: 2})[1]", "namespace(1)", "namespace(d, d)"],
    "tests_ask_for_type_order_and_sameness": [
        "t is boolean", "t is integer", "t is number", "1.0 is integer", "1.0 is float",
        "n is sameas 3", "1 is sameas true", "l is sameas l", "[] is sameas []", "d is mapping",
        "s is sequence", "n is sequence", "d is iterable", "n is iterable", "missing is iterable",
        "missing is defined", "x is none", "n is odd", "2.0 is even", "s is odd", "'%d' is even",
        "s is lower", "'a1' is lower", "n is divisibleby 3", "n is divisibleby zero",
        "'%s' is divisibleby 3", "n is eq 3.0", "n is in l", "n is lt '4'", "s is string",
        "namespace is callable", "range is callable", "s is callable", "'upper' is filter",
        "'nope' is filter", "'odd' is test", "('a'|safe) is escaped", "missing is true",
        "d.keys() is filter", "d.items() is test", "d.values() is filter", "(1, [2]) is filter",
        "(1, 2) is test", "l is filter", "d is test", "x is filter", "missing is test"],
    "a_range_is_counted_not_made": [
        "range(3)|list", "range(3, 0, -1)|list", "range(0)|list", "range(1, 2, zero)",
        "range(100000)|length", "range(100001)|length", "range(1.0)", "range(t)|list",
        "range(9)[2:5]|list", "range(3) == range(0, 3)", "range(10 ** 9)"],
    "time_is_written_as_python_writes_a_time_without_a_zone": [
        "strftime_now('%d %B %Y')", "strftime_now('%Y-%m-%dT%H:%M:%S')", "strftime_now('%a %b %e')",
        "strftime_now('%f|%z|%Z|%%')", "strftime_now('')", "strftime_now('日')", "strftime_now(1)",
        "strftime_now('%-d/%-m %I:%M %p %j')"],
}


def said(expression):
    """What a list of it is printed as; None for an error."""
    return jinja_oracle.render("{{ [" + expression + "] }}",
                               copy.deepcopy(NAMES)).get("text")


def main():
    rooms = {"values": VALUES, "methods": METHODS, "filters": FILTERS}
    made = {"names": NAMES}
    for room, rules in rooms.items():
        made[room] = {rule: [[x, said(x)] for x in expressions]
                      for rule, expressions in rules.items()}
    GOLDEN.write_text(json.dumps(made, ensure_ascii=False, indent=0) + "\n")
    print(sum(len(x) for room in rooms for x in made[room].values()),
          "expressions")


if __name__ == "__main__":
    main()
