"""Where a card is to do a rate and no batch is said, the answer is of the best batch, and tells it."""

from pathlib import Path

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace
from edgewright.tools import deployment, estimate_performance, estimate_workload


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path))


@pytest.mark.parametrize(
    ("question", "begins", "tells"),
    [
        ("Does a T4 do 1150 images/s of resnet50?", "Probably", "batch"),
        ("Can a Jetson AGX Orin do 1500 frames per second of mobilenet_v2?", "Yes", "batch 2"),
        ("T4 or H100 for 3000 requests/s of bert_base, 128 tokens, within 50 ms?", "", "h100-sxm5, batch 4 meets"),
        ("Is a Jetson AGX Orin enough for 600 images/s of resnet50 in int8?", "Yes", "batch 1"),
    ],
)  # fmt: skip
def test_a_rate_is_judged_by_the_best_batch(planner: Planner, question: str, begins: str, tells: str) -> None:
    answer = planner.ask(question).answer
    assert answer.startswith(begins)
    assert tells in answer


@pytest.mark.parametrize(
    ("question", "model", "target", "rate", "most_wait_ms"),
    [
        ("How many L4 for 5,000 requests/s of bert_base at 128 tokens, latency under 50 ms?",
         "bert_base:128", "l4", 5000, 50),
        ("6,000 pictures per second go to resnet50. How many RTX 4090 cards?", "resnet50", "rtx-4090", 6000, None),
    ],
)  # fmt: skip
def test_cards_are_counted_by_the_best_batch(
    planner: Planner, question: str, model: str, target: str, rate: float, most_wait_ms: float | None
) -> None:
    told = planner.ask(question)
    best = estimate_workload(model, target, rate_hz=rate, most_wait_ms=most_wait_ms).best_batch
    needed = estimate_workload(model, deployment(target, batch=best), rate_hz=rate).devices_needed
    assert best > 1
    assert told.answer.startswith(f"{needed.value:g} of them")
    assert "waiting included" in told.answer
    assert "did not take into account" not in told.answer


def test_a_reserve_counts_in_what_the_batch_has_to_do(planner: Planner) -> None:
    question = "Does a Jetson Orin NX 16GB hold 1000 images/s of resnet50 INT8 with 30 % reserve?"
    told = planner.ask(question)
    asked = [c["arguments"] for c in told.tool_calls if c["name"] == "estimate_workload"]
    assert asked[0]["rate_hz"] == pytest.approx(1300)


@pytest.mark.parametrize(
    "question",
    [
        "What do a million inferences of yolov8s cost on an L4 at 0.7 $/h?",
        "How many images per dollar do I get with yolov8s on an L4 at 0.7 dollars per hour?",
    ],
)
def test_what_is_paid_by_the_hour_works_in_batches(planner: Planner, question: str) -> None:
    told = planner.ask(question)
    place = deployment("l4", batch=estimate_workload("yolov8s", "l4", items=1e6).best_batch)
    million = 1e6 / estimate_performance("yolov8s", place).inferences_per_second.value / 3600 * 0.7
    assert any(number.value == pytest.approx(million) for number in told.numbers)
    assert "batch" in told.answer


@pytest.mark.parametrize("tried", ["Batch 1 is poor and batch 128 is over my 20 ms.", "20 ms at most."])
def test_the_batch_within_a_time_may_be_any(planner: Planner, tried: str) -> None:
    told = planner.ask(f"T4, resnet50, TensorRT. {tried} Which batch do I take, how many img/s do I get?")
    batch = int(told.numbers[0].value)
    at, beyond = (estimate_performance("resnet50", deployment("t4", batch=n)) for n in (batch, batch + 1))
    assert at.latency_ms.high < 20 <= beyond.latency_ms.high
    assert "until it is full" in told.answer


def test_energy_in_a_table_is_of_one_inference_whatever_the_batch(planner: Planner) -> None:
    told = planner.ask("resnet50 on a T4, batch 1 or batch 64, which takes less energy?")
    place = deployment("t4", batch=64)
    each = estimate_performance("resnet50", place).energy_uj.value / 64
    assert any(number.value == pytest.approx(each) for number in told.numbers)
