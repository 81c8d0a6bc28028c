"""Generated models held against TensorFlow Lite Micro's own allocations and refusals: a sample of the corpus.

`make bench` runs all of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from corpora.tflm_comparison import compared, unequal, written
from corpora.tflm_graphs import empty_result, graph_models, networks
from corpora.tflm_operators import operator_models, refusable_models

from edgewright.tools import deployment, parse_model, plan_memory, score_compatibility
from edgewright.tools.graph import ModelGraph
from edgewright.tools.verdicts.verdict import Verdict

pytest.importorskip("tflite_micro")
HOST = deployment("host-x86-64", "tflm-reference")
RUNS = {Verdict.PASS, Verdict.MARGINAL}
AT_LEAST = 60


def one_of_each_operator() -> dict[str, ModelGraph]:
    models = operator_models()
    kinds = {graph.ops[0].kind: name for name, graph in models.items()}
    return {name: models[name] for name in kinds.values()}


def accepted(models: Mapping[str, ModelGraph], folder: Path) -> int:
    """How many models the interpreter accepts; each arena has to be as planned."""
    rows = compared(written(models, folder))
    assert unequal(rows) == {}
    return sum(row.told.accepted for row in rows)


def test_the_arena_of_every_operator_equals_tflms(tmp_path: Path) -> None:
    models = one_of_each_operator()
    assert accepted(models, tmp_path) == len(models) >= 90


def test_the_arena_equals_tflms_with_control_flow_state_and_aliases(tmp_path: Path) -> None:
    models = graph_models()
    assert accepted(models, tmp_path) == len(models)


def test_the_arena_equals_tflms_on_random_networks_in_every_type(tmp_path: Path) -> None:
    models = networks(range(6))
    assert accepted(models, tmp_path) == len(models)


def test_the_whole_corpus_is_large() -> None:
    assert len(operator_models()) + len(graph_models()) > 5 * AT_LEAST


def test_a_model_is_said_to_run_where_the_interpreter_runs_it_and_nowhere_else(tmp_path: Path) -> None:
    listed = one_of_each_operator()
    models = {**dict(list(listed.items())[::4]), **dict(list(refusable_models().items())[::9])}
    files = written(models, tmp_path)
    rows = compared(files, invoke=True)
    ran = {row.name: row.told.invoked and not row.told.crashed for row in rows}
    says = {
        name: score_compatibility(parse_model(path), HOST).verdict in RUNS for path, name in files.items()
    }
    assert says == ran
    assert {True, False} <= set(ran.values())


def test_an_empty_result_gets_a_reason_as_the_interpreter_refuses_it(tmp_path: Path) -> None:
    (row,) = compared(written({"empty": empty_result()}, tmp_path))
    assert not row.told.accepted
    assert "Dynamic tensors are not supported" in row.told.said
    plan = plan_memory(empty_result(), HOST)
    assert plan.arena_bytes is None
    assert "[0, 4]: the interpreter refuses one that is empty" in plan.warnings[0]
