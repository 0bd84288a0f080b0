"""Chat templates that stand as strings in a Python program.

Nothing is run.  What a string is can be told where it is a literal or made of
such: by `+`, by names that are given a value once, by f"{name}", by replace
and strip, and by a piece of what split makes.
"""

import ast
import re

METHODS = ("replace", "strip", "lstrip", "rstrip")
STATEMENT = re.compile(r"\{%([-+ ]|$)")
SCOPES = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef,
          ast.Lambda)


def is_template(value):
    return (isinstance(value, str) and "{%" in value
            and "messages" in value and "endfor" in value)


def inside(scope):
    """The nodes of a scope, without those of the scopes in it."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, SCOPES):
            waiting[:0] = ast.iter_child_nodes(node)


def given(scope):
    """{name: the expression that it is given, or None when that is not one
    alone} of a scope."""
    names = {}
    for node in inside(scope):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names[node.id] = None if node.id in names else node
    for node in inside(scope):
        targets = (node.targets if isinstance(node, ast.Assign) else
                   [node.target] if isinstance(node, ast.AnnAssign) else [])
        for target in targets:
            if names.get(getattr(target, "id", None)) is target:
                names[target.id] = node.value
    for argument in ast.walk(getattr(scope, "args", ast.Pass())):
        if isinstance(argument, ast.arg):
            names[argument.arg] = None
    return {name: value if isinstance(value, ast.expr)
            and not isinstance(getattr(value, "ctx", None), ast.Store)
            else None for name, value in names.items()}


def value_of(node, scopes):
    """The string that an expression is, or None: it cannot be told."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return joined([node.left, node.right], scopes)
    if isinstance(node, ast.JoinedStr):
        return joined(node.values, scopes)
    if isinstance(node, ast.FormattedValue):
        plain = node.conversion == -1 and not node.format_spec
        return value_of(node.value, scopes) if plain else None
    if isinstance(node, ast.Name):
        for i, names in enumerate(scopes):
            if node.id in names:
                return value_of(names[node.id], scopes[i:])
    if isinstance(node, ast.Call):
        return called(node, METHODS, scopes)
    if isinstance(node, ast.Subscript):
        pieces = called(node.value, ("split",), scopes)
        at = getattr(node.slice, "value", None)
        return pieces[at] if pieces and isinstance(at, int) else None
    return None


def joined(nodes, scopes):
    parts = [value_of(node, scopes) for node in nodes]
    return None if None in parts else "".join(parts)


def called(node, methods, scopes):
    """What one of these methods makes of a string."""
    if getattr(getattr(node, "func", None), "attr", None) not in methods:
        return None
    of = value_of(node.func.value, scopes)
    values = [one.value if isinstance(one, ast.Constant)
              else value_of(one, scopes) for one in node.args]
    if of is None or None in values or node.keywords:
        return None
    return getattr(of, node.func.attr)(*values)


def makes_text(node):
    """Whether an expression puts together text that has statements."""
    return isinstance(node, (ast.BinOp, ast.JoinedStr)) and any(
        isinstance(one, ast.Constant) and isinstance(one.value, str)
        and STATEMENT.search(one.value) for one in ast.walk(node))


class Program:
    """The templates of a program, and what may be others."""

    def __init__(self, text):
        self.found = []   # (name, template)
        self.untold = []  # names, of a function where it is in one
        self.scope(ast.parse(text), [], "")

    def scope(self, scope, scopes, place):
        """What a scope has; `place` names the function it is in."""
        named = getattr(scope, "name", place)
        is_class = isinstance(scope, ast.ClassDef)
        scopes = [given(scope), *scopes]
        for child in ast.iter_child_nodes(scope):
            self.look(child, scopes, "" if is_class else named,
                      named if is_class else None)

    def look(self, node, scopes, place, name):
        if isinstance(node, SCOPES):
            self.scope(node, scopes, place)
            return
        if (isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)):
            return  # words about the program
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            target = (node.targets[0] if isinstance(node, ast.Assign)
                      else node.target)
            name = name or getattr(target, "id", None)
        value = value_of(node, scopes)
        if is_template(value):
            if not isinstance(node, ast.Name):
                self.found.append((name or place, value))
        elif makes_text(node) and value is None:
            self.untold.append(place or name)
        else:
            for child in ast.iter_child_nodes(node):
                self.look(child, scopes, place, name)


def read(before, text):
    """Of a program [(name, template)], and the names of what cannot be told;
    all names begin with `before`."""
    program = Program(text)
    times = {}
    templates = []
    for name, template in program.found:
        times[name] = times.get(name, 0) + 1
        number = f"-{times[name]}" if times[name] > 1 else ""
        templates.append((f"{before}-{name}{number}", template))
    return templates, {f"{before}-{name}" for name in program.untold}
