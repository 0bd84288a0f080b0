"""One C file that has many mutants of a function: a copy of it for each, and
in its own place a call of the copy whose number is set while it runs.  So a
hundred are compiled at once."""

import re

from bodies import body_of

NUMBER = """
#include <stdlib.h>
__attribute__((weak)) int mutant_number; /* one, of all objects of a file */
__attribute__((constructor)) static void find_number(void)
{
    const char *said = getenv("MUTANT");
    mutant_number = said ? atoi(said) : 0;
}
"""
ERROR = re.compile(r"^mutant(\d+):\d+:(?:\d+:)? (?:fatal )?error: ", re.M)


def variants(code, function, chosen):
    """The text of a file in which the function is that of number 0, itself,
    or of one of {number: Mutant}; None where this cannot be written."""
    before, head, body = parts_of(function.text)
    names = parameters(head)
    if names is None or not same_heads(function, chosen) or \
            code.count(function.text) != 1:
        return None
    name = function.name
    behind = code[:code.index(function.text) + len(function.text)]
    bodies = {0: body, **{number: parts_of(mutant.text)[2]
                          for number, mutant in chosen.items()}}
    table = ", ".join(f"[{n}] = {name}__{n}" for n in bodies)
    made = [before + NUMBER, f"{head};"]
    made += [copy_of(head, name, number, text)
             for number, text in bodies.items()]
    made += [f'#line 1 "table"\nstatic __typeof__({name}) *const '
             f"{name}__all[] = {{{table}}};",
             f"{head}\n{{\n    return {name}__all[mutant_number]"
             f"({', '.join(names)});\n}}", f"#line {behind.count(chr(10)) + 1}\n"]
    return code.replace(function.text, "\n".join(made))


def parts_of(text):
    """What stands before a function, its head, and its body with the braces
    and what stands behind it."""
    start = body_of(text)[0] - 1
    head = re.sub(r"\A(\s+|/\*[\s\S]*?\*/|//.*\n|#.*\n|[^{}#/]*;)*", "",
                  text[:start])
    return text[:start][:len(text[:start]) - len(head)], head.strip(), \
        text[start:]


def same_heads(function, chosen):
    """Whether all these mutants have the function's head."""
    before, head, _ = parts_of(function.text)
    return all(parts_of(mutant.text)[:2] == (before, head)
               for mutant in chosen.values())


def copy_of(head, name, number, body):
    """A copy of a function for its own file alone, with another name."""
    head = re.sub(rf"\b{name}(?=\s*\()", f"{name}__{number}", head, count=1)
    static = "" if re.search(r"\bstatic\b", head) else "static "
    return f'#line 1 "mutant{number}"\n{static}{head}\n{body}'


def parameters(head):
    """The names of the parameters; None where there are more than names."""
    inside = head[head.index("(") + 1:head.rindex(")")].strip()
    if inside in ("void", ""):
        return []
    names = []
    for part in split_at_commas(inside):
        found = re.search(r"\(\*(\w+)\)|(\w+)(?:\[[^]]*\])*\s*\Z", part)
        if not found or "..." in part:
            return None
        names.append(found[1] or found[2])
    return names


def split_at_commas(text):
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def refused(errors):
    """The numbers of the mutants in which a compiler finds errors."""
    return {int(number) for number in ERROR.findall(errors)}
