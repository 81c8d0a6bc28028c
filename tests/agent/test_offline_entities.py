from __future__ import annotations

import pytest

from edgewright.agent.offline import hardware, runtimes
from edgewright.agent.offline.hardware import targets_named
from edgewright.agent.offline.models import model_mentions, task_of
from edgewright.agent.offline.reading import read
from edgewright.agent.offline.runtimes import runtimes_named
from edgewright.hardware_db import Mention


def models(question: str) -> list[str]:
    return [mention.argument for mention in model_mentions(question)]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Is ResNet-50 fast?", ["resnet50"]),
        ("mobilenet v2 or MobileNetV2", ["mobilenet_v2"]),
        ("spot a keyword", ["kws"]),
        ("the person detector", ["vww"]),
        ("visual wake words and anomaly detection", ["vww", "ad"]),
        ("the CIFAR net", ["ic"]),
        ("is models/net.tflite ok", ["models/net.tflite"]),
        ("YOLOv8n please", ["yolov8n"]),
        ("YOLOv9t please", ["YOLOv9t"]),
        ("MobileNet v3", ["mobilenet_v3_large"]),
        ("is ad on the pico?", ["ad"]),
        ("an ad on TV", []),
        ("the IC on my board", []),
        ("mobilnet v2", ["mobilenet_v2"]),
        ("keyword spoting", ["kws"]),
        ("net.tfilte", ["net.tflite"]),
        ("nothing here", []),
    ],
)
def test_models_are_found_by_file_name_nickname_and_near_spelling(question: str, named: list[str]) -> None:
    assert models(question) == named


def test_a_file_is_known_by_its_task() -> None:
    assert task_of("kws_int8.tflite") == "kws"
    assert task_of("runs/vww_96_int8.tflite") == "vww"
    assert task_of("model.tflite") == ""


def test_a_nickname_means_the_pinned_file_for_that_task() -> None:
    assert read("kws h743 fit?", {"model": "kws_int8.tflite"}).models == ("kws_int8.tflite",)


def test_a_nickname_means_a_pinned_file_of_unknown_task_and_says_so() -> None:
    reading = read("does the keyword model fit?", {"model": "net_final2.tflite"})
    assert reading.models == ("net_final2.tflite",)
    assert any("net_final2.tflite" in note for note in reading.notes)


def test_a_nickname_is_another_network_beside_a_pinned_file_of_another_task() -> None:
    assert read("and vww?", {"model": "kws_int8.tflite"}).models == ("vww",)


def test_a_corrected_name_is_told() -> None:
    assert any("mobilenet_v2" in note for note in read("mobilnet v2 on the H743", {}).notes)


def given(monkeypatch: pytest.MonkeyPatch, *mentions: Mention) -> None:
    monkeypatch.setattr(hardware, "find_target_names", lambda text: list(mentions))


def test_swapped_digits_are_corrected_and_told() -> None:
    named = targets_named("mobilenet on the STM32H473")
    assert named.targets == ("stm32h743zi",)
    assert named.notes == ("I took STM32H473 to be stm32h743zi.",)


def test_another_digit_is_another_chip_and_asked_back(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, Mention("MAX78009", ("max78002",), False))
    named = targets_named("runs on a MAX78009?")
    assert named.targets == ()
    assert "max78002" in named.question


def test_a_family_of_several_is_asked_back_with_its_members(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, Mention("STM32", ("stm32h743zi", "stm32l4r5zi"), True))
    named = targets_named("on an STM32")
    assert named.targets == ()
    assert "stm32h743zi" in named.question
    assert "stm32l4r5zi" in named.question


def test_a_family_beside_a_clear_target_is_asked_back_too(monkeypatch: pytest.MonkeyPatch) -> None:
    given(
        monkeypatch, Mention("H7", ("stm32h743zi", "stm32h747xi"), True), Mention("L4R5", "stm32l4r5zi", True)
    )
    assert "Which one?" in targets_named("H7 or L4R5").question


def test_a_family_counts_as_its_only_member_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, Mention("L4", ("stm32l4r5zi",), True))
    named = targets_named("on the L4")
    assert named.targets == ("stm32l4r5zi",)
    assert "stm32l4r5zi" in named.notes[0]


def test_a_family_counts_as_its_pinned_member(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, Mention("STM32", ("stm32h743zi", "stm32l4r5zi"), True))
    assert targets_named("on my STM32", pinned="stm32l4r5zi").targets == ("stm32l4r5zi",)


def test_hardware_that_nobody_knows_is_named_in_the_question_back() -> None:
    named = targets_named("Does it fit a Frobnicator or a Teensy 9.9?")
    assert named.targets == ()
    assert "Teensy" in named.question


def test_the_kernels_that_a_sentence_names_tell_the_runtime() -> None:
    assert runtimes_named("TFLM with the reference kernels", "stm32h743zi") == (("tflm-reference",), ())
    assert runtimes_named("TFLM with CMSIS-NN", "stm32h743zi") == (("tflm-cmsis-nn",), ())


def test_a_pytorch_model_is_no_runtime() -> None:
    assert runtimes_named("can my PyTorch model run on it", "stm32h743zi") == ((), ())


def test_the_letter_o_in_a_part_number_is_a_zero() -> None:
    reading = read("resnet50 on an A1OO", {})
    assert reading.targets == ("a100-sxm4-80gb",)
    assert any("zero" in note for note in reading.notes)


def test_a_name_of_a_target_and_of_another_family_is_asked_back() -> None:
    named = targets_named("on the L4")
    assert named.targets == ()
    assert "stm32l4r5zi" in named.question


def test_in_a_conversation_a_family_is_the_member_of_the_same_class_that_tells_most() -> None:
    named = targets_named("and on the L4?", company=["stm32h743zi"])
    assert named.targets == ("stm32l4r5zi",)
    assert "could be any of these" in named.notes[0]


def test_a_misspelt_runtime_is_one_that_the_target_has_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    near = Mention("CMSSI-NN1", ("tflm-cmsis-nn", "x-cube-ai"), False)
    monkeypatch.setattr(runtimes, "find_runtime_names", lambda text: [near])
    assert runtimes_named("with CMSSI-NN1", "stm32h743zi") == (
        ("tflm-cmsis-nn",),
        ("I took CMSSI-NN1 to be tflm-cmsis-nn.",),
    )
    assert runtimes_named("with CMSSI-NN1", "a100-sxm4-80gb") == ((), ())


def test_the_name_of_a_target_is_no_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtimes, "find_runtime_names", lambda text: [Mention("H743", ("x-cube-ai",), False)])
    assert runtimes_named("on the H743", "stm32h743zi", ["H743"]) == ((), ())
