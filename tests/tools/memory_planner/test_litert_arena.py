"""LiteRT's arena, held against where ai-edge-litert really puts its tensors."""

from pathlib import Path

import pytest

from edgewright.tools.api.memory import plan_memory
from edgewright.tools.core.deployment import deployment
from edgewright.tools.graph import DType, ModelGraph, Op, Quantization, Subgraph, Tensor
from edgewright.tools.memory_planner.litert.sharing import shared_tensors
from edgewright.tools.memory_planner.memory_plan import MemoryPlan
from edgewright.tools.model_formats.source import parse_model
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture

LITERT = deployment("host-x86-64", "litert-xnnpack")
UNIT = Quantization((1.0,), (0,))


def in_place(length: int = 6) -> ModelGraph:
    """Sums, products and views of 100 numbers, one of which is read twice."""
    shape = Tensor(length + 1, "shape", (2,), DType.INT32, 8, is_constant=True, values=(1, 100))
    tensors = tuple(Tensor(i, f"t{i}", (1, 100), DType.FLOAT32) for i in range(length + 1))
    ops = (
        Op(0, "ADD", (0, 0), (1,)),
        Op(1, "MUL", (1, 1), (2,)),
        Op(2, "SOFTMAX", (2,), (3,), options={"beta": 1.0}),
        Op(3, "RESHAPE", (3, length + 1), (4,)),
        Op(4, "SUB", (4, 3), (5,)),
        Op(5, "ADD", (5, 0), (6,)),
    )
    main = Subgraph("", (*tensors, shape), ops, (0,), (6,))
    return ModelGraph("in place", "architecture", "0", None, (main,))


def addresses(model: bytes) -> dict[int, tuple[int, int]]:
    """Address and bytes of each tensor that has memory, with the reference kernels."""
    litert = pytest.importorskip("ai_edge_litert.interpreter")
    interpreter = litert.Interpreter(
        model_content=model, experimental_op_resolver_type=litert.OpResolverType.BUILTIN_REF
    )
    interpreter.allocate_tensors()
    found = {}
    for tensor in interpreter.get_tensor_details():
        try:
            data = interpreter.tensor(tensor["index"])()
        except ValueError:
            continue
        found[tensor["index"]] = (data.__array_interface__["data"][0], data.nbytes)
    return found


def offsets(plan: MemoryPlan) -> dict[int, int]:
    return {t.tensor: t.offset for t in plan.tensors if t.tensor is not None and t.offset is not None}


def test_what_is_written_over_its_input_lies_where_litert_puts_it() -> None:
    model = write_tflite(in_place())
    planned, real = offsets(plan_memory(parse_model(model), LITERT)), addresses(model)
    lowest = min(real[t][0] for t in planned)
    assert planned == {t: real[t][0] - lowest for t in planned}


def test_inputs_outputs_and_what_is_read_twice_are_not_written_over() -> None:
    assert shared_tensors(in_place().main) == {3: 2, 4: 2, 5: 2}


@pytest.mark.parametrize("name", ["ad", "kws", "ic", "vww", "mobilenet_v2:int8"])
def test_the_arena_is_as_large_as_litert_makes_it(name: str) -> None:
    model = write_tflite(build_architecture(name))
    plan, real = plan_memory(parse_model(model), LITERT), addresses(model)
    held = [real[t] for t in offsets(plan)]
    assert max(a + size for a, size in held) - min(a for a, _ in held) == plan.arena_bytes


def test_the_arena_of_published_models_is_as_large_as_litert_makes_it(shared_models: Path) -> None:
    for path in ("mlperf-tiny/vww_96_int8", "tinymaix/vww96_q", "st-modelzoo-2024/st_yolo_lc_v1_192_int8"):
        model = next(shared_models.glob(f"{path}*.tflite"), None)
        if model is None:
            continue
        plan, real = plan_memory(model, LITERT), addresses(model.read_bytes())
        held = [real[t] for t in offsets(plan)]
        assert max(a + size for a, size in held) - min(a for a, _ in held) == plan.arena_bytes


def test_the_bound_counts_what_is_shared_once() -> None:
    plan = plan_memory(in_place(), LITERT)
    assert plan.lower_bound_bytes == 3 * 400
    assert plan.lower_bound_bytes <= (plan.arena_bytes or 0)
