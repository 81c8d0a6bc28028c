"""The parts of ExecuTorch's schema that are read: fields by number, of schema/program.fbs ("ET12")."""

from __future__ import annotations

from ...graph import DType
from ..tflite.reader import OFFSET, Field, TableKind

FILE_IDENTIFIER = b"ET12"
SCALAR_TYPES = {
    0: DType.UINT8, 1: DType.INT8, 2: DType.INT16, 3: DType.INT32, 4: DType.INT64, 5: DType.FLOAT16,
    6: DType.FLOAT32, 7: DType.FLOAT64, 9: DType.COMPLEX64, 10: DType.COMPLEX128, 11: DType.BOOL,
    12: DType.INT8, 13: DType.UINT8, 14: DType.INT32, 15: DType.BFLOAT16, 27: DType.UINT16,
    28: DType.UINT32, 29: DType.UINT64,
}  # fmt: skip
"""By ScalarType of schema/scalar_type.fbs."""


def _table(name: str, *fields: tuple[int, str], cost: int = 8) -> TableKind:
    return TableKind(name, tuple(Field(number, code) for number, code in fields), cost=cost)


PROGRAM = _table("the program", (0, "I"), (1, OFFSET), (3, OFFSET), (4, OFFSET), cost=16)
"""version, execution_plan, backend_delegate_data, segments"""
PLAN = _table(
    "a plan",
    (0, OFFSET),
    (2, OFFSET),
    (3, OFFSET),
    (4, OFFSET),
    (5, OFFSET),
    (6, OFFSET),
    (7, OFFSET),
    cost=16,
)
"""name, values, inputs, outputs, chains, operators, delegates"""
CHAIN = _table("a chain", (2, OFFSET))
"""instructions"""
UNION = _table("a value or an instruction", (0, "B"), (1, OFFSET))
"""type, content"""
TENSOR = _table("a tensor", (0, "b"), (2, OFFSET), (5, "I"), (6, OFFSET), (9, OFFSET))
"""scalar_type, sizes, data_buffer_idx, allocation_info, extra_tensor_info"""
ALLOCATION = _table("where a tensor lies", (0, "I"), (1, "I"), (2, "I"))
"""memory_id, memory_offset_low, memory_offset_high"""
EXTRA = _table("what else is known of a tensor", (1, OFFSET), (2, "b"))
"""fully_qualified_name, location"""
INTEGER = _table("an integer", (0, "q"))
BOOLEAN = _table("a truth value", (0, "B"))
DOUBLE = _table("a number", (0, "d"))
TEXT = _table("a text", (0, OFFSET))
LIST = _table("a list", (0, OFFSET))
OPERATOR = _table("an operator", (0, OFFSET), (1, OFFSET))
"""name, overload"""
CALL = _table("a call", (0, "i"), (1, OFFSET))
"""op_index or delegate_index, args"""
MOVE = _table("a move", (0, "i"), (1, "i"))
"""move_from, move_to"""
DELEGATE = _table("a delegate", (0, OFFSET), (1, OFFSET))
"""id, processed"""
DATA_REFERENCE = _table("where a delegate's data is", (0, "b"), (1, "I"))
"""location, index"""
INLINE_DATA = _table("a delegate's data", (0, OFFSET))
SEGMENT = _table("a segment", (0, "Q"), (1, "Q"))
"""offset, size"""


class Value:
    """Numbers of the union KernelTypes."""

    INTEGER, BOOLEAN, DOUBLE, TENSOR, TEXT = 2, 3, 4, 5, 6
    INTEGERS, DOUBLES, BOOLEANS, TENSORS, OPTIONAL_TENSORS = 7, 8, 9, 10, 11


class Instruction:
    """Numbers of the union InstructionArguments."""

    KERNEL, DELEGATE, MOVE, JUMP, FREE = 1, 2, 3, 4, 5
