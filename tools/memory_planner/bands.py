"""The first operators computed in horizontal bands, one band after the other.

A band of the block's output needs the rows under its windows of everything before it, halo included (Lin
et al., MCUNetV2: Memory-efficient Patch-based Inference for Tiny Deep Learning, NeurIPS 2021). The
block's input is held whole, its output is filled band by band, and of what lies between only one band's
rows are alive at a time. Rows under two bands are computed twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...hardware_db.errors import UsageError
from ..core.records import dataclass, replace
from ..graph import ModelGraph, Op, Subgraph
from .in_place import ELEMENTWISE
from .liveness import Buffer, Liveness

Rows = tuple[int, int]
"""From the first to before the last."""
_WEIGHTED = frozenset({"CONV_2D", "DEPTHWISE_CONV_2D"})
_POOLS = frozenset({"MAX_POOL_2D", "AVERAGE_POOL_2D"})
_LONGEST = 24
"""Operators that a block may have: MCUNetV2's have fewer."""


@dataclass(frozen=True)
class Bands:
    """A block of the first `ops` operators of the main subgraph, split into bands of its output's rows."""

    ops: int
    output: int
    needed: tuple[dict[int, Rows], ...]
    """Of each band: rows of each tensor that the block computes."""

    @property
    def count(self) -> int:
        return len(self.needed)

    def repeated(self, main: Subgraph) -> list[float]:
        """How many times each operator of the block does its work, 1 being what it does unsplit."""
        made = [op.outputs[0] for op in main.ops[: self.ops]]
        return [sum(self.rows(t)) / _height(main, t) for t in made]

    def rows(self, tensor: int) -> list[int]:
        """How many rows of a tensor each band computes."""
        spans = (band.get(tensor, (0, 0)) for band in self.needed)
        return [end - begin for begin, end in spans]


def split_blocks(main: Subgraph) -> tuple[int, ...]:
    """Numbers of operators at the model's beginning that make a block which can be split.

    Raises:
        UsageError: there is no such block.
    """
    blocks = tuple(_blocks(main))
    if not blocks:
        raise UsageError("the model does not begin with convolutions or poolings over an image")
    return blocks


def split(main: Subgraph, ops: int, count: int) -> Bands | None:
    """The first operators in so many bands; None where their output has fewer rows."""
    output = main.ops[ops - 1].outputs[0]
    if _height(main, output) < count:
        return None
    return Bands(ops, output, tuple(_bands(main, ops, output, count)))


def _blocks(main: Subgraph) -> Iterator[int]:
    """Lengths of prefixes that hand a single image on; of one operator alone nothing is gained."""
    made: set[int] = set()
    for op in main.ops[:_LONGEST]:
        if not _can_split(op, main, made):
            return
        made.add(op.outputs[0])
        later = {t for other in main.ops[op.index + 1 :] for t in other.inputs} | set(main.outputs)
        if op.index and made & later <= {op.outputs[0]}:
            yield op.index + 1


def _can_split(op: Op, main: Subgraph, made: set[int]) -> bool:
    if len(op.outputs) != 1 or len(main.tensors[op.outputs[0]].shape) != 4:
        return False
    known = made | set(main.inputs)
    data = [i for i in op.inputs if i >= 0 and not main.tensors[i].is_constant]
    if not data or not all(i in known and _is_image(main, i) for i in data):
        return False
    if op.kind in ELEMENTWISE and op.kind != "SOFTMAX":
        return len({_height(main, i) for i in (*data, op.outputs[0])}) == 1
    if op.kind in ("PAD", "PADV2"):
        return len(op.inputs) > 1 and len(main.tensors[op.inputs[1]].values or ()) == 8
    return op.kind in _WEIGHTED | _POOLS


def _is_image(main: Subgraph, tensor: int) -> bool:
    shape = main.tensors[tensor].shape
    return len(shape) == 4 and min(shape) > 0


def _height(main: Subgraph, tensor: int) -> int:
    return main.tensors[tensor].shape[1]


