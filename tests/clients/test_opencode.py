"""opencode, an agent, before the server: the reading model is asked, calls
the one tool that there is, and tells what it said.

The agent's own prompt is short, for the model reads no more than 1,024
tokens.  Its tool is weather_tool.py, which opencode calls by the name of its
server and its own: get_weather.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import installed
from questions import CITY, WEATHER
from served import CHAT, Served, assert_held

TOOL = Path(__file__).resolve().parent / "weather_tool.py"
LIMIT = 100  # seconds
PROMPT = "You answer questions about the weather."


def configuration(url):
    """opencode.json, for this server alone."""
    return {
        "model": f"rung/{CHAT}",
        "small_model": f"rung/{CHAT}",
        "autoupdate": False,
        "share": "disabled",
        "provider": {"rung": {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": f"{url}/v1", "apiKey": "none"},
            "models": {CHAT: {"tool_call": True, "limit": {
                "context": 1024, "output": 200}}}}},
        "mcp": {"get": {"type": "local", "command": [
            sys.executable, str(TOOL)]}},
        "agent": {
            "title": {"disable": True},
            "weather": {"mode": "primary", "prompt": PROMPT,
                        "temperature": 0,
                        "tools": {"*": False, "get_weather": True}}}}


def environment(url, home):
    """Nothing of ours, and nothing fetched from elsewhere."""
    off = ("MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
    return {"PATH": os.environ["PATH"], "HOME": home,
            "npm_config_offline": "true",
            "OPENCODE_CONFIG_CONTENT": json.dumps(configuration(url)),
            **{f"OPENCODE_DISABLE_{name}": "1" for name in off}}


class Agent(Served):
    @classmethod
    def setUpClass(cls):
        cls.opencode = installed.opencode()
        super().setUpClass()

    def test_one_call_of_a_tool(self):
        with tempfile.TemporaryDirectory() as home:
            done = subprocess.run(
                [self.opencode, "run", "--agent", "weather", "--format",
                 "json"], input=WEATHER, capture_output=True, text=True,
                timeout=LIMIT, cwd=home,
                env=environment(self.server.url, home))
        self.assertEqual(done.returncode, 0, done.stderr)
        parts = [json.loads(line)["part"] for line in done.stdout.splitlines()
                 if line.startswith("{")]
        calls = [part for part in parts if part["type"] == "tool"]
        self.assertEqual([(one["tool"], one["state"]["input"])
                          for one in calls], [("get_weather", CITY)], parts)
        said = "".join(part["text"] for part in parts
                       if part["type"] == "text")
        # The agent's prompt has the date and this folder's name, and with
        # them the model's choice of words changes, but not what it tells.
        for word in ("Tokyo", "21 degrees", "sunny"):
            self.assertIn(word, said)
        assert_held(self, self.server, "ChatCompletionChunk event")


if __name__ == "__main__":
    unittest.main()
