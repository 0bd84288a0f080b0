"""Small changes to a copy of a rung, for break-it boxes and exercises.

A patch is written as lines: those with - stand in the function (or the whole
file), once, and those with + replace them.
"""

import html
from dataclasses import dataclass

from blocks.listings import path_of, region_names
from support.mistakes import Wrong
from text.tree import pairs_of


@dataclass(frozen=True)
class Patch:
    """Text that replaces other text in one place."""

    path: str  # m0-tokenizer/bpe.c
    region: str  # a region's name, or "" for the whole file
    old: str
    new: str

    def applied(self, sources, text):
        """The file's text with this change made; `text` may have others."""
        whole = sources.region(self.path, self.region).text if self.region \
            else text
        if whole.count(self.old) != 1:
            raise Wrong(f"{self.where} holds these lines "
                        f"{whole.count(self.old)} times, not once: "
                        f"{self.old}")
        if text.count(whole) != 1:
            raise Wrong(f"{self.where}: patched twice; write one patch")
        return text.replace(whole, whole.replace(self.old, self.new))

    @property
    def where(self):
        """The place in words."""
        return f"{self.region} in {self.path}" if self.region else self.path


def read_patch(node, rung, sources):
    """(Patch, the text behind it) of a block with src=, fn= and lines."""
    pairs = pairs_of(node)
    if "src" not in pairs:
        raise Wrong("a patch without src=")
    path = path_of(pairs, rung, sources)
    names = region_names(sources, path, pairs) or [""]
    if len(names) != 1:
        raise Wrong("a patch changes one place")
    old, new, rest = split(node["c"][1])
    if not old:
        raise Wrong("a patch without lines that begin with -")
    return Patch(path, names[0], "\n".join(old), "\n".join(new)), rest


def split(text):
    """(old lines, new lines, the text behind them)."""
    old, new, rest = [], [], []
    for line in text.split("\n"):
        if line[:1] == "-" and not rest and not new:
            old.append(line[2:])
        elif line[:1] == "+" and not rest:
            new.append(line[2:])
        else:
            rest.append(line)
    return old, new, "\n".join(rest).strip()


def apply_all(patches, sources):
    """{path: text} of the files that the patches change."""
    texts = {}
    for patch in patches:
        text = texts.get(patch.path) or sources.text(patch.path)
        texts[patch.path] = patch.applied(sources, text)
    return texts


def patch_html(patch):
    """A patch as the page shows it."""
    lines = [f'<del><span class="sign">-</span>{html.escape(text)}</del>'
             for text in patch.old.split("\n")]
    if patch.new:
        lines += [f'<ins><span class="sign">+</span>{html.escape(text)}</ins>'
                  for text in patch.new.split("\n")]
    return ('<pre class="code diff" tabindex="0"><code>' + "\n".join(lines)
            + "</code></pre>")
