"""Forms of the methods of strings, lists and dictionaries, and of formats: see
jinja_programs.py."""

MORE = {
    "affix": ["$sub", "($sub, $S)", "('H', 'x')", "$S", "$V", "()"],
    "fill": ["'*'", "'.'", "'日'", "'ab'", "''", "$V"],
    "wide": ["0", "1", "4", "8", "9", "12", "-3", "n", "2.5"],
    "letters": ["$S", "$S", "$word ~ $word", "'Hello World'", "'ABC'", "'abc'",
                "'Ab Cd'", "'123'", "'\\u00b2'", "' '", "'ǅ'", "'a1'",
                "'日本'", "'Ⅷ'", "'\\x00'", "'é'", "'_'", "($S|escape)"],
    "flags": ["", "-", "+", " ", "0", "#", "-0", "+#", " 0"],
    "digits_wide": ["", "", "3", "8", "*"],
    "places": ["", "", ".0", ".2", ".5", ".", ".12"],
    "conversion": ["s", "d", "f", "g", "e", "x", "o", "r", "i", "c", "G", "E",
                   "X", "u", "F", "a", "q", "%"],
    "spec": ["", ">8", "<6", "^7", "*^9", "08", "+", ",", ".2f", "d", "x",
             "#x", "b", "e", ".3", "5.1f", "%", "_", "s", ".2s", "=+6", "g",
             "010.3f", ",.1f", "日>5", " d", "-", "#o", "X", "E", "G", "n", "c",
             ".0%", "<<5", "{w}", ">{w}", ".{p}f", "_x", "#b", "=^", "!"],
    "turn": ["", "!r", "!s", "!a", "!x"],
    "change": ["append", "pop", "clear", "insert", "extend", "remove", "sort",
               "reverse", "update", "setdefault", "popitem", "__class__"],
    "some": ["$V", "$num", "$S"],
}
BOUNDS = ["$S.{}($sub)", "$S.{}($sub, $int)", "$S.{}($sub, $int, $int)",
          "$S.{}($V)", "($S ~ $S).{}($sub)", "$S.{}($sub, none, $int)"]


def bounded(name):
    return [form.format(name) for form in BOUNDS]


def plain(name):
    return [form.format(name) for form in (
        "$letters.{}()", "$letters.{}()", "($S ~ $S).{}()", "$S.{}($V)",
        "$V.{}()", "$letters[$int:].{}()", "($letters ~ $sub).{}()")]


def stripping(name):
    return [form.format(name) for form in (
        "$S.{}()", "(' \\t' ~ $S ~ '\\n ').{}()", "$S.{}($sub)", "$S.{}($S)",
        "($sub ~ $S ~ $sub).{}($sub)", "$S.{}($V)", "$S.{}(none)", "$lines.{}()")]


def padding(name):
    return [form.format(name) for form in (
        "$S.{}($wide)", "$S.{}($wide, $fill)", "$S.{}(width=$wide)",
        "($S|escape).{}($wide, '<')", "$S.{}()")]


