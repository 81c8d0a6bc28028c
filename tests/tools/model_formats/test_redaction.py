from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools import analyze_model, deployment, parse_model
from edgewright.tools.core.settings import REDACT_VARIABLE, Settings, set_default_redaction
from edgewright.tools.graph import ModelGraph
from edgewright.tools.model_formats.redaction import redact_names, redacted
from stubs.hostile_model import CANARY, hostile_graph, write_hostile_model


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_hostile_model(tmp_path / "model.tflite")


HIDDEN = Settings(redact_names=True)


def with_custom_op(code: str) -> ModelGraph:
    graph = hostile_graph()
    ops = (replace(graph.ops[0], kind="CUSTOM", custom_code_untrusted=code), *graph.ops[1:])
    return replace(graph, subgraphs=(replace(graph.main, ops=ops), *graph.subgraphs[1:]))


def without_names(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: without_names(v) for k, v in value.items() if not k.endswith("_untrusted")}
    return [without_names(part) for part in value] if isinstance(value, list) else value


def test_no_name_out_of_the_file_is_left(file: Path) -> None:
    graph = parse_model(str(file), settings=HIDDEN)
    assert CANARY not in repr(graph)
    assert [t.name_untrusted for t in graph.tensors[:3]] == ["t0", "t1", "t2"]


def test_names_change_no_figure_and_no_identity(file: Path) -> None:
    graph = parse_model(str(file))
    place = deployment("stm32h743zi")
    shown, hidden = (analyze_model(g, place).model_dump(mode="json") for g in (graph, redacted(graph)))
    assert shown != hidden
    assert without_names(shown) == without_names(hidden)
    assert redacted(graph).sha256 == graph.sha256


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        (CANARY, "op0"),
        (f"Flex{CANARY}", "Flex0"),
        ("TFLite_Detection_PostProcess", "TFLite_Detection_PostProcess"),
        ("ethos-u", "ethos-u"),
    ],
)
def test_custom_operators_keep_the_names_that_libraries_document(code: str, shown: str) -> None:
    assert redacted(with_custom_op(code)).ops[0].custom_code_untrusted == shown


def test_an_error_about_shapes_names_no_input(file: Path) -> None:
    with pytest.raises(UsageError) as caught:
        parse_model(str(file), shape={"nothing": (1, 2)}, settings=HIDDEN)
    assert CANARY not in str(caught.value)
    assert parse_model(str(file), shape="1,49,10,1", settings=HIDDEN).inputs[0].shape == (1, 49, 10, 1)


def test_the_environment_stands_for_settings_that_are_not_given(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(REDACT_VARIABLE, "1")
    assert parse_model(file).tensors[0].name_untrusted == "t0"
    assert parse_model(file, settings=Settings()).tensors[0].name_untrusted != "t0"
    monkeypatch.setenv(REDACT_VARIABLE, "0")
    assert parse_model(file).tensors[0].name_untrusted != "t0"


def test_the_old_switch_warns_and_changes_no_call_that_is_given_settings(file: Path) -> None:
    with pytest.deprecated_call():
        redact_names()
    try:
        assert parse_model(file).tensors[0].name_untrusted == "t0"
        assert parse_model(file, settings=Settings()).tensors[0].name_untrusted != "t0"
    finally:
        set_default_redaction(None)
