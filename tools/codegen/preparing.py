"""What the arena may hold while a kernel prepares itself, beside what it keeps.

A kernel looks at its tensors through copies at the head of the arena, freed when it is done; conv_common.cc
takes some of them twice. tflite-micro at 90b983c2: micro_allocator.cc (InitializeTfLiteTensorFromFlatbuffer),
micro_allocator.h and kernels/conv_common.cc.
"""

from __future__ import annotations

from ..graph import ModelGraph, Op, Subgraph
from ..memory_planner.kernels import tflm_structs as tflm
from ..memory_planner.kernels.abi import Abi, rounded_up
from ..memory_planner.memory_plan import MemoryPlan

_LOOKS = 2
"""Times that a kernel may take a copy of a tensor."""
_REQUESTS = 12
"""Scratch buffers that an operator may ask for (kMaxScratchBuffersPerOp in micro_allocator.h)."""


def preparing_bytes(graph: ModelGraph, plan: MemoryPlan, abi: Abi) -> int:
    """No less than the fullest moment, as if all that is kept were there already."""
    buffers = sum(tensor.tensor is None for tensor in plan.tensors)
    requests = abi.sizeof(tflm.SCRATCH_BUFFER_REQUEST) * (_REQUESTS + buffers)
    looks = (_copies(op, sub, abi) for sub in graph.subgraphs for op in sub.ops)
    return (plan.arena_persistent_bytes or 0) + requests + max(looks, default=0)


def _copies(op: Op, sub: Subgraph, abi: Abi) -> int:
    found = 0
    for index in (*op.inputs, *op.outputs, *op.intermediates):
        if index < 0:
            continue
        quantization = sub.tensors[index].quantization
        scales = 0 if quantization is None else len(quantization.scales)
        size = abi.sizeof(tflm.TENSOR)
        if scales:
            size += abi.sizeof(tflm.AFFINE_QUANTIZATION) + rounded_up(4 * (1 + scales), abi.pointer_bytes)
        found += rounded_up(size, abi.pointer_bytes)
    return _LOOKS * found
