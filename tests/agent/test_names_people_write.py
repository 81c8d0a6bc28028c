"""Names as they are written in forums and shops, each with what it stands for; `?` where it must be unknown.

The list was written before what reads it; a half of it was first read after that was finished.
"""

from __future__ import annotations

import functools
from collections import Counter
from pathlib import Path

import pytest

from edgewright.agent.names import Kind, Name, find_names
from edgewright.hardware_db import resolve_target
from edgewright.hardware_db.errors import AmbiguousNameError, UnknownNameError
from edgewright.tools.model_zoo.language_model import language_model, language_model_meant

ROWS = [
    tuple(line.split("\t"))
    for line in Path(__file__).with_name("names_people_write.tsv").read_text().splitlines()
]
SENTENCES = {
    "board": "Does kws fit on my {}?",
    "gpu": "How fast is resnet50 on a {}?",
    "vision": "How long does {} take on a Raspberry Pi 5?",
    "language": "How many tokens per second does {} give on an RTX 4090?",
}


def ids_of(names: tuple[Name, ...], kind: str) -> set[str]:
    wanted = (Kind.TARGET,) if kind in ("board", "gpu") else (Kind.MODEL, Kind.TASK)
    found = {identifier for name in names if name.kind in wanted for identifier in name.ids}
    for name in names if kind == "language" else ():
        try:
            found |= {language_model_meant(name.text)} if not name.known else set()
        except UnknownNameError:
            continue
    return found


@functools.cache
def outcome(kind: str, written: str, meant: str) -> str:
    names = find_names(SENTENCES[kind].format(written))
    found = ids_of(names, kind)
    strangers = [name for name in names if not name.known and name.text.casefold() in written.casefold()]
    if found & set(meant.split("|")) or (not found and "?" in meant and strangers):
        return "right"
    if not found:
        return "unknown" if strangers else "missed"
    said = strangers or any(name.family or not name.exact for name in names)
    return "said otherwise" if said else "otherwise in silence"


def test_nearly_all_names_that_people_write_are_what_they_stand_for() -> None:
    counts = Counter(outcome(*row) for row in ROWS)
    assert counts["right"] >= 0.97 * len(ROWS), counts
    assert counts["missed"] <= 1


def test_no_name_is_taken_for_another_in_silence() -> None:
    assert [row for row in ROWS if outcome(*row) == "otherwise in silence"] == []


@pytest.mark.parametrize(
    ("written", "meant"),
    [("4060 Ti 16GB", "rtx-4060-ti-16gb"), ("16 GB 4060 Ti", "rtx-4060-ti-16gb"), ("9070 xt", "rx-9070-xt"),
     ("STM32H743VIT6", "stm32h743zi"), ("STM32F746G disco", "stm32f746ng")],
)  # fmt: skip
def test_the_words_of_a_board_may_stand_in_any_order_on_the_command_line_too(
    written: str, meant: str
) -> None:
    assert resolve_target(written).id == meant


@pytest.mark.parametrize("written", ["RTX 2000", "L42", "Orange Pi 3", "RTX 4070 Ti 8GB"])
def test_a_word_that_no_board_explains_makes_it_unknown_on_the_command_line(written: str) -> None:
    with pytest.raises(UnknownNameError):
        resolve_target(written)


def test_a_card_of_two_sizes_asks_back_with_both() -> None:
    with pytest.raises(AmbiguousNameError) as caught:
        resolve_target("RTX 4060 Ti")
    assert set(caught.value.candidates) == {"rtx-4060-ti-16gb", "rtx-4060-ti-8gb"}


@pytest.mark.parametrize(
    ("text", "meant"),
    [("an 8 GB RTX 4060", ("rtx-4060",)), ("24 GB of a 4090", ("rtx-4090",)), ("4 on the A100", ("a100-sxm4-80gb",)),
     ("RTX 4060 Ti (288 GB/s)", ("rtx-4060-ti-16gb", "rtx-4060-ti-8gb")), ("a Pi 5 with 8GB", ("raspberry-pi-5",))],
)  # fmt: skip
def test_figures_beside_a_name_are_none_of_its_words(text: str, meant: tuple[str, ...]) -> None:
    (name,) = (name for name in find_names(f"how fast is it, {text}?") if name.kind is Kind.TARGET)
    assert (name.ids, name.known) == (meant, True)


def test_instructed_and_coding_forms_of_a_language_model_have_its_shape() -> None:
    assert language_model("gemma 2 2b it").id == "gemma-2-2b"
    assert language_model_meant("llama 8b instruct") == "llama-3.1-8b"
    with pytest.raises(UnknownNameError):
        language_model_meant("llama 3.1 13b")
