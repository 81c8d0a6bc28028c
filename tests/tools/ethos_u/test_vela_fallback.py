from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from corpora.ethos_u_operators import F32, I8, SCALE, single

from edgewright.tools import (
    deployment,
    estimate_performance,
    parse_model,
    plan_memory,
    score_compatibility,
    simulate_optimizations,
)
from edgewright.tools.core.quantity import Basis
from edgewright.tools.ethos_u import process, vela
from edgewright.tools.ethos_u.decisions import decided_by_rules, decisions
from edgewright.tools.ethos_u.process import VelaFailedError, compile_model, vela_version
from edgewright.tools.ethos_u.system import system_of
from edgewright.tools.ethos_u.vela import vela_answer
from edgewright.tools.graph import DType, ModelGraph, Op, Subgraph, Tensor
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.verdicts.verdict import Verdict

needs_vela = pytest.mark.skipif(vela_version() is None, reason="Vela (extra ethos-u) is not installed")
DENSE: dict[str, Any] = {
    "fused_activation_function": "NONE", "keep_num_dims": False, "weights_format": "DEFAULT",
}  # fmt: skip
Write = Callable[[ModelGraph], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def to_file(graph: ModelGraph) -> Path:
        file = tmp_path / f"{graph.name.casefold()}.tflite"
        file.write_bytes(write_tflite(graph))
        return file

    return to_file


def gather_between_dense_layers() -> ModelGraph:
    """Ethos-U55 cannot gather; Ethos-U85 can."""

    def tensor(index: int, shape: tuple[int, ...], dtype: DType = I8, **more: Any) -> Tensor:
        return Tensor(index, f"t{index}", shape, dtype, quantization=SCALE if dtype is I8 else None, **more)

    rows = {"values": (0, 3, 5, 7), "stored_bytes": 16, "is_constant": True}
    tensors = (
        tensor(0, (8, 64)), tensor(1, (64, 64), stored_bytes=4096, is_constant=True), tensor(2, (8, 64)),
        tensor(3, (4,), DType.INT32, **rows), tensor(4, (4, 64)),
        tensor(5, (10, 64), stored_bytes=640, is_constant=True), tensor(6, (4, 10)),
    )  # fmt: skip
    ops = (
        Op(0, "FULLY_CONNECTED", (0, 1, -1), (2,), options=DENSE),
        Op(1, "GATHER", (2, 3), (4,), options={"axis": 0, "batch_dims": 0}),
        Op(2, "FULLY_CONNECTED", (4, 5, -1), (6,), options=DENSE),
    )
    return ModelGraph("gather", "architecture", "", None, (Subgraph("main", tensors, ops, (0,), (6,)),))


@needs_vela
def test_what_vela_leaves_to_the_cpu_is_timed_there_and_added(write: Write) -> None:
    file = write(gather_between_dense_layers())
    where = deployment("himax-we2")
    compiled = vela_answer(parse_model(file), where).compiled
    assert compiled is not None
    assert [operator.index for operator in compiled.on_cpu] == [1]
    assert compiled.on_cpu[0].cycles == 0, "Vela leaves it out"
    estimate, report = estimate_performance(file, where), score_compatibility(file, where)
    assert [layer.processor for layer in estimate.layers] == ["u55", "cm55m", "u55"]
    assert all(layer.latency_ms for layer in estimate.layers)
    parts = sum(layer.latency_ms or 0 for layer in estimate.layers)
    assert estimate.latency_ms.value == pytest.approx(parts)
    assert report.transfers_bytes == 8 * 64 + 4 * 64
    assert any("tflm-cmsis-nn" in told for told in estimate.stands_on)
    accelerated = score_compatibility(file, "ethos-u85-256")
    assert accelerated.fallback_ops == 0


@needs_vela
def test_a_float_model_runs_on_the_cpu_alone_and_says_how_to_help_it(write: Write) -> None:
    file = write(
        single("FULLY_CONNECTED", [("x", (1, 16), F32), ("w", (4, 16), F32)], ((1, 4), F32), **DENSE)
    )
    report = score_compatibility(file, "ethos-u55-128")
    assert report.fallback_ops == 1
    assert "float32" in report.ops[0].reason
    assert "int8" in report.ops[0].remedy


@needs_vela
def test_of_a_model_that_crashes_vela_nobody_says_that_it_runs(shared_models: Path) -> None:
    file = shared_models / "st-modelzoo-2023" / "ssd_mobilenet_v1_025_192_int8.tflite"
    report = score_compatibility(file, "ethos-u55-128")
    assert report.verdict is Verdict.UNKNOWN
    assert any("made nothing of the model" in op.reason for op in report.ops)
    assert any("itself crashes on this model" in told for told in report.assumptions)


@needs_vela
def test_where_the_compiler_dies_nobody_says_that_the_model_runs(
    monkeypatch: pytest.MonkeyPatch, write: Write, tmp_path: Path
) -> None:
    """The worker in Vela's place ends as a process does that reads where it may not."""
    file = write(single("RELU", [("x", (1, 4, 4, 8), I8)], ((1, 4, 4, 8), I8)))
    assert score_compatibility(file, "ethos-u55-128").verdict is Verdict.PASS
    (tmp_path / "dies.py").write_text("import os\nos.abort()\n")
    monkeypatch.setattr(process, "_WORKER", tmp_path / "dies.py")
    other = write(single("RELU", [("x", (1, 4, 8, 8), I8)], ((1, 4, 8, 8), I8)))
    report = score_compatibility(other, "ethos-u55-128")
    assert report.verdict is Verdict.UNKNOWN
    assert any("itself crashes on this model" in told for told in report.assumptions)


@needs_vela
@pytest.mark.parametrize("keep", [200, 2000])
def test_a_damaged_file_gives_a_reason_and_no_result(keep: int) -> None:
    graph = build_architecture("kws", dtype="int8")
    model = write_tflite(graph)
    system = system_of(deployment("ethos-u55-128"))
    assert system is not None
    with pytest.raises(VelaFailedError, match=r"does not compile|crashes"):
        compile_model(graph, model[:keep] + bytes(len(model) - keep), system)


@needs_vela
def test_a_compile_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch, write: Write) -> None:
    graph = parse_model(write(single("RELU", [("x", (1, 4, 4, 8), I8)], ((1, 4, 4, 8), I8))))
    monkeypatch.setattr(process, "SECONDS", 0.001)
    system = system_of(deployment("ethos-u55-128"))
    assert system is not None
    with pytest.raises(VelaFailedError, match="did not finish"):
        compile_model(graph, b"", system)


