"""Forms of operators, tests, subscripts and literals: see jinja_programs.py."""

MORE = {
    "bound": ["", "", "0", "1", "2", "-1", "-2", "5", "n", "-9", "none"],
    "step": ["", ":", ":1", ":2", ":-1", ":-2", ":3", ":0", ":none"],
    "whole": ["1_000", "0x1F", "0b101", "0o17", "007", "1__0", "0_0", "0XfF",
              "0b2", "0o8", "12", "0", "1_", "9007199254740993", "0x", "00",
              "9223372036854775807", "1_2_3", "0B11", "0O7"],
    "broken": ["1.5", "1e5", "2E-3", "1.", "1_0.5_0", ".5", "1e", "1.5e+3",
               "0.1", "1e16", "1e15", "1e-5", "1e-4", "123456789.123456789",
               "1.0", "1e400", "0.1e1", "1_0e1_0", "5e-324", "1.7976931348623157e308"],
    "escape": ["\\x41", "\\u00e9", "\\n", "\\t", "\\q", "\\\\", "\\101", "\\'",
               "\"", "\\U0001F600", "\\0", "\\x4", "\\u12", "\\r", "\\a", "\\b",
               "\\f", "\\v", "é", "日", "{{", "%}", " ", "a", "\\7"],
    "tried": ["$V", "$V", "$num", "$S", "$Q", "$D", "missing", "d.missing",
              "missing.x", "$V|escape", "range", "s.upper", "dict", "loop",
              "namespace(a=1)", "true", "none", "1.0"],
    "signs": ["<", ">", "<=", ">=", "==", "!=", "in", "not in"],
}


def binary(sign):
    return [form.replace("@", sign) for form in (
        "$num @ $num", "$num @ $num", "$V @ $V", "$S @ $S", "$L @ $L",
        "$V @ $num", "$num @ $num @ $num", "($num @ $num) @ $V",
        "$num @ -$num", "$num|string @ $V", "(1, 2) @ $V", "$S @ $int",
        "$L @ $int", "$V @ missing")]


def comparing(sign):
    return [form.replace("@", sign) for form in (
        "$num @ $num", "$V @ $V", "$S @ $S", "$L @ $L", "[$num, $V] @ [$num, $V]",
        "$num @ $num $compare $num", "($num, $S) @ ($num, $S)", "$D @ $D",
        "not $V @ $V", "$V @ $V and $V @ $V", "$S|escape @ $S", "$V @ $num + $num",
        "range($few) @ range($few)", "[$V] @ [$V]")]


def logic(sign):
    return [form.replace("@", sign) for form in (
        "$V @ $V", "$V @ $V @ $V", "not $V @ $V", "($V @ $V) is defined",
        "$V and $V @ $V or $V", "$num < $num @ $V", "$V @ missing.x",
        "$V @ not $V", "$V == $V @ $V")]


def tested(test):
    """Whether it is so, and whether it is not."""
    return [form.replace("@", test) for form in (
        "$tried is @", "$tried is not @", "not $tried is @", "$tried is @ and $V",
        "($V) is @", "$V if $tried is @ else $V", "$D.$key is @", "$L[$int] is @",
        "[$V, $V, $V]|select('@')|list", "$tried is @ == $bool", "$V is @ is @")]


def compared(test):
    return [form.replace("@", test) for form in (
        "$tried is @ $num", "$tried is not @($V)", "$num is @ $num",
        "$S is @ $S", "$V is @($V)", "$tried is @", "$L|select('@', $V)|list",
        "$L is @ $L", "$num is @($num) and $V", "$V is not @ $S")]


