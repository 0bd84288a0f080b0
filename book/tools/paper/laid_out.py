"""Which page was laid out as PDF before: book/outcomes/laid-out.txt, committed.

To lay out the book takes a processor minutes, and always makes the same of the
same page.  So a test leaves it out where the committed digest is that of the
page and of the program that would do it; `make book` lays it out, and brings
the digest up to date.
"""

import re
import subprocess
from pathlib import Path

from support.store import digest

NAME = "laid-out.txt"
# A file that the page names by its whole path, in a folder of this build.
FILE = re.compile(r'(?<= src=")/[^"]+|(?<= href=")file:///[^"]+')


def state(page):
    """A digest of all that the PDF of a page depends on."""
    asked = subprocess.run(["weasyprint", "--version"], capture_output=True,
                           text=True, check=True)
    return digest(asked.stdout.strip(), FILE.sub(
        lambda found: digest(content(found[0])), page))


def content(name):
    """The bytes of a file that a page names."""
    return Path(name.removeprefix("file://")).read_bytes()


def is_known(folder, page):
    """Whether a page was laid out before: `folder` is that of outcomes."""
    path = folder / NAME
    return path.exists() and path.read_text().strip() == state(page)


def keep(folder, page):
    """Write down that a page was laid out; whether that is new."""
    new = not is_known(folder, page)
    if new:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / NAME).write_text(f"{state(page)}\n")
    return new
