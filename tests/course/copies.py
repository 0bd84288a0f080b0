"""Copies of a rung: with the kit in it, with bodies emptied, and built."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from bodies import empty, mark, rewrite
from tree import HERE, KIT, ROOT, Stop, is_test, name_of
from rungs import write_file

INCLUDE = "\ninclude course/course.mk\n"
KIT_ENDS = (".py", ".c", ".h", ".mk", ".md")
BUILD_SECONDS = 1800  # a machine may be busy
# A test program that names this runs make itself: it asks what the Makefile
# builds and installs, which no function of a rung can answer for.
MAKEFILE = '"Makefile"'


def write_copy(files, folder):
    """The rung's files and the kit in a folder, nothing emptied yet."""
    folder = Path(folder)
    for path, file in files.items():
        write_file(folder / path, file)
    makefile = folder / "Makefile"
    makefile.write_text(makefile.read_text() + INCLUDE)
    course = folder / "course"
    course.mkdir(exist_ok=True)
    for path in sorted(KIT.iterdir()):
        if path.suffix in KIT_ENDS:
            shutil.copy(path, course)


def write_emptied(files, functions, folder):
    """Empty these functions in a copy."""
    for path, text in rewrite(files, functions, empty).items():
        Path(folder, path).write_text(text)


def write_marked(files, functions, folder):
    """Let each of these functions keep its name when it is called."""
    def marked(function):
        return mark(function, f'CALLED("{function.name}\\n")')
    shutil.copy(HERE / "called.h", Path(folder, "course"))
    for path, text in rewrite(files, functions, marked,
                              '#include "called.h"\n').items():
        Path(folder, path).write_text(text)


def environment():
    """Without what a make that called would hand on, and with the tree's
    shared tests."""
    kept = {key: value for key, value in os.environ.items()
            if not key.startswith(("MAKE", "MFLAGS", "RUNG", "SAN"))}
    return {"RUNG_TESTS": str(ROOT / "tests"), **kept}


def build(folder, goals, *variables, say=lambda: None):
    """Run make for these goals; its exit status and output.  `say` is called
    now and then."""
    command = ["make", "-s", "-r", "--no-print-directory",
               f"-j{os.cpu_count()}", *variables, *goals]
    end = time.monotonic() + BUILD_SECONDS
    with subprocess.Popen(
            command, cwd=folder, env=environment(), text=True,
            errors="replace", stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as child:
        while time.monotonic() < end:
            try:
                output, _ = child.communicate(timeout=0.5)
                say()
                return child.returncode, output
            except subprocess.TimeoutExpired:
                say()
        child.kill()
    return 1, f"not built after {BUILD_SECONDS} s"


def must_build(folder, goals, *variables, say=lambda: None):
    """The same, for what has to be right."""
    status, output = build(folder, goals, *variables, say=say)
    if status:
        raise Stop(f"{folder} cannot be built:\n{output[-2000:]}")


def test_programs(files):
    """The names of the rung's test programs that take part: all, but those
    that name the Makefile."""
    return sorted(name_of(path)[:-len(".c")] for path in files
                  if is_test_program(path)
                  and MAKEFILE not in files[path].text)


def is_test_program(path):
    return is_test(path) and name_of(path).startswith("test_") and \
        path.endswith(".c")


def program_objects(folder):
    """The objects of a copy's program, but for that of main.c, as its Makefile
    calls them."""
    must_build(folder, ["build/plain/objects"])
    return Path(folder, "build/plain/objects").read_text().split()


def objects_of(file, objects):
    """Where a C file is built, of these objects: x.o of x.c; or, where it is
    compiled once for each set of instructions, x.avx2.o and others."""
    return [made for made in objects
            if name_of(made).partition(".")[0] == name_of(file)[:-len(".c")]]


def goals_of(programs):
    return ["rung", *(f"build/plain/{program}" for program in programs)]
