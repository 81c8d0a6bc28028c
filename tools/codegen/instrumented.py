"""Firmware that measures itself and proves itself right: the files beside the code that runs the model.

What is the same for every model lies in the folder `board` as C++; the rest is written here.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..core.deployment import Deployment
from ..core.records import dataclass
from ..graph import DType, ModelGraph, Tensor
from .cpp import comment, string_literal
from .tflm import DATA, HEADER

PORT, MEASURES, CONSTANTS, GOLDEN = "board_port.h", "board.cc", "board_model.h", "golden_vectors.cc"
_FOLDER = Path(__file__).with_name("board")
_SPARE = 8
"""Operators beyond those of the graph, as a library may split some."""
_BYTES_A_LINE = 20
_NPUS = {"ethos-u": 55, "ethos-u85": 85}
"""Runtime → generation; the events of an Ethos-U65 are called as those of a U55."""
_INTEGERS = {
    DType.INT8: ("i", 1), DType.INT16: ("i", 2), DType.INT32: ("i", 4), DType.INT64: ("i", 8),
    DType.UINT8: ("u", 1), DType.UINT32: ("u", 4), DType.BOOL: ("u", 1), DType.FLOAT32: ("f", 4),
}  # fmt: skip
"""Type → what the firmware compares it as, and its bytes."""


@dataclass(frozen=True)
class GoldenVector:
    """Content of all inputs, and of all outputs that belong to them, as they lie in memory."""

    inputs: tuple[bytes, ...]
    outputs: tuple[bytes, ...]


@dataclass(frozen=True)
class Instrument:
    """What firmware needs beside the model's code to measure itself."""

    model: bytes | None
    """None where a compiler changes it after this."""
    vectors: tuple[GoldenVector, ...] = ()
    notes: tuple[str, ...] = ()
    """Where the vectors are from, or why there are none."""


def board_files(
    graph: ModelGraph, deployment: Deployment, given: Instrument, array_head: str | None
) -> dict[str, str]:
    """
    Args:
        array_head: what stands before the bytes of the model's array; None where the build makes it.
    """
    files = {name: _FOLDER.joinpath(name).read_text(encoding="utf-8") for name in (MEASURES, PORT)}
    files[CONSTANTS] = _constants(graph, deployment, given)
    files[GOLDEN] = _golden(graph, given.vectors)
    if given.model is not None and array_head is not None:
        files[DATA] = _data(given.model, array_head)
    return files


def main_file() -> dict[str, str]:
    return {"main.cc": "void BoardMain();  // board.cc\n\nint main() { BoardMain(); }\n"}


def comparable(tensors: Sequence[Tensor]) -> bool:
    """Whether the size and the type of all of them are known to the firmware."""
    return all(one.elements is not None and one.dtype in _INTEGERS for one in tensors)


def _constants(graph: ModelGraph, deployment: Deployment, given: Instrument) -> str:
    content = given.model or b""
    lines = [
        comment(f"What board.cc has to know of model {graph.sha256[:16]}."),
        "#ifndef BOARD_MODEL_H_",
        "#define BOARD_MODEL_H_",
        "",
        "#include <cstddef>",
        "#include <cstdint>",
        "",
        f'#include "{HEADER}"',
        "",
        *_npu(deployment),
        "#ifndef BOARD_CLOCK_HZ",
        comment("As planned; where the core runs at another clock, that one is to be given."),
        f"#define BOARD_CLOCK_HZ {round(deployment.clock_mhz * 1e6)}u",
        "#endif",
        "",
        "namespace board {",
        "",
        f"constexpr const char* kModel = {string_literal(graph.sha256[:16])};",
        f"constexpr const char* kTarget = {string_literal(deployment.target.id)};",
        f"constexpr const char* kRuntime = {string_literal(deployment.runtime.id)};",
        comment("Of the model's array; 0 where a compiler still changes it."),
        f"constexpr uint32_t kModelBytes = {len(content)};",
        f"constexpr int kOperators = {len(graph.ops) + _SPARE};",
        "",
        "struct Tensor {",
        "  void* (*data)();",
        "  uint32_t bytes;",
        "  char type;  // i, u: whole numbers with and without a sign, f: float32",
        "  uint8_t element_bytes;",
        "};",
        "",
        *_tensors("Input", graph.inputs),
        *_tensors("Output", graph.outputs),
        f"constexpr int kVectors = {len(given.vectors)};",
        "extern const unsigned char* const kGoldenInputs[];",
        "extern const unsigned char* const kGoldenOutputs[];",
        "",
        "}  // namespace board",
        "",
        "#endif  // BOARD_MODEL_H_",
    ]
    return "\n".join(lines) + "\n"


def _npu(deployment: Deployment) -> Iterator[str]:
    """Which counters of its PMU there are goes by the NPU's generation."""
    if deployment.runtime.id in _NPUS:
        yield comment("Generation of the NPU, whose PMU is read through Arm's driver.")
        yield f"#define BOARD_ETHOS_U {_NPUS[deployment.runtime.id]}"
        yield ""


def _tensors(side: str, tensors: Sequence[Tensor]) -> Iterator[str]:
    if not comparable(tensors):
        tensors = ()
    yield f"constexpr int k{side}Count = {len(tensors)};"
    yield f"constexpr Tensor k{side}s[] = {{"
    for number, tensor in enumerate(tensors):
        kind, size = _INTEGERS[tensor.dtype]
        getter = f"[]() -> void* {{ return {side}{number}(); }}"
        yield f"    {{{getter}, {(tensor.elements or 0) * size}, '{kind}', {size}}},"
    if not tensors:
        yield "    {nullptr, 0, 'u', 1},"
    yield "};"
    yield ""


def _golden(graph: ModelGraph, vectors: Sequence[GoldenVector]) -> str:
    lines = [
        comment(f"Inputs of model {graph.sha256[:16]}, and the outputs that were computed of them."),
        f'#include "{CONSTANTS}"',
        "",
        "namespace board {",
        "namespace {",
        "",
    ]
    names: dict[str, list[str]] = {"Inputs": [], "Outputs": []}
    for number, vector in enumerate(vectors):
        for side, contents in (("Inputs", vector.inputs), ("Outputs", vector.outputs)):
            for at, content in enumerate(contents):
                name = f"k{side}{number}_{at}"
                names[side].append(name)
                lines += [f"alignas(16) const unsigned char {name}[] = {{", *_bytes(content), "};", ""]
    lines += ["}  // namespace", ""]
    for side, own in names.items():
        listed = ", ".join(own) or "nullptr"
        lines += [f"const unsigned char* const kGolden{side}[] = {{{listed}}};"]
    return "\n".join([*lines, "", "}  // namespace board"]) + "\n"


def _data(content: bytes, head: str) -> str:
    checked = comment(f"CRC-32 {zlib.crc32(content):08x}, {len(content):,} bytes.")
    return "\n".join([checked, head, *_bytes(content), "};"]) + "\n"


def _bytes(content: bytes) -> Iterator[str]:
    for at in range(0, len(content), _BYTES_A_LINE):
        yield "  " + "".join(f"{byte}," for byte in content[at : at + _BYTES_A_LINE])
