"""Converts an exported PyTorch program and runs it, in the environment that has PyTorch. No pickle is opened.

Run as a script in the folder of the request, by the converter's own interpreter.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import torch


def _refuse(*_: Any, **__: Any) -> Any:
    raise RuntimeError("the program holds a pickle, which is not opened")


def main() -> None:
    torch.load = _refuse
    program = torch.export.load("model.pt2")
    named = set(program.graph_signature.user_inputs)
    inputs = [node for node in program.graph.nodes if node.op == "placeholder" and node.name in named]
    if json.loads(Path("request.json").read_text(encoding="utf-8"))["step"] == "convert":
        _convert(program, inputs)
        return
    with np.load("samples.npz", allow_pickle=False) as loaded:
        samples = [loaded[f"arr_{at}"] for at in range(len(loaded.files))]
    module, outputs = program.module(), []
    with torch.no_grad():
        for at in range(len(samples[0])):
            made = module(*(torch.from_numpy(each[at]) for each in samples))
            outputs.append([each.numpy() for each in _flat(made)])
    np.savez("outputs.npz", *(np.stack([row[at] for row in outputs]) for at in range(len(outputs[0]))))


def _convert(program: Any, inputs: list[Any]) -> None:
    litert_torch = import_module("litert_torch")

    shapes = [[size if isinstance(size, int) else 1 for size in node.meta["val"].shape] for node in inputs]
    example = tuple(
        torch.zeros(shape, dtype=node.meta["val"].dtype) for node, shape in zip(inputs, shapes, strict=True)
    )
    litert_torch.convert(program.module(), example).export("converted.tflite")
    listed = [
        {"name": node.name, "shape": shape, "dtype": str(node.meta["val"].dtype).removeprefix("torch.")}
        for node, shape in zip(inputs, shapes, strict=True)
    ]
    Path("inputs.json").write_text(json.dumps(listed), encoding="utf-8")


def _flat(made: Any) -> list[Any]:
    if isinstance(made, torch.Tensor):
        return [made]
    values = made.values() if isinstance(made, dict) else made
    return [each for inner in values for each in _flat(inner)]


if __name__ == "__main__":
    main()
