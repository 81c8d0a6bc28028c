"""A whole program for TFLite Micro without a model at hand: its operators are named."""

from __future__ import annotations

from collections.abc import Sequence

from .interpreter import ALIGNMENT, resolver_lines, set_up_lines
from .operators import ADD_METHODS, Registration

_USUAL_ARENA = 64 * 1024
_INCLUDES = (
    "tensorflow/lite/micro/micro_interpreter.h",
    "tensorflow/lite/micro/micro_log.h",
    "tensorflow/lite/micro/micro_mutable_op_resolver.h",
    "tensorflow/lite/micro/system_setup.h",
    "tensorflow/lite/schema/schema_generated.h",
)


def minimal_program(methods: Sequence[str], arena_bytes: int | None = None) -> str:
    """C++ that sets an interpreter up and runs an int8 network once.

    Args:
        methods: of MicroMutableOpResolver, such as AddConv2D.
        arena_bytes: rounded up to the alignment; 64 KiB where it is not known.
    """
    arena = -(-(arena_bytes or _USUAL_ARENA) // ALIGNMENT) * ALIGNMENT
    lines = [
        "#include <algorithm>",
        "#include <cstddef>",
        "#include <cstdint>",
        "",
        *(f'#include "{file}"' for file in _INCLUDES),
        "",
        "extern const unsigned char model_data[];  // xxd -i model.tflite, alignas(16) const",
        "",
        "namespace {",
        "",
        *resolver_lines([Registration(method) for method in methods]),
        "",
        f"constexpr size_t kTensorArenaSize = {arena};",
        f"alignas({ALIGNMENT}) uint8_t tensor_arena[kTensorArenaSize];",
        "tflite::MicroInterpreter* interpreter = nullptr;",
        "",
        "}  // namespace",
        "",
        *set_up_lines(),
        "",
        "// Call SetUpModel() once before; input and output are quantised.",
        "bool RunModel(const int8_t* input, int8_t* output) {",
        "  const TfLiteTensor* in = interpreter->input(0);",
        "  std::copy(input, input + in->bytes, in->data.int8);",
        "  if (interpreter->Invoke() != kTfLiteOk) return false;",
        "  const TfLiteTensor* out = interpreter->output(0);",
        "  std::copy(out->data.int8, out->data.int8 + out->bytes, output);",
        "  return true;",
        "}",
    ]
    return "\n".join(lines)


def methods_for(operators: Sequence[str]) -> tuple[str, ...]:
    """Methods of the resolver for TFLite's names of operators, each once; those that it lacks left out."""
    return tuple(dict.fromkeys(ADD_METHODS[name] for name in operators if name in ADD_METHODS))
