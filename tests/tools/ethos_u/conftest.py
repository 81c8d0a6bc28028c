from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from edgewright.tools import parse_model
from edgewright.tools.ethos_u.process import vela_version
from edgewright.tools.graph import DType, ModelGraph, Op, OptionValue, Subgraph, Tensor
from edgewright.tools.graph.tensor import Quantization
from edgewright.tools.model_writer import write_tflite

needs_vela = pytest.mark.skipif(vela_version() is None, reason="Vela (extra ethos-u) is not installed")
DENSE = {"fused_activation_function": "NONE", "keep_num_dims": False, "weights_format": "DEFAULT"}
SCALE = Quantization((0.05,), (0,))


@dataclass
class Sketch:
    """A model of a few operators, written down tensor by tensor."""

    tensors: list[Tensor] = field(default_factory=list)
    ops: list[Op] = field(default_factory=list)
    inputs: list[int] = field(default_factory=list)

    def tensor(
        self,
        shape: tuple[int, ...],
        dtype: DType = DType.INT8,
        *,
        constant: bool = False,
        values: tuple[int, ...] | None = None,
        quantization: Quantization | None = SCALE,
    ) -> int:
        index, elements = len(self.tensors), 1
        for extent in shape:
            elements *= extent
        plain = dtype in {DType.FLOAT32, DType.BOOL} or values is not None
        self.tensors.append(
            Tensor(
                index, f"t{index}", shape, dtype,
                stored_bytes=(dtype.storage_bytes(elements) or 0) if constant else 0,
                is_constant=constant, values=values, quantization=None if plain else quantization,
            )
        )  # fmt: skip
        return index

    def input(
        self, shape: tuple[int, ...], dtype: DType = DType.INT8, quantization: Quantization | None = SCALE
    ) -> int:
        self.inputs.append(self.tensor(shape, dtype, quantization=quantization))
        return self.inputs[-1]

    def integers(self, *values: int, shape: tuple[int, ...] | None = None) -> int:
        return self.tensor(
            (len(values),) if shape is None else shape, DType.INT32, constant=True, values=values
        )

    def op(self, kind: str, inputs: list[int], output: int, **options: OptionValue) -> int:
        self.ops.append(Op(len(self.ops), kind, tuple(inputs), (output,), options=options))
        return output

    def build(self, *outputs: int) -> ModelGraph:
        main = Subgraph("main", tuple(self.tensors), tuple(self.ops), tuple(self.inputs), outputs)
        return ModelGraph("sketch", "architecture", "", None, (main,))


def dense_then_gather() -> ModelGraph:
    """A dense layer for the NPU, a gathering that Ethos-U55 lacks, and a dense layer again."""
    s = Sketch()
    x = s.input((1, 64))
    first = s.op("FULLY_CONNECTED", [x, s.tensor((64, 64), constant=True), -1], s.tensor((1, 64)), **DENSE)
    rows = s.op("RESHAPE", [first, s.integers(8, 8)], s.tensor((8, 8)), new_shape=(8, 8))
    picked = s.op("GATHER", [rows, s.integers(0, 3, 5, 7)], s.tensor((4, 8)), axis=0, batch_dims=0)
    flat = s.op("RESHAPE", [picked, s.integers(1, 32)], s.tensor((1, 32)), new_shape=(1, 32))
    last = s.op("FULLY_CONNECTED", [flat, s.tensor((10, 32), constant=True), -1], s.tensor((1, 10)), **DENSE)
    return s.build(last)


@pytest.fixture
def written(tmp_path: Path) -> Callable[[ModelGraph], ModelGraph]:
    """Writes a graph with random weights and reads it back, as from a user's file."""

    def write(graph: ModelGraph) -> ModelGraph:
        file = tmp_path / f"{len(list(tmp_path.iterdir()))}.tflite"
        file.write_bytes(write_tflite(replace(graph, sha256="")))
        return parse_model(file)

    return write
