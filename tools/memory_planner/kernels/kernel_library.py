"""Which kernels a runtime has, and what they ask of the arena."""

from __future__ import annotations

from ....hardware_db import Core
from ...core.records import dataclass
from ...ethos_u import kernel as ethos_u_kernel
from . import scratch_cmsis_nn, scratch_esp_nn, tflm_structs
from .abi import Struct
from .cmsis_nn_buffers import Isa
from .esp_nn_buffers import Chip
from .kernel_call import NOTHING, Call, KernelRequests, UnplannableError
from .scratch import REFERENCE


@dataclass(frozen=True)
class KernelLibrary:
    isa: Isa | None
    """Instruction set that CMSIS-NN is compiled for; None for other kernels."""
    chip: Chip | None = None
    """Chip that ESP-NN is compiled for; None for other kernels."""
    known: bool = True
    """Whether its kernels' demands were read; else those named above, or the portable ones, stand in."""
    is_wheel: bool = False
    """The `tflite-micro` Python package: it notes its allocations and can read compressed weights."""

    def data(self, kind: str) -> Struct | None:
        """What a kernel keeps of one operator from set-up on."""
        portable = tflm_structs.KERNEL_DATA.get(kind)
        if self.isa is not None:
            return scratch_cmsis_nn.KERNEL_DATA.get(kind, portable)
        if self.chip is not None:
            return scratch_esp_nn.KERNEL_DATA.get(kind, portable)
        return tflm_structs.COMPRESSION_DATA.get(kind, portable) if self.is_wheel else portable

    def requests(self, call: Call) -> KernelRequests:
        """
        Raises:
            UnplannableError: nobody knows the operator, or it lacks a tensor that its kernel needs.
        """
        kind = call.op.kind
        if ethos_u_kernel.is_compiled_part(call.op):
            return KernelRequests(
                persistent=(ethos_u_kernel.OP_DATA_BYTES,),
                scratch=ethos_u_kernel.scratch_bytes(call.op, call.abi.pointer_bytes),
            )
        if call.op.custom_code_untrusted is not None or kind == "CUSTOM":
            raise UnplannableError(
                f"operator {call.op.index} is custom: what its kernel asks for is not known"
            )
        if self.isa is not None and kind in scratch_cmsis_nn.CMSIS_NN:
            return scratch_cmsis_nn.CMSIS_NN[kind](call, self.isa)
        if self.chip is not None and kind in scratch_esp_nn.ESP_NN:
            return scratch_esp_nn.ESP_NN[kind](call, self.chip)
        return REFERENCE[kind](call) if kind in REFERENCE else NOTHING


def library_of(runtime: str, core: Core) -> KernelLibrary:
    """The kernels behind a runtime id; a version may follow it (`tflm-cmsis-nn@…`)."""
    name = runtime.partition("@")[0]
    if name == "tflm-cmsis-nn":
        return KernelLibrary(scratch_cmsis_nn.isa_of(core))
    if name == "tflm-mvp":  # what its accelerator does not take, CMSIS-NN computes
        return KernelLibrary(scratch_cmsis_nn.isa_of(core), known=False)
    if name == "tflm-esp-nn":
        return KernelLibrary(None, scratch_esp_nn.chip_of(core))
    return KernelLibrary(None, known=name == "tflm-reference", is_wheel=core.isa.value == "x86-64")
