"""Which page was laid out as PDF before: book/outcomes/laid-out.txt, committed.

To lay out the book takes a processor minutes, and one program makes the same of
the same page.  So a test leaves it out where the committed line is that of the
page and of the programs, or where somebody waits for it, since CI is not set:
`make book` lays it out, and brings the line up to date where these programs
made it.  Fonts are not in it: ALL=1 lays out always.
"""

import html
import inspect
import re
import subprocess
from pathlib import Path
from urllib.parse import unquote

from paper import printed
from support.store import digest

NAME = "laid-out.txt"
# A file that the page names by its whole path, in a folder of this build.
FILE = re.compile(r'(?<= src=")/[^"]+|(?<= href=")file:///[^"]+')
PROGRAMS = (["weasyprint", "--version"], ["pandoc", "--version"],
            ["dot", "-V"])


def programs():
    """What makes the page and lays it out, in words."""
    said = [subprocess.run(command, text=True, check=True,
                           stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT).stdout
            for command in PROGRAMS]
    return ", ".join(words.splitlines()[0].strip() for words in said)


def state(page):
    """A line that says what the PDF of a page depends on."""
    how = inspect.getsource(printed.lay_out), printed.NO_SEARCH
    return f"{programs()}: " + digest(how, FILE.sub(
        lambda found: digest(content(found[0])), page))


def content(name):
    """The bytes of a file that a page names."""
    path = html.unescape(name).removeprefix("file://")
    return Path(unquote(path)).read_bytes()


def committed(folder):
    """The line that is there, or "": `folder` is that of outcomes."""
    path = folder / NAME
    return path.read_text().strip() if path.exists() else ""


def is_known(folder, page):
    """Whether a page was laid out before."""
    return committed(folder) == state(page)


def keep(folder, page):
    """Write down that a page was laid out; whether that is new.  A line of
    other programs stays: who has these commits it."""
    old, new = committed(folder), state(page)
    if old == new or old.rpartition(": ")[0] not in ("", programs()):
        return False
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NAME).write_text(f"{new}\n")
    return True
