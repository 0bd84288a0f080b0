"""Small mistakes that only the sanitizers see."""

import contextlib
import io
import types
import unittest
import unittest.mock

import made_up
import mutate
import mutation
import sanitized
from mutate import Row
from mutation import ALIVE, HANGS, KILLED, REFUSED, SAME
from sanitized import Named, Sanitized, names_them
from tree import Stop

BEHIND = ("for (size_t i = 0; i < n; i++) => "
          "for (size_t i = 0; i <= n; i++)")
UNSEEN = ('return number < 2 ? names[number] : "many"; => '
          'return number < 3 ? names[number] : "many";')
ROWS = [Row("count_up", BEHIND, "goes on, as the sanitizers see"),
        Row("name_of", UNSEEN, "make SAN=1 test sees it"),
        Row("range", BEHIND, "the same")]


class Tried(made_up.MadeUpCourse):
    def named(self):
        with unittest.mock.patch.object(mutate, "make_plan",
                                        return_value=self.plan), \
                unittest.mock.patch.object(mutate, "read_rows",
                                           return_value={}), \
                unittest.mock.patch.object(sanitized, "read_survivors",
                                           return_value=ROWS):
            return Named(made_up.RUNG, self.files)

    def test_only_what_is_said_to_be_seen_is_tried(self):
        self.assertEqual(
            [(task.function.name, len(task.numbers))
             for task in self.named().tasks()],
            [("count_up", 1), ("name_of", 1)])

    def test_what_goes_behind_an_end_is_seen_and_else_it_is_said(self):
        named = self.named()
        with unittest.mock.patch.object(mutate, "write_rows") as write:
            self.assertEqual(mutate.find_out([named], jobs=1,
                                             kind=Sanitized), [])
        write.assert_not_called()
        self.assertEqual(named.tried, {("count_up", BEHIND): KILLED,
                                       ("name_of", UNSEEN): ALIVE})
        self.assertEqual(named.mistakes(), [
            f"{made_up.RUNG}: name_of: the sanitizers do not see: {UNSEEN}"])


class Said(unittest.TestCase):
    def test_a_reason_names_them(self):
        for reason, named in (
                ("what is not freed, the sanitizers see", True),
                ("reads behind it, which test_x with SAN=1 shows", True),
                ("the product is the same", False),
                ("open: no test of its own sees it yet", False)):
            self.assertEqual(names_them([Row("f", "a => b", reason)], "f",
                                        "a => b"), named, reason)
        self.assertFalse(names_them([], "f", "a => b"))

    def test_what_was_not_killed_is_wrong(self):
        for outcome, wrong in ((KILLED, 0), (HANGS, 1), (ALIVE, 1), (SAME, 1),
                               (REFUSED, 1)):
            named = types.SimpleNamespace(rung="m0", tried={
                ("f", "a => b"): outcome})
            self.assertEqual(len(Named.mistakes(named)), wrong, outcome)

    def test_the_command_fails_when_one_is_not_seen(self):
        for outcome, status in ((KILLED, 0), (ALIVE, 1)):
            with unittest.mock.patch.object(
                    sanitized, "Named", side_effect=lambda rung, *_:
                    made_named(rung, outcome)), \
                    unittest.mock.patch.object(sanitized, "find_out",
                                               return_value=[]), \
                    contextlib.redirect_stdout(io.StringIO()) as said:
                self.assertEqual(sanitized.main(["m0"]), status)
            self.assertIn(f"m0-tokenizer: of 1 mutants the sanitizers see "
                          f"{1 - status}", said.getvalue())


class Alone(unittest.TestCase):
    """Of a mistake that is compiled by itself."""

    def outcome(self, unchanged):
        copy = Sanitized.__new__(Sanitized)
        function = types.SimpleNamespace(name="f", file="f.c")
        with unittest.mock.patch.multiple(
                mutation.Mutation, alone=lambda *_: KILLED,
                errors=lambda *_: None, built_in=lambda *_: unchanged):
            return copy.alone(function, None)

    def test_who_passes_without_it_has_killed_it(self):
        self.assertEqual(self.outcome(ALIVE), KILLED)

    def test_who_fails_without_it_has_not(self):
        with self.assertRaisesRegex(Stop, "f: .* nothing is changed"):
            self.outcome(KILLED)


def made_named(rung, outcome):
    named = types.SimpleNamespace(rung=rung, tried={("f", "a => b"): outcome})
    named.mistakes = lambda: Named.mistakes(named)
    return named


if __name__ == "__main__":
    unittest.main()
