"""Which published model to take: the order, the limits, and what is not known."""

import pytest

from edgewright.tools import (
    ModelRanking,
    UnknownNameError,
    Verdict,
    check_constraints,
    deployment,
    estimate_generation,
    recommend_model,
)
from edgewright.tools.model_zoo.published import task_named

MEETING = (Verdict.PASS, Verdict.MARGINAL)


@pytest.fixture(scope="module")
def classifiers() -> ModelRanking:
    return recommend_model("image-classification", "nrf52840")


def test_what_meets_the_limits_comes_first_and_the_most_accurate_of_a_dataset_leads(
    classifiers: ModelRanking,
) -> None:
    meeting = [row for row in classifiers.ranking if row.verdict in MEETING]
    assert list(classifiers.ranking[: len(meeting)]) == meeting
    assert classifiers.passing == len(meeting) > 0
    for dataset in {row.dataset for row in meeting}:
        here = [row for row in meeting if row.dataset == dataset]
        assert [row.rank for row in here] == list(range(1, len(here) + 1))
        assert [row.accuracy for row in here] == sorted((row.accuracy for row in here), reverse=True)


def test_each_verdict_is_that_of_the_check_alone(classifiers: ModelRanking) -> None:
    board = deployment("nrf52840")
    for row in [*classifiers.ranking[:3], *classifiers.ranking[-2:]]:
        alone = check_constraints(f"{row.architecture}:{row.dtype}", board, remedies=False)
        assert alone.verdict is row.verdict


def test_a_tighter_limit_admits_no_more(classifiers: ModelRanking) -> None:
    tighter = recommend_model("image-classification", "nrf52840", {"ram_bytes": "100 KiB"})
    names = {row.model for row in classifiers.ranking if row.verdict in MEETING}
    assert {row.model for row in tighter.ranking if row.verdict in MEETING} <= names
    assert tighter.passing < classifiers.passing


def test_none_on_the_front_is_beaten_on_its_dataset(classifiers: ModelRanking) -> None:
    meeting = [row for row in classifiers.ranking if row.verdict in MEETING]
    for row in meeting:
        beaten = any(
            other.dataset == row.dataset
            and other.accuracy > row.accuracy
            and other.latency_ms < row.latency_ms
            for other in meeting
        )
        assert row.pareto is not beaten


def test_an_accuracy_of_the_type_that_runs_is_preferred(classifiers: ModelRanking) -> None:
    row = next(row for row in classifiers.ranking if row.architecture == "mobilenet_v1:0.25:128")
    assert (row.precision, row.dtype, row.accuracy) == ("int8", "int8", pytest.approx(0.399))


def test_an_accuracy_of_another_type_is_told_as_such() -> None:
    found = recommend_model("object-detection", "jetson-orin-nano-8gb")
    assert {row.precision for row in found.ranking} != {row.dtype for row in found.ranking}
    assert any("not published in the type" in note for note in found.assumptions)


def test_what_cannot_even_be_stored_fails_without_a_time(classifiers: ModelRanking) -> None:
    row = next(row for row in classifiers.ranking if row.architecture == "vgg16")
    assert row.verdict is Verdict.FAIL
    assert not row.latency_ms.known
    assert "weights alone take" in row.reasons[0]


def test_one_dataset_alone_may_be_asked_for() -> None:
    found = recommend_model("image-classification", "nrf52840", dataset="cifar 10")
    assert {row.dataset for row in found.ranking} == {"CIFAR-10"}
    with pytest.raises(UnknownNameError, match="ImageNet-1k"):
        recommend_model("image-classification", "nrf52840", dataset="ImageNet 1")


def test_a_token_takes_what_the_estimate_of_generation_says() -> None:
    found = recommend_model("text-generation", "rtx-4090")
    row = next(row for row in found.ranking if row.verdict in MEETING)
    alone = estimate_generation(row.architecture, "rtx-4090")
    assert row.latency_ms.value == pytest.approx(1000 / float(alone.decode_tokens_per_s))
    assert (row.dtype, row.arena_bytes.value) == (alone.weights, alone.total_bytes)
    assert found.deployment.runtime == alone.runtime


def test_tasks_go_by_the_names_that_people_give_them() -> None:
    assert task_named("KWS") == "keyword-spotting"
    assert task_named("speech recognition") == "asr"
    with pytest.raises(UnknownNameError, match="anomaly"):
        task_named("anomalies")


def test_a_model_without_a_runtime_there_fails_and_says_so() -> None:
    found = recommend_model("text-generation", "nrf52840")
    assert found.passing == 0
    assert "does not run on" in found.ranking[0].reasons[0]
