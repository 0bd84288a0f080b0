"""Cuts C text at file scope into pieces: declarations and directives.

This is no parser.  It knows comments, strings, preprocessor lines and
brackets, which is enough to see where one declaration ends; what it declares
is for Universal Ctags to say (tags.py).  What would make the cut doubtful is
refused (limits.py).
"""

import re
from dataclasses import dataclass, field

from limits import (check_block, check_declaration, check_directive,
                    check_opening)
from problem import Refusal

TOKEN = re.compile(r"""
    (?P<newline>\n)
  | (?P<directive>^[ \t]*\#(?:\\\r?\n | /\*[\s\S]*?\*/ | //[^\n]*
        | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | [^\n])*)
  | (?P<comment>/\*[\s\S]*?\*/ | //[^\n]*)
  | (?P<string>"(?:\\[\s\S]|[^"\\\n])*" | '(?:\\.|[^'\\\n])*')
  | (?P<word>\w+)
  | (?P<mark>[][(){};=])
  | (?P<other>[^\s\w])
    """, re.VERBOSE | re.MULTILINE)

CONDITIONAL = re.compile(r"\s*#\s*(ifdef|ifndef|if|elif|else|endif)\b")
INCLUDE = re.compile(r"\s*#\s*(include\b|pragma\s+once\b)")
DEFINE = re.compile(r"\s*#\s*define\b")


@dataclass
class Piece:
    """A declaration or a directive: lines `first` to `last`, from 1.

    `last` takes in a comment that begins behind the piece on its last line.
    `tokens` are the (text, line) outside braces.
    """

    first: int
    last: int
    directive: str = ""
    tokens: list = field(default_factory=list)
    has_body: bool = False

    @property
    def is_include(self):
        """Whether it includes a file, or guards one with #pragma once."""
        return bool(INCLUDE.match(self.directive))

    @property
    def is_define(self):
        """Whether it defines a macro."""
        return bool(DEFINE.match(self.directive))

    @property
    def conditional(self):
        """if, ifdef, ifndef, elif, else, endif, or the empty string."""
        found = CONDITIONAL.match(self.directive)
        return found.group(1) if found else ""


@dataclass
class Declaration:
    """A declaration that has begun on line `first` and not yet ended."""

    first: int
    tokens: list = field(default_factory=list)  # (text, line) outside braces
    seen: list = field(default_factory=list)    # every token's text
    has_body: bool = False
    has_initializer: bool = False

    def may_have_body(self):
        """Whether a { that follows now would begin a function's body."""
        after = self.tokens[-1][0] if self.tokens else ""
        return after == ")" and not self.has_initializer


class Scanner:
    """One pass over a file's text; `pieces` and `comments` are its result."""

    def __init__(self, text):
        self.text = text
        self.line = 1
        self.pieces = []
        self.comments = []   # (first, last) of each comment
        self.open = []       # (bracket, line), innermost last
        self.branches = []   # the brackets open at each enclosing #if
        self.current = None  # the declaration that is being read

    def run(self):
        """Scan the whole text; Refusal where it is outside the limits."""
        for token in TOKEN.finditer(self.text):
            kind, text = token.lastgroup, token.group()
            if kind == "newline":
                self.line += 1
            else:
                getattr(self, "see_" + kind)(text)
                self.line += text.count("\n")
        self.finish()
        return self

    def finish(self):
        """Everything that was opened must be closed."""
        if self.open:
            bracket, line = self.open[-1]
            raise Refusal(line, f"this {bracket} is never closed")
        if self.current:
            raise Refusal(self.current.first, "this declaration never ends; "
                          "is a ; missing?")

    def see_directive(self, text):
        """A preprocessor line, continuations included."""
        piece = Piece(self.line, self.line + text.count("\n"), text)
        check_directive(text, self.line)
        self.follow_branches(piece.conditional)
        if not self.current:
            self.pieces.append(piece)

    def follow_branches(self, conditional):
        """Both sides of an #if must open and close the same brackets."""
        depth = len(self.open)
        if conditional in ("if", "ifdef", "ifndef"):
            self.branches.append(depth)
        elif conditional and self.branches:
            if self.branches[-1] != depth:
                raise Refusal(self.line, "a bracket opens on one side of this "
                              "#if and closes on the other: keep each side "
                              "whole")
            if conditional == "endif":
                self.branches.pop()

    def see_comment(self, text):
        """A comment that starts behind a piece belongs to it."""
        last = self.line + text.count("\n")
        self.comments.append((self.line, last))
        if self.pieces and not self.current:
            if self.pieces[-1].last == self.line:
                self.pieces[-1].last = last

    def see_string(self, text):
        self.add(text)

    def see_word(self, text):
        self.add(text)

    def see_other(self, text):
        self.add(text)

    def see_mark(self, text):
        if text in "([{":
            self.see_opening(text)
        elif text in ")]}":
            self.see_closing(text)
        elif text == ";" and not self.open:
            self.add(text)
            self.end_declaration()
        else:
            self.add(text)
            if text == "=" and not self.open:
                self.current.has_initializer = True

    def see_opening(self, bracket):
        """A bracket opens; a { may begin a function's body."""
        if bracket == "{":
            check_opening(self.recent(), self.line)
            if not self.open:
                self.start()
                check_block(self.current.tokens, self.line)
                self.current.has_body = self.current.may_have_body()
        self.add(bracket)
        self.open.append((bracket, self.line))

    def see_closing(self, bracket):
        """A bracket closes; the } of a function ends its declaration."""
        if not self.open or self.open[-1][0] + bracket not in ("()", "[]",
                                                               "{}"):
            raise Refusal(self.line, f"this {bracket} closes nothing")
        self.open.pop()
        self.add(bracket)
        if not self.open and bracket == "}" and self.current.has_body:
            self.end_declaration()

    def recent(self):
        """The last tokens seen, inside braces too, for check_opening."""
        return self.current.seen if self.current else []

    def start(self):
        """Begin a declaration, unless one has begun."""
        if not self.current:
            self.current = Declaration(self.line)
    
    def add(self, text):
        """One more token of the current declaration."""
        self.start()
        self.current.seen.append(text)
        if not any(bracket == "{" for bracket, _ in self.open):
            self.current.tokens.append((text, self.line))

    def end_declaration(self):
        """The declaration ends on this line."""
        check_declaration(self.current.tokens, self.current.has_body)
        done = self.current
        self.pieces.append(Piece(done.first, self.line, "", done.tokens,
                                 done.has_body))
        self.current = None
