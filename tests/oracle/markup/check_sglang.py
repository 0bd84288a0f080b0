"""Compares the goldens of markups with the parsers of another server, sglang.

    pip download --no-deps sglang==0.5.23, unpacked into FOLDER
    pip install partial-json-parser orjson pydantic regex msgspec
    python tests/oracle/markup/check_sglang.py FOLDER

Reads well-formed texts of tests/markup/ whole with its `function_call`
detectors, which run without its other parts, and prints where names or
arguments differ. What differs is what
that server refuses or loses: damaged texts, mostly.
"""

import importlib
import json
import pathlib
import signal
import sys
import types

HERE = pathlib.Path(__file__).parent
GOLDENS = HERE.parent.parent / "markup"

DETECTORS = {
    "hermes": ("qwen25_detector", "Qwen25Detector"),
    "qwen3-coder": ("qwen3_coder_detector", "Qwen3CoderDetector"),
    "glm-4.5": ("glm4_moe_detector", "Glm4MoeDetector"),
    "llama3-json": ("llama32_detector", "Llama32Detector"),
    "pythonic": ("pythonic_detector", "PythonicDetector"),
    "lfm2": ("lfm2_detector", "Lfm2Detector"),
    "gemma4": ("gemma4_detector", "Gemma4Detector"),
    "mistral": ("mistral_detector", "MistralDetector"),
    "mistral-v11": ("mistral_detector", "MistralDetector"),
    "deepseek-v3": ("deepseekv3_detector", "DeepSeekV3Detector"),
    "deepseek-v3.1": ("deepseekv31_detector", "DeepSeekV31Detector"),
    "kimi-k2": ("kimik2_detector", "KimiK2Detector"),
    "minimax-m2": ("minimax_m2", "MinimaxM2Detector"),
    "harmony": ("gpt_oss_detector", "GptOssDetector"),
}


def stub(name, **members):
    module = types.ModuleType(name)
    module.__path__ = []
    module.__getattr__ = lambda attribute: types.SimpleNamespace
    module.__dict__.update(members)
    sys.modules[name] = module
    return module


class Flag:
    def get(self):
        return True

    def __getattr__(self, name):
        return Flag()


def load(folder):
    sys.path.insert(0, folder)
    for name in ["sglang", "sglang.srt", "sglang.srt.function_call", "sglang.srt.parser"]:
        module = types.ModuleType(name)
        module.__path__ = [str(pathlib.Path(folder) / name.replace(".", "/"))]
        sys.modules[name] = module
    stub("sglang.srt.entrypoints")
    stub("sglang.srt.entrypoints.openai")
    stub("sglang.srt.entrypoints.openai.protocol")
    stub("sglang.srt.environ", envs=Flag())


def namespace(value):
    """A tool as the detectors want it: its parameters stay a dict."""
    f = value["function"]
    function = types.SimpleNamespace(name=f["name"], parameters=f["parameters"], strict=False)
    return types.SimpleNamespace(type="function", function=function)


# What that server wants to see before it looks for calls, and models may write.
WANTED = {
    "mistral": lambda text: text.replace("[TOOL_CALLS][", "[TOOL_CALLS] ["),
    "harmony": lambda text: text if text.startswith("<|start|>") else "<|start|>assistant" + text,
}


def main(folder):
    load(folder)
    tools = [namespace(t) for t in json.loads((GOLDENS / "tools.json").read_text())]
    for name, (module, cls) in DETECTORS.items():
        detector = getattr(importlib.import_module(f"sglang.srt.function_call.{module}"), cls)
        same = different = 0
        for line in (GOLDENS / f"{name}.jsonl").read_text().splitlines()[1:]:
            line = json.loads(line)
            calls = line["calls"]
            if not calls or line["reasoning"] or any(c[2] != "end" for c in calls):
                continue
            try:
                signal.alarm(3)
                text = WANTED.get(name, str)(line["text"])
                found = detector().detect_and_parse(text, tools).calls
                got = [(c.name, json.loads(c.parameters)) for c in found]
            except Exception as error:
                got = repr(error)
            signal.alarm(0)
            if got == [(c[0], json.loads(c[1])) for c in calls]:
                same += 1
            else:
                different += 1
                print(f"  {name}: {line['case']}: {line['text']!r}\n    {got}")
        print(f"{name}: {same} alike, {different} different")


def too_long(*_):
    raise TimeoutError


signal.signal(signal.SIGALRM, too_long)
main(sys.argv[1])
