"""What TFLite Micro's interpreter keeps at the tail of its arena.

Replays the allocations of lite/micro/micro_allocator.cc, micro_interpreter.cc and
micro_interpreter_graph.cc (tensorflow/tflite-micro at 90b983c2) one by one, alignment included.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from ...core.records import dataclass
from ...graph import ModelGraph, Tensor
from ..kernels import tflm_structs as tflm
from ..kernels.abi import Abi, Struct, rounded_up
from ..kernels.kernel_call import KernelRequests, UnplannableError, interpreter_bytes
from ..kernels.kernel_library import KernelLibrary
from .offline_plan import OfflinePlan

Requests = Mapping[tuple[int, int], KernelRequests]
"""By subgraph and operator."""
ALIGNMENT = 16
_SCRATCH_REQUESTS_PER_OPERATOR = 12


@dataclass
class _Tail:
    """Memory given out from the end of the arena downwards."""

    abi: Abi
    used: int = 0
    parts: dict[str, int] = field(default_factory=dict)

    def take(self, part: str, size: int, align: int = ALIGNMENT) -> None:
        before, self.used = self.used, rounded_up(self.used + size, align)
        self.parts[part] = self.parts.get(part, 0) + self.used - before

    def take_each(self, part: str, sizes: Iterable[tuple[int, int]]) -> None:
        """Bytes and their alignment, one after the other."""
        used = before = self.used
        for size, align in sizes:
            used = -(-(used + size) // align) * align
        if used != before:
            self.used, self.parts[part] = used, self.parts.get(part, 0) + used - before

    def take_struct(self, part: str, record: Struct, count: int = 1) -> None:
        layout = self.abi.layout(record)
        self.take(part, layout.size * count, layout.align)


@dataclass(frozen=True)
class Persistent:
    bytes: int
    parts: Mapping[str, int]
    """Bytes by what they are for."""
    set_up_bytes: int
    """Most that the arena holds while the plan is made, all told."""


def persistent_allocations(
    graph: ModelGraph,
    requests: Requests,
    library: KernelLibrary,
    abi: Abi,
    *,
    planned: int,
    offline: OfflinePlan | None = None,
    options: Mapping[str, Struct] = tflm.BUILTIN_DATA,
) -> Persistent:
    """Bytes that stay allocated from set-up on.

    Args:
        graph: the model.
        requests: what the kernel of each operator asks for.
        library: kernels that the interpreter is linked with.
        abi: layout of structures on the machine.
        planned: number of buffers in the plan, which take room while it is made.
        offline: the plan that the model brings.
        options: structures of the operators' options.
    """
    tail = _Tail(abi)
    _interpreter(tail, graph, library)
    _operators(tail, graph, requests, library, options)
    handles = sum(len(wanted.scratch) for wanted in requests.values())
    if handles:
        tail.take_struct("scratch handles", tflm.SCRATCH_BUFFER_HANDLE, handles)
    for tensor in (t for sub in graph.subgraphs for t in sub.tensors if t.is_variable):
        if offline is None or offline.keeps_apart(tensor.index):
            tail.take("variables", _variable_bytes(tensor))
    set_up = _set_up_bytes(tail, graph, handles, planned)
    for tensors in (graph.inputs, graph.outputs):
        tail.take("interpreter", abi.pointer_bytes * len(tensors))
        for tensor in tensors:
            _interface_tensor(tail, tensor)
    return Persistent(tail.used, tail.parts, set_up)


def _interpreter(tail: _Tail, graph: ModelGraph, library: KernelLibrary) -> None:
    wheel = library.is_wheel
    allocator = tflm.RECORDING_BUFFER_ALLOCATOR if wheel else tflm.SINGLE_ARENA_BUFFER_ALLOCATOR
    manager = tflm.RECORDING_MICRO_ALLOCATOR if wheel else tflm.MICRO_ALLOCATOR
    subgraph = tflm.SUBGRAPH_ALLOCATIONS_COMPRESSION if wheel else tflm.SUBGRAPH_ALLOCATIONS
    for record in (allocator, tflm.GREEDY_MEMORY_PLANNER, manager):
        tail.take_struct("interpreter", record)
    variables = _resource_variables(graph)
    if variables:
        tail.take("resource variables", tail.abi.sizeof(tflm.RESOURCE_VARIABLES))
        tail.take("resource variables", tail.abi.sizeof(tflm.RESOURCE_VARIABLE) * len(variables))
    tail.take_struct("interpreter", tflm.BUILTIN_DATA_ALLOCATOR)
    tail.take_struct("interpreter", subgraph, len(graph.subgraphs))
    for sub in graph.subgraphs:
        tail.take_struct("evaluation tensors", tflm.EVAL_TENSOR, len(sub.tensors))
    for sub in graph.subgraphs:
        tail.take_struct("nodes and registrations", tflm.NODE_AND_REGISTRATION, len(sub.ops))


def _operators(
    tail: _Tail, graph: ModelGraph, requests: Requests, library: KernelLibrary, options: Mapping[str, Struct]
) -> None:
    ops = [(s, op) for s, sub in enumerate(graph.subgraphs) for op in sub.ops]
    kinds = {op.kind for _, op in ops}
    layouts = {kind: tail.abi.layout(options[kind]) for kind in kinds if kind in options}
    by_kind = {kind: (layout.size, layout.align) for kind, layout in layouts.items()}
    tail.take_each("options", [by_kind[op.kind] for _, op in ops if op.kind in by_kind])
    data = {kind: library.data(kind) for kind in kinds}
    kept = {kind: (tail.abi.sizeof(each), ALIGNMENT) for kind, each in data.items() if each is not None}
    tail.take_each("kernels", [kept[op.kind] for _, op in ops if op.kind in kept])
    assigned: set[str] = set()
    for s, op in ops:
        if wanted := requests[s, op.index].persistent:
            tail.take_each("kernels", [(size, ALIGNMENT) for size in wanted])
        if op.kind == "ASSIGN_VARIABLE":
            _assigned_variable(tail, graph, s, op.inputs, assigned)


def _assigned_variable(
    tail: _Tail, graph: ModelGraph, index: int, inputs: tuple[int, ...], assigned: set[str]
) -> None:
    """The first assignment that sees the handle's own subgraph allocates the variable."""
    sub = graph.subgraphs[index]
    names = {
        op.outputs[0]: op.option_str("shared_name_untrusted", "")
        for op in sub.ops
        if op.kind == "VAR_HANDLE" and op.outputs
    }
    if len(inputs) < 2 or inputs[0] not in names or names[inputs[0]] in assigned:
        return
    assigned.add(names[inputs[0]])
    tail.take("resource variables", _variable_bytes(sub.tensors[inputs[1]]))


