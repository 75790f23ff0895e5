"""Checks what random modules did against wasmtime.

HOLLOWAY_PROGRAMS=100000 HOLLOWAY_STORIES=stories cargo test -p holloway --features wasm --test wasm random
python3 vm/engine/tests/wasm/against_wasmtime.py stories

Each line of the file is JSON: the module in hexadecimal digits, its exports, and what the interpreter did. Prints the number of modules and of results
that agree; ends with status 1 at the first difference. Modules of which either side ran out of stack are not compared: how deep calls may
go is each engine's own.
"""

import json
import math
import re
import struct
import sys

from wasmtime import Config, Engine, Func, Global, Instance, Memory, Module, Store, Trap, Val, WasmtimeError

ARGUMENTS = {
    "i32": [3, -1, -(2**31)],
    "i64": [5, -1, -(2**63)],
    "f32": [1.5, -0.0, float("inf")],
    "f64": [2.5, -1e300, 1e-310],
    "funcref": [None, None, None],
    "externref": [0, 1, 2],
}
# Python's names of types.
KINDS = {"anyref": "externref"}
WORDS = {
    "wasm `unreachable` instruction executed": "unreachable",
    # The same words for every access to a table.
    "undefined element: out of bounds table access": "out of bounds table access",
    "undefined element": "out of bounds table access",
}


def trap(error):
    """The specification's words for a trap."""
    said = str(error).split("wasm trap: ")[-1].split("\n")[0].strip()
    return WORDS.get(said, said)


def bits(kind, value):
    """A value as its type and bits, as the stories have it."""
    if isinstance(value, Val):
        value = value.value
    if kind == "i32":
        return [kind, value & 0xFFFF_FFFF]
    if kind == "i64":
        return [kind, value & 0xFFFF_FFFF_FFFF_FFFF]
    if kind in ("f32", "f64") and math.isnan(value):
        return [kind, "nan"]
    if kind == "f32":
        return [kind, struct.unpack("<I", struct.pack("<f", value))[0]]
    if kind == "f64":
        return [kind, struct.unpack("<Q", struct.pack("<d", value))[0]]
    if kind == "funcref":
        return [kind, 0 if value is None else 1]
    return [kind, 0 if value is None else value + 1]


def named(types):
    return [KINDS.get(str(kind), str(kind)) for kind in types]


def called(store, function, round):
    kinds = named(function.type(store).params)
    try:
        results = function(store, *(ARGUMENTS[kind][round] for kind in kinds))
    except (Trap, WasmtimeError) as error:
        return trap(error)
    kinds = named(function.type(store).results)
    if len(kinds) == 1:
        results = [results]
    return [bits(kind, value) for kind, value in zip(kinds, results or [])]


def story(engine, module, names):
    """What a module does with wasmtime."""
    store = Store(engine)
    try:
        instance = Instance(store, module, [])
    except (Trap, WasmtimeError) as error:
        return [["start", trap(error)]]
    exports, told = instance.exports(store), []
    memories = [item for item in exports.values() if isinstance(item, Memory)]
    for round in range(3):
        for name in names:
            item = exports[name]
            if isinstance(item, Func):
                told.append([name, called(store, item, round)])
            elif isinstance(item, Global):
                told.append([name, [bits(*named([item.type(store).content]), item.value(store))]])
        if memories:
            memory = memories[0]
            content = bytes(memory.read(store, 0, memory.data_len(store)))
            total = sum((at.start() + 1) * at[0][0] for at in re.finditer(rb"[^\0]", content, re.DOTALL))
            told.append(["memory", [len(content), total % 2**64]])
    return told


def main():
    config = Config()
    config.max_wasm_stack = 1 << 24 >> 3
    engine = Engine(config)
    modules, results, deep = 0, 0, 0
    for line in open(sys.argv[1], encoding="utf-8"):
        one = json.loads(line)
        expected = story(engine, Module(engine, bytes.fromhex(one["module"])), one["exports"])
        if any("exhausted" in str(what) for _, what in expected + one["story"]):
            deep += 1
            continue
        for ours, theirs in zip(one["story"], expected):
            if isinstance(ours[1], str):
                ours[1] = WORDS.get(ours[1], ours[1])
            if ours != theirs:
                sys.exit(f"seed {one['seed']}: {ours} here, {theirs} with wasmtime")
        if len(expected) != len(one["story"]):
            sys.exit(f"seed {one['seed']}: {len(one['story'])} results here, {len(expected)} with wasmtime")
        modules, results = modules + 1, results + len(expected)
    print(f"{modules} modules agree in {results} results; {deep} ran out of stack")


main()
