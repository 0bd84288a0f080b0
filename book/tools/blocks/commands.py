"""The commands that blocks name, with run= or as their text."""

from support.mistakes import Wrong
from text.tree import pairs_of


def commands_of(node):
    """A block's commands: run=, or its lines; a line that ends in a backslash
    goes on."""
    pairs = pairs_of(node)
    text = node["c"][1].strip("\n") if node["t"] == "CodeBlock" else ""
    if "run" in pairs and text:
        raise Wrong("a block with run= and lines: which is the command?")
    if "run" in pairs:
        return [pairs["run"]]
    if not text:
        raise Wrong("a block without a command: write run= or its lines")
    return text.replace("\\\n", "\\\0").replace("\n", "\1").replace(
        "\0", "\n").split("\1")


def command_of(node):
    """The command of a block that has just one."""
    commands = commands_of(node)
    if len(commands) != 1:
        raise Wrong("one command only")
    return commands[0]


def rung_of(node, page):
    """The rung in which a block's commands run: rung=, or the page's; None
    for the root of the tree."""
    named = pairs_of(node).get("rung")
    if named == "none":
        return None
    return page.sources.rung(named) if named else page.run_rung
