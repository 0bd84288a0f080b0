"""What is odd about a file that was handed in: something in its object that
no answer needs, and that could make tests pass which do not.

A look, not a lock: whoever knows this list gets around it.  A teacher should
read a file that has such a note.
"""

import re
import subprocess

from graph import words_of

# What ends a process or leaves a function, starts or ends another, asks which
# test this is, or finds what is hidden.
LEAVING = {"exit", "_exit", "_Exit", "quick_exit", "atexit", "on_exit",
           "longjmp", "siglongjmp", "fork", "vfork", "system", "popen",
           "execv", "execve", "execvp", "execl", "execlp", "posix_spawn",
           "kill", "raise", "ptrace", "syscall", "getenv", "secure_getenv",
           "environ", "dlsym", "dlopen", "open", "fopen", "unlink", "remove",
           "rename"}
# Sections of functions that run before main, or after.
OUTSIDE = (b".init_array", b".preinit_array", b".fini_array", b".ctors",
           b".dtors", b"__mod_init_func", b"__mod_term_func")
SYMBOL = re.compile(r"^\s*(?:[0-9a-fA-F]+ +)?([A-Z]) (\S+)$", re.MULTILINE)


def symbols(paths):
    """(the names that these objects define for others, those they want)."""
    done = subprocess.run(["nm", "-g", *paths], text=True, errors="replace",
                          capture_output=True)
    defined, wanted = set(), set()
    for kind, name in SYMBOL.findall(done.stdout):
        (wanted if kind == "U" else defined).add(name)
    return defined, wanted - defined


class Odd:
    """Looks at objects beside those of a rung, all built, as it should be."""

    def __init__(self, objects):
        _, self.borrowed = symbols(objects)

    def about(self, made, text):
        """What is odd about a file's objects, as text; `text` is what the book
        has for this file."""
        defined, wanted = symbols(made)
        known = words_of(text)
        found = [f"it calls {name}" for name in sorted(
            without_bar(wanted) & LEAVING - known)]
        found += [f"it takes the place of {name}"
                  for name in sorted(defined & self.borrowed)]
        data = b"".join(path.read_bytes() for path in made)
        if any(section in data for section in OUTSIDE) and \
                "constructor" not in known:
            found.append("it runs outside of main")
        return found


def without_bar(names):
    """With the names that some systems spell with a bar more."""
    return names | {name[1:] for name in names if name.startswith("_")}
