"""The rooms of the book's tools, lowest first.

This list is the architecture: a module imports what is in its own room and in
those above it in the list, and nothing of those below; a test may import
everything.  README.md says what each room owns.  The commands, which stand
beside this file, use all rooms.
"""

ROOMS = ("support", "text", "reading", "running", "blocks", "chapters", "web",
         "paper", "testing")
