"""Everything that a reader gets, in one file: the site, the e-book, the PDF.

The file is a zip whose one folder has its name, rungs-book-2026-11-22; the
date is the last commit's, so that the same tree gives the same name, and the
same files the same bytes.
"""

import shutil
import subprocess
import zipfile
from pathlib import Path

from support.mistakes import Wrong

READ_ME = """\
Rungs, a book you can run, of {date} (commit {commit}).

  site/index.html   the book as a site: open it in a browser, or put the
                    folder on any web server, under any path
  rungs.epub        for readers of e-books
  rungs.pdf         for paper

Where the repository is, `make read ARCHIVE={name}.zip` serves this site.
"""
BOOKS = {"book.epub": "rungs.epub", "book.pdf": "rungs.pdf"}


def last_commit(root):
    """(date, commit) of the tree: 2026-11-22, 12 digits; "+" at the end when
    something is not committed."""
    def git(*words):
        done = subprocess.run(["git", "-C", str(root), *words], text=True,
                              capture_output=True)
        if done.returncode:
            raise Wrong(f"git {words[0]}: {done.stderr.strip()}")
        return done.stdout.strip()
    date, commit = git("log", "-1", "--format=%cs %h", "--abbrev=12").split()
    return date, commit + ("+" if git("status", "--porcelain") else "")


def members(build):
    """[(name in the archive, file)] of what build/ has to have."""
    files = [(f"site/{path.relative_to(build / 'site').as_posix()}", path)
             for path in sorted((build / "site").rglob("*"))
             if path.is_file()]
    files += [(name, build / book) for book, name in BOOKS.items()]
    for name, path in files:
        if not path.is_file():
            raise Wrong(f"{path.name} is missing (make book)")
    if not (build / "site" / "index.html").is_file():
        raise Wrong("the site is missing (make site)")
    return files


def pack(build, date, commit):
    """Write build/rungs-book-DATE.zip, whole or not at all; its path."""
    name = f"rungs-book-{date}"
    path = build / f"{name}.zip"
    files = members(build)
    read_me = READ_ME.format(date=date, commit=commit, name=name)
    fresh = path.with_suffix(".new")
    with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED) as archive:
        put(archive, f"{name}/README.txt", read_me.encode(), date)
        for member, file in files:
            put(archive, f"{name}/{member}", file.read_bytes(), date)
    fresh.replace(path)
    return path


def put(archive, name, data, date):
    """Add a file whose time is midnight of the date."""
    year, month, day = map(int, date.split("-"))
    entry = zipfile.ZipInfo(name, (year, month, day, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)


def newest(build):
    """The newest archive in build/."""
    found = sorted(build.glob("rungs-book-*.zip"))
    if not found:
        raise Wrong("there is no archive in build/ (make archive)")
    return found[-1]


def site_in(path, folder):
    """The site's folder of an archive, which is unpacked in `folder`, or of
    one that is unpacked already."""
    path = Path(path)
    if path.is_dir():
        places = [path / "site", path]
        for place in places:
            if (place / "index.html").is_file():
                return place
        raise Wrong(f"{path}: there is no site/index.html")
    unpack(path, folder)
    for place in folder.glob("*/site"):
        return place
    raise Wrong(f"{path}: there is no site in it")


def unpack(path, folder):
    """An archive in an empty folder; zipfile keeps every name inside it."""
    try:
        with zipfile.ZipFile(path) as archive:
            if folder.exists():
                shutil.rmtree(folder)
            archive.extractall(folder)
    except (OSError, zipfile.BadZipFile) as why:
        raise Wrong(f"{path}: {why}") from None