def _bands(main: Subgraph, length: int, output: int, count: int) -> Iterator[dict[int, Rows]]:
    height = _height(main, output)
    for band in range(count):
        needed = {output: (height * band // count, height * (band + 1) // count)}
        for op in reversed(main.ops[:length]):
            wanted = needed.get(op.outputs[0])
            if wanted is None:
                continue
            for tensor in op.inputs:
                if tensor >= 0 and not main.tensors[tensor].is_constant:
                    needed[tensor] = _union(needed.get(tensor), _rows_read(op, main, tensor, wanted))
        yield needed


def _union(one: Rows | None, other: Rows) -> Rows:
    return other if one is None else (min(one[0], other[0]), max(one[1], other[1]))


def _rows_read(op: Op, main: Subgraph, tensor: int, wanted: Rows) -> Rows:
    """Rows of an input that these rows of the output are computed from."""
    height = _height(main, tensor)
    begin, end = wanted
    if op.kind in ("PAD", "PADV2"):
        above = (main.tensors[op.inputs[1]].values or (0,) * 8)[2]
        return _within(begin - above, end - above, height)
    if op.kind not in _WEIGHTED | _POOLS:
        return wanted
    window, stride = _window(op, main), max(1, op.option_int("stride_h", 1))
    above = 0
    if op.option_str("padding", "SAME") == "SAME":
        above = max((_height(main, op.outputs[0]) - 1) * stride + window - height, 0) // 2
    return _within(begin * stride - above, (end - 1) * stride - above + window, height)


def _within(begin: int, end: int, height: int) -> Rows:
    first = min(max(begin, 0), height - 1)
    return first, min(max(end, first + 1), height)


def _window(op: Op, main: Subgraph) -> int:
    if op.kind in _POOLS:
        return max(1, op.option_int("filter_height", 1))
    dilation = max(1, op.option_int("dilation_h_factor", 1))
    return (main.tensors[op.inputs[1]].shape[1] - 1) * dilation + 1


def banded(graph: ModelGraph, lives: Liveness, bands: Bands, of_band: Liveness | None = None) -> Liveness:
    """When each buffer is alive if the block runs once for each band.

    Args:
        graph: the model.
        lives: its buffers when it runs whole.
        bands: how it is split.
        of_band: buffers of the model at the height of the highest band, where kernels then ask for less
            scratch.

    Raises:
        UsageError: the operators do not run one after the other.
    """
    length, count = bands.ops, bands.count
    if lives.op_of_step[1 : length + 1] != tuple(range(length)):
        raise UsageError("subgraphs are called among the first operators")
    added = (count - 1) * length
    inputs, scratch = set(graph.main.inputs), _scratch_bytes(of_band or lives)
    buffers: list[Buffer] = []
    for b in lives.buffers:
        inside = b.subgraph == 0 and b.is_used and b.last <= length and b.first > 0
        if inside and b.tensor is None:
            buffers += _each_band(b._replace(bytes=scratch[b.op].pop(0)), graph.main, bands)
        elif inside and b.tensor != bands.output:
            buffers += _each_band(b, graph.main, bands)
        else:
            until_block_ends = b.is_used and 0 < b.last <= length and b.tensor in inputs
            last = b.last + added if b.last > length or until_block_ends else b.last
            last = last + added if b.tensor == bands.output and b.last == length else last
            buffers.append(b._replace(first=b.first + added if b.first > length else b.first, last=last))
    block = tuple(range(length)) * count
    return Liveness(tuple(buffers), (lives.op_of_step[0], *block, *lives.op_of_step[length + 1 :]))


def _scratch_bytes(lives: Liveness) -> dict[int, list[int]]:
    sizes: dict[int, list[int]] = {}
    for b in lives.buffers:
        if b.tensor is None and b.subgraph == 0:
            sizes.setdefault(b.op, []).append(b.bytes)
    return sizes


def _each_band(b: Buffer, main: Subgraph, bands: Bands) -> Iterator[Buffer]:
    for number, needed in enumerate(bands.needed):
        shift = number * bands.ops
        size = b.bytes
        if b.tensor is not None:
            begin, end = needed.get(b.tensor, (0, 0))
            size = b.bytes // _height(main, b.tensor) * (end - begin)
        if size:
            yield b._replace(bytes=size, first=b.first + shift, last=b.last + shift)


def widest_band(graph: ModelGraph, bands: Bands, *, whole_ends: bool) -> ModelGraph:
    """The model with the block's tensors as high as the highest band needs them.

    `whole_ends` leaves the block's inputs and its output as they are.
    """
    tensors = list(graph.main.tensors)
    ends = {bands.output, *graph.main.inputs} if whole_ends else set()
    for index in {t for band in bands.needed for t in band} - ends:
        shape = tensors[index].shape
        tensors[index] = replace(tensors[index], shape=(shape[0], max(bands.rows(index)), *shape[2:]))
    main = replace(graph.main, tensors=tuple(tensors))
    return replace(graph, subgraphs=(main, *graph.subgraphs[1:]))
