"""C++ that registers operators and makes TFLite Micro's interpreter, for a model or without one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .operators import Registration

ALIGNMENT = 16


def resolver_lines(calls: Sequence[Registration]) -> Iterator[str]:
    """Its type, and the function that registers with it."""
    yield f"using Resolver = tflite::MicroMutableOpResolver<{max(1, len(calls))}>;"
    yield ""
    yield "TfLiteStatus RegisterOperators(Resolver& resolver) {"
    for each in calls:
        yield f"  if (resolver.{each.call} != kTfLiteOk) return kTfLiteError;"
    if not calls:
        yield "  (void)resolver;"
    yield "  return kTfLiteOk;"
    yield "}"


def set_up_lines(variables: int = 0, *, measured: bool = False) -> Iterator[str]:
    """The function that makes the interpreter, once."""
    yield "bool SetUpModel() {"
    yield "  tflite::InitializeTarget();"
    yield "  const tflite::Model* model = tflite::GetModel(model_data);"
    yield "  if (model->version() != TFLITE_SCHEMA_VERSION) {"
    yield '    MicroPrintf("The model has another schema than this library.");'
    yield "    return false;"
    yield "  }"
    yield "  static Resolver resolver;"
    yield "  if (RegisterOperators(resolver) != kTfLiteOk) return false;"
    profiler = ", ModelProfiler()" if measured else ""
    if variables:
        yield "  tflite::MicroAllocator* allocator ="
        yield "      tflite::MicroAllocator::Create(tensor_arena, kTensorArenaSize);"
        yield "  tflite::MicroResourceVariables* variables ="
        yield f"      tflite::MicroResourceVariables::Create(allocator, {variables});"
        yield f"  static tflite::MicroInterpreter made(model, resolver, allocator, variables{profiler});"
    else:
        more = f", nullptr{profiler}" if measured else ""
        arena = f"tensor_arena, kTensorArenaSize{more}"
        yield f"  static tflite::MicroInterpreter made(model, resolver, {arena});"
    yield "  if (made.AllocateTensors() != kTfLiteOk) {"
    yield '    MicroPrintf("The arena of %d bytes is too small.", static_cast<int>(kTensorArenaSize));'
    yield "    return false;"
    yield "  }"
    yield "  interpreter = &made;"
    yield "  return true;"
    yield "}"
