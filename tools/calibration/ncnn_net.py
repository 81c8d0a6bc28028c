"""Layers of an ncnn network and the graph that they become."""

from __future__ import annotations

from dataclasses import dataclass

from ..graph import ModelGraph
from ..graph.builder import GraphBuilder


@dataclass(frozen=True)
class Layer:
    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    keys: dict[int, str]

    def number(self, key: int, default: int = 0) -> int:
        return int(float(self.keys.get(key, default)))

    def pair(self, across: int, down: int, default: int = 1) -> tuple[int, int]:
        """(down, across), the second of which falls back on the first."""
        first = self.number(across, default)
        return self.number(down, first), first


class Net:
    def __init__(self, name: str) -> None:
        self.builder = GraphBuilder(name)
        self.blobs: dict[str, int] = {}
        self.read: set[str] = set()

    def build(self) -> ModelGraph:
        unread = [tensor for blob, tensor in self.blobs.items() if blob not in self.read]
        return self.builder.build(outputs=unread)

    def shape(self, layer: Layer, at: int = 0) -> tuple[int, ...]:
        return self.builder.shape(self.blobs[layer.inputs[at]])

    def put(self, layer: Layer, kind: str, shape: tuple[int, ...], *weights: tuple[int, ...]) -> None:
        """One operator over the layer's inputs and new constants of these shapes."""
        constants = [self.builder.constant(f"w{len(self.blobs)}_{i}", s) for i, s in enumerate(weights)]
        inputs = [self.blobs[blob] for blob in layer.inputs]
        self.blobs[layer.outputs[0]] = self.builder.op(kind, [*inputs, *constants], shape)

    def same(self, layer: Layer) -> None:
        """No operator: every output is the input."""
        for blob in layer.outputs:
            self.blobs[blob] = self.blobs[layer.inputs[0]]
