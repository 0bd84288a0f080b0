"""Small random templates, each about one construct: for tests/templates."""

import random

WORDS = ["a", "Bc", "héllo", "x y", "", "<b>", "日本語", "Ωμέγα", "it's", '"q"',
         "line\nbreak", "  pad ", "ΑΣ", "😀k", "A-b c", "1", "2.5", "straße"]
NUMBERS = ["0", "1", "2", "-3", "7", "10", "2.5", "-0.5", "1e3", "3.0", "100",
           "1e16", "1.5e-7"]
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


class Programs:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, *choices):
        return self.random.choice(choices)

    def number(self):
        return self.pick(*NUMBERS, "n", "f", "yes", "l|length")

    def string(self):
        word = self.pick(*WORDS)
        quoted = "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"
        return self.pick(quoted.replace("\n", "\\n"), "s", "u", "e", "w[0]")

    def sequence(self):
        return self.pick("l", "w", "items", "nested", "range(n)", "[]",
                         "[1, 'a', none]", "(1, 2)", "d", "u", "messages",
                         f"[{self.number()}, {self.number()}]", "w|list",
                         "d.keys()", "d.values()|list", "l|reverse|list")

    def value(self, depth=1):
        kinds = [self.number, self.string, self.sequence,
                 lambda: self.pick("nil", "missing", "d", "yes", "no",
                                   "items[0]", "d.missing", "true", "none")]
        if depth:
            kinds += [lambda: self.operators(depth - 1),
                      lambda: self.filtered(depth - 1)]
        return self.random.choice(kinds)()

    def operators(self, depth=1):
        a, b = self.value(depth), self.value(depth)
        kind = self.random.randrange(8)
        if kind == 0:
            a, b = self.number(), self.number()
            return f"({a} {self.pick('+', '-', '*', '/', '//', '%')} {b})"
        if kind == 1:
            sign = self.pick('+', '-', '*', '/', '//', '%', '~')
            return f"({a} {sign} {b})"
        if kind == 2:
            sign = self.pick('==', '!=', '<', '>', '<=', '>=')
            return f"({a} {sign} {b})"
        if kind == 3:
            return f"({a} {self.pick('and', 'or')} {b})"
        if kind == 4:
            return f"({a} {self.pick('in', 'not in')} {b})"
        if kind == 5:
            return f"({self.number()} < {self.number()} <= {self.number()})"
        if kind == 6:
            return f"({a} if {b} else {self.value(0)})"
        return f"({self.pick('not ', '-', '+')}{a})"

    def power(self):
        return f"({self.number()} ** {self.pick('0', '1', '2', '3', '-1', '0.5')})"

    def test(self):
        name = self.pick(
            "defined", "undefined", "none", "string", "mapping", "iterable",
            "sequence", "number", "boolean", "true", "false", "integer",
            "float", "odd", "even", "lower", "upper", "callable", "escaped",
            "filter", "test", f"eq {self.number()}", f"equalto({self.string()})",
            f"in {self.sequence()}", f"divisibleby {self.pick('2', '3')}",
            f"sameas {self.pick('true', 'none', 'n')}",
            f"gt {self.number()}", f"lessthan {self.number()}")
        return f"({self.value()} is {self.pick('', 'not ')}{name})"

    def slice(self):
        of = self.pick("l", "w", "u", "s", "nested", "range(10)", "messages",
                       "(1, 2, 3)")
        def bound():
            return self.pick("", "0", "1", "2", "-1", "-2", "5", "n")
        step = self.pick("", "1", "2", "-1", "-2", "3")
        end = f":{step}" if step or self.pick(0, 1) else ""
        return f"{of}[{bound()}:{bound()}{end}]|{self.pick('list', 'string')}"

    def filtered(self, depth=1):
        v, s = self.value(depth), self.string()
        q = self.sequence()
        chosen = self.pick(
            f"{v}|tojson", f"{s}|trim", f"{q}|length", f"{v}|string",
            f"{v}|int", f"{v}|float", f"{s}|int(7)", f"{v}|default('D')",
            f"{v}|default('D', true)", f"{v}|d(1, boolean=yes)",
            f"{q}|sort", f"{q}|sort(reverse=true)", f"w|sort(case_sensitive=true)",
            f"items|map(attribute='{self.pick('name', 'age', 't.u.0', 'no')}')|list",
            f"items|map(attribute='on', default='-')|list",
            f"w|map('{self.pick('upper', 'lower', 'length', 'title')}')|join(',')",
            f"items|selectattr('age', '{self.pick('equalto', 'gt', 'ne')}', 1)|list",
            f"items|rejectattr('on')|map(attribute='name')|join",
            f"{q}|select|list", f"l|select('odd')|list", f"l|reject('gt', 1)|list",
            f"{s}|replace('l', {self.string()})", f"{s}|replace('', '-', 2)",
            f"{v}|lower", f"{v}|upper", f"{v}|title", f"{v}|capitalize",
            f"{q}|join(', ')", f"{q}|join", f"items|join('/', attribute='name')",
            f"{q}|first", f"{q}|last", f"{q}|list", f"{q}|unique|list",
            f"w|unique|join", f"d|dictsort", f"d|dictsort(by='value')",
            f"d|dictsort(reverse=true, case_sensitive=true)",
            f"{s}|indent", f"'a\\n\\nb\\nc'|indent({self.pick('2', '4', chr(39)+'> '+chr(39))}, {self.pick('true', 'false')}, {self.pick('true', 'false')})",
            f"d|items|list", f"missing|items|list", f"{v}|items|list",
            f"{q}|batch(2)|list", f"{q}|batch(2, 'F')|list",
            f"{q}|slice(2)|list", f"{q}|slice(3, 'F')|list",
            f"{q}|sum", f"items|sum(attribute='age')", f"nested|sum(start=[])",
            f"{q}|min", f"{q}|max", f"items|max(attribute='age')",
            f"items|groupby('age')", f"items|groupby('age')|map('first')|list",
            f"{self.number()}|round", f"{self.number()}|round(1)",
            f"{self.number()}|round(1, 'floor')", f"{self.number()}|abs",
            f"{s}|reverse", f"l|reverse|list", f"{s}|center(12)",
            f"{s}|truncate(6)", f"{s}|truncate(8, true)", f"{s}|wordcount",
            f"{s}|truncate(7, false, '!', 0)", f"{s}|urlencode", f"d|urlencode",
            f"{s}|escape", f"{s}|safe", f"{s}|safe ~ '<'", f"({s}|safe) + '<'",
            f"'%s-%s'|format({v}, {s})", f"{self.number()}|filesizeformat",
            f"{v}|count",
            f"d|attr('{self.pick('x', 'keys')}') is defined")
        return f"({chosen})"

    def method(self):
        s = self.string()
        i = self.pick("0", "1", "2", "-1", "5")
        sub = self.pick("'l'", "'o'", "''", "' '", "'日'", "'x'", s)
        chosen = self.pick(
            f"{s}.split()", f"{s}.split({sub})", f"{s}.split({sub}, {i})",
            f"{s}.split(none, {i})", f"{s}.split(sep=' ', maxsplit=1)",
            f"{s}.rsplit()", f"{s}.rsplit({sub}, {i})", f"{s}.rsplit(none, {i})",
            f"{s}.strip()", f"{s}.strip({sub})", f"{s}.lstrip({sub})",
            f"{s}.rstrip({sub})", f"{s}.startswith({sub})",
            f"{s}.startswith(('H', 'x'))", f"{s}.endswith({sub})",
            f"{s}.startswith({sub}, {i})", f"{s}.find({sub})",
            f"{s}.find({sub}, {i})", f"{s}.rfind({sub})", f"{s}.index({sub})",
            f"{s}.count({sub})", f"{s}.count({sub}, {i})",
            f"{s}.replace({sub}, '_')", f"{s}.replace({sub}, '_', {i})",
            f"{s}.upper()", f"{s}.lower()", f"{s}.title()", f"{s}.capitalize()",
            f"{s}.swapcase()", f"{s}.isdigit()", f"{s}.isalpha()",
            f"{s}.isalnum()", f"{s}.isspace()", f"{s}.isupper()",
            f"{s}.islower()", f"{s}.istitle()", f"{s}.isnumeric()",
            f"{s}.partition({sub})", f"{s}.rpartition({sub})",
            f"{s}.splitlines()", f"{s}.splitlines(true)",
            f"{s}.join({self.sequence()})", f"', '.join(w)",
            f"{s}.center(9)", f"{s}.center(10, '*')", f"{s}.ljust(8, '.')",
            f"{s}.rjust(8)", f"{s}.zfill(6)", f"{s}.removeprefix({sub})",
            f"{s}.removesuffix({sub})", f"d.get({s})", f"d.get('x', {i})",
            f"d.get('q', {i})", "d.items()", "d.keys()", "d.values()",
            "d.copy()", f"l.index({i})", f"l.count({i})", f"l.{self.pick('append', 'pop', 'sort')}(1)",
            f"d.{self.pick('update', 'pop', 'clear')}({{}})", f"{s}.{self.pick('foo', 'length', '__class__')}",
            f"{s}[{i}]", f"{self.sequence()}[{i}]", f"d[{s}]", "d['x']", "d.y",
            f"{self.sequence()}.0", "items[0].name", "items[-1]['on']")
        return f"({chosen})"

    def formatting(self):
        v = self.pick(self.number(), self.string(), "nil", "l")
        flags = self.pick("", "-", "+", " ", "0", "#", "-0")
        width = self.pick("", "3", "8")
        places = self.pick("", ".0", ".2", ".5")
        kind = self.pick("s", "d", "f", "g", "e", "x", "o", "r", "i", "c", "G", "q")
        spec = self.pick("", ">8", "<6", "^7", "*^9", "08", "+", ",", ".2f", "d",
                         "x", "#x", "b", "e", ".3", "5.1f", "%", "_", ">{n}",
                         "s", ".2s", "=+6", "g", "010.3f", ",.1f")
        return self.pick(
            f"'%{flags}{width}{places}{kind}' % {v}",
            f"'%{flags}{width}{places}{kind}' % ({v},)",
            f"'%s and %s' % ({v}, {self.string()})", "'%(x)s %(y)r' % d",
            f"'[{{:{spec}}}]'.format({v}, n=5)" if "n}" not in spec
            else f"'[{{:{spec}}}]'.format({v}, n=5)",
            f"'{{0}}-{{1!r}}-{{0}}'.format({v}, {self.string()})",
            f"'{{a}} {{b.x}} {{b[y]}} {{{{}}}}'.format(a={v}, b=d)",
            f"'{{}} {{}}'.format({v})", f"'%*d' % (5, n)", f"'%s' % {v}")

    def json(self):
        v = self.pick(self.value(), "items", "messages", "d", "nested",
                      "{'k': [1.5, {'é': none}], 2: 'x', none: true}",
                      "[1, 'a\\u0001\\x7f😀', 1e22, 0.1, -0.0]")
        args = self.random.sample(
            [f"indent={self.pick('none', '0', '1', '2', '4', chr(39) + '--' + chr(39))}",
             f"ensure_ascii={self.pick('true', 'false')}",
             f"sort_keys={self.pick('true', 'false')}",
             f"separators={self.pick('(chr44, chr58)', 'none', '[chr44, chr58]')}"],
            self.random.randrange(4))
        text = f"({v})|tojson({', '.join(args)})"
        return text.replace("chr44", "','").replace("chr58", "':'")

    def loop(self):
        part = self.pick("x", "loop.index", "loop.index0", "loop.first",
                         "loop.last", "loop.length", "loop.revindex",
                         "loop.revindex0", "loop.previtem", "loop.nextitem",
                         "loop.cycle('a', 'b')", "loop.changed(x)",
                         "loop.depth", "loop.previtem is defined", "loop|length",
                         "loop.changed(loop.index0 // 2)")
        q = self.sequence()
        jump = self.pick("", "", "{% if loop.index == 2 %}{% break %}{% endif %}",
                         "{% if x == 1 %}{% continue %}{% endif %}")
        where = self.pick("", " if x", " if x is string", " if x != 1")
        other = self.pick("", "{% else %}none")
        return self.pick(
            f"{{% for x in {q}{where} %}}{jump}{{{{ {part} }}}},{other}{{% endfor %}}",
            f"{{% for k, v in d.items() %}}{{{{ k }}}}={{{{ v }}}};{{% endfor %}}",
            f"{{% for a, b in {q} %}}{{{{ a }}}}{{{{ b }}}}{{% endfor %}}",
            f"{{% for x in {q} -%}} {{{{ {part} }}}} {{%- endfor %}}|{{{{ x }}}}",
            "{% for x in nested recursive %}{% if x is iterable %}"
            f"[{{{{ loop(x) }}}}{{{{ loop.depth }}}}]{{% else %}}{{{{ {part} }}}}{{% endif %}}{{% endfor %}}",
            f"{{% for x in {q} %}}{{% for y in l %}}{{{{ y }}}}{{% if loop.last %}}{{% break %}}{{% endif %}}{{% endfor %}}{{{{ {part} }}}}{{% endfor %}}")

    def scope(self):
        v, w = self.value(), self.value(0)
        return self.pick(
            f"{{% set q = {v} %}}{{% for x in l %}}{{% set q = x %}}{{{{ q }}}}{{% endfor %}}{{{{ q }}}}",
            f"{{% if {w} %}}{{% set s = 1 %}}{{% endif %}}{{{{ s }}}}",
            f"{{% set a, b = {v}, {w} %}}{{{{ a }}}}{{{{ b }}}}",
            f"{{% set a, b = {self.sequence()} %}}{{{{ a }}}}{{{{ b }}}}",
            f"{{% set ns = namespace(v={v}, c=0) %}}{{% for x in l %}}{{% set ns.c = ns.c + x %}}{{% set ns.l = x %}}{{% endfor %}}{{{{ ns.c }}}}{{{{ ns.v }}}}{{{{ ns.l }}}}{{{{ ns.zz }}}}",
            f"{{% with a={v}, b=a %}}{{{{ a }}}}{{{{ b }}}}{{% set n = 9 %}}{{% endwith %}}{{{{ n }}}}{{{{ a }}}}",
            f"{{% set q %}}x{{{{ {v} }}}}{{% set n = 8 %}}{{% endset %}}{{{{ q }}}}{{{{ n }}}}",
            f"{{% set q | upper | trim %}} a{{{{ {v} }}}} {{% endset %}}[{{{{ q }}}}]",
            f"{{% filter upper %}}a{{{{ {v} }}}}{{% endfilter %}}",
            f"{{% generation %}}{{% set n = 5 %}}{{{{ n }}}}{{{{ {v} }}}}{{% endgeneration %}}{{{{ n }}}}",
            f"{{% for x in l %}}{{% set z = x %}}{{% endfor %}}{{{{ z is defined }}}}{{{{ {w} }}}}",
            f"{{% block b %}}{{{{ n }}}}{{% set n = 7 %}}{{% endblock %}}{{{{ n }}}}",
            f"{{% set d.x = {w} %}}{{{{ d }}}}",
            f"{{% set ns = namespace(d) %}}{{% set ns.y = ns.x %}}{{{{ ns.y }}}}{{{{ ns.Z }}}}",
            f"{{% for x in l if ns is undefined %}}{{{{ x }}}}{{% endfor %}}")

    def macro(self):
        v, w = self.value(0), self.value(0)
        call = self.pick(f"m({v})", f"m({v}, {w})", f"m(b={w}, a={v})", "m()",
                         f"m({v}, {w}, 3)", f"m({v}, z=1)", f"m(*[1, 2])",
                         "m(**{'a': 4})", f"m({v}, b={w})", f"m({v}, a={w})")
        body = self.pick("{{ a }}-{{ b }}", "{{ a }}{{ varargs }}{{ b }}",
                         "{{ a }}{{ kwargs }}", "{% if a %}{{ b }}{% endif %}{{ n }}",
                         "{{ a is defined }}{{ b }}", "{% set n = a %}{{ n }}{{ caller is defined }}",
                         "{{ caller() if caller }}{{ a }}", "{{ a.x }}{{ b }}")
        default = self.pick("2", "'q'", "a", "n", "none")
        return self.pick(
            f"{{% macro m(a, b={default}) %}}{body}{{% endmacro %}}{{{{ {call} }}}}{{{{ n }}}}",
            f"{{% macro m(a, b={default}) -%}}\n  {body}\n{{%- endmacro %}}[{{{{ {call} }}}}]",
            f"{{% macro m(a, b={default}) %}}{body}{{{{ caller(a) }}}}{{% endmacro %}}{{% call(x) {call} %}}<{{{{ x }}}}{{{{ n }}}}>{{% endcall %}}",
            f"{{% macro m(a) %}}{{{{ a }}}}{{% if a %}}{{{{ m(a - 1) }}}}{{% endif %}}{{% endmacro %}}{{{{ m(3) }}}}",
            f"{{% macro m(a, b) %}}{body}{{% endmacro %}}{{% set n = 5 %}}{{{{ {call} }}}}",
            f"{{% for i in l %}}{{% macro m(a, b={default}) %}}{{{{ i }}}}{body}{{% endmacro %}}{{{{ {call} }}}}{{% endfor %}}")

    def spaces(self):
        blank = lambda: self.pick("", " ", "\n", "  \n", "\n  ", "\t", "\n\n", "x", " y ", "\r\n")
        def tag(inside, variable=False):
            first, last = self.pick("", "", "-", "+"), self.pick("", "", "-", "+")
            if variable:
                last = "" if last == "+" else last
                return f"{{{{{first} {inside} {last}}}}}"
            return f"{{%{first} {inside} {last}%}}"
        comment = f"{{#{self.pick('', '-', '+')} c \n {self.pick('', '-', '+')}#}}"
        pieces = [tag("if " + self.pick("yes", "no")), tag("n", True), comment,
                  tag("set q = 1"), tag("else"), tag("s", True), tag("endif"),
                  f"{{%{self.pick('', '-')} raw {self.pick('', '-')}%}} {{{{ x }}}} \n{{%{self.pick('', '-', '+')} endraw {self.pick('', '-', '+')}%}}"]
        return blank() + "".join(piece + blank() for piece in pieces)

    def lexing(self):
        return self.pick(
            f"{{{{ {self.pick('1_000', '0x1F', '0b101', '0o17', '1_0.5_0', '1e5', '2E-3', '1.', '0_0', '007', '1__0')} }}}}",
            "{{ '" + self.pick("\\x41", "\\u00e9", "\\n\\t", "\\q", "\\\\", "\\101", "\\'", '"', "\\U0001F600", "\\0", "\\x4") + "' }}",
            "{{ " + self.pick("'a' 'b'", "{'a': 1,}", "[1, 2,]", "(1,)", "()", "{}", "1 if", "a b", "1 +", "[1", "}}", "d.x.y", "not not n", "n is not none", "- n", "--n", "n|upper.x", "2**3**2", "-2**2", "n.0", "l.0", "l[0,1]", "'a'~1~none", "true and nil", "n in l not in l", "d|length + 1", "n is odd and yes", "1 if no", "(1 if no) is defined", "n if yes else s if no else u", "l[1:][0]", "{'a': {'b': 1}}.a.b", "n", "n == 3 is true", "range(3)", "range(2, 8, 3)|list", "dict(a=1)", "dict([['a', 2]], b=3)", "strftime_now('%Y-%m-%d')", "cycler('a').next()") + " }}",
            "{% " + self.pick("if n", "endif", "for", "set", "set x", "include 'x'", "bogus", "for x in", "for x of l", "macro", "if n then", "set 1 = 2", "break", "set x = ") + " %}x")

    def raising(self):
        return self.pick(
            f"{{{{ raise_exception({self.value()}) }}}}",
            f"{{% if {self.value(0)} %}}{{{{ raise_exception('No: ' ~ {self.string()}) }}}}{{% endif %}}ok",
            f"{{{{ {self.pick('missing', 'd.missing', 'l[9]', 'items[0].no')}.{self.pick('x', 'y.z')} }}}}",
            f"{{{{ {self.pick('missing', 'd.missing', 'l[9]', 'nil.x')}{self.pick(' + 1', '[0]', '()', '|upper', ' ~ 1', '|length', ' == none', ' < 1', '|tojson', '|default(1)', '.x', '|join', '|first')} }}}}")

    def program(self, construct):
        if construct in ("loop", "scope", "macro", "spaces", "lexing",
                         "raising"):
            return getattr(self, construct)()
        return "{{ " + getattr(self, construct)() + " }}"


CONSTRUCTS = ["operators", "power", "test", "slice", "filtered", "method",
              "formatting", "json", "loop", "scope", "macro", "spaces",
              "lexing", "raising"]


def programs(construct, n, seed=1):
    maker = Programs(f"{construct} {seed}")
    return [maker.program(construct) for _ in range(n)]
