"""The arena of TFLite Micro: planned buffers at its head, what the interpreter keeps at its tail."""

from __future__ import annotations

from collections.abc import Mapping

from ...core.quantity import Basis, Quantity
from ...core.records import dataclass, replace
from ...ethos_u.kernel import is_compiled_part
from ...graph import ModelGraph, Op
from ...graph.dtypes import UNSIZED_BY_MICRO
from ...graph.memoize import memoized
from ..kernels.cmsis_nn_buffers import Isa
from ..kernels.esp_nn_buffers import Chip
from ..kernels.kernel_call import Call, KernelRequests, UnplannableError, interpreter_bytes
from ..kernels.tflm_structs import BUILTIN_DATA, BUILTIN_DATA_BEFORE, KERNELS
from ..liveness import Buffer, Ints, Liveness, liveness
from ..plan_parts import PersistentPart
from ..terms import Interpreter
from .greedy import aligned_sizes, greedy_offsets
from .offline_plan import LEFT_TO_PLANNER, OfflinePlan, offline_plan, planned_variables
from .persistent import ALIGNMENT, Persistent, persistent_allocations

_OFFSETS_BELOW = 2**31
_UNREAD_KERNELS_FACTOR = 1.5
_LEGACY_SCALAR = (0,)
_CHIPS = {
    Chip.GENERIC: "chips without vector instructions",
    Chip.S3: "the ESP32-S3",
    Chip.P4: "the ESP32-P4",
}


@dataclass(frozen=True)
class TflmPlan:
    size: Quantity
    head: int
    offsets: Ints
    persistent: Persistent
    assumptions: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def parts(self) -> tuple[PersistentPart, ...]:
        return tuple(PersistentPart(what=k, bytes=v) for k, v in self.persistent.parts.items())


def tflm_liveness(graph: ModelGraph, interpreter: Interpreter) -> Liveness:
    """Tensors as the interpreter stores them, and its kernels' scratch buffers.

    Raises:
        UnplannableError: a shape or an operator's demands are not known, or the graph is damaged.
    """
    return memoized(graph, "as stored", interpreter, lambda: _as_stored(graph, interpreter))


def _as_stored(graph: ModelGraph, interpreter: Interpreter) -> Liveness:
    _check_types(graph)
    requests = _requests(graph, interpreter)
    lives = liveness(
        graph,
        interpreter_bytes,
        lambda s, op: requests[s, op.index].scratch,
        shared_variables=planned_variables(graph, offline_plan(graph)),
    )
    _check_outputs(graph)
    for buffer in lives.buffers:
        if buffer.bytes >= _OFFSETS_BELOW:
            raise UnplannableError(
                f"tensor {buffer.tensor} takes {buffer.bytes} bytes; the interpreter counts with 31 bits"
            )
    return lives


def _check_types(graph: ModelGraph) -> None:
    """InitializeAllocationInfo of lite/micro/micro_allocation_info.cc sizes every tensor, used or not."""
    for tensor in (t for sub in graph.subgraphs for t in sub.tensors if t.dtype in UNSIZED_BY_MICRO):
        raise UnplannableError(
            f"tensor {tensor.index} is of type {tensor.dtype.value}, which has no fixed size"
        )


def _check_outputs(graph: ModelGraph) -> None:
    """CheckDynamicTensors of lite/micro/micro_interpreter_graph.cc: what is empty counts as dynamic."""
    for sub in graph.subgraphs:
        for op in sub.ops:
            for tensor in (sub.tensors[i] for i in op.outputs if i >= 0):
                if tensor.shape != _LEGACY_SCALAR and any(d <= 0 for d in tensor.shape):
                    raise UnplannableError(
                        f"{op.label} (operator {op.index}) makes tensor {tensor.index} of shape "
                        f"{list(tensor.shape)}: the interpreter refuses one that is empty, as dynamic"
                    )


def head_offsets(graph: ModelGraph, buffers: tuple[Buffer, ...]) -> Ints:
    """Interpreters that differ beside the arena's head alone share one plan of it."""
    return memoized(graph, "greedy", buffers, lambda: greedy_offsets(buffers, ALIGNMENT))


