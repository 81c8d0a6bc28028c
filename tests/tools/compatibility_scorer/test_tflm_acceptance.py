from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import tflite

from edgewright.hardware_db import load_runtime
from edgewright.tools.api.compatibility import score_compatibility
from edgewright.tools.core.deployment import Deployment
from edgewright.tools.graph import DType, ModelGraph, Op
from edgewright.tools.model_formats.source import parse_model
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.verdicts.verdict import Verdict

SAMPLED = 40
BUILTINS = {name for name in vars(tflite.BuiltinOperator) if name.isupper()} - {
    "CUSTOM", "DELEGATE", "PLACEHOLDER_FOR_GREATER_OP_CODES",
}  # fmt: skip


def test_the_verdict_is_what_tflms_interpreter_does_with_published_models(
    shared_models: Path,
    place: Callable[..., Deployment],
    tflm_accepts: Callable[[bytes], bool],
) -> None:
    files = sorted(shared_models.rglob("*.tflite"))
    where = place("tflm-reference", isa="x86-64")
    outcomes = set()
    for path in files[:: -(-len(files) // SAMPLED)]:
        runs = tflm_accepts(path.read_bytes())
        verdict = score_compatibility(parse_model(path), where).verdict
        assert (verdict in {Verdict.PASS, Verdict.MARGINAL}) is runs, f"{path.name}: {verdict}"
        outcomes.add(runs)
    assert outcomes == {True, False}


def test_the_interpreter_registers_the_builtin_operators_that_are_listed_and_no_others(
    one_op: Callable[..., ModelGraph],
    tflm_accepts: Callable[[bytes], bool],
    capfd: pytest.CaptureFixture[str],
) -> None:
    # Followed by TILE, which it does not know, no model gets as far as a kernel that lacks inputs.
    registered = set()
    for kind in BUILTINS - {"TILE"}:
        given = ((DType.FLOAT32, (1, 4)),)
        graph = one_op(kind, given, given)
        ops = (*graph.ops, Op(1, "TILE", (1,), (1,)))
        tflm_accepts(write_tflite(replace(graph, subgraphs=(replace(graph.main, ops=ops),))))
        if f"builtin opcode '{kind}'" not in capfd.readouterr().err:
            registered.add(kind)
    listed = load_runtime("tflm-reference").operators
    assert registered == {kind for kind in listed if not kind.startswith("CUSTOM:")}
