"""Measures what versus.py asks for, by llama.cpp or ik_llama.cpp.

usage: engine_llama.py llama|ik MODEL THREADS LONGEST

The same lines as `rung bench --jsonl`: first one that says what was opened,
then for each case of standard input {"tokens", "batch", "depth"} a line
{"whole", "least", "worked_whole", "worked_least"}: the seconds of all its
tokens, and of the fewest; and those that the processor worked.  A batch's
tokens follow one another in one text, and all have logits; of a prefill, whose
batch is 0, the last token has.
"""

import ctypes
import importlib.util
import json
import os
import pathlib
import sys
import time

BATCH = 2048  # tokens given at once; the engine reads 512 of them at a time


def resident_bytes():
    """Memory that this process has now."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Llama:
    """llama.cpp as llama-cpp-python gives it."""

    def __init__(self):
        import llama_cpp
        self.api = llama_cpp

    def model_parameters(self):
        """As they come: codes are packed again where that is faster."""
        return self.api.llama_model_default_params()

    def context_parameters(self):
        """Flash attention is on where it helps, which is its default."""
        return self.api.llama_context_default_params()

    def truncate(self, context, depth):
        """Forget what stands at `depth` and behind it."""
        memory = self.api.llama_get_memory(context)
        self.api.llama_memory_seq_rm(memory, 0, depth, -1)


class IkLlama:
    """ik_llama.cpp as ik-llama-cpp-python gives it."""

    def __init__(self):
        self.load_kernels()
        from ik_llama_cpp import _ctypes_api
        self.api = _ctypes_api
        self.remove = self.bind("llama_kv_cache_seq_rm", ctypes.c_bool,
                                [ctypes.c_void_p] + 3 * [ctypes.c_int32])

    @staticmethod
    def load_kernels():
        """The library that its library needs, which stands beside it, where
        the linker does not look."""
        package = importlib.util.find_spec("ik_llama_cpp").origin
        for path in pathlib.Path(package).parent.glob("lib/libggml.*"):
            ctypes.CDLL(str(path))

    def bind(self, name, result, arguments):
        """A function of its library that the package does not name."""
        function = getattr(self.api._lib, name)
        function.restype, function.argtypes = result, arguments
        return function

    def model_parameters(self):
        """Codes are packed again (its option -rtr)."""
        parameters = self.api.llama_model_default_params()
        parameters.repack_tensors = True
        parameters.use_mmap = False
        return parameters

    def context_parameters(self):
        """With flash attention (its option -fa)."""
        parameters = self.api.llama_context_default_params()
        parameters.flash_attn = True
        return parameters

    def truncate(self, context, depth):
        """Forget what stands at `depth` and behind it."""
        self.remove(context, 0, depth, -1)


class Run:
    """A model that was opened, and one text that it has read."""

    def __init__(self, engine, path, threads, longest):
        self.engine, self.api, self.length = engine, engine.api, 0
        self.api.llama_backend_init()
        self.model = self.api.llama_model_load_from_file(
            path.encode(), engine.model_parameters())
        parameters = engine.context_parameters()
        parameters.n_ctx = longest
        parameters.n_batch, parameters.n_ubatch = BATCH, 512
        parameters.n_threads = parameters.n_threads_batch = threads
        self.context = self.api.llama_init_from_model(self.model, parameters)
        if not self.context:
            raise SystemExit("the model cannot be opened")
        self.batch = self.api.llama_batch_init(BATCH, 0, 1)

    def read(self, n, all_logits):
        """Read the next n tokens, at most BATCH."""
        self.batch.n_tokens = n
        for i in range(n):
            at = self.length + i
            self.batch.token[i] = at % 1000
            self.batch.pos[i] = at
            self.batch.n_seq_id[i] = 1
            self.batch.seq_id[i][0] = 0
            self.batch.logits[i] = all_logits or i == n - 1
        if self.api.llama_decode(self.context, self.batch):
            raise SystemExit("the engine refused a batch")
        self.length += n

    def go_to(self, depth):
        """Let the text have `depth` tokens."""
        if self.length > depth:
            self.engine.truncate(self.context, depth)
            self.length = depth
        while self.length < depth:
            self.read(min(BATCH, depth - self.length), False)

    def seconds(self, depth, tokens, batch):
        """How long so many tokens take behind `depth` others: seconds that
        pass, and that the processor works, in all threads together."""
        self.go_to(depth)
        step = batch or min(tokens, BATCH)
        begin, worked = time.perf_counter(), time.process_time()
        for done in range(0, tokens, step):
            self.read(min(step, tokens - done), bool(batch))
        return time.perf_counter() - begin, time.process_time() - worked


def answer_lines(run):
    """Answer every case."""
    for line in sys.stdin:
        case = json.loads(line)
        tokens, batch = case["tokens"], case.get("batch", 0)
        depth = case.get("depth", 0)
        tokens -= tokens % batch if batch else 0
        least, worked_least = run.seconds(depth, batch or 1, batch)
        whole, worked_whole = run.seconds(depth, tokens, batch)
        print(json.dumps({"whole": whole, "least": least,
                          "worked_whole": worked_whole,
                          "worked_least": worked_least}), flush=True)


def main(name, path, threads, longest):
    """Open the model and answer."""
    engine = {"llama": Llama, "ik": IkLlama}[name]()
    before, begin = resident_bytes(), time.perf_counter()
    run = Run(engine, path, int(threads), int(longest))
    print(json.dumps({"opening": time.perf_counter() - begin,
                      "resident_before": before}), flush=True)
    answer_lines(run)


if __name__ == "__main__":
    main(*sys.argv[1:])
