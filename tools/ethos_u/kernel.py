"""What TensorFlow Lite Micro's kernel for a part compiled by Vela asks of the arena.

Source: tensorflow/lite/micro/kernels/ethos_u/ethosu.cc in tensorflow/tflite-micro at 91be4d33: OpData holds
three integers; Prepare requests an address (64 bits) and a size (size_t) for every input and output.
"""

from __future__ import annotations

from ..graph import ModelGraph, Op

CUSTOM_CODE = "ethos-u"
OP_DATA_BYTES = 12
_ADDRESS_BYTES = 8


def is_compiled_part(op: Op) -> bool:
    return op.kind == "CUSTOM" and op.custom_code_untrusted == CUSTOM_CODE


def holds_compiled_parts(graph: ModelGraph) -> bool:
    return any(is_compiled_part(op) for op in graph.ops)


def scratch_bytes(op: Op, pointer_bytes: int) -> tuple[int, int]:
    """Of the addresses and of the sizes."""
    count = len(op.inputs) + len(op.outputs)
    return count * _ADDRESS_BYTES, count * pointer_bytes
