"""The C++ that sets TFLite Micro's interpreter up for one model.

Interfaces: tflite-micro at 90b983c2, tensorflow/lite/micro/micro_interpreter.h, micro_allocator.h,
micro_resource_variable.h and system_setup.h.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence

from ..core.deployment import Deployment
from ..core.records import dataclass
from ..graph import ModelGraph, Tensor
from ..memory_planner.kernels.abi import abi_of
from ..memory_planner.memory_plan import MemoryPlan
from .cpp import comment, element_type, float_literal
from .interpreter import ALIGNMENT, resolver_lines, set_up_lines
from .operators import Registrations
from .preparing import preparing_bytes

HEADER, SOURCE, DATA = "model_runner.h", "model_runner.cc", "model_data.cc"
_ARENA = "uint8_t tensor_arena[kTensorArenaSize];"
_MODEL = "const unsigned char model_data[]"
_ATTRIBUTES = r'alignas\(16\) (?:static )?(?:[A-Za-z_]+(?:\([A-Za-z0-9_."()]{1,120}\))? )?'
_TOOLCHAIN_HEADERS = {
    "EXT_RAM_BSS_ATTR": "esp_attr.h",
    "__in_flash": "pico/platform/sections.h",
    "__not_in_flash": "pico/platform/sections.h",
    "Z_GENERIC_SECTION": "zephyr/linker/section_tags.h",
    "LINKER_DT_NODE_REGION_NAME_TOKEN": "zephyr/linker/devicetree_regions.h",
    "DT_NODELABEL": "zephyr/devicetree.h",
}
"""Word of a linker hint → header that defines it."""


@dataclass(frozen=True)
class Placed:
    """How one array is declared so that it lies where the plan puts it."""

    declaration: str
    script: str
    """What the linker script or the project has to say besides."""

    @property
    def headers(self) -> list[str]:
        return [file for word, file in _TOOLCHAIN_HEADERS.items() if word in self.declaration]


def arena_size(graph: ModelGraph, deployment: Deployment, plan: MemoryPlan) -> int | None:
    """Bytes that surely suffice, set-up included, rounded up to the alignment; None while it is not known."""
    if plan.arena_bytes is None or plan.arena.high is None:
        return None
    preparing = preparing_bytes(graph, plan, abi_of(deployment.core))
    most = max(plan.arena_bytes, plan.arena_set_up_bytes or 0, math.ceil(plan.arena.high), preparing)
    return -(-most // ALIGNMENT) * ALIGNMENT


def placed_arena(plan: MemoryPlan, toolchains: Collection[str] | None = None) -> Placed:
    """Where the plan puts it; by the compiler under a linker script that is none of `toolchains`."""
    usual = f"alignas({ALIGNMENT}) {_ARENA}"
    return _placed(plan, "arena", _ATTRIBUTES + re.escape(_ARENA), usual, toolchains)


def placed_model(plan: MemoryPlan, toolchains: Collection[str] | None = None) -> Placed:
    """Up to the brackets."""
    usual = f"alignas({ALIGNMENT}) {_MODEL}"
    found = _placed(plan, "weights", _ATTRIBUTES + re.escape(_MODEL) + r".*", usual, toolchains)
    return Placed(found.declaration.partition("[]")[0] + "[]", found.script)


def _placed(
    plan: MemoryPlan, part: str, pattern: str, usual: str, toolchains: Collection[str] | None
) -> Placed:
    """By the plan's hint where that is a declaration; as the compiler does it otherwise."""
    hint = next((hint for hint in plan.linker if hint.part == part), None)
    if hint is not None and toolchains is not None and hint.toolchain not in toolchains:
        return Placed(usual, "")
    if hint is None or re.fullmatch(pattern, hint.declaration) is None:
        return Placed(usual, "" if hint is None else "; ".join(filter(None, (hint.declaration, hint.script))))
    return Placed(hint.declaration, hint.script)


def header_text(graph: ModelGraph, deployment: Deployment, arena_bytes: int | None) -> str:
    lines = [
        comment(f"Runs model {graph.sha256[:16]} on {deployment.target.id} with {deployment.runtime.id}."),
        "#ifndef MODEL_RUNNER_H_",
        "#define MODEL_RUNNER_H_",
        "",
        "#include <cstddef>",
        "#include <cstdint>",
        "",
        f"extern {_MODEL};",
        "",
        *_arena_constant(arena_bytes),
        "",
        *_interface("Input", graph.inputs),
        *_interface("Output", graph.outputs),
        "// Call once; false where the model and the program do not fit each other.",
        "bool SetUpModel();",
        "// Computes the outputs from the inputs.",
        "bool RunModel();",
        "// What the arena really holds after set-up.",
        "size_t ArenaUsedBytes();",
        "",
        "#endif  // MODEL_RUNNER_H_",
    ]
    return "\n".join(lines) + "\n"


