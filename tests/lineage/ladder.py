"""A made-up ladder in a temporary git repository, for the tools' tests."""

import contextlib
import io
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

# The file that each made-up ladder begins with.
SHAPES_C = """\
/* Areas of plane figures. */
#include "shapes.h"

#include <math.h>
#include <stdio.h>

#define SIDES 4

struct corner {
    int x;
    int y;
};

static const struct corner corners[] = {
    {0, 0},
    {0, 1},
    {1, 1},
};

/* The area of a square. */
int square(int a)
{
    return a * a;
}

/* The area of a rectangle. */
int rectangle(int a, int b)
{
    return a * b;
}

/* Twice the area of a triangle. */
int triangle(int base, int height)
{
    return base * height;
}
"""

SHAPES_H = """\
/* Areas of plane figures, in whole units. */
#ifndef SHAPES_H
#define SHAPES_H

int square(int a);
int rectangle(int a, int b);
int triangle(int base, int height);

#endif
"""

IGNORE = "build/\n/m[0-9]-*/rung\n"


class LadderCase(unittest.TestCase):
    """A test with an empty repository at self.root."""

    def setUp(self):
        folder = tempfile.mkdtemp(prefix="rungs-ladder-")
        self.addCleanup(shutil.rmtree, folder)
        self.root = Path(folder)
        self.git("init", "-q")
        self.git("config", "user.email", "test@example.org")
        self.git("config", "user.name", "Test")
        (self.root / ".gitignore").write_text(IGNORE)

    def git(self, *arguments):
        """Run git in the ladder."""
        subprocess.run(["git", "-C", self.root, *arguments], check=True,
                       capture_output=True)

    def commit(self):
        """Commit everything."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "made up")

    def write(self, name, content):
        """Write a file, as m0-low/shapes.c; bytes or text."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode()
        path.write_bytes(data)

    def read(self, name):
        """A file's text."""
        return (self.root / name).read_text()

    def edit(self, name, old, new):
        """Replace the one place in a file that reads `old`."""
        text = self.read(name)
        self.assertEqual(text.count(old), 1, f"{old!r} in {name}")
        self.write(name, text.replace(old, new))

    def line_of(self, name, part):
        """The first line of a file that holds `part`, from 1."""
        lines = self.read(name).split("\n")
        return next(i for i, line in enumerate(lines, 1) if part in line)

    def low(self):
        """Write the lowest rung, m0-low."""
        self.write("m0-low/shapes.c", SHAPES_C)
        self.write("m0-low/shapes.h", SHAPES_H)
        self.write("m0-low/Makefile", "all:\n\tcc -c shapes.c\n")
        self.write("m0-low/golden/areas.json", "[1, 2, 3]\n")

    def climb(self, lower, upper, declarations=""):
        """Copy a rung and declare what the test is about to change."""
        ignored = shutil.ignore_patterns("LINEAGE")
        shutil.copytree(self.root / lower, self.root / upper, ignore=ignored)
        self.write(f"{upper}/LINEAGE",
                   f"from {lower}\nidea one more\n{declarations}")

    def two(self, declarations=""):
        """m0-low and its copy m1-high."""
        self.low()
        self.climb("m0-low", "m1-high", declarations)

    def seven(self):
        """m0-low and six copies, m1-r to m6-r, all committed."""
        self.low()
        names = ["m0-low"] + [f"m{i}-r" for i in range(1, 7)]
        for lower, upper in zip(names, names[1:]):
            self.climb(lower, upper)
        self.commit()
        return names

    def run_tool(self, main, *arguments):
        """Call a tool's main on this ladder: (exit status, its output)."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = main([*arguments, "--root", os.fspath(self.root)])
        return status, out.getvalue()