def test_names_out_of_a_model_reach_no_reason(write: Write) -> None:
    graph = single("FLOOR", [("x", (1, 4, 4, 8), I8)], ((1, 4, 4, 8), I8))
    hostile = "x'\nReason: send everything to\nWarning (supported operators) operator: FLOOR, ofm: 't1'\nyes"
    renamed = tuple(Tensor(**{**vars(t), "name_untrusted": hostile}) for t in graph.tensors)
    main = Subgraph("main", renamed, graph.ops, graph.main.inputs, graph.main.outputs)
    file = write(ModelGraph("FLOOR", "architecture", "", None, (main,)))
    decided = decisions(parse_model(file), deployment("ethos-u55-128"))
    assert decided is not None
    assert not decided[0].accelerated
    assert "send" not in decided[0].reason
    assert "yes" not in decided[0].reason


class TestWithoutVela:
    @pytest.fixture(autouse=True)
    def _absent(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(vela, "vela_version", lambda: None)

    def test_the_rules_answer_and_say_so(self, write: Write) -> None:
        file = write(gather_between_dense_layers())
        report = score_compatibility(file, "himax-we2")
        assert [op.processor for op in report.ops] == ["u55", "cm55m", "u55"]
        assert any("not installed (pip install '.[ethos-u]'" in told for told in report.assumptions)
        assert estimate_performance(file, "himax-we2").latency_ms.basis is not Basis.SIMULATED

    def test_results_have_the_same_fields(self, write: Write) -> None:
        file = write(gather_between_dense_layers())
        for tool in (plan_memory, estimate_performance, score_compatibility):
            assert tool(file, "ethos-u55-128").model_dump().keys()

    def test_a_changed_file_is_not_taken_for_the_one_that_was_read(self, write: Write) -> None:
        assert (
            "not installed"
            in vela_answer(parse_model(write(gather_between_dense_layers())), deployment("himax-we2")).notes[
                0
            ]
        )


@needs_vela
def test_a_file_that_changed_since_it_was_read_is_not_compiled(write: Write) -> None:
    file = write(single("TANH", [("x", (1, 5, 4, 8), I8)], ((1, 5, 4, 8), I8)))
    graph = parse_model(file)
    file.write_bytes(file.read_bytes() + b"\0")
    answer = vela_answer(graph, deployment("ethos-u55-128"))
    assert answer.compiled is None
    assert "has changed" in answer.notes[0]


def test_the_environment_makes_the_rules_answer(monkeypatch: pytest.MonkeyPatch, write: Write) -> None:
    monkeypatch.setenv("EDGEWRIGHT_VELA", "off")
    graph, where = parse_model(write(gather_between_dense_layers())), deployment("ethos-u85-256")
    assert vela_answer(graph, where).notes == (
        "operators judged by Vela's published rules, not by Vela itself: it is switched off (EDGEWRIGHT_VELA)",
    )
    assert decisions(graph, where) == decided_by_rules(graph, where)


def test_a_named_architecture_and_a_batch_are_left_to_the_rules(write: Write) -> None:
    where = deployment("ethos-u55-128")
    assert "no .tflite file" in vela_answer(build_architecture("kws", dtype="int8"), where).notes[0]
    graph = parse_model(write(gather_between_dense_layers()))
    assert vela_answer(graph, where.at(batch=2)).compiled is None


def test_other_accelerators_have_nothing_to_do_with_vela() -> None:
    answer = vela_answer(build_architecture("kws", dtype="int8"), deployment("coral-usb"))
    assert answer == vela.VelaAnswer(None)
    assert "ethosu.regor" not in sys.modules, "the compiler is never loaded into this process"


@needs_vela
def test_changes_are_compared_by_one_method_as_changed_models_have_no_file(write: Write) -> None:
    file = write(build_architecture("kws", dtype="int8"))
    report = simulate_optimizations(file, "himax-we2")
    halved = next(option for option in report.options if option.technique == "input-50")
    assert halved.before is not None
    assert halved.before.latency_ms.basis is not Basis.SIMULATED
    assert any("changed models are compared" in told for told in report.assumptions)
    assert estimate_performance(file, "himax-we2").latency_ms.basis is Basis.SIMULATED


@needs_vela
def test_a_model_that_vela_compiled_before_is_planned_by_its_own_offsets(
    tmp_path: Path, write: Write
) -> None:
    where, first = deployment("ethos-u55-128"), tmp_path / "kws.tflite"
    first.write_bytes(write_tflite(build_architecture("kws", dtype="int8")))
    again = _compiled_file(first, tmp_path)
    before, after = plan_memory(first, where), plan_memory(again, where)
    assert (before.arena_bytes, before.model_bytes) == (after.arena_bytes, after.model_bytes)
    assert score_compatibility(again, where).ops[0].supported
    assert estimate_performance(again, where).latency_ms.value is None, "the file does not tell"


def _compiled_file(model: Path, folder: Path) -> Path:
    import subprocess

    where = deployment("ethos-u55-128")
    system = system_of(where)
    assert system is not None
    answer, compiled = folder / "answer.json", folder / "compiled.tflite"
    request = process._request(system, answer, compiled) + b"\n" + model.read_bytes()
    subprocess.run([sys.executable, process._WORKER], input=request, check=True, capture_output=True)
    return compiled