TEXTS = {
    "split": ["$S.split()", "$S.split($sub)", "$S.split($sub, $int)",
              "$S.split(none, $int)", "$S.split(sep=$sub, maxsplit=$int)",
              "$lines.split('\\n')", "($S ~ $sub ~ $S).split($sub)[$int]",
              "$S.split($V)", "$S.split(maxsplit=$int)"],
    "rsplit": ["$S.rsplit()", "$S.rsplit($sub)", "$S.rsplit($sub, $int)",
               "$S.rsplit(none, $int)", "($S ~ $sub ~ $S).rsplit($sub, 1)",
               "$S.rsplit($V)", "$S.rsplit(maxsplit=$int)"],
    "splitlines": ["$lines.splitlines()", "$lines.splitlines($bool)",
                   "$S.splitlines(keepends=$bool)", "($S|escape).splitlines()",
                   "('a\\x0b\\x0cb\\x1c\\x85' ~ $S).splitlines()"],
    "partition": ["$S.partition($sub)", "($S ~ $sub ~ $S).partition($sub)",
                  "$S.partition($V)", "$S.partition($sub)[$int]"],
    "rpartition": ["$S.rpartition($sub)", "($S ~ $sub ~ $S).rpartition($sub)",
                   "$S.rpartition($V)", "$S.rpartition($sub)[$int]"],
    "startswith": ["$S.startswith($affix)", "$S.startswith($affix, $int)",
                   "$S.startswith($affix, $int, $int)",
                   "($sub ~ $S).startswith($sub)"],
    "endswith": ["$S.endswith($affix)", "$S.endswith($affix, $int)",
                 "$S.endswith($affix, $int, $int)", "($S ~ $sub).endswith($sub)"],
    "replace": ["$S.replace($sub, $S)", "$S.replace($sub, $S, $int)",
                "$S.replace($V, $V)", "$S.replace('', $sub, $int)",
                "$S.replace($sub, '').replace($sub, $S)", "$S.replace($sub)",
                "$lines.replace('\\n', $S)"],
    "join": ["$S.join($Q)", "$S.join($texts)", "$sub.join($V)",
             "($S|escape).join($texts)", "', '.join($texts|map('upper'))",
             "$S.join($texts|list)", "''.join($S.split($sub))"],
    "zfill": ["$S.zfill($wide)", "'$number'.zfill($wide)", "$S.zfill()",
              "('-' ~ $num).zfill($wide)", "$num|string.zfill(4)"],
    "removeprefix": ["$S.removeprefix($sub)", "($sub ~ $S).removeprefix($sub)",
                     "$S.removeprefix($V)", "$S.removeprefix($S)"],
    "removesuffix": ["$S.removesuffix($sub)", "($S ~ $sub).removesuffix($sub)",
                     "$S.removesuffix($V)", "$S.removesuffix($S)"],
    "format": ["'[{:$spec}]'.format($some, w=7, p=2)", "'{0$turn}'.format($V)",
               "'{0}-{1$turn}-{0}'.format($V, $V)", "'{} {}'.format($V)",
               "'{a$turn} {b.x} {b[y]} {{}}'.format(a=$V, b=$D)",
               "'{:{}}'.format($some, $wide)", "'{0[0]}{1[1]}'.format($L, $L)",
               "'{a:$spec}'.format(a=$some, w=4, p=1)", "$S.format($V)",
               "'{0.x}{0[x]}'.format($D)", "'{} {0}'.format(1)", "'{'.format()",
               "'{0$turn:$spec}'.format($some, w=3, p=3)", "'}'.format($V)"],
    "strip": stripping("strip"), "lstrip": stripping("lstrip"),
    "rstrip": stripping("rstrip"),
    "center": padding("center"), "ljust": padding("ljust"),
    "rjust": padding("rjust"),
    "find": bounded("find"), "rfind": bounded("rfind"),
    "index": bounded("index"), "rindex": bounded("rindex"),
    "count": bounded("count"),
    **{name: plain(name) for name in (
        "upper", "lower", "title", "capitalize", "swapcase", "isalnum",
        "isalpha", "isascii", "isdecimal", "isdigit", "islower", "isnumeric",
        "isprintable", "isspace", "istitle", "isupper")},
}
OTHERS = {
    "dict get": ["$D.get($S)", "$D.get($S, $V)", "$D.get('$key', $V)", "$D.get($V)",
                 "$D.get('$key')", "$D.get('x').y", "$D.get()", "$D.get('x', default=1)",
                 "$D.get('$key', {}).get($S, $V)"],
    "dict items": ["$D.items()", "$D.items()|list", "$D.items()|sort",
                   "{% for k, v in $D.items() %}{{ k }}={{ v }};{% endfor %}",
                   "$D.items()|length", "$D.items($V)", "($V, $V) in $D.items()",
                   "$D.items()|map('last')|list", "$D.items()|first"],
    "dict keys": ["$D.keys()", "$D.keys()|list", "$V in $D.keys()", "$D.keys()|join",
                  "{% for k in $D.keys() %}{{ k }};{% endfor %}", "$D.keys()|length",
                  "$D.keys()|sort", "$D.keys()|first", "$D.keys()[$int]"],
    "dict values": ["$D.values()", "$D.values()|list", "$V in $D.values()",
                    "{% for v in $D.values() %}{{ v }};{% endfor %}",
                    "$D.values()|length", "$D.values()|map('string')|join",
                    "$D.values()|first", "$D.values()[$int]", "$D.values()|sum"],
    "dict copy": ["$D.copy()", "$D.copy() == $D", "$D.copy().get('$key')",
                  "$D.copy()|length", "$D.copy($V)", "$D.copy() is sameas $D"],
    "list index": ["$L.index($V)", "$L.index($num)", "$L.index($num, $int)",
                   "$L.index($L[$int], $int, $int)", "$L.index()",
                   "$texts.index($S)"],
    "list count": ["$L.count($V)", "$L.count($num)", "($L + $L).count($num)",
                   "$L.count()", "$texts.count($S)", "(1, $num, 1).count($num)"],
    "list copy": ["$L.copy()", "$L.copy() == $L", "$L.copy() + $L",
                  "$L.copy()[$int]", "$L.copy($V)", "$L.copy()|$order|list"],
    "what would change a value": ["$L.$change($V)", "$D.$change($V)", "$L.$change()",
                                  "$D.$change($S, $V)", "$L.$change is defined",
                                  "{% set q = $L %}{{ q.$change($int) }}",
                                  "$D.$change()", "$L.$change($int, $V)"],
    "attributes": ["$D.$key", "$D['$key']", "$V.$key", "$V['$key']", "$D[$V]",
                   "items[$int].$key", "$S.$key", "$L.$key", "$D.$key.$key",
                   "$V.$key is defined", "$D['$key'] is defined", "$L.0", "$S.1"],
    "percent": ["'%$flags$digits_wide$places$conversion' % $some",
                "'%$flags$digits_wide$places$conversion' % ($some,)",
                "'%$flags$digits_wide$places$conversion' % ($int, $some)",
                "'%s and %s' % ($V, $V)", "'%s' % $V", "'%(x)$conversion' % $D",
                "'%$conversion %$conversion' % ($some, $some)",
                "'%(x)s %(y)r' % $D", "'%%' % ()", "$S % $V"],
}
FORMS = {**{f"text {name}": forms for name, forms in TEXTS.items()}, **OTHERS}
