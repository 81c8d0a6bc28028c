"""Quantises and runs .onnx files, in a process of its own: what brings it down ends this alone.

Run as a script in the folder of the request, as worker_tflite.py is. This is the only module that imports
onnxruntime.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import version_converter

_PER_CHANNEL_OPSET = 13


def main() -> None:
    request = json.loads(Path("request.json").read_text(encoding="utf-8"))
    samples = _samples("samples.npz")
    if request["step"] == "quantise":
        _quantise(request["kind"], samples)
        return
    other = _samples("changed.npz") if Path("changed.npz").exists() else samples
    answer, outputs = _run({"model": samples, "changed": other}, request["seconds"])
    np.savez("outputs.npz", **outputs)
    Path("answer.json").write_text(json.dumps(answer), encoding="utf-8")


def _samples(name: str) -> list[Any]:
    with np.load(name, allow_pickle=False) as loaded:
        return [loaded[f"arr_{at}"] for at in range(len(loaded.files))]


def _quantise(kind: str, samples: list[Any]) -> None:
    if kind == "float16":
        from onnxruntime.transformers.float16 import convert_float_to_float16

        onnx.save(convert_float_to_float16(onnx.load("model")), "changed")
        return
    from onnxruntime.quantization import (
        QuantFormat,
        QuantType,
        quantize_dynamic,
        quantize_static,
        shape_inference,
    )

    _renew()
    shape_inference.quant_pre_process("renewed", "prepared", skip_symbolic_shape=True)
    if kind == "dynamic-range":
        quantize_dynamic("prepared", "changed", per_channel=True, weight_type=QuantType.QInt8)
        return
    activations = QuantType.QInt16 if kind == "int16x8" else QuantType.QInt8
    quantize_static(
        "prepared", "changed", _Reader(samples), quant_format=QuantFormat.QDQ, per_channel=True,
        activation_type=activations, weight_type=QuantType.QInt8,
        extra_options={"ActivationSymmetric": True} if kind == "int16x8" else {},
    )  # fmt: skip


def _renew() -> None:
    """In the first operator set whose QuantizeLinear takes a scale for each channel, or a later one."""
    model = onnx.load("model")
    version = max(each.version for each in model.opset_import if each.domain in {"", "ai.onnx"})
    if version < _PER_CHANNEL_OPSET:
        model = version_converter.convert_version(model, _PER_CHANNEL_OPSET)
    onnx.save(model, "renewed")


class _Reader:
    """What onnxruntime.quantization calls a CalibrationDataReader."""

    def __init__(self, samples: list[Any]) -> None:
        names = [each.name for each in _session("model").get_inputs()]
        self._runs = iter(
            [
                {name: array[at] for name, array in zip(names, samples, strict=True)}
                for at in range(len(samples[0]))
            ]
        )

    def get_next(self) -> dict[str, Any] | None:
        return next(self._runs, None)

    def __iter__(self) -> _Reader:
        return self

    def __next__(self) -> dict[str, Any]:
        return next(self._runs)


def _session(path: str) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _run(given: dict[str, list[Any]], seconds: float) -> tuple[dict[str, Any], dict[str, Any]]:
    sessions = {path: _session(path) for path in given}
    outputs: dict[str, Any] = {}
    for path, session in sessions.items():
        samples = given[path]
        made = [session.run(None, _feed(session, samples, at)) for at in range(len(samples[0]))]
        for number in range(len(made[0])):
            outputs[f"{path}_{number}"] = np.stack([np.asarray(row[number], np.float64) for row in made])
    feeds = {path: _feed(session, given[path], 0) for path, session in sessions.items()}
    times: dict[str, list[float]] = {path: [] for path in given}
    until = time.monotonic() + seconds
    while len(times["model"]) < 5 or (time.monotonic() < until and len(times["model"]) < 200):
        for path, session in sessions.items():
            begin = time.perf_counter()
            session.run(None, feeds[path])
            times[path].append((time.perf_counter() - begin) * 1e3)
    return {"latency_ms": {path: float(np.median(taken)) for path, taken in times.items()}}, outputs


def _feed(session: Any, samples: list[Any], at: int) -> dict[str, Any]:
    halves = {each.name for each in session.get_inputs() if each.type == "tensor(float16)"}
    names = [each.name for each in session.get_inputs()]
    return {
        name: array[at].astype(np.float16) if name in halves else array[at]
        for name, array in zip(names, samples, strict=True)
    }


if __name__ == "__main__":
    main()
