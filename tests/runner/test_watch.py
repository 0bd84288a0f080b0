"""Programs that behave, crash, hang, and leave children behind."""

import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import formats
import watch

FOLDER = pathlib.Path(__file__).resolve().parent
ONE_TEST = """\
echo '[==========] Running 1 test(s).'
echo '[ RUN      ] test_one'
"""
ITS_END = """\
echo '[       OK ] test_one'
echo '[==========] 1 test(s) run.'
"""


def run(script, limit=30):
    """The Record of a shell script, and what it printed."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        record = watch.watch("suite", ["sh", "-c", script], formats.Cmocka(),
                             limit=limit)
    return record, shown.getvalue()


class Watch(unittest.TestCase):
    def test_output_is_shown_and_counted(self):
        record, shown = run(ONE_TEST + ITS_END)
        self.assertEqual((record.passed, record.failed), (1, []))
        self.assertIn("[ RUN      ] test_one\n", shown)

    def test_standard_error_is_read_too(self):
        record, shown = run(f"{{ {ONE_TEST} {ITS_END} }} >&2")
        self.assertEqual((record.passed, record.failed), (1, []))

    def test_a_crash_is_a_failure(self):
        record, _ = run(ONE_TEST + "kill -SEGV $$")
        self.assertEqual(record.failed,
                         ["no summary: ended by SIGSEGV in test_one"])

    def test_a_hanging_program_is_ended(self):
        start = time.monotonic()
        record, _ = run(ONE_TEST + "sleep 60", limit=0.5)
        self.assertLess(time.monotonic() - start, 20)
        self.assertEqual(record.failed,
                         ["no summary: ended by SIGKILL in test_one",
                          "ended after 0.5 s, the time limit"])

    def test_a_watcher_that_is_ended_ends_what_it_watches(self):
        with tempfile.TemporaryDirectory() as folder:
            script = "echo $$ > pid; echo on; sleep 60"
            watcher = subprocess.Popen(
                [sys.executable, FOLDER / "watch.py", "record", "sh", "-c", script],
                cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.assertEqual(watcher.stdout.readline(), b"on\n")
            watcher.terminate()
            watcher.wait()
            watcher.stdout.close()
            with self.assertRaises(ProcessLookupError):
                os.kill(int(pathlib.Path(folder, "pid").read_text()), 0)

    def test_children_are_ended_with_it(self):
        start = time.monotonic()
        record, _ = run(ONE_TEST + ITS_END + "sleep 60 &", limit=0.5)
        self.assertLess(time.monotonic() - start, 20)  # nobody holds the pipe
        self.assertEqual(record.failed, ["ended after 0.5 s, the time limit"])

    def test_bytes_that_are_not_utf8_do_no_harm(self):
        record, _ = run(ONE_TEST + r"printf '\377\n';" + ITS_END)
        self.assertEqual((record.passed, record.failed), (1, []))

    def test_a_program_that_is_not_there(self):
        record = watch.watch("x", ["/no/such/program"], formats.Cmocka())
        self.assertIn("cannot be run", record.failed[0])


class WatchCommand(unittest.TestCase):
    def test_it_appends_a_record_and_exits_like_the_test(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for name, end in (("test_good", ITS_END), ("test_bad", "exit 3")):
                program = folder / name
                program.write_text("#!/bin/sh\n" + ONE_TEST + end)
                program.chmod(0o755)
            status = [self.command(folder, "./test_good"),
                      self.command(folder, "./test_bad")]
            lines = (folder / "records").read_text().splitlines()
        records = [json.loads(line) for line in lines]
        self.assertEqual(status, [0, 1])
        self.assertEqual([r["suite"] for r in records],
                         [f"{folder.name}/test_good",
                          f"{folder.name}/test_bad"])
        self.assertEqual([r["passed"] for r in records], [1, 0])

    def test_it_starts_without_modules_that_load_slowly(self):
        """It is started for each of hundreds of programs."""
        slow = {"argparse", "dataclasses", "inspect", "pathlib", "site",
                "tempfile", "typing"}
        asked = subprocess.run(
            [sys.executable, "-S", "-c",
             "import sys, watch; print(*sys.modules)"],
            cwd=FOLDER, stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(slow & set(asked.stdout.split()), set())

    def command(self, folder, program):
        return subprocess.run(
            [sys.executable, "-S", FOLDER / "watch.py", "records", program],
            cwd=folder, stdout=subprocess.DEVNULL).returncode


if __name__ == "__main__":
    unittest.main()