def _resource_variables(graph: ModelGraph) -> set[str]:
    return {
        op.option_str("shared_name_untrusted", "")
        for sub in graph.subgraphs
        for op in sub.ops
        if op.kind == "VAR_HANDLE"
    }


def _interface_tensor(tail: _Tail, tensor: Tensor) -> None:
    """An input or output as the application sees it, with its quantisation."""
    tail.take_struct("interface tensors", tflm.TENSOR)
    if tensor.quantization is not None and tensor.quantization.scales:
        tail.take_struct("quantization", tflm.AFFINE_QUANTIZATION)
        tail.take("quantization", 4 * (1 + len(tensor.quantization.scales)), 4)


def _variable_bytes(tensor: Tensor) -> int:
    size = interpreter_bytes(tensor)
    if size is None:
        raise UnplannableError(f"the size of variable {tensor.index} is not known before the model runs")
    return size


def _set_up_bytes(tail: _Tail, graph: ModelGraph, handles: int, planned: int) -> int:
    """While it plans, the interpreter notes every tensor and every buffer at the head of the arena."""
    abi = tail.abi
    head = abi.sizeof(tflm.SCRATCH_BUFFER_REQUEST) * (handles + _SCRATCH_REQUESTS_PER_OPERATOR)
    head = rounded_up(head, abi.pointer_bytes) + abi.pointer_bytes * len(graph.subgraphs)
    notes = sum(len(sub.tensors) for sub in graph.subgraphs) + handles
    head = rounded_up(head, abi.pointer_bytes) + abi.sizeof(tflm.ALLOCATION_INFO) * notes
    head = rounded_up(head, ALIGNMENT) + abi.sizeof(tflm.PLANNED_BUFFER) * planned
    return rounded_up(head, ALIGNMENT) + rounded_up(tail.used, ALIGNMENT)
