from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from edgewright.agent.grounding import check_grounding

HERE = Path(__file__).parent
RESULTS: list[dict[str, Any]] = [
    json.loads(line) for line in (HERE / "grounding_results.jsonl").read_text().splitlines()
]
LABELLED: dict[str, Any] = yaml.safe_load((HERE / "grounding_real_sentences.yaml").read_text())
MADE_UP: dict[str, Any] = yaml.safe_load((HERE / "grounding_sentences.yaml").read_text())


def ungrounded(sentence: str) -> tuple[str, ...]:
    return check_grounding(sentence, RESULTS, LABELLED["user"]).ungrounded


def falsely_flagged(sentences: list[str]) -> dict[str, tuple[str, ...]]:
    return {sentence: found for sentence in sentences if (found := ungrounded(sentence))}


def missed(cases: list[dict[str, Any]]) -> dict[str, tuple[str, ...]]:
    return {
        case["say"]: found
        for case in cases
        if not set(case["flagged"]) <= set(found := ungrounded(case["say"]))
    }


def test_of_right_sentences_at_most_two_in_a_hundred_are_flagged() -> None:
    flagged = falsely_flagged(LABELLED["right"])
    assert len(flagged) <= 0.02 * len(LABELLED["right"]), flagged


def test_of_wrong_sentences_ninety_nine_in_a_hundred_are_flagged() -> None:
    passed = missed(LABELLED["wrong"])
    assert len(passed) <= 0.01 * len(LABELLED["wrong"]), passed


def test_of_sentences_written_last_most_are_judged_rightly() -> None:
    last = LABELLED["written_last"]
    flagged, passed = falsely_flagged(last["right"]), missed(last["wrong"])
    assert len(flagged) <= 0.1 * len(last["right"]), flagged
    assert len(passed) <= 0.15 * len(last["wrong"]), passed


def test_four_hundred_sentences_are_labelled_half_of_them_wrong() -> None:
    every = (LABELLED, LABELLED["written_last"], MADE_UP)
    right, wrong = (sum(len(part[side]) for part in every) for side in ("right", "wrong"))
    assert right + wrong >= 400
    assert abs(right - wrong) < 0.1 * (right + wrong)


@pytest.mark.parametrize(
    "piece",
    ["1", "12 ", "a-1", "a-1 ", "3x", "| 12 ", "\u202e12\u202c ms ", "12.4 ms\n", "(", "layer 1 7.87 ms, "],
)
def test_a_hostile_answer_is_checked_in_bounded_time(piece: str) -> None:
    started = time.process_time()
    check_grounding(piece * (20_000 // len(piece)), RESULTS)
    assert time.process_time() - started < 5


def test_an_answer_of_four_hundred_words_is_checked_in_a_blink() -> None:
    sentence = (
        "On stm32h743zi one inference of kws takes 14.1 ms (90 % interval 9.11–21.8 ms), the arena of ic takes "
        "54,996 bytes and input-50 brings it from 45.5 ms to 11.4 ms, 74.9 % less. "
    )
    times = []
    for _ in range(5):
        started = time.process_time()
        assert check_grounding(sentence * 13, RESULTS).grounded
        times.append(time.process_time() - started)
    assert min(times) < 0.2
