"""What a board must connect by is kept to, as far as it is known."""

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.planner.choice import links
from edgewright.agent.planner.query import Query
from edgewright.agent.workspace import Workspace


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("question", "demanded"),
    [
        ("which chip with Wi-Fi for kws?", {"wifi"}),
        ("I also want wifi on board", {"wifi"}),
        ("it needs BLE and Ethernet", {"bluetooth", "ethernet"}),
        ("I have an Arduino Nano 33 BLE", set()),
        ("the firmware has a BLE stack of 40 KiB", set()),
        ("a board without Wi-Fi", set()),
    ],
)
def test_only_what_is_demanded_counts(question: str, demanded: set[str]) -> None:
    assert links(Query(question=question)) == demanded


def test_of_several_the_one_that_is_known_to_connect_is_taken(planner: Planner) -> None:
    planner.ask("ESP32-S3, Pico 2 or STM32H743 for kws?")
    answer = planner.ask("pick one of the three for me, I also want wifi on board").answer
    assert answer.startswith("I would take esp32-s3: it is the only one known to have Wi-Fi")


def test_a_ranking_holds_only_what_is_known_to_connect(planner: Planner) -> None:
    answer = planner.ask("which microcontroller with Wi-Fi for kws?").answer
    assert "known to have Wi-Fi" in answer
    assert "stm32" not in answer.lower()


def test_a_whisper_of_another_size_is_not_the_tiny_one(planner: Planner) -> None:
    assert "whisper_tiny" not in planner.ask("How fast is whisper large-v3-turbo on an RTX 4090?").answer
