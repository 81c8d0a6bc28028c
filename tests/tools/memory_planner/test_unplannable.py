"""Models that no plan can be made for, and targets that do not tell enough: a reason, and never a number."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from corpora.tflm_large import large_network
from corpora.tflm_parts import graph, model, tensor

from edgewright.hardware_db.errors import EdgewrightError
from edgewright.tools.api.memory import plan_memory
from edgewright.tools.core.deployment import Deployment, deployment
from edgewright.tools.core.quantity import Basis
from edgewright.tools.graph import DType, ModelGraph, Op
from edgewright.tools.model_formats.source import parse_model
from edgewright.tools.model_formats.writer.tflite import write_tflite

TFLM = [
    deployment("host-x86-64", "tflm-reference"),
    deployment("rp2040", "tflm-cmsis-nn"),
    deployment("stm32h743zi", "tflm-cmsis-nn"),
    deployment("esp32-s3", "tflm-esp-nn"),
]
F = DType.FLOAT32


def relu(*shape: int) -> ModelGraph:
    return graph(
        "relu", model([tensor(0, shape, F), tensor(1, shape, F)], [Op(0, "RELU", (0,), (1,))], [0], [1])
    )


def circle() -> ModelGraph:
    """Two operators that each wait for the other."""
    tensors = [tensor(i, (1, 8), F) for i in range(3)]
    add = {"fused_activation_function": "NONE"}
    ops = [Op(0, "ADD", (0, 2), (1,), options=add), Op(1, "RELU", (1,), (2,))]
    return graph("circle", model(tensors, ops, [0], [2]))


def called_by_itself() -> ModelGraph:
    tensors = [tensor(0, (1,), DType.BOOL), tensor(1, (1, 8), F), tensor(2, (1, 8), F)]
    op = Op(0, "IF", (0, 1), (2,), options={"then_subgraph_index": 0, "else_subgraph_index": 0})
    return graph("self", model(tensors, [op], [0, 1], [2]))


def calling_nothing() -> ModelGraph:
    made = called_by_itself()
    op = replace(made.ops[0], options={"then_subgraph_index": 7, "else_subgraph_index": 8})
    return replace(made, subgraphs=(replace(made.main, ops=(op,)),))


def without_weights() -> ModelGraph:
    made = relu(1, 8, 8, 3)
    return replace(made, subgraphs=(replace(made.main, ops=(Op(0, "CONV_2D", (0,), (1,)),)),))


HOPELESS = {
    "a dimension that is not known": (relu(1, -1), "not known before the model runs"),
    "a circle": (circle(), "operator 0 reads what operator 1 computes later"),
    "a subgraph that calls itself": (called_by_itself(), "subgraph 0 calls itself"),
    "a subgraph that is not there": (calling_nothing(), "calls subgraph 7"),
    "2^40 bytes": (relu(2**20, 2**18), "the interpreter counts with 31 bits"),
    "2^31 bytes": (relu(2**29), "the interpreter counts with 31 bits"),
    "2^31 bytes in all": (relu(2**28), "the interpreter counts with 31 bits"),
    "an empty tensor": (relu(0, 8), "refuses one that is empty"),
    "an operator that lacks its weights": (without_weights(), "lacks its input 1"),
}  # fmt: skip


@pytest.mark.parametrize(
    "deployment", TFLM, ids=lambda deployment: f"{deployment.target.id}-{deployment.runtime.id}"
)
@pytest.mark.parametrize("case", HOPELESS)
def test_what_cannot_be_planned_gets_a_reason_and_no_number(case: str, deployment: Deployment) -> None:
    net, reason = HOPELESS[case]
    plan = plan_memory(net, deployment)
    known = (plan.arena_bytes, plan.arena_nonpersistent_bytes, plan.arena_persistent_bytes, plan.arena.value)
    assert known == (None, None, None, None)
    assert plan.arena_basis is Basis.UNKNOWN
    assert plan.fits is not True
    assert plan.warnings[0].startswith("arena not known: ")
    assert reason in plan.warnings[0]


def test_a_shape_that_is_given_makes_an_open_model_plannable(tmp_path: Path) -> None:
    path = tmp_path / "open.tflite"
    path.write_bytes(write_tflite(relu(1, -1)))
    assert plan_memory(parse_model(path), TFLM[0]).arena_bytes is None
    assert plan_memory(parse_model(path, shape="1,20"), TFLM[0]).arena_nonpersistent_bytes == 2 * 80


def test_a_circle_in_a_file_is_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "circle.tflite"
    path.write_bytes(write_tflite(circle()))
    with pytest.raises(EdgewrightError, match="operator 0 reads tensor 2"):
        parse_model(path)


def test_a_target_that_tells_no_ram_leaves_open_whether_the_model_fits() -> None:
    where = TFLM[2]
    bare = where.model_copy(update={"target": where.target.model_copy(update={"memories": ()})})
    plan = plan_memory(relu(1, 64), bare)
    assert plan.arena_bytes is not None
    assert plan.fits is None
    assert plan.regions == ()


@pytest.mark.parametrize(
    "deployment", TFLM, ids=lambda deployment: f"{deployment.target.id}-{deployment.runtime.id}"
)
def test_five_thousand_operators_are_planned(deployment: Deployment) -> None:
    plan = plan_memory(large_network(5000), deployment)
    assert len(plan.timeline) == 5000
    assert plan.arena_nonpersistent_bytes is not None
    assert plan.arena_nonpersistent_bytes >= (plan.lower_bound_bytes or 0) > 0
    assert plan.arena_basis is Basis.DERIVED