def _arena_constant(arena_bytes: int | None) -> list[str]:
    if arena_bytes is not None:
        return [f"constexpr size_t kTensorArenaSize = {arena_bytes};"]
    return [
        "#ifndef TENSOR_ARENA_SIZE",
        '#error "No plan tells this arena: define TENSOR_ARENA_SIZE, and lower it to ArenaUsedBytes()."',
        "#endif",
        "constexpr size_t kTensorArenaSize = TENSOR_ARENA_SIZE;",
    ]


def _interface(side: str, tensors: Sequence[Tensor]) -> Iterator[str]:
    for number, tensor in enumerate(tensors):
        name = f"{side}{number}"
        yield comment(f"{name}: {' x '.join(map(str, tensor.shape)) or 'one value'}, {tensor.dtype}")
        if tensor.elements is not None:
            yield f"constexpr size_t k{name}Elements = {tensor.elements};"
        yield from _scales(name, tensor)
        yield f"{element_type(tensor) or 'void'}* {name}();"
        yield ""


def _scales(name: str, tensor: Tensor) -> Iterator[str]:
    """Real value = scale times (stored value - zero point)."""
    known = tensor.quantization
    if known is None or len(known.scales) != 1 or tensor.dtype.is_float:
        return
    scale = float_literal(known.scales[0])
    if scale is not None:
        yield f"constexpr float k{name}Scale = {scale};"
        zero = known.zero_points[0] if known.zero_points else 0
        yield f"constexpr int32_t k{name}ZeroPoint = {int(zero)};"


def source_text(graph: ModelGraph, needed: Registrations, arena: Placed, *, measured: bool = False) -> str:
    variables = _resource_variables(graph)
    includes = [
        "tensorflow/lite/micro/micro_interpreter.h",
        "tensorflow/lite/micro/micro_log.h",
        "tensorflow/lite/micro/micro_mutable_op_resolver.h",
        "tensorflow/lite/micro/system_setup.h",
        "tensorflow/lite/schema/schema_generated.h",
        *(["tensorflow/lite/micro/micro_allocator.h"] if variables else []),
        *(["tensorflow/lite/micro/micro_resource_variable.h"] if variables else []),
        *(["tensorflow/lite/micro/micro_profiler_interface.h"] if measured else []),
    ]
    declarations = [call.declaration for call in needed.calls if call.declaration]
    lines = [
        f'#include "{HEADER}"',
        "",
        *(f"#include <{file}>" for file in arena.headers),
        *(f'#include "{file}"' for file in sorted(includes)),
        "",
        *(["// Custom operators: yours to define."] if declarations else []),
        *declarations,
        *([""] if declarations else []),
        *(["tflite::MicroProfilerInterface* ModelProfiler();  // board.cc", ""] if measured else []),
        "namespace {",
        "",
        *resolver_lines(needed.calls),
        "",
        *([comment(f"Besides: {arena.script}")] if arena.script else []),
        arena.declaration,
        "tflite::MicroInterpreter* interpreter = nullptr;",
        "",
        "}  // namespace",
        "",
        *set_up_lines(variables, measured=measured),
        "",
        "bool RunModel() { return interpreter != nullptr && interpreter->Invoke() == kTfLiteOk; }",
        "",
        "size_t ArenaUsedBytes() { return interpreter == nullptr ? 0 : interpreter->arena_used_bytes(); }",
        "",
        *_accessors("Input", "input", graph.inputs),
        *_accessors("Output", "output", graph.outputs),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def _resource_variables(graph: ModelGraph) -> int:
    return len({
        op.option_str("shared_name_untrusted", "")
        for sub in graph.subgraphs
        for op in sub.ops
        if op.kind == "VAR_HANDLE"
    })  # fmt: skip


def _accessors(side: str, method: str, tensors: Sequence[Tensor]) -> Iterator[str]:
    for number, tensor in enumerate(tensors):
        kind = element_type(tensor)
        got = f"interpreter->typed_{method}_tensor<{kind}>({number})"
        if kind is None:
            got = f"interpreter->{method}({number})->data.data"
        yield f"{kind or 'void'}* {side}{number}() {{"
        yield f"  return interpreter == nullptr ? nullptr : {got};"
        yield "}"
        yield ""


def array_head(model: Placed) -> str:
    """What stands before the bytes of the array that the program reads."""
    lines = [*(f"#include <{header}>" for header in model.headers), f'#include "{HEADER}"']
    return "\n".join((*lines, f"{model.declaration} = {{"))


def data_command(model: Placed, file: str = "model.tflite") -> str:
    """Turns a model's file into that array."""
    lines = array_head(model).split("\n")
    quoted = " ".join("'" + line.replace("'", "'\\''") + "'" for line in lines)
    return f"{{ printf '%s\\n' {quoted}; xxd -i < {file}; echo '}};'; }} > {DATA}"