def plan_tflm(graph: ModelGraph, interpreter: Interpreter, lives: Liveness) -> TflmPlan:
    library, abi = interpreter.library, interpreter.abi
    offline = offline_plan(graph)
    given = _given_offsets(lives, offline)
    offsets = greedy_offsets(lives.buffers, ALIGNMENT, given) if given else head_offsets(graph, lives.buffers)
    tops = offsets + aligned_sizes(lives.buffers, ALIGNMENT)
    head = int(tops.max()) if len(tops) else 0
    if head >= _OFFSETS_BELOW:
        raise UnplannableError(f"the plan takes {head} bytes; the interpreter counts with 31 bits")
    requests, planned = _requests(graph, interpreter), len(lives.buffers)
    by_layout = {
        layout: persistent_allocations(graph, requests, library, layout, planned=planned, offline=offline)
        for layout in {abi, replace(abi, enum_bytes=4)}
    }
    persistent, widest = by_layout[abi], by_layout[replace(abi, enum_bytes=4)]
    options = BUILTIN_DATA if library.is_wheel else BUILTIN_DATA_BEFORE
    before = persistent_allocations(
        graph, requests, library, abi, planned=planned, offline=offline, options=options
    )
    kinds = {op.kind for sub in graph.subgraphs for op in sub.ops if not is_compiled_part(op)}
    missing = sorted(kinds - KERNELS)
    value = head + persistent.bytes
    high = float(max(head + widest.bytes, persistent.set_up_bytes, widest.set_up_bytes))
    is_exact = library.known and not missing
    return TflmPlan(
        size=Quantity(
            value=value,
            low=head + before.bytes,
            high=high if is_exact else high * _UNREAD_KERNELS_FACTOR,
            unit="B",
            basis=Basis.DERIVED if is_exact else Basis.ASSUMED,
        ),
        head=head,
        offsets=offsets,
        persistent=persistent,
        assumptions=(*_assumptions(interpreter), *_offline_assumptions(graph, given)),
        warnings=_warnings(lives, persistent, value, missing) + _offline_warnings(lives, given),
    )


def _requests(graph: ModelGraph, interpreter: Interpreter) -> dict[tuple[int, int], KernelRequests]:
    library, abi = interpreter.library, interpreter.abi

    def wanted(index: int, op: Op) -> KernelRequests:
        return library.requests(Call(op, graph.subgraphs[index].tensors, abi))

    def all_wanted() -> dict[tuple[int, int], KernelRequests]:
        return {(s, op.index): wanted(s, op) for s, sub in enumerate(graph.subgraphs) for op in sub.ops}

    return memoized(graph, "kernel requests", (library, abi), all_wanted)


def _given_offsets(lives: Liveness, offline: OfflinePlan | None) -> dict[int, int]:
    """Offset by position among the buffers, of those that the model's own plan places."""
    if offline is None:
        return {}
    offsets = offline.of(lives.buffers)
    return {i: offset for i, offset in enumerate(offsets) if offset != LEFT_TO_PLANNER}


def _assumptions(interpreter: Interpreter) -> tuple[str, ...]:
    library, abi = interpreter.library, interpreter.abi
    notes = ["arena as TensorFlow Lite Micro of October 2026 plans it; the least is that of August"]
    if library.is_wheel:
        notes.append("interpreter as in the tflite-micro Python package, which notes its allocations")
    elif abi.enum_bytes == 1:
        notes.append("structures as bare-metal Arm compilers lay them out, enumerations in one byte")
    if library.isa is not None:
        unit = {Isa.MVE: "MVE", Isa.DSP: "the DSP extension", Isa.NONE: "neither DSP nor MVE"}[library.isa]
        notes.append(f"scratch buffers of CMSIS-NN with {unit}, compiled for speed with GCC")
    if library.chip is not None:
        notes.append(f"scratch buffers of ESP-NN's kernels for {_CHIPS[library.chip]}")
    if not library.known:
        taken = "the portable kernels" if library.isa is None else "CMSIS-NN alone"
        notes.append(f"scratch buffers of {interpreter.runtime} are not known: those of {taken} taken")
    return tuple(notes)


def _offline_assumptions(graph: ModelGraph, given: Mapping[int, int]) -> tuple[str, ...]:
    if given:
        return (f"{len(given)} tensors lie where the memory plan in the model's metadata puts them",)
    if graph.offline_plans and graph.history:
        return ("the memory plan in the model's metadata does not hold for the changed model: left out",)
    return ()


def _offline_warnings(lives: Liveness, given: Mapping[int, int]) -> tuple[str, ...]:
    uneven = [i for i, offset in given.items() if offset % ALIGNMENT]
    if not uneven:
        return ()
    first = lives.buffers[uneven[0]].tensor
    return (
        f"the model's own memory plan puts {len(uneven)} tensors, tensor {first} first, at offsets that "
        f"are no multiple of {ALIGNMENT} bytes: kernels may fault",
    )


def _warnings(lives: Liveness, persistent: Persistent, value: int, missing: list[str]) -> tuple[str, ...]:
    notes = []
    if missing:
        notes.append(
            f"no TensorFlow Lite Micro kernel for {', '.join(missing)}: what it would ask for is not counted"
        )
    unused = sum(b.bytes for b in lives.buffers if not b.is_used)
    if unused:
        notes.append(f"{unused} bytes of tensors that no operator uses take room in the arena all the same")
    if persistent.set_up_bytes > value:
        notes.append(
            f"setting the interpreter up takes {persistent.set_up_bytes} bytes, more than it keeps: "
            "give the arena as much"
        )
    return tuple(notes)
