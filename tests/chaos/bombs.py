"""Small files that mean a lot, models of 20,000 operators, and texts that grow: each in bounded time and memory."""

from __future__ import annotations

import contextlib
import gc
import io
import json
import struct
import time
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

from edgewright.hardware_db.errors import EdgewrightError
from edgewright.tools.core.deployment import Deployment, deployment
from edgewright.tools.graph import ModelGraph
from edgewright.tools.graph.builder import GraphBuilder
from stubs.gguf_writer import LLAMA, gguf_bytes
from tests.fuzz.formats import NCNN
from tests.fuzz.graphs import CALLS, Call
from tests.fuzz.trial import in_a_process, reading_of
from tests.hardening import Row

CPU_S, MORE_BYTES = 0.5, 200 << 20
MOST_S, MOST_TIMES = 5, 5
"""Of 20,000 operators or tensors, and against a quarter of them."""
BOARDS = ("stm32h743zi", "rpi4")
"""Of which runtimes plan memory each in its own way."""
Bomb = tuple[str, str, bytes]
"""Its name, the format that it claims to be, and what it holds."""


def _onnx() -> Iterator[Bomb]:
    from onnx import TensorProto, helper

    def model(nodes: list[object], constants: list[object] | None = None, shape: tuple[int, ...] = (1, 8),
              functions: list[object] | None = None) -> bytes:  # fmt: skip
        given = [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)]
        out = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
        graph = helper.make_graph(nodes, "g", given, out, constants or [])
        opsets = [helper.make_opsetid("", 20), helper.make_opsetid("my", 1)]
        return bytes(
            helper.make_model(graph, opset_imports=opsets, functions=functions or []).SerializeToString()
        )

    for power in (40, 48, 55, 62):
        yield (
            f"a tensor of 2^{power}",
            "onnx",
            model([helper.make_node("Relu", ["x"], ["y"])], shape=(1 << power,)),
        )
        dims = helper.make_tensor("w", TensorProto.FLOAT, (4,), [0.0] * 4)
        dims.dims[:] = [1 << power, 4]
        yield (
            f"weights declared 2^{power}",
            "onnx",
            model([helper.make_node("MatMul", ["x", "w"], ["y"])], [dims]),
        )
        sizes = helper.make_tensor("s", TensorProto.INT64, (2,), [1 << power // 2, 1 << power // 2])
        yield f"Expand to 2^{power}", "onnx", model([helper.make_node("Expand", ["x", "s"], ["y"])], [sizes])
        yield f"Tile by 2^{power}", "onnx", model([helper.make_node("Tile", ["x", "s"], ["y"])], [sizes])
    for levels in (20, 30, 40, 60):
        made = []
        for level in range(levels):
            callee, domain = ("Relu", "") if level == levels - 1 else (f"f{level + 1}", "my")
            nodes = [helper.make_node(callee, ["p"], ["q"], domain=domain),
                     helper.make_node(callee, ["q"], ["o"], domain=domain)]  # fmt: skip
            made.append(helper.make_function("my", f"f{level}", ["p"], ["o"], nodes,
                        [helper.make_opsetid("", 20), helper.make_opsetid("my", 1)]))  # fmt: skip
        whole = model([helper.make_node("f0", ["x"], ["y"], domain="my")], functions=made)
        yield f"functions that double {levels} times", "onnx", whole


def _texts() -> Iterator[Bomb]:
    for depth in (200, 1_000, 10_000, 100_000):
        yield f"YAML nested {depth}", "budget", b"limits: " + b"[" * depth + b"]" * depth
        yield f"JSON nested {depth}", "config.json", b'{"a":' * depth + b"1" + b"}" * depth
        yield f"a trace nested {depth}", "trace", b"[" * depth
    for width in (4, 9, 20):
        lines = ["a0: &a0 [x, x, x, x]"] + [
            f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]" for n in range(1, 12)
        ]
        for name in ("budget", "sweep plan", "pipeline", "target"):
            yield f"YAML aliases {width} wide as {name}", name, "\n".join(lines).encode()
    yield "a million keys", "budget", b"limits: {" + b"".join(b"a%d: 1, " % n for n in range(100_000)) + b"}"
    for many in (2**31, 2**62):
        head = f"7767517\n{many} {many}\n".encode()
        yield f"ncnn of {many} layers", "ncnn", head + NCNN.split(b"\n", 2)[2]
        yield f"ncnn of {many} channels", "ncnn", NCNN.replace(b"0=8", b"0=%d" % many, 1)
    yield "a trace of one line", "trace", b"CONV_2D took " * 200_000
    yield "a session of zeros", "session", bytes(1 << 20)


def _binaries() -> Iterator[Bomb]:
    good = gguf_bytes(tensors=[])
    for many in (2**20, 2**31, 2**40, 2**62, 2**64 - 1):
        yield f"GGUF of {many} tensors", "gguf", good[:8] + struct.pack("<Q", many) + good[16:]
        yield f"GGUF of {many} keys", "gguf", good[:16] + struct.pack("<Q", many) + good[24:]
        yield f"a header of {many}", "safetensors", struct.pack("<Q", many) + b'{"a": {}}'
    for many in (2**31 - 1, 2**32 - 1):
        more = LLAMA | {"llama.block_count": many, "llama.embedding_length": many}
        yield f"GGUF of {many} layers", "gguf", gguf_bytes(more, [])
    shape = {"w": {"dtype": "BF16", "shape": [2**40, 2**40], "data_offsets": [0, 2**60]}}
    header = json.dumps(shape).encode()
    yield "a tensor of 2^80", "safetensors", struct.pack("<Q", len(header)) + header
    for size in (1 << 24, 1 << 27):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("model.tflite", bytes(size))
        yield f"a zip of {size >> 20} MiB of zeros", "archive", out.getvalue()


def every_bomb() -> list[Bomb]:
    return [*_onnx(), *_texts(), *_binaries()]


def bombs() -> list[Row]:
    wrong, found = list[str](), every_bomb()
    for name, kind, content in found:
        told = in_a_process(reading_of(kind, content), CPU_S, MORE_BYTES)
        wrong += [f"{name}: {each}" for each in told]
    return [
        Row("bombs", "60; an error or a result within 0.5 s of CPU and 200 MB", str(len(found)), tuple(wrong))
    ]


def chain(count: int) -> ModelGraph:
    b = GraphBuilder("chain")
    x = b.input((1, 16))
    for number in range(count):
        x = b.unary("RELU" if number % 2 else "TANH", x)
    return b.build([x])


def fan(count: int) -> ModelGraph:
    """All are alive until the last operator reads them."""
    b = GraphBuilder("fan")
    x = b.input((1, 16))
    return b.build([b.concat([b.unary("TANH", x) for _ in range(count)])])


def large(count: int) -> list[Row]:
    rows = []
    boards = {each: deployment(each) for each in BOARDS}
    for name, make in (("operators in a chain", chain), ("tensors alive at once", fan)):
        wrong, slowest, steepest = list[str](), (0.0, ""), (0.0, "")
        for (call_name, call), (board_name, board) in product(CALLS.items(), boards.items()):
            called = f"{call_name} on {board_name}"
            took, ratio = _growing(call, make, count, board)
            slowest, steepest = max(slowest, (took, called)), max(steepest, (ratio, called))
            if took > MOST_S or ratio > MOST_TIMES:
                wrong.append(f"{called}: {took:.1f} s, {ratio:.1f} times that of a quarter")
        rows.append(Row(f"{name}, through every tool", "20,000; at most 5 s, 5 times for 4 times as many",
                        f"{count:,}; longest {slowest[0]:.1f} s ({slowest[1]}), steepest {steepest[0]:.1f} "
                        f"({steepest[1]})", tuple(wrong)))  # fmt: skip
    return rows


def _growing(
    call: Call, make: Callable[[int], ModelGraph], count: int, board: Deployment
) -> tuple[float, float]:
    """CPU seconds for so many, and how many times that of a quarter; again where something else took time."""
    quarters, wholes = list[float](), list[float]()
    gc.disable()  # as the command line does
    try:
        for _ in range(3):
            quarters.append(max(seconds(partial(call, make(count // 4), board)), 0.05))
            wholes.append(seconds(partial(call, make(count), board)))
            if min(wholes) <= MOST_S and min(wholes) <= MOST_TIMES * min(quarters):
                break
    finally:
        gc.enable()
        gc.collect()
    return min(wholes), min(wholes) / min(quarters)


def seconds(do: Callable[[], object]) -> float:
    begun = time.process_time()
    with contextlib.suppress(EdgewrightError):
        do()
    return time.process_time() - begun
