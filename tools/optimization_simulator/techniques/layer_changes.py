"""One layer changed alone, with every shape that follows from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....hardware_db.errors import UsageError
from ...core.records import replace
from ...graph import DType, ModelGraph, Op
from ...graph.requantize import to_int8
from ...graph.shapes.propagate import Walk, rewritten
from .structure.edit import renewed
from .structure.widths import pruned_layers

LayerChange = Callable[[ModelGraph, int], ModelGraph]


def with_half_the_channels(graph: ModelGraph, layer: int) -> ModelGraph:
    """Half the layer's output channels; those that an addition ties to them go with them.

    Raises:
        UsageError: they have to stay.
    """
    return pruned_layers(graph, {layer: 0.5})


def with_half_the_input(graph: ModelGraph, layer: int) -> ModelGraph:
    """Half the height and width from the layer on: a 2×2 average pool of its input, for all who read that.

    Raises:
        UsageError: the layer reads no image, or what follows does not take one of half the size.
    """
    main = graph.main
    source = next((i for i in main.ops[layer].inputs if i >= 0 and not main.tensors[i].is_constant), -1)
    data = main.tensors[source] if source >= 0 else None
    if data is None or len(data.shape) != 4 or min(data.shape[1:3]) < 2:
        raise UsageError("it reads no image of 2x2 or more")
    pooled = replace(data, index=len(main.tensors), name_untrusted=f"{data.name_untrusted}/half")
    pool = Op(0, "AVERAGE_POOL_2D", (source,), (pooled.index,), 2 if data.dtype is DType.INT8 else 1, {
        "padding": "SAME", "stride_h": 2, "stride_w": 2, "filter_height": 2, "filter_width": 2,
        "fused_activation_function": "NONE",
    })  # fmt: skip
    ops: list[Op] = []
    first = next(op.index for op in main.ops if source in op.inputs)
    for op in main.ops:
        if op.index == first:
            ops.append(pool)
        ops.append(replace(op, inputs=tuple(pooled.index if i == source else i for i in op.inputs)))
    numbered = tuple(replace(op, index=at) for at, op in enumerate(ops))
    larger = replace(main, tensors=(*main.tensors, pooled), ops=numbered)
    batch, height, width, channels = data.shape
    walk = Walk(larger, {pooled.index: (batch, -(-height // 2), -(-width // 2), channels)})
    walk.run()
    made = rewritten(larger, walk)
    if any(made.tensors[i].shape != main.tensors[i].shape for i in main.outputs):
        raise UsageError("the model's output would change its size")
    return renewed(graph, made)


def in_int8(graph: ModelGraph, layer: int) -> ModelGraph:
    """The layer in int8 between a QUANTIZE and a DEQUANTIZE, the others as they are.

    Raises:
        UsageError: it has no int8 kernel or computes in integers already.
    """
    return to_int8(graph, layers=(layer,), float_io=True)


LAYER_CHANGES: Mapping[str, LayerChange] = {
    "channels-50": with_half_the_channels,
    "input-50": with_half_the_input,
    "int8": in_int8,
}
