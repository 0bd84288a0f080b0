"""`rung serve` with the reading models, for clients to talk to, and a witness
between them, so that all that it says is held to the types of OpenAI's API.

RUNG_PROGRAM in the environment names another program to try.
"""

import json
import os
import re
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import installed
import witness
from installed import FOLDER, ROOT

LIMIT = 60  # seconds until it listens
CHAT, EMBED = "tiny-chat", "tiny-embed"
MODELS = ROOT / "tests" / "models"
ADDRESS = re.compile(r"http://[\w.:\[\]]+:\d+")


class Server:
    """A process that is reached at `url`, the address of a witness; `close`
    ends it, and what is wrong with its end is an error."""

    def __init__(self, process, log):
        self.process = process
        self.log = log
        self.url = None
        self.witness = None
        self.cuts = 0  # answers that it may cut short

    def close(self):
        try:
            self.end()
        finally:
            self.witness.close()

    def end(self):
        self.process.terminate()
        try:
            status = self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        said = self.said()
        self.log.close()
        if status:
            raise AssertionError(f"rung serve ended with {status}: {said}")

    def held(self):
        """How many bodies and events of each type it has sent until now; an
        error if one was not of its type.  Where the package is missing that
        has the types, that is told."""
        installed.python_packages()
        counts = self.witness.held()
        assert counts[witness.CUT] <= self.cuts, \
            f"{counts[witness.CUT]} answers {witness.CUT}"
        return counts

    def said(self):
        """All that it has printed."""
        self.log.seek(0)
        return self.log.read()

    def wait(self):
        """Until it has said where it listens."""
        until = time.monotonic() + LIMIT
        while time.monotonic() < until and self.process.poll() is None:
            found = ADDRESS.search(self.said())
            if found:
                self.witness = witness.Witness(found[0])
                self.url = self.witness.url
                return
            time.sleep(0.05)
        raise AssertionError(f"rung serve does not listen: {self.said()}")

    def request(self, path, body=None, headers=(), limit=60):
        """(status, headers, text) of an answer, by Python's own client."""
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(
            self.url + path, data,
            {"Content-Type": "application/json", **dict(headers)})
        try:
            with urllib.request.urlopen(asked, timeout=limit) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as refused:
            with refused:
                return (refused.code, refused.headers,
                        refused.read().decode())


def program():
    """The program of the highest rung, if that can serve; linked for us
    alone, since others may link it at the same time."""
    if os.environ.get("RUNG_PROGRAM"):
        return os.environ["RUNG_PROGRAM"]
    serving = sorted(ROOT.glob("m[0-9]*/server/serve/*.c"))
    if not serving:
        raise unittest.SkipTest("no rung has a server yet")
    made = FOLDER / "rung"
    FOLDER.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["make", "-C", serving[-1].parents[2], "--silent",
         f"PROGRAM={made}", str(made)], check=True, timeout=600,
        stdout=subprocess.DEVNULL)
    return made


def start(*options):
    """A server with these options of `rung serve` more."""
    rung = program()
    log = tempfile.TemporaryFile("a+")
    server = Server(subprocess.Popen(
        [rung, "serve", MODELS / CHAT, MODELS / EMBED, "--port", "0",
         *options], stdout=log, stderr=log, stdin=subprocess.DEVNULL), log)
    try:
        server.wait()
    except AssertionError:
        server.process.kill()
        server.process.wait()
        log.close()
        raise
    return server


class Served(unittest.TestCase):
    """Tests that share a server; all that it has sent is held to its types
    when it has ended."""

    options = ()

    @classmethod
    def setUpClass(cls):
        cls.server = start(*cls.options)
        cls.addClassCleanup(cls.server.held)
        cls.addClassCleanup(cls.server.close)


def assert_held(test, server, *kinds):
    """Some of each of these types was sent, and all was of its type."""
    counts = server.held()
    test.assertEqual([kind for kind in kinds if not counts[kind]], [], counts)
