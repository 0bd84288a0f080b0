"""Forms of statements, and of what a template is as a text: see
jinja_programs.py."""

MORE = {
    "inside": ["{{ x }}", "{{ x }};", "{{ loop.index }}{{ x }}", "<{{ x }}>"],
    "jump": ["{% if loop.index == $few %}{% break %}{% endif %}",
             "{% if x == $num %}{% continue %}{% endif %}",
             "{% if loop.last %}{% break %}{% endif %}",
             "{% if loop.index is odd %}{% continue %}{% endif %}",
             "{% if x in $Q %}{% break %}{% endif %}"],
    "where": ["x", "x is string", "x != $num", "not x", "x in $Q", "x is defined",
              "x is number", "x and n", "x == $V"],
    "names": ["a, b", "a, b, c", "a, (b, c)", "(a, b)", "a,"],
    "pairs": ["$D.items()", "[[1, 2], [3, 4]]", "nested", "[($V, $V)]", "$Q",
              "[[$V, [$V, $V]]]", "items|groupby('age')", "[$S[:2]]"],
    "default": ["", "=2", "='q'", "=$V", "=n", "=none", "=a"],
    "body": ["{{ a }}-{{ b }}", "{{ a }}{{ varargs }}{{ b }}", "{{ a }}{{ kwargs }}",
             "{% if a %}{{ b }}{% endif %}{{ n }}", "{{ a is defined }}{{ b }}",
             "{% set n = a %}{{ n }}{{ caller is defined }}", "{{ a.x }}{{ b }}",
             "{{ caller() if caller }}{{ a }}", "{{ varargs|length }}{{ a }}",
             "{% for x in [a, b] %}{{ x }}{% endfor %}", "\n  {{ a }}\n"],
    "given": ["$V", "$V, $V", "b=$V, a=$V", "", "$V, $V, $V", "$V, z=$V", "*[$V, $V]",
              "**{'a': $V}", "$V, b=$V", "$V, a=$V", "a=$V, b=$V, c=$V", "*$Q",
              "$V, *[$V]", "b=$V"],
    "gap": ["", " ", "\n", "  \n", "\n  ", "\t", "\n\n", "x", " y ", "\r\n", "\n x\n"],
    "open": ["", "", "-", "+"],
    "shut": ["", "", "-", "+"],
    "trim": ["", "", "-"],
    "piece": ["{%$open if $bool $shut%}$gap{{$open n $trim}}$gap{%$open endif $shut%}",
              "{{$open s $trim}}", "{#$open c \n $shut#}", "{%$open set q = $int $shut%}",
              "{%$open if $bool $shut%}$gap{%$open else $shut%}$gap{%$open endif $shut%}",
              "{%$open for x in l $shut%}$gap{{$open x $trim}}$gap{%$open endfor $shut%}"],
    "tag": ["if $V", "endif", "for", "set", "set x", "bogus", "for x in", "for x of l", "macro", "if n then",
            "set 1 = 2", "break", "continue", "set x =", "for $num in l", "else",
            "elif $V", "endfor", "endmacro", "macro m", "macro m(1)", "call",
            "macro m(a=1, b)", "set a.b = 1", "set $V = $V", "for x in l recursive if x",
            "do $V", "endblock", "generation", "endgeneration", "endcall",
            "trans", "debug", "block", "filter",
            "with a=", "with", "raw", "endraw", "if", "set none = $V", "for loop in $Q"],
    "line": ["l[0", "(n", "n)", "[1", "1 +", "a b", "n..x", "n.", ".x", "n|",
             "n|no_such", "n is no_such", "n is", "is n", "in l", "n if", "n,,n",
             "'a", "@", "n @ s", "$", "n = 1", "!n", "n!", "n && s", "?", "`n`",
             "n ? s", "n; s", "{'a': }", "[1 2]", "n[", "n(a=1, 2)", "n(**d, *l)",
             "lambda x", "not", "-", "n not s", "n is not", "1x", "n.1x", "\\"],
    "missed": ["missing", "d.missing", "l[9]", "items[0].no", "nil.x", "$D.$key.no",
               "missing.x", "(1 if no)", "messages[$int].no", "$V.no"],
    "used": ["", ".x", "[0]", "()", " + 1", "|upper", " ~ 1", "|length", " == none",
             " < 1", "|tojson", "|default($V)", ".x.y", "|join", "|first", " is defined",
             " in $Q", "|list", "|string", " == missing", "|int", " or $V", "['a']",
             " if $V", "|sort", " and $V", " is none", "[1:]", " * 2", "|items|list",
             " is $test", "|$filter"],
    "day": ["%Y", "%m", "%d", "%H", "%M", "%S", "%y", "%B", "%b", "%A", "%a", "%j", "%p",
            "%I", "%U", "%w", "%W", "%%", "%c", "%x", "%X", "%D", "%F", "%T", "%R", "%e",
            "%h", "%n", "%t", "%G", "%g", "%u", "%V", "%C", "%Z", "%z", "%f", "%r", "%l",
            "%k", "%-d", "%-m", "%-I", "%_d", "%s"],
    "between": ["-", "/", " ", ":", ", ", "", "T", "日", "a%%"],
    "told": ["index", "index0", "revindex", "revindex0", "first", "last", "length",
             "depth", "depth0", "previtem", "nextitem", "no"],
}


