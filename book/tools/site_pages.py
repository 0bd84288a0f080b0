"""The site: a page for each chapter, and what the pages share."""

import json
import shutil
import subprocess

import measured
import tree
from sources import ROOT

SITE = ROOT / "site"
KATEX = ("katex.min.css", "fonts")


def build(book, folder):
    """Write the whole site into `folder`; True when no chapter is wrong."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = [(chapter, page_blocks(book, chapter))
             for chapter in book.chapters]
    for at, (chapter, blocks) in enumerate(pages):
        write_page(book, folder, at, chapter, blocks)
    copy_shared(book, folder)


def page_blocks(book, chapter):
    """The blocks of a chapter's page, its note on figures at the end."""
    names = measured.used(chapter.blocks)
    blocks = chapter.expanded(book, "site")
    return blocks + measured.source_note(names, book.measured)


def write_page(book, folder, at, chapter, blocks):
    """One page, by pandoc and the template."""
    around = {"previous": neighbour(book, at - 1), "next": neighbour(book,
                                                                     at + 1)}
    meta = {"title": chapter.title, "description": first_words(blocks),
            "chapter": [{"href": page_of(other), "title": other.title,
                         "here": other is chapter}
                        for other in book.chapters],
            **{key: value for key, value in around.items() if value}}
    path = folder / page_of(chapter)
    subprocess.run(
        ["pandoc", "-f", "json", "-t", "html5", "--toc", "--toc-depth=2",
         "--template", str(SITE / "template.html"), "--metadata-file",
         write_meta(book, chapter, meta), "-o", str(path)],
        input=book.document(blocks), text=True, check=True)


def write_meta(book, chapter, meta):
    """Pandoc's metadata for a page, as a file."""
    path = book.build / "meta" / f"{chapter.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(meta))
    return str(path)


def page_of(chapter):
    """The file name of a chapter's page."""
    return f"{chapter.name}.html"


def neighbour(book, at):
    """Link and title of the chapter at a place, or None."""
    if not 0 <= at < len(book.chapters):
        return None
    other = book.chapters[at]
    return {"href": page_of(other), "title": other.title}


def first_words(blocks):
    """The first paragraph, for search engines and previews."""
    for node in tree.each(blocks, ("Para",)):
        return tree.text_of(node)[:200]
    return ""


def copy_shared(book, folder):
    """Style sheet, scripts, fonts and the pictures that the engine drew."""
    for path in SITE.iterdir():
        if path.suffix in (".css", ".js"):
            shutil.copy(path, folder)
    for name in KATEX:
        source = book.modules / "katex" / "dist" / name
        copy(source, folder / "katex" / name)
    pictures = book.build / "pictures"
    if pictures.exists():
        copy(pictures, folder / "pictures")


def copy(source, target):
    """A file, or a folder in place of an older one."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target)
    else:
        shutil.copy(source, target)
