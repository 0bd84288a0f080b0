"""Builds a student's folder, and finds the stubs that still stand in it."""

import os
import re
import subprocess
from pathlib import Path

from running import end_group, limit_memory

SECONDS = 600
MEMORY = 1 << 30  # bytes that the compiler may allocate for a file
STUB = re.compile(r'\bnot_written\s*\(\s*"(\w+)"\s*\)')
COMMENT = re.compile(r"/\*[\s\S]*?\*/|//[^\n]*")
SAID = re.compile(r"^(?:\./)?([\w./-]+\.[ch]):(\d+):(?:\d+:)? "
                  r"(?:fatal )?(error|warning): (.*)", re.MULTILINE)
UNDEFINED = re.compile(r"undefined reference to [`'\"](\w+)|"
                       r"Undefined symbols.*?\"_(\w+)\"|"
                       r"multiple definition of [`'\"](\w+)|"
                       r"duplicate symbol '_?(\w+)'", re.DOTALL)


def find_stubs(folder, files):
    """The functions whose stubs stand in these files."""
    found = []
    for name in files:
        path = Path(folder, name)
        text = path.read_text(errors="replace") if path.exists() else ""
        found += STUB.findall(COMMENT.sub(" ", text))
    return found


def make(folder, goals, variables=(), seconds=SECONDS):
    """Run make for these goals, as far as it goes: exit status, output."""
    kept = {key: value for key, value in os.environ.items()
            if not key.startswith(("MAKE", "MFLAGS"))}
    command = ["make", "-s", "-k", "--no-print-directory",
               f"-j{os.cpu_count()}", *variables, *goals]
    with subprocess.Popen(
            command, cwd=folder, text=True, errors="replace",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env={**kept, "LC_ALL": "C.UTF-8"},
            start_new_session=True,
            preexec_fn=lambda: limit_memory(MEMORY)) as child:
        try:
            output, _ = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return 1, f"not built after {seconds} s\n"
        finally:
            end_group(child.pid)
    return child.returncode, output


def errors_of(output, kind="error"):
    """{file: ["line: message"]} of the compiler's errors, or warnings."""
    found = {}
    for file, line, what, message in SAID.findall(output):
        if what == kind:
            found.setdefault(file, []).append(f"{line}: {message}")
    return found


def lost_names(output):
    """The functions that the linker misses, or finds twice."""
    return list(dict.fromkeys(next(filter(None, groups))
                              for groups in UNDEFINED.findall(output)))