def loop_field(name):
    """loop.index and its like."""
    return [form.replace("@", name) for form in (
        "{% for x in $Q %}{{ loop.@ }};{% endfor %}",
        "{% for x in $Q if $where %}{{ x }}:{{ loop.@ }};{% endfor %}",
        "{% for x in $L %}{% for y in $L %}{{ loop.@ }},{% endfor %}"
        "{{ loop.@ }};{% endfor %}",
        "{% for x in $Q %}{% if loop.@ == $int %}{{ x }}{% endif %}{% endfor %}",
        "{% for x in $Q|$order %}{{ loop.@ is defined }}{{ loop.@ }};{% endfor %}",
        "{% for x in $Q %}{{ [loop.@]|tojson }}{% endfor %}{{ loop.@ }}",
        "{% for x in $Q %}$jump{{ loop.@ }};{% endfor %}",
        "{% for x in nested recursive %}{{ loop.@ }}{% if x is iterable %}"
        "[{{ loop(x) }}]{% endif %}{% endfor %}")]


LOOPS = {
    "for": ["{% for x in $Q %}$inside{% endfor %}", "{% for x in $V %}$inside{% endfor %}",
            "{% for x in $Q %}{{ x }}{% for x in $Q %}{{ x }}{% endfor %}{{ x }};{% endfor %}",
            "{% for x in $Q %}$inside{% endfor %}{{ x }}", "{% for n in $Q %}{{ n }}"
            "{% endfor %}{{ n }}", "{% for x in $L + $L %}$inside{% endfor %}",
            "{% for x in $Q -%} {{ x }} {%- endfor %}|"],
    "for with else": ["{% for x in $Q %}$inside{% else %}$word{{ n }}{% endfor %}",
                      "{% for x in $Q if $where %}$inside{% else %}{{ $V }}{% endfor %}",
                      "{% for x in $V %}$jump$inside{% else %}none{% endfor %}"],
    "for with if": ["{% for x in $Q if $where %}$inside{% endfor %}",
                    "{% for x in $Q if $V %}$inside{% endfor %}",
                    "{% for x in $L if $where and $where %}$inside{% endfor %}",
                    "{% for x in $Q if x is $test %}$inside{% endfor %}",
                    "{% for a, b in $pairs if $V %}{{ a }}{{ b }};{% endfor %}"],
    "for of several names": ["{% for $names in $pairs %}{{ a }}{{ b }}{{ c }};{% endfor %}",
                             "{% for $names in $V %}{{ a }}{{ b }};{% endfor %}",
                             "{% for $names in [$L, $L] %}{{ b }}{{ a }};{% endfor %}",
                             "{% for k, v in $D|dictsort %}{{ k }}={{ v }};{% endfor %}"],
    "for recursive": [
        "{% for x in $L recursive %}{% if x is iterable and x is not string %}"
        "[{{ loop(x) }}]{% else %}{{ x }}{{ loop.$told }}{% endif %}{% endfor %}",
        "{% for x in nested recursive %}{{ loop.depth }}{% if x is sequence %}"
        "{{ loop(x$filtered) }}{% endif %};{% endfor %}",
        "{% for x in [{'k': [{'k': []}, $V]}] recursive %}<{{ x.k|length }}"
        "{{ loop(x.k) if x.k }}>{% endfor %}", "{% for x in $Q %}{{ loop($V) }}{% endfor %}",
        "{% for x in nested recursive if $where %}{{ loop(x) if x is iterable else x }}"
        "{% else %}e{% endfor %}", "{% for x in $Q recursive %}{{ loop($given) }}{% endfor %}"],
    "break": ["{% for x in $Q %}$inside{% if $where %}{% break %}{% endif %}{% endfor %}",
              "{% for x in $Q %}{% if $where %}{% break %}{% endif %}$inside{% endfor %}"
              "{{ x }}", "{% for x in $L %}{% for y in $L %}{{ y }}{% if y == x %}"
              "{% break %}{% endif %}{% endfor %}{{ x }};{% endfor %}",
              "{% for x in $Q %}{% set q = x %}{% break %}{% endfor %}{{ q }}{{ $V }}",
              "{% for x in $Q %}{% with y = x %}{{ y }}{% break %}{% endwith %}{% endfor %}"],
    "continue": ["{% for x in $Q %}{% if $where %}{% continue %}{% endif %}$inside{% endfor %}",
                 "{% for x in $Q %}$jump$jump$inside{% else %}none{% endfor %}",
                 "{% for x in $L %}{% for y in $L %}{% if y == x %}{% continue %}"
                 "{% endif %}{{ y }}{% endfor %}{{ x }};{% endfor %}",
                 "{% for x in $Q %}$inside{% if $where %}{% continue %}{% endif %}"
                 "{{ loop.$told }};{% endfor %}"],
    **{f"loop.{name}": loop_field(name) for name in (
        "index", "index0", "revindex", "revindex0", "first", "last", "length",
        "depth", "depth0", "previtem", "nextitem")},
    "loop.cycle": ["{% for x in $Q %}{{ loop.cycle($V, $V) }};{% endfor %}",
                   "{% for x in $Q if $where %}{{ loop.cycle($S, $S, $S) }}{% endfor %}",
                   "{% for x in $Q %}{{ loop.cycle(*$L) }}{% endfor %}",
                   "{% for x in $Q %}$jump{{ loop.cycle($given) }};{% endfor %}"],
    "loop.changed": ["{% for x in $Q %}{{ loop.changed(x) }};{% endfor %}",
                     "{% for x in [$num, $num, $num] %}{{ loop.changed(x, $V) }};{% endfor %}",
                     "{% for x in $Q %}{{ loop.changed(loop.index0 // $few) }}{% endfor %}",
                     "{% for x in messages %}{% if loop.changed(x.$key) %}{{ x.role }}"
                     "{% endif %}{% endfor %}{{ $V }}",
                     "{% for x in $Q %}$jump{{ loop.changed($given) }}{% endfor %}"],
}
SCOPES = {
    "if": ["{% if $V %}a{% endif %}", "{% if $V %}a{% else %}b{% endif %}",
           "{% if $V %}a{% elif $V %}b{% elif $V %}c{% else %}d{% endif %}",
           "{% if $V $compare $V %}{{ $V }}{% endif %}", "{% if $V %}{% set q = $V %}"
           "{% endif %}{{ q }}", "{% if $V is defined and $V %}{{ $V }}{% else %}"
           "{% if $V %}x{% endif %}{% endif %}", "{% if not $V %}\n a\n{% endif %}\n"],
    "set": ["{% set q = $V %}{{ q }}", "{% set q = $V %}{% set q = [q, q] %}{{ q }}",
            "{% set n = $V %}{{ n }}", "{% set q = n %}{% for x in $Q %}{% set q = x %}"
            "{{ q }}{% endfor %}{{ q }}", "{% for x in $Q %}{% set z = x %}{% endfor %}"
            "{{ z is defined }}", "{% set q = $V, $V %}{{ q }}", "{% set q = $V if $V %}"
            "{{ q is defined }}", "{% if $V %}{% set s = $V %}{% endif %}{{ s }}"],
    "set of several names": ["{% set $names = $V %}{{ a }}{{ b }}{{ c }}",
                             "{% set a, b = $V, $V %}{{ b }}{{ a }}",
                             "{% set a, b = [$V, $V] %}{{ a }}{{ b }}",
                             "{% set $names = $L %}{{ a }}{{ b }}",
                             "{% set a, b = $S, $S %}{% set a, b = b, a %}{{ a }}{{ b }}"],
    "set of a block": ["{% set q %}x{{ $V }}{% endset %}[{{ q }}]",
                       "{% set q %}{{ $V }}{% set n = 8 %}{% endset %}{{ q }}{{ n }}",
                       "{% set q %}{% for x in $Q %}$inside{% endfor %}{% endset %}"
                       "{{ q|length }}{{ q }}", "{% set q %}<{{ $S }}>{% endset %}"
                       "{{ q ~ $S }}{{ q|escape }}", "{% set q %}{% endset %}"
                       "{{ q is $test }}{{ q == $V }}"],
    "set of a block with filters": [
        "{% set q | $filter %} a{{ $V }} {% endset %}[{{ q }}]",
        "{% set q | $filter | $filter %} b{{ $S }}\n{% endset %}[{{ q }}]",
        "{% set q | replace($sub, $word) %}{{ $S }}{% endset %}{{ q }}",
        "{{ n }}{% set q | indent(n, $word) %}{{ $lines }}{% endset %}{{ q }}",
        "{% set q | default($word, true) %}{{ $V }}{% endset %}{{ q }}"],
    "namespace": ["{% set ns = namespace(v=$V) %}{% for x in $Q %}{% set ns.v = x %}"
                  "{% endfor %}{{ ns.v }}", "{% set ns = namespace($D) %}{{ ns.$key }}"
                  "{{ ns.x }}", "{% set ns = namespace(c=0) %}{% for x in $nums %}"
                  "{% set ns.c = ns.c + x %}{% endfor %}{{ ns.c }}",
                  "{% set ns = namespace($D, a=$V) %}{% set ns.b = ns.a %}{{ ns.b }}"
                  "{{ ns.no }}", "{% set ns.a = $V %}{{ ns.a }}", "{% set d.x = $V %}{{ d }}",
                  "{% set ns = namespace(a=$V) %}{{ ns.a is defined }}{{ ns.$key is defined }}"
                  "{{ ns['a'] }}", "{% set ns = namespace($given) %}{{ ns.a }}{{ ns.b }}",
                  "{% set ns = namespace() %}{% macro m() %}{% set ns.a = $V %}{% endmacro %}"
                  "{{ m() }}{{ ns.a }}", "{% set ns = namespace(a=1) %}{% set ns._a = $V %}x"],
    "with": ["{% with a=$V, b=$V %}{{ a }}{{ b }}{% endwith %}{{ a }}",
             "{% with n=$V, b=n %}{{ n }}{{ b }}{% endwith %}{{ n }}",
             "{% with %}{% set n = $V %}{{ n }}{% endwith %}{{ n }}",
             "{% with $names = $V %}{{ a }}{% endwith %}",
             "{% for x in $Q %}{% with y=x %}{{ y }}{% endwith %}{{ y }}{% endfor %}"],
    "filter block": ["{% filter $filter %}a {{ $V }}{% endfilter %}",
                     "{% filter $filter | $filter %} b\n{{ $S }}{% endfilter %}",
                     "{% filter replace($sub, $S) %}{{ $S }}{% set n = 1 %}{{ n }}"
                     "{% endfilter %}{{ n }}", "{% filter indent($few, $bool) %}{{ $lines }}"
                     "{% endfilter %}", "{% filter $filter %}{% for x in $Q %}$inside"
                     "{% endfor %}{% endfilter %}", "{% filter $filter($V) %}c{% endfilter %}"],
    "block": ["{% block b %}{{ $V }}{% endblock %}", "{% block b %}{{ n }}{% set n = $V %}"
              "{{ n }}{% endblock %}{{ n }}", "{% set n = $V %}{% block b %}{{ n }}"
              "{% endblock b %}", "{% for x in $Q %}{% block b %}{{ x }}{% endblock %}"
              "{% endfor %}", "{% block b %}{{ $V }}{% endblock $word %}",
              "{% block b %}{% block c %}{{ $V }}{% endblock %}{% endblock %}",
              "{% block b %}a{% endblock %}{% block b %}{{ $V }}{% endblock %}",
              "{% if $V %}{% block b %}{{ $S }}{% endblock %}{% endif %}"],
    "scoped block": [
        "{% for x in $Q %}{% block b scoped %}{{ x }}{% set x = $V %}{{ x }}{% endblock %}"
        "{{ loop.index }}{% endfor %}", "{% with q=$V %}{% block b scoped %}{{ q }}"
        "{% endblock b %}{% endwith %}", "{% macro m(q) %}{% block b scoped %}{{ q }}"
        "{% endblock %}{% endmacro %}{{ m($V) }}",
        "{% for x in $Q %}{% block b scoped %}$inside{% endblock %}{% endfor %}",
        "{% for x in $Q %}{% block b scoped %}{% if x == $V %}{% break %}{% endif %}"
        "{% endblock %}{% endfor %}"],
    "self": ["{% set n = $V %}{% block b %}{{ n }}{{ $S }}{% endblock %}[{{ self.b() }}]",
             "{{ self.b() }}{% set n = $V %}{% block b %}{{ n }}{% endblock %}",
             "{{ self.missing }}{{ self.x is defined }}{{ $V }}",
             "{{ self.x|default($V) }}", "{{ self[$S] }}{{ $V }}",
             "{{ self.c($V) }}{% block c %}{{ $V }}{% endblock %}",
             "{% block c %}{{ self.d() }}{% block d %}{{ $V }}{% endblock %}{% endblock %}",
             "{% for x in $Q %}{% if x is string %}{% block b %}{{ x }}-{{ n }}{% endblock %}"
             "{% else %}{{ self.b() ~ x }}{% endif %}{% endfor %}",
             "{{ self }}{{ $V }}", "{{ self == $V }}{{ $V in [self] }}",
             "{% macro m() %}{{ self.b() }}{% endmacro %}{{ m() }}{% block b %}{{ $V }}"
             "{% endblock %}", "{{ self is callable }}{{ self.b is callable }}{{ $V }}"
             "{% block b %}{% endblock %}", "{% set self = $V %}{{ self }}"],
    "generation": ["{% generation %}{{ $V }}{% endgeneration %}",
                   "{% generation %}{% set n = $V %}{{ n }}{% endgeneration %}{{ n }}",
                   "{% for x in $Q %}{% generation %}$inside{% endgeneration %}{% endfor %}",
                   "a{%- generation -%} {{ $V }} {%- endgeneration -%} b",
                   "{% set n = $V %}{% generation %}{{ n }}{% endgeneration %}",
                   "{% for m in messages %}{% generation %}{{ m.$key }}{% set q = $V %}"
                   "{% endgeneration %}{{ q }}{% endfor %}"],
    "print": ["{% print $V %}", "{% print $V, $V %}", "{% print $E2 %}{{ $V }}",
              "a{%- print $V -%} b", "{% for x in $Q %}{% print x %}{% endfor %}"],
}
MACROS = {
    "macro": ["{% macro m(a, b$default) %}$body{% endmacro %}{{ m($given) }}{{ n }}",
              "{% macro m(a, b$default) -%}\n  $body\n{%- endmacro %}[{{ m($given) }}]",
              "{% macro m(a$default, b$default) %}$body{% endmacro %}{{ m($given) }}",
              "{% macro m() %}{{ $V }}{% endmacro %}{{ m($given) }}",
              "{{ m($given) }}{% macro m(a) %}{{ a }}{% endmacro %}",
              "{% macro m(a, b) %}$body{% endmacro %}{% set n = $V %}{{ m($given) }}"],
    "macro in a scope": [
        "{% for i in $Q %}{% macro m(a, b$default) %}{{ i }}$body{% endmacro %}"
        "{{ m($given) }}{% endfor %}", "{% macro m(a) %}{{ a }}{% if a %}{{ m(a - 1) }}"
        "{% endif %}{% endmacro %}{{ m($few) }}{{ $V }}",
        "{% macro m() %}{{ n }}{{ x }}{% endmacro %}{% for x in $Q %}{{ m() }}{% endfor %}",
        "{% set n = $V %}{% macro m() %}{{ n }}{% set n = 1 %}{% endmacro %}{{ m() }}{{ n }}",
        "{% if $V %}{% macro m(a) %}{{ a }}{% endmacro %}{% endif %}{{ m($V) }}",
        "{% macro m(a) %}{% macro k(b) %}{{ a }}{{ b }}{% endmacro %}{{ k($V) }}"
        "{% endmacro %}{{ m($V) }}"],
    "macro's fields": ["{% macro m(a, b$default) %}$body{% endmacro %}{{ m.$of_macro }}{{ $V }}",
                       "{% macro m() %}{{ varargs }}{% endmacro %}{{ m.$of_macro }}{{ $V }}",
                       "{% macro m(a) %}{% endmacro %}{{ m is $test }}{{ m($V)|length }}",
                       "{% macro m(a) %}{{ a }}{% endmacro %}{{ m($V) ~ m($V) }}",
                       "{% macro m(a) %}{{ a }}{% endmacro %}{{ $texts|map('upper')|list }}"
                       "{{ [m($V), m($V)]|join }}", "{% macro m(a, b) %}{{ kwargs }}{% endmacro %}"
                       "{{ m.catch_kwargs }}{{ m($given) }}"],
    "call": ["{% macro m(a, b$default) %}$body{{ caller(a) }}{% endmacro %}"
             "{% call(x) m($given) %}<{{ x }}{{ n }}>{% endcall %}",
             "{% macro m() %}[{{ caller() }}]{% endmacro %}{% call m() %}{{ $V }}{% endcall %}",
             "{% macro m() %}{{ caller($given) }}{% endmacro %}{% call(a, b$default) m() %}"
             "{{ a }}{{ b }}{% endcall %}", "{% macro m(a) %}{{ a }}{% endmacro %}"
             "{% call m($V) %}x{% endcall %}", "{% macro m() %}{% for x in $Q %}{{ caller(x) }}"
             "{% endfor %}{% endmacro %}{% call(y) m() %}{{ y }};{% endcall %}",
             "{% macro m(caller$default) %}{{ caller is none }}{% endmacro %}{{ m($given) }}",
             "{% macro m(a, caller$default) %}{{ a }}{{ caller() }}{% endmacro %}"
             "{% call m($V) %}{{ $V }}{% endcall %}",
             "{% call $S.upper() %}{% endcall %}", "{% macro m() %}{{ caller() }}{{ caller() }}"
             "{% endmacro %}{% call m() %}{% set n = $V %}{{ n }}{% endcall %}{{ n }}"],
}
TEXTS = {
    "blanks": ["$gap$piece$gap", "$gap$piece$gap$piece$gap", "$piece$gap$piece$gap$piece$gap",
               "a$gap$piece$gap b"],
    "comments": ["$gap{#$open c $shut#}$gap", "a{# {{ $V }} #}b$gap", "{{ $V }}{#-\n-#}$gap b",
                 "{# a #}{{ $V }}{# b", "$gap{# {% if %} #}$gap{{ n }}", "#}{{ $V }}", "{{ $V }}$gap{#$open"],
    "raw": ["$gap{%$trim raw $trim%} {{ x }} \n{%$open endraw $shut%}$gap",
            "{% raw %}{% if %}{{ '$escape' }}{% endraw %}$gap{{ $V }}",
            "{%$trim raw $trim%}$gap{# $gap{%$open endraw $shut%}$gap x",
            "{% raw %}{{ $V }}$gap{% endraw %}$gap{{ n }}", "{{ $V }}$gap{%$trim raw $trim%}"],
    "strftime_now": ["strftime_now('$day')", "strftime_now('$day$between$day')",
                     "strftime_now('$day$between$day$between$day')", "strftime_now($V)",
                     "strftime_now('$day')|upper", "strftime_now($given)",
                     "'a' ~ strftime_now('$day$between')"],
    "cycler": ["{% set c = cycler($V, $V) %}{% for x in $Q %}{{ c.next() }};{% endfor %}"
               "{{ c.current }}", "{% set c = cycler(*$Q) %}{{ c.next() }}{{ c.next() }}"
               "{{ c.reset() }}{{ c.current }}", "{% set c = cycler($given) %}{{ c.current }}",
               "cycler($S, $S).next()", "{% set c = cycler($V) %}{{ c.$key is defined }}"],
    "joiner": ["{% set j = joiner($S) %}{% for x in $Q %}{{ j() }}{{ x }}{% endfor %}",
               "{% set j = joiner() %}{{ j() }}{{ j() }}{{ $V }}{{ j() }}",
               "{% set j = joiner($V) %}{{ j() }}{{ j() }}",
               "{% set j = joiner(sep=$S) %}{% for x in $Q if $where %}{{ j() }}{{ x }}"
               "{% endfor %}", "{% set j = joiner($given) %}{{ j() }}{{ j() }}"],
    "raise_exception": ["{{ raise_exception($V) }}", "{% if $V %}{{ raise_exception('No: ' ~ $S) }}"
                        "{% endif %}ok", "{{ $V or raise_exception($S) }}",
                        "{{ $V if $V else raise_exception($S) }}", "{{ raise_exception($given) }}",
                        "{% for x in $Q %}{{ x if x else raise_exception('e') }}{% endfor %}"],
    "what is not there": ["{{ $missed$used }}", "{{ $missed$used }}", "{{ $V ~ $missed }}",
                          "{% if $missed$used %}{{ $V }}{% endif %}",
                          "{% for x in $missed %}{{ x }}{% else %}{{ $V }}{% endfor %}",
                          "{% set q = $missed$used %}{{ q }}", "{{ $missed == $missed }}",
                          "{{ [$missed$used, $V] }}", "{{ $missed.x }}", "{{ $V[$missed] }}"],
    "mistakes in statements": ["{% $tag %}x", "{% $tag %}{{ $V }}{% endfor %}",
                               "{% if $V %}{% $tag %}{% endif %}",
                               "{% for x in $Q %}{% $tag %}{% endfor %}",
                               "a{% $tag %}b{% endif %}", "{% set q = $V %}{%- $tag -%}",
                               "{% $tag %}{% endset %}", "{% $tag %}{% endmacro %}",
                               "{% $tag", "{% if n %}{{ $V }}{% $tag %}"],
    "mistakes in expressions": ["{{ $line }}", "{{ $V }}{{ $line }}", "{% if $line %}{% endif %}",
                                "{{ $V, $line }}", "{% set q = $line %}{{ q }}", "{{ $line }",
                                "{% for x in $line %}{% endfor %}", "{{ [$line] }}",
                                "{{ $V }}{{", "{{ ($line) }}", "{% if no %}{{ $line }}{% endif %}"],
}
MORE["filtered"] = ["", "|list", "|reverse", "[:1]"]
MORE["E2"] = ["$V ~ $V", "$num $arith $num", "$V|$filter"]
MORE["of_macro"] = ["name", "arguments", "catch_kwargs", "catch_varargs", "caller",
                    "explicit_caller", "no"]
FORMS = {**LOOPS, **SCOPES, **MACROS, **TEXTS}
