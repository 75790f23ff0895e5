"""Runs a WASI module with wasmtime and tells its output, and the seconds that compiling it and all of it took.

python3 run_wasmtime.py FILE SIZE
"""

import json
import sys
import tempfile
import time

from wasmtime import Config, Engine, ExitTrap, Linker, Module, Store, WasiConfig

# A fault is told in a line.
sys.excepthook = lambda kind, error, trace: print(error, file=sys.stderr)
file, size = sys.argv[1:]
engine = Engine(Config())
with tempfile.NamedTemporaryFile() as output:
    cpu, wall = time.process_time(), time.perf_counter()
    with open(file, "rb") as module:
        module = Module(engine, module.read())
    ready = time.process_time() - cpu
    linker, store, wasi = Linker(engine), Store(engine), WasiConfig()
    linker.define_wasi()
    wasi.argv = [file, size]
    wasi.stdout_file = output.name
    store.set_wasi(wasi)
    instance = linker.instantiate(store, module)
    try:
        instance.exports(store)["_start"](store)
    except ExitTrap as end:
        if end.code != 0:
            raise
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    printed = output.read().decode()
print(json.dumps({"output": printed, "ready": ready, "cpu": cpu, "wall": wall}))
