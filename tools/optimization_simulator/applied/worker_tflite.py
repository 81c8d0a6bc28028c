"""Quantises and runs .tflite files, in a process of its own: what brings it down ends this alone.

Run as a script in the folder of the request: request.json tells the step, samples.npz holds the inputs. This
is the only module that imports ai-edge-quantizer and ai-edge-litert, which have no types.
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from ai_edge_litert.tools import flatbuffer_utils as tools

_SIGNATURE = "serving_default"
_MOST_COMPARED = 32
_EVERY_TENSOR = {
    "experimental_preserve_all_tensors": True,
    "experimental_op_resolver_type": OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
}
"""A delegate would keep what it computes on the way to itself."""


def main() -> None:
    request = json.loads(Path("request.json").read_text(encoding="utf-8"))
    samples = _samples("samples.npz")
    if request["step"] == "quantise":
        made = _quantised(Path("model").read_bytes(), request["kind"], samples, request.get("keep", ()))
        Path("changed").write_bytes(made)
        return
    if request["step"] == "layers":
        Path("answer.json").write_text(json.dumps(_noise(samples)), encoding="utf-8")
        return
    other = _samples("changed.npz") if Path("changed.npz").exists() else samples
    answer, outputs = _run({Path("model"): samples, Path("changed"): other}, request["seconds"])
    np.savez("outputs.npz", **outputs)
    Path("answer.json").write_text(json.dumps(answer), encoding="utf-8")


def _samples(name: str) -> list[Any]:
    with np.load(name, allow_pickle=False) as loaded:
        return [loaded[f"arr_{at}"] for at in range(len(loaded.files))]


def _quantised(content: bytes, kind: str, samples: list[Any], keep: list[int]) -> bytes:
    """As a converter's: tables of one file, data in them, no signature that the original lacked.

    Operators of the main subgraph in `keep` stay as they are.
    """
    from ai_edge_quantizer import quantizer, recipe

    model = tools.read_model_from_bytearray(bytearray(content))
    added = _prepare(model)
    left = [name for at, name in _made_by(model).items() if at in keep]
    _expand_halves(model)
    job = quantizer.Quantizer(bytearray(tools.convert_object_to_bytearray(model)))
    job.load_quantization_recipe([*_recipe(recipe, kind), *map(_as_it_is, left)])
    calibration = None
    if job.need_calibration:
        key = model.signatureDefs[0].signatureKey.decode()
        names = _names_of_inputs(model)
        runs = [
            {name: array[at] for name, array in zip(names, samples, strict=True)}
            for at in range(len(samples[0]))
        ]
        calibration = job.calibrate({key: runs}, num_threads=1)
    result = job.quantize(calibration, enable_progress_bar=False, enable_progress_report=False)
    changed = tools.read_model_from_bytearray(bytearray(result.quantized_model))
    if added:
        changed.signatureDefs = None
    return bytes(tools.convert_object_to_bytearray(changed))


def _prepare(model: Any) -> bool:
    """What the quantiser takes for granted: new operator codes, names that differ, a signature."""
    for code in model.operatorCodes:
        code.builtinCode = max(code.builtinCode, code.deprecatedBuiltinCode)
    seen: set[bytes] = set()
    for subgraph in model.subgraphs:
        for number, tensor in enumerate(subgraph.tensors):
            name = tensor.name or b"tensor"
            if name in seen:
                name = b"%s_%d" % (name, number)
            tensor.name = name
            seen.add(name)
    if model.signatureDefs:
        return False
    main = model.subgraphs[0]
    signature = schema.SignatureDefT()
    signature.signatureKey = _SIGNATURE.encode()
    signature.subgraphIndex = 0
    signature.inputs = [_entry("input", at, tensor) for at, tensor in enumerate(main.inputs)]
    signature.outputs = [_entry("output", at, tensor) for at, tensor in enumerate(main.outputs)]
    model.signatureDefs = [signature]
    return True


def _expand_halves(model: Any) -> None:
    """Constants that the file keeps in float16 and expands when it runs, as the float32 that kernels read.

    The quantiser takes what DEQUANTIZE makes for activations, and leaves such weights as they are.
    """
    halves = schema.TensorType.FLOAT16
    codes = [code.builtinCode for code in model.operatorCodes]
    for number, subgraph in enumerate(model.subgraphs):
        gone: set[int] = set()
        kept = []
        for op in subgraph.operators:
            expands = codes[op.opcodeIndex] == schema.BuiltinOperator.DEQUANTIZE
            source = subgraph.tensors[op.inputs[0]] if expands else None
            data = None if source is None or source.type != halves else model.buffers[source.buffer].data
            if data is None or op.outputs[0] in subgraph.outputs:
                kept.append(op)
                continue
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.asarray(data).tobytes(), "<f2").astype("<f4").view(np.uint8)
            model.buffers.append(buffer)
            subgraph.tensors[op.outputs[0]].buffer = len(model.buffers) - 1
            gone.add(op.inputs[0])
        subgraph.operators = kept
        _drop_tensors(model, number, gone.difference(*(op.inputs for op in kept)))


def _drop_tensors(model: Any, number: int, gone: set[int]) -> None:
    """What no operator reads any more; its data goes with it, unless another tensor shares it."""
    subgraph = model.subgraphs[number]
    left = [at for at in range(len(subgraph.tensors)) if at not in gone]
    places = {old: new for new, old in enumerate(left)} | {-1: -1}
    dropped = {subgraph.tensors[at].buffer for at in gone}
    subgraph.tensors = [subgraph.tensors[at] for at in left]
    subgraph.inputs = [places[at] for at in subgraph.inputs]
    subgraph.outputs = [places[at] for at in subgraph.outputs]
    for op in subgraph.operators:
        op.inputs, op.outputs = ([places[at] for at in found] for found in (op.inputs, op.outputs))
    for signature in model.signatureDefs or ():
        if signature.subgraphIndex == number:
            for entry in (*signature.inputs, *signature.outputs):
                entry.tensorIndex = places[entry.tensorIndex]
    for buffer in dropped - {tensor.buffer for each in model.subgraphs for tensor in each.tensors}:
        model.buffers[buffer].data = None


def _entry(kind: str, at: int, tensor: int) -> Any:
    entry = schema.TensorMapT()
    entry.name = f"{kind}_{at}".encode()
    entry.tensorIndex = tensor
    return entry


def _names_of_inputs(model: Any) -> list[str]:
    """In the signature, in the order of the model's inputs."""
    by_tensor = {entry.tensorIndex: entry.name.decode() for entry in model.signatureDefs[0].inputs}
    return [by_tensor[tensor] for tensor in model.subgraphs[0].inputs]


