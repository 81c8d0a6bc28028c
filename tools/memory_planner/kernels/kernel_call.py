"""An operator as its kernel sees it while the interpreter prepares it, and what the kernel asks for."""

from __future__ import annotations

from ...core.records import dataclass
from ...graph import DType, Op, Tensor
from ...graph.dtypes import UNSIZED_BY_MICRO
from .abi import Abi, Struct

_INTERPRETER_BYTES = {DType.INT4: 1, DType.RESOURCE: 4}


class UnplannableError(Exception):
    """Why no plan can be made; becomes a warning of the plan, never a traceback."""


@dataclass(frozen=True)
class KernelRequests:
    """Bytes that one operator's kernel asks of the arena when it is prepared, in order."""

    persistent: tuple[int, ...] = ()
    scratch: tuple[int, ...] = ()
    """Alive only while the operator runs."""


NOTHING = KernelRequests()


@dataclass(frozen=True)
class Call:
    op: Op
    tensors: tuple[Tensor, ...]
    abi: Abi

    def optional_input(self, position: int) -> Tensor | None:
        if position >= len(self.op.inputs) or self.op.inputs[position] < 0:
            return None
        return self.tensors[self.op.inputs[position]]

    def input(self, position: int) -> Tensor:
        tensor = self.optional_input(position)
        if tensor is None:
            raise UnplannableError(f"{self.op.label} (operator {self.op.index}) lacks its input {position}")
        return tensor

    @property
    def output(self) -> Tensor:
        if not self.op.outputs or self.op.outputs[0] < 0:
            raise UnplannableError(f"{self.op.label} (operator {self.op.index}) has no output")
        return self.tensors[self.op.outputs[0]]

    def dim(self, tensor: Tensor, axis: int) -> int:
        if not -len(tensor.shape) <= axis < len(tensor.shape):
            raise UnplannableError(
                f"{self.op.label} (operator {self.op.index}) has a tensor of rank {len(tensor.shape)}"
            )
        return tensor.shape[axis]

    def elements(self, tensor: Tensor) -> int:
        if tensor.elements is None:
            raise UnplannableError(f"the shape of tensor {tensor.index} is not known before the model runs")
        return tensor.elements

    def sizeof(self, record: Struct) -> int:
        return self.abi.sizeof(record)


def interpreter_bytes(tensor: Tensor) -> int | None:
    """Bytes of a tensor in TFLite Micro, which spends one on an int4; None where it has no fixed size.

    Source: TfLiteTypeSizeOf in lite/micro/memory_helpers.cc.
    """
    if tensor.dtype in UNSIZED_BY_MICRO or tensor.elements is None:
        return None
    known = _INTERPRETER_BYTES.get(tensor.dtype)
    return tensor.elements * known if known else tensor.dtype.storage_bytes(tensor.elements)


def dims_bytes(tensor: Tensor) -> int:
    """A TfLiteIntArray of a tensor's dimensions."""
    return 4 * (1 + len(tensor.shape))
