"""Programs that end in time, or are ended, with all that they started."""

import json
import os
import signal
import subprocess


def run(command, limit, **options):
    """(status, output, errors) of a program; the status is None when it had
    not ended after `limit` seconds."""
    with subprocess.Popen(
            list(map(str, command)), stdout=subprocess.PIPE, text=True,
            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
            start_new_session=True, **options) as started:
        try:
            out, errors = started.communicate(timeout=limit)
            return started.returncode, out, errors
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            out, errors = started.communicate()
            return None, out, errors


def check(test, command, limit, n):
    """A subtest for each line that a program prints: {"check": its name,
    "wrong": null or words}, n in all."""
    status, out, errors = run(command, limit)
    results = [json.loads(line) for line in out.splitlines()]
    for result in results:
        with test.subTest(result["check"]):
            test.assertIsNone(result["wrong"])
    last = results[-1]["check"] if results else "the start"
    why = f"not done after {limit} seconds" if status is None else errors
    test.assertEqual(status, 0, f"after {last}: {why}")
    test.assertEqual(len(results), n)
