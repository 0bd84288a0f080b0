"""A tool for agents, by the Model Context Protocol (2025-06-18): the weather
in a city, which is always the same.  Messages are lines of JSON-RPC on
standard input and output."""

import json
import sys

from questions import TOOL, WEATHER_RESULT

FUNCTION = TOOL["function"]


def initialize(parameters):
    return {"protocolVersion": parameters["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "get", "version": "1"}}


def list_tools(_):
    return {"tools": [{"name": "weather",
                       "description": FUNCTION["description"],
                       "inputSchema": FUNCTION["parameters"]}]}


def call(_):
    return {"content": [{"type": "text", "text": WEATHER_RESULT}]}


METHODS = {"initialize": initialize, "tools/list": list_tools,
           "tools/call": call, "ping": lambda _: {}}


def answer(message):
    """What is said to a request; nothing to a notification."""
    if "id" not in message:
        return
    said = {"jsonrpc": "2.0", "id": message["id"]}
    method = METHODS.get(message["method"])
    if method:
        said["result"] = method(message.get("params", {}))
    else:
        said["error"] = {"code": -32601, "message": "Method not found"}
    print(json.dumps(said), flush=True)


if __name__ == "__main__":
    for line in sys.stdin:
        answer(json.loads(line))