def _recipe(recipe: Any, kind: str) -> Any:
    whole = {
        "int8": recipe.static_wi8_ai8, "int8-float-io": recipe.static_wi8_ai8,
        "int16x8": recipe.static_wi8_ai16, "dynamic-range": recipe.dynamic_wi8_afp32,
        "weights-int8": recipe.weight_only_wi8_afp32, "weights-int4": recipe.weight_only_wi4_afp32,
    }  # fmt: skip
    if kind == "float16":
        weights = {"num_bits": 16, "symmetric": True, "granularity": "TENSORWISE", "dtype": "FLOAT"}
        config = {"weight_tensor_config": weights, "compute_precision": "FLOAT", "explicit_dequantize": True}
        return [{"regex": ".*", "operation": "*", "algorithm_key": "float_casting", "op_config": config}]
    made = list(whole[kind]())
    if kind == "int8-float-io":
        made += [
            {"regex": ".*", "operation": operation, "algorithm_key": "no_quantize", "op_config": {}}
            for operation in ("INPUT", "OUTPUT")
        ]
    return made


def _made_by(model: Any) -> dict[int, str]:
    """Name of the first output of each operator in the main subgraph."""
    main = model.subgraphs[0]
    return {
        at: main.tensors[op.outputs[0]].name.decode("utf-8", "replace")
        for at, op in enumerate(main.operators)
        if len(op.outputs)
    }


def _as_it_is(name: str) -> dict[str, Any]:
    regex = f"^{re.escape(name)};"
    return {"regex": regex, "operation": "*", "algorithm_key": "no_quantize", "op_config": {}}


