"""Objects that two made-up rungs have in common."""

import os
import pathlib
import tempfile
import unittest

import objects

FLAGS = "cc -O2 -iquote room -DX cc -O2 -lm\n"
MADE = "build/plain/a.o: room/a.h room/b.h\nroom/a.h:\nroom/b.h:\n"


class Take(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        for rung in ("m0", "m1"):
            self.write(f"{rung}/room/a.c", '#include "a.h"\n')
            self.write(f"{rung}/room/a.h", '#include "b.h"\n')
            self.write(f"{rung}/room/b.h", "#include <stdio.h>\n")
            self.write(f"{rung}/build/plain/flags", FLAGS)
        self.write("m0/build/plain/a.d", MADE)
        self.write("m0/build/plain/a.o", "made")

    def write(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def take(self):
        return objects.take(*(objects.Build(self.root / rung)
                              for rung in ("m1", "m0")))

    def test_what_is_the_same_is_taken(self):
        self.assertEqual(self.take(), ["a"])
        for name, text in (("a.o", "made"), ("a.d", MADE)):
            self.assertEqual(
                (self.root / "m1/build/plain" / name).read_text(), text)
        self.assertEqual(self.take(), [])

    def test_another_source_or_header_is_another_object(self):
        for name in ("a.c", "b.h"):
            path = self.root / "m1/room" / name
            kept = path.read_text()
            path.write_text("/* another */\n")
            self.assertEqual(self.take(), [], name)
            path.write_text(kept)

    def test_a_header_may_be_missing(self):
        (self.root / "m1/room/b.h").unlink()
        self.assertEqual(self.take(), [])
        self.write("m1/room/b.h", "#include <stdio.h>\n")
        (self.root / "m0/room/b.h").unlink()
        self.assertEqual(self.take(), [])

    def test_an_object_of_a_set_is_taken_where_its_options_are_the_same(self):
        for rung in ("m0", "m1"):
            self.write(f"{rung}/build/plain/set_flags", "wide: -mwide\n")
        self.write("m0/build/plain/a.wide.o", "wide")
        self.write("m0/build/plain/a.wide.d", MADE)
        self.write("m1/build/plain/set_flags", "wide: -mwider\n")
        self.assertEqual(self.take(), ["a"])
        self.write("m1/build/plain/set_flags", "wide: -mwide\n")
        self.assertEqual(self.take(), ["a.wide"])

    def test_a_source_in_another_room_has_another_name(self):
        self.write("m1/hall/a.c", '#include "a.h"\n')
        (self.root / "m1/room/a.c").unlink()
        self.assertEqual(self.take(), [])

    def test_options_count_and_the_rungs_rooms_do_not(self):
        flags = "m1/build/plain/flags"
        self.write(flags, FLAGS.replace("room", "room -iquote hall"))
        self.assertEqual(self.take(), ["a"])
        (self.root / "m1/build/plain/a.o").unlink()
        for other in ("-O0", "-O2 -DY"):
            self.write(flags, FLAGS.replace("-O2", other))
            self.assertEqual(self.take(), [], other)

    def test_nothing_is_read_in_a_folder_that_one_names(self):
        self.write("m1/build/plain/flags",
                   FLAGS.replace("-DX", f"-I{self.root}/library -DX"))
        self.write("library/stdio.h", "")
        self.assertEqual(self.take(), [])
        (self.root / "library/stdio.h").unlink()
        self.assertEqual(self.take(), ["a"])

    def test_an_old_object_is_not_taken(self):
        os.utime(self.root / "m0/room/a.h", (2e9, 2e9))
        self.assertEqual(self.take(), [])

    def test_an_object_that_is_new_stays(self):
        self.take()
        self.write("m1/build/plain/a.o", "its own")
        self.assertEqual(self.take(), [])
        os.utime(self.root / "m1/room/b.h", (2e9, 2e9))
        self.assertEqual(self.take(), ["a"])

    def test_what_was_never_built(self):
        (self.root / "m1/build/plain/flags").unlink()
        self.assertEqual(self.take(), [])


if __name__ == "__main__":
    unittest.main()