TESTS = {
    **{name: tested(name) for name in (
        "boolean", "callable", "defined", "escaped", "even", "false", "filter",
        "float", "integer", "iterable", "mapping", "none", "number", "odd",
        "sequence", "string", "test", "true", "undefined")},
    # Of functions Python writes where they are.
    **{name: [form.replace("$tried", "$V").replace("$D.$key", "$D.x")
              for form in tested(name)]
       for name in ("lower", "upper")},
    **{name: compared(name) for name in (
        "eq", "equalto", "ne", "lt", "lessthan", "le", "gt", "greaterthan",
        "ge")},
    # Which strings and numbers are one object is CPython's affair.
    "sameas": ["$bool is sameas $bool", "$V is sameas $bool", "$V is sameas none",
               "$tried is not sameas true", "$V is sameas(missing)", "$V is sameas",
               "d is sameas $D", "l is sameas $L", "nil is sameas $V.no",
               "$L|select('sameas', $bool)|list", "n is sameas $bool"],
    "divisibleby": ["$num is divisibleby $int", "$V is divisibleby($num)",
                    "$num is not divisibleby($few)", "$V is divisibleby",
                    "$nums|select('divisibleby', $num)|list"],
    "in": ["$V is in $Q", "$S is in($S)", "$num is not in $nums", "$V is in $V",
           "$L|select('in', $Q)|list", "$S is in $D", "$V is in"],
    "filter": ["'$filter' is filter", "$S is filter", "$V is filter",
               "'no_$filter' is filter", "('$filter' ~ $S) is not filter",
               "$texts|select('filter')|list", "'$test' is filter"],
    "test": ["'$test' is test", "$S is test", "$V is test", "'$cmp' is test",
             "'no_$test' is test", "('$test' ~ $S) is not test",
             "$texts|select('test')|list", "'$filter' is test"],
}
FORMS = {
    **{f"operator {sign}": binary(sign) for sign in
       ("+", "-", "*", "/", "//", "%", "~")},
    **{f"operator {sign}": comparing(sign) for sign in
       ("==", "!=", "<", "<=", ">", ">=")},
    "operator **": ["$num ** $int", "$few ** $few ** $few", "-$few ** $few",
                    "$num ** -$few", "$V ** $few", "($num * 1.0) ** $int",
                    "$few ** $few * $num", "$num|abs ** 0.5", "$few ** $few|int",
                    "$few ** $V", "$bool ** $int"],
    "operator and": logic("and"), "operator or": logic("or"),
    "operator not": ["not $V", "not not $V", "not $V == $V", "not $V in $Q",
                     "not ($V or $V)", "(not $V) ~ $V", "not $V is defined",
                     "[not $V, $V]", "not $V|$filter", "not $num + $num"],
    "operator in": ["$V in $Q", "$S in $S", "$num in $nums", "$V in $V",
                    "'$key' in $D", "$V in [$V, $V]", "$sub in $S", "$V in $D",
                    "$V in $Q in $Q", "$V in $L == $bool", "$S in $texts"],
    "operator not in": ["$V not in $Q", "$S not in $S", "$num not in $nums",
                        "$V not in $V", "'$key' not in $D", "$V not in [$V, $V]",
                        "not $V not in $Q", "$V not in $Q and $V in $Q"],
    "signs": ["-$num", "+$num", "--$num", "-$V", "+$V", "- $num + $num", "-+$num",
              "-$num|abs", "-$num ** $few", "-($num $arith $num)", "+-$V",
              "-$L|length", "$num - -$num", "-$D.$key", "-$L[$int]"],
    "inline if": ["$V if $V else $V", "$V if $V", "($V if $V) is defined",
                  "$V if $V else $V if $V else $V", "($V if no) ~ $V",
                  "[$V if $V else $V, $V]", "$V if $V is defined else $V",
                  "($V if no).x", "$S ~ $S if $V else $S", "(1 if no)|default($V)",
                  "$V if not $V else $V|$filter", "$V and $V if $V else $V"],
    "comparisons in a row": ["$num $signs $num $signs $num", "$V $signs $V $signs $V",
                             "$num < $num <= $num < $num", "$num $signs $nums $signs $V",
                             "$num == $num == $num", "$num < $num == true",
                             "$num $signs $num and $num $signs $num"],
    "what binds stronger": ["$num + $num * $num", "$num $arith $num $arith $num",
                            "$num ~ $num + $num", "$num $arith $num ~ $num $arith $num",
                            "$num ** $few * $num", "-$num $arith $num",
                            "$V or $V and not $V", "$num + $num in $nums",
                            "$num < $num + $num", "$num $arith ($num $arith $num)",
                            "$V is defined and $V or $V", "$S ~ $num * $few",
                            "$num $arith $num|abs", "$V == $V or $V != $V",
                            "not $V or $V in $Q", "$num $arith $num == $num"],
    "slices": ["$Q[$bound:$bound]|list", "$S[$bound:$bound$step]",
               "$L[$bound:$bound$step]", "$L[$bound:$bound][$int]",
               "range($int, 9)[$bound:$bound$step]|list", "(nil or $V)[$bound:$bound]",
               "(1, 2, 3)[$bound:$bound$step]", "messages[$bound:]|length",
               "{% for x in $L[$bound:$bound$step] %}{{ x }};{% endfor %}",
               "s[$num:]", "w[$bound:$S]", "$L[$bound:$bound$step]|first"],
    "subscripts": ["$Q[$int]", "$S[$int]", "$L[$int]", "$V[$V]", "$D[$V]",
                   "$L[$int][$int]", "nested[$int][$int]", "$S[-$few]", "$L[$num]",
                   "$L[$int] is defined", "messages[$int].role", "$L[$int, $int]",
                   "range($few)[$int]", "$L.$few", "$D['$key'][$int]", "(1, 2)[$int]",
                   "'$key'[$int]", "{'a': $L}.a[$int]"],
    "whole numbers": ["$whole", "-$whole", "$whole $arith $int", "[$whole, $whole]",
                      "$whole == $whole", "$whole ~ $whole", "$whole|tojson",
                      "($whole, $broken)", "{$whole: $whole}", "$whole < $whole"],
    "broken numbers": ["$broken", "-$broken", "$broken $arith $num", "[$broken]",
                       "$broken == $broken", "$broken ~ $broken", "$broken|tojson",
                       "$broken - 1", "$broken * $broken", "($broken, $whole)",
                       "{'k': $broken}", "$broken < $whole", "$broken|round(2)"],
    "strings": ["'$escape$escape'", "\"$escape\"", "'$escape' ~ \"$escape\"",
                "'$escape' '$escape'", "['$escape', $S]", "'$escape'|length",
                "'a$escape' == $S", "'$escape$escape'|tojson", "$S $S",
                "{'$escape': '$escape'}", "'$escape'[0]", "'$escape"],
    "lists": ["[$V, $V]", "[$V,]", "[[$V], [$V, $V]]", "[]", "[$V, $V, $V][$int]",
              "[$num] + $L", "$L * $few", "[$V if $V else $V]", "[$V $V]", "[$V,,]",
              "[*$L]", "[$D, $S]|length", "[$V, [$V, ($V,)]]", "[,]", "[$V"],
    "tuples": ["($V, $V)", "($V,)", "()", "(($V, $V), $V)", "$V, $V", "($V)",
               "($num, $num) + ($V,)", "($V, $V) == [$V, $V]", "($V, $V)[$int]",
               "$V,", "($S, $num) * $few", "($V, $V)|list", "($V, $V)|length"],
    "dictionaries": ["{$word: $V}", "{'a': $V, 'a': $V}", "{$num: $V, $num: $V}",
                     "{$V: $V}", "{'a': {'b': $V}}.a.b", "{'a': $V,}", "{}",
                     "{'a' $V}", "{$word: $V}.$key", "{$num: $V}[$num]",
                     "{true: $V, 1: $V, 1.0: $V}", "{'a': $V} == {'a': $V}",
                     "{(1, $num): $V}", "{'k': $V, $S: [$V]}|length", "{$V}",
                     "{none: $V, 'none': $V}|tojson", "{a: $V}"],
    "constants": ["true", "True", "false", "False", "none", "None", "TRUE", "nil",
                  "[true, True, false, none]", "$bool == True", "none == $V",
                  "True + $num", "None is $test", "{None: $V}", "true ~ none ~ $V",
                  "false or None", "$V == true", "$V is none", "not None",
                  "(True, $V)", "true and $V", "None|default($V)"],
    "calls": ["$V($V)", "$S.upper(*[])", "$S.replace(*[$S, $S])", "range(*[$int, $int])|list",
              "dict(**{'a': $V})", "dict(a=$V, **{'b': $V})", "$S.split(**{'sep': $S})",
              "dict(a=$V, a=$V)", "range($int, $int, $int)|list", "dict($D, x=$V)",
              "$S.upper($V, $V)", "range($V)|list", "dict([['a', $V], ['b', $V]])",
              "dict.fromkeys($Q, $V)", "dict.fromkeys($V)", "$D.fromkeys($texts)",
              "range($int)|length", "dict($V)", "$S.replace($S, *[$S])",
              "$S.upper(x=$V)", "range(stop=$int)", "range($few)[$int]",
              "$S.count(sub=$S)", "$num in range($int, $int, $few)",
              "range($int, $int, $int)"],
    **{f"test {name}": forms for name, forms in TESTS.items()},
}
