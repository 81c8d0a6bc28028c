"""Changes that are made to a file are simulated, and the command that makes and measures them is named."""

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import parse_model
from edgewright.tools.model_formats.writer.tflite import write_tflite


def ask(folder: Path, question: str) -> dict[str, object]:
    (folder / "net.tflite").write_bytes(write_tflite(parse_model("kws:float32")))
    answer = Planner(Workspace(directory=folder)).ask(f"{question} On an STM32H743.")
    return {
        "text": answer.answer,
        "calls": [(call["name"], dict(call["arguments"])) for call in answer.tool_calls],
    }


@pytest.mark.parametrize(
    "question",
    ["Which layers of net.tflite lose most by int8?", "Quantisation error of each layer of net.tflite?"],
)
def test_the_loss_of_each_layer_is_measured_by_a_command_that_is_named(tmp_path: Path, question: str) -> None:
    said = ask(tmp_path, question)
    assert "--apply int8 -o net-int8.tflite` lists the noise that each layer adds" in str(said["text"])


def test_sensitive_layers_stay_in_float_by_the_mixed_change(tmp_path: Path) -> None:
    said = ask(tmp_path, "Keep the sensitive layers of net.tflite in float.")
    assert "--apply mixed -o net-mixed.tflite`" in str(said["text"])


def test_changes_that_are_applied_together_are_simulated_together(tmp_path: Path) -> None:
    said = ask(tmp_path, "Apply prune-25 and int8 to net.tflite.")
    assert '--apply "prune-25 + int8"' in str(said["text"])
    calls = said["calls"]
    assert isinstance(calls, list)
    assert calls[0][0] == "simulate_optimizations"
    assert calls[0][1]["technique"] == ["prune-25", "int8"]
