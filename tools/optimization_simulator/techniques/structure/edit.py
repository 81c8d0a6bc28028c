"""Takes operators out of a graph, puts others in, and numbers what is left anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....core.records import replace
from ....graph import DType, ModelGraph, Op, OptionValue, Quantization, Subgraph, Tensor
from ....graph.int8_rules import SAME_SCALE, bias_scale, int8_version
from ....graph.serialize import graph_sha256

_KEPT = frozenset({"ASSIGN_VARIABLE", "CALL_ONCE", "VAR_HANDLE", "READ_VARIABLE"})
"""Operators that do something beside their output."""


class GraphEdit:
    """Operators are known by the index that they have in the graph that is edited.

    New activations and weights take type and quantisation from what they replace, so that an int8 graph
    stays one; scales are assumed, as for every graph that nobody calibrated.
    """

    def __init__(self, graph: ModelGraph) -> None:
        self.graph = graph
        self.main: Subgraph = graph.main
        self.tensors: list[Tensor] = list(graph.main.tensors)
        self.readers: dict[int, list[Op]] = {}
        self.producers: dict[int, Op] = {}
        self._now: dict[int, list[Op]] = {op.index: [op] for op in graph.main.ops}
        self._instead: dict[int, int] = {}
        self._outputs: tuple[int, ...] = graph.main.outputs
        for op in graph.main.ops:
            self.producers |= dict.fromkeys(op.outputs, op)
            for tensor in dict.fromkeys(op.inputs):
                self.readers.setdefault(tensor, []).append(op)

    def now(self, op: Op) -> Op:
        """The operator as changed so far; it has to be there still, alone."""
        (changed,) = self._now[op.index]
        return changed

    def is_there(self, op: Op) -> bool:
        return len(self._now[op.index]) == 1

    def is_read_once(self, tensor: int) -> bool:
        return len(self.readers.get(tensor, [])) == 1 and tensor not in self.main.outputs

    def put(self, op: Op, *instead: Op) -> None:
        """These operators, in this order, where `op` was; none takes it out."""
        self._now[op.index] = list(instead)

    def redirect(self, tensor: int, to: int) -> None:
        """What reads a tensor reads another one."""
        self._instead[tensor] = to

    def output(self, *tensors: int) -> None:
        self._outputs = tensors

    def activation(
        self, like: int, shape: Sequence[int], name: str, *, scale: Quantization | None = None
    ) -> int:
        """A tensor that is computed, with the type and scale of another."""
        old = self.tensors[like]
        return self._add(Tensor(
            len(self.tensors), f"{old.name_untrusted}/{name}", tuple(shape), old.dtype,
            quantization=scale or old.quantization,
        ))  # fmt: skip

    def weights(self, like: int, shape: Sequence[int], name: str, *, axis: int = 0) -> int:
        """Constants with the type of others; `axis` is that of the scales, where each channel has one."""
        old = self.tensors[like]
        scales = old.quantization
        if scales is not None and scales.per_channel:
            scales = Quantization((scales.scales[0],) * shape[axis], (0,) * shape[axis], axis)
        return self.constant(f"{old.name_untrusted}/{name}", shape, old.dtype, quantization=scales)

    def bias(self, data: int, weights: int, units: int) -> int:
        """A bias as kernels for these inputs and weights want it."""
        source, filters = self.tensors[data], self.tensors[weights]
        kind = {DType.INT8: DType.INT32, DType.UINT8: DType.INT32, DType.INT16: DType.INT64}.get(source.dtype)
        scales = None
        if kind is not None and source.quantization and filters.quantization:
            scales = bias_scale(source.quantization, filters.quantization)
        return self.constant(
            f"{filters.name_untrusted}/bias", (units,), kind or source.dtype, quantization=scales
        )

    def constant(
        self,
        name: str,
        shape: Sequence[int],
        dtype: DType,
        *,
        values: tuple[int, ...] | None = None,
        quantization: Quantization | None = None,
    ) -> int:
        made = Tensor(
            len(self.tensors), name, tuple(shape), dtype, is_constant=True, values=values,
            quantization=quantization,
        )  # fmt: skip
        return self._add(replace(made, stored_bytes=made.bytes or 0))

    def op(self, kind: str, inputs: Sequence[int], output: int, options: dict[str, OptionValue]) -> Op:
        made = Op(-1, kind, tuple(inputs), (output,), options=options)
        source = next((self.tensors[i].dtype for i in inputs if i >= 0), DType.FLOAT32)
        if source is DType.INT8:
            return replace(made, version=int8_version(made))
        dilated = made.option_int("dilation_h_factor", 1) > 1 or made.option_int("dilation_w_factor", 1) > 1
        return replace(made, version=2 if kind == "DEPTHWISE_CONV_2D" and dilated else 1)

    def done(self) -> ModelGraph:
        """The graph as edited; operators and constants that nothing needs any longer are gone."""
        ops = [self._directed(op) for listed in self._now.values() for op in listed]
        outputs = tuple(self._end(t) for t in self._outputs)
        ops = _needed(ops, outputs)
        used = {*self.main.inputs, *outputs}
        used.update(t for op in ops for t in (*op.inputs, *op.outputs, *op.intermediates) if t >= 0)
        kept = [tensor for tensor in self._settled(ops) if tensor.index in used]
        place = {tensor.index: at for at, tensor in enumerate(kept)} | {-1: -1}
        main = replace(
            self.main,
            tensors=tuple(replace(tensor, index=at) for at, tensor in enumerate(kept)),
            ops=tuple(_moved(op, at, place) for at, op in enumerate(ops)),
            inputs=tuple(place[t] for t in self.main.inputs),
            outputs=tuple(place[t] for t in outputs),
        )
        return renewed(self.graph, main)

    def _add(self, tensor: Tensor) -> int:
        self.tensors.append(tensor)
        return tensor.index

    def _end(self, tensor: int) -> int:
        seen = {tensor}
        while (instead := self._instead.get(tensor)) is not None and instead not in seen:
            tensor = instead
            seen.add(tensor)
        return tensor

    def _directed(self, op: Op) -> Op:
        return replace(op, inputs=tuple(self._end(t) for t in op.inputs))

    def _settled(self, ops: Iterable[Op]) -> list[Tensor]:
        """Operators that only move data give their output the scale of what they read now."""
        tensors = list(self.tensors)
        changed = set(self._instead.values())
        for op in ops:
            live = [i for i in op.inputs if i >= 0 and not tensors[i].is_constant]
            if op.kind in SAME_SCALE and len(live) == 1 and live[0] in changed:
                scale = tensors[live[0]].quantization
                for made in op.outputs:
                    if tensors[made].dtype is tensors[live[0]].dtype and tensors[made].quantization != scale:
                        tensors[made] = replace(tensors[made], quantization=scale)
                        changed.add(made)
        return tensors


def renewed(graph: ModelGraph, main: Subgraph) -> ModelGraph:
    """The graph with another main subgraph, and what no longer holds left out."""
    made = replace(
        graph,
        subgraphs=(main, *graph.subgraphs[1:]),
        file_bytes=None,
        signatures=(),
        metadata_untrusted=(),
        offline_plans=(),
    )
    return replace(made, sha256=graph_sha256(made))


def _needed(ops: list[Op], outputs: Iterable[int]) -> list[Op]:
    wanted, kept = set(outputs), []
    for op in reversed(ops):
        if not op.outputs or op.kind in _KEPT or wanted & set(op.outputs):
            wanted.update(op.inputs)
            kept.append(op)
    return kept[::-1]


def _moved(op: Op, at: int, place: dict[int, int]) -> Op:
    return replace(
        op,
        index=at,
        inputs=tuple(place[t] for t in op.inputs),
        outputs=tuple(place[t] for t in op.outputs),
        intermediates=tuple(place[t] for t in op.intermediates),
    )
