"""Links of a finished site: each leads to a file, and to a name in it; and
what a page weighs with all that it loads."""

import gzip
import html
import re
from functools import lru_cache
from pathlib import PurePosixPath
from urllib.parse import unquote

TAG = re.compile(r"<[a-zA-Z][^<>]*>")
ID = re.compile(r'\s(?:id|name)="([^"]*)"')
TARGET = re.compile(r'\s(?:href|src)="([^"]*)"')
OUTSIDE = re.compile(r"^(?:https?:|mailto:|data:)")
HEAVIEST = 100_000  # bytes of a page, gzipped, before pictures


class Links:
    """What the pages of a folder point to."""

    def __init__(self, folder):
        self.folder = folder

    @lru_cache(maxsize=None)
    def tags(self, name):
        """All opening tags of a page."""
        return " ".join(TAG.findall((self.folder / name).read_text()))

    @lru_cache(maxsize=None)
    def names(self, name):
        """All names in a page that a link may point to."""
        return {html.unescape(found) for found in ID.findall(self.tags(name))}

    def broken(self, name):
        """What is wrong with the links of a page, in words."""
        targets = dict.fromkeys(TARGET.findall(self.tags(name)))
        wrong = (self.wrong_with(name, html.unescape(target))
                 for target in targets)
        return [words for words in wrong if words]

    def wrong_with(self, name, target):
        """What is wrong with one link, or ""."""
        if OUTSIDE.match(target):
            return ""
        if target.startswith("/"):
            return f"{target} works only at the root of a server"
        path, _, anchor = target.partition("#")
        path = self.resolved(name, unquote(path))
        if path is None or not (self.folder / path).is_file():
            return f"{target} leads nowhere"
        if anchor and path.endswith(".html") and \
                unquote(anchor) not in self.names(path):
            return f"{target}: nothing there has this name"
        return ""

    def resolved(self, name, path):
        """A link's path within the site, or None outside of it."""
        if not path:
            return name
        parts = list(PurePosixPath(name).parent.parts)
        for part in PurePosixPath(path).parts:
            if part != "..":
                parts.append(part)
            elif parts:
                parts.pop()
            else:
                return None
        return "/".join(parts)


    def too_heavy(self, name):
        """What is wrong with a page's weight: its own and that of its style
        sheets and scripts, pictures apart."""
        size = sum(map(self.weight, {name, *self.parts(name)}))
        return [f"{size:,} bytes gzipped, more than {HEAVIEST:,}"] \
            if size > HEAVIEST else []

    def parts(self, name):
        """The style sheets and scripts that a page loads."""
        paths = (self.resolved(name, target)
                 for target in TARGET.findall(self.tags(name)))
        return [path for path in paths if path
                and path.endswith((".css", ".js"))
                and (self.folder / path).is_file()]

    @lru_cache(maxsize=None)
    def weight(self, path):
        """A file's size, gzipped."""
        return len(gzip.compress((self.folder / path).read_bytes()))