def _noise(samples: list[Any]) -> dict[int, list[float]]:
    """Of each operator the sums of squares of its first output, and of its difference once changed."""
    model = tools.read_model_from_bytearray(bytearray(Path("model").read_bytes()))
    _prepare(model)
    runs = [
        _Run(Interpreter(model_content=content, num_threads=1, **_EVERY_TENSOR), samples)
        for content in (bytes(tools.convert_object_to_bytearray(model)), Path("changed").read_bytes())
    ]
    named = _made_by(model)
    found: dict[int, list[float]] = {}
    for at in range(min(len(samples[0]), _MOST_COMPARED)):
        reference, changed = (run.tensors(at, set(named.values())) for run in runs)
        for op, name in named.items():
            one, other = reference.get(name), changed.get(name)
            if one is not None and other is not None and one.shape == other.shape:
                sums = found.setdefault(op, [0.0, 0.0])
                sums[0] += float(np.square(one).sum())
                sums[1] += float(np.square(one - other).sum())
    return found


def _run(given: dict[Path, list[Any]], seconds: float) -> tuple[dict[str, Any], dict[str, Any]]:
    answer: dict[str, Any] = {"latency_ms": {}}
    outputs: dict[str, Any] = {}
    paths = list(given)
    runs = [_Run(Interpreter(str(path), num_threads=1), samples) for path, samples in given.items()]
    for path, run in zip(paths, runs, strict=True):
        for at, output in enumerate(run.outputs()):
            outputs[f"{path.name}_{at}"] = output
    times: dict[str, list[float]] = {path.name: [] for path in paths}
    until = time.monotonic() + seconds
    while len(times[paths[0].name]) < 5 or (time.monotonic() < until and len(times[paths[0].name]) < 200):
        for path, run in zip(paths, runs, strict=True):
            times[path.name].append(run.once_ms())
    answer["latency_ms"] = {name: float(np.median(taken)) for name, taken in times.items()}
    return answer, outputs


class _Run:
    def __init__(self, interpreter: Any, samples: list[Any]) -> None:
        self._interpreter = interpreter
        self._samples = samples
        for detail, array in zip(interpreter.get_input_details(), samples, strict=True):
            if tuple(detail["shape"]) != array.shape[1:]:
                interpreter.resize_tensor_input(detail["index"], array.shape[1:])
        interpreter.allocate_tensors()

    def outputs(self) -> list[Any]:
        """One array an output: [samples, …], as real numbers."""
        made: list[list[Any]] = []
        for at in range(len(self._samples[0])):
            self._set(at)
            self._interpreter.invoke()
            details = self._interpreter.get_output_details()
            made.append([_real(self._interpreter.get_tensor(d["index"]), d["quantization"]) for d in details])
        return [np.stack([row[at] for row in made]) for at in range(len(made[0]))]

    def tensors(self, at: int, names: set[str]) -> dict[str, Any]:
        """What is computed on the way for one sample, as real numbers, where the interpreter keeps it."""
        self._set(at)
        self._interpreter.invoke()
        return {
            detail["name"]: _real(self._interpreter.get_tensor(detail["index"]), detail["quantization"])
            for detail in self._interpreter.get_tensor_details()
            if detail["name"] in names
        }

    def once_ms(self) -> float:
        begin = time.perf_counter()
        self._interpreter.invoke()
        return (time.perf_counter() - begin) * 1e3

    def _set(self, at: int) -> None:
        details = self._interpreter.get_input_details()
        for detail, array in zip(details, self._samples, strict=True):
            self._interpreter.set_tensor(detail["index"], _stored(array[at], detail))


def _stored(value: Any, detail: Any) -> Any:
    scale, zero = detail["quantization"]
    if not scale or value.dtype == detail["dtype"]:
        return value.astype(detail["dtype"])
    limits = np.iinfo(detail["dtype"])
    return np.clip(np.rint(value / scale + zero), limits.min, limits.max).astype(detail["dtype"])


def _real(value: Any, quantization: Any) -> Any:
    scale, zero = quantization
    return (value.astype(np.float64) - zero) * scale if scale else value.astype(np.float64)


if __name__ == "__main__":
    main()
