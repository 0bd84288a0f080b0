"""Whose objects a copy of a rung is built with."""

import unittest
from unittest import mock

from running.workshop import FLAGS, ROOT, Workshop
from support.store import Store
from testing.case import BookCase


class Copies(BookCase):
    def test_those_in_which_commands_run_give_none(self):
        """What a command left there, or compiles meanwhile, is its own."""
        build = self.folder / "build"
        workshop = Workshop(self.book().sources, build, Store(build))

        def execute(_, folder, limit):
            (folder / FLAGS).parent.mkdir(parents=True, exist_ok=True)
            (folder / FLAGS).write_text("")
            return 0, ""
        with mock.patch.object(workshop, "execute", execute), \
                mock.patch("running.workshop.objects.take") as take:
            for rung in ("m0-sum", "m1-mean", "m1-mean"):
                workshop.build(rung)
        taken = [(call.args[0].folder.name, str(call.args[1].folder))
                 for call in take.mock_calls]
        root, copies = str(self.root), str(workshop.folder)
        self.assertEqual(taken, [
            ("m0-sum-tested", f"{root}/m0-sum"),
            ("m0-sum", f"{root}/m0-sum"),
            ("m0-sum", f"{copies}/m0-sum-tested"),
            ("m1-mean-tested", f"{root}/m1-mean"),
            ("m1-mean-tested", f"{copies}/m0-sum-tested"),
            ("m1-mean", f"{root}/m1-mean"),
            ("m1-mean", f"{copies}/m1-mean-tested"),
            ("m1-mean", f"{copies}/m0-sum-tested")])

    def test_none_are_taken_from_the_tree_while_commands_run_there(self):
        workshop = self.book().workshop
        lock = workshop.store.lock(ROOT)
        for rung, is_held in ((None, True), ("m0-sum", False)):
            with workshop.place(rung):
                self.assertEqual(lock.locked(), is_held)


if __name__ == "__main__":
    unittest.main()
