from __future__ import annotations

from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from edgewright.agent.repl.completion import ChatCompleter
from edgewright.agent.repl.table import COMMANDS
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db import target_ids


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("kws.tflite", "vww.tflite", "my model.tflite", ".hidden.tflite", "notes.txt"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "deep.tflite").write_bytes(b"")
    return tmp_path


def completed(folder: Path, text: str, **pins: str) -> list[str]:
    """The lines that Tab may make of `text`."""
    completer = ChatCompleter(COMMANDS, Workspace(folder, **pins))
    offers = completer.get_completions(Document(text), CompleteEvent(completion_requested=True))
    return [text[: len(text) + offer.start_position] + offer.text for offer in offers]


def test_part_of_a_command_completes(folder: Path) -> None:
    assert completed(folder, "/ro") == ["/roofline"]
    assert completed(folder, "/m") == ["/model", "/memory"]
    assert len(completed(folder, "/")) == len(COMMANDS)
    assert completed(folder, "/qu") == ["/quit"]


def test_models_complete_after_model(folder: Path) -> None:
    first, second, *others = completed(folder, "/model kw")
    assert (first, second) == ("/model kws.tflite", "/model kws")
    assert all(line.startswith("/model kws_") for line in others)
    assert completed(folder, "/model su") == ["/model sub/"]
    assert completed(folder, "/model sub/") == ["/model sub/deep.tflite"]
    assert completed(folder, "/model my") == ["/model my model.tflite"]
    assert "/model resnet50" in completed(folder, "/model ")
    assert not [line for line in completed(folder, "/model ") if "hidden" in line or "notes" in line]


def test_models_complete_after_an_at_sign_anywhere(folder: Path) -> None:
    assert completed(folder, "does @vw") == ["does @vww.tflite", "does @vww"]
    assert completed(folder, "@sub/d") == ["@sub/deep.tflite"]
    assert completed(folder, "compare @my") == ['compare @"my model.tflite"']
    assert completed(folder, 'compare @"my m') == ['compare @"my model.tflite']
    assert "is @mobilenet_v2" in completed(folder, "is @mobile")


@pytest.mark.parametrize("text", ["does it fit", "mail me@vw", "x-cube-ai@1", "", "kw"])
def test_free_text_offers_nothing(folder: Path, text: str) -> None:
    assert completed(folder, text) == []


def test_targets_complete_by_id_part_and_nickname(folder: Path) -> None:
    assert len(completed(folder, "/target ")) == len(target_ids())
    assert completed(folder, "/target stm32h743")[0] == "/target stm32h743zi"
    assert "/target stm32h743zi" in completed(folder, "/target h743")
    assert "/target stm32h743zi" in completed(folder, "/target nucleo h743")
    assert completed(folder, "/target no such board") == []


def test_runtimes_complete_to_those_of_the_pinned_target(folder: Path) -> None:
    everywhere = completed(folder, "/runtime ")
    pinned = completed(folder, "/runtime ", target="a100-sxm4-80gb")
    assert "/runtime tflm-cmsis-nn" in everywhere
    assert "/runtime tflm-cmsis-nn" not in pinned
    assert "/runtime tensorrt" in pinned
    assert completed(folder, "/runtime ", target="no such target") == everywhere


def test_an_analysis_completes_a_model_and_then_a_target(folder: Path) -> None:
    assert completed(folder, "/roofline vw") == ["/roofline vww.tflite", "/roofline vww"]
    assert completed(folder, "/roofline my") == ['/roofline "my model.tflite"']
    assert "/ro kws stm32h743zi" in completed(folder, "/ro kws h743")


def test_switches_complete(folder: Path) -> None:
    assert completed(folder, "/trace ") == ["/trace on", "/trace off"]
    assert completed(folder, "/llm o") == ["/llm offline"]


@pytest.mark.parametrize("typed", ["~nobody-of-this-name/x", "\0", "x" * 5000, "/proc/1/root/", "../../../"])
def test_a_path_that_cannot_be_listed_breaks_nothing(folder: Path, typed: str) -> None:
    for line in completed(folder, f"/model {typed}"):
        assert line.startswith("/model ")


def test_a_file_name_that_would_write_to_the_terminal_is_not_offered(folder: Path) -> None:
    (folder / "evil\x1b[2J.tflite").write_bytes(b"")
    assert completed(folder, "/model ev") == []
