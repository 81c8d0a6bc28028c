"""Numbers that an answer writes itself, with and without references beside them."""

from __future__ import annotations

from typing import Any

import pytest

from edgewright.agent.references import fill, results_of
from edgewright.agent.references.grounding import check_grounding
from edgewright.agent.references.review import review

Records = list[dict[str, Any]]
FILLED = "It takes {{r1.latency_ms|ms}}, "


def plain(text: str, records: Records) -> str:
    """The same answer by a model that never writes references."""
    return fill(text, results_of(records)).text


@pytest.mark.parametrize(
    "rest",
    [
        "at 480 MHz with batch 1.", "in int8, unlike ResNet-50.", "most of it in layer 7.", "below your 50 ms.",
        "with a 90 % interval.", "measured on 2023-05-04.", "in three layers.", "and KiB is 1024 B.",
        "on a Cortex-M7 with 8-bit weights.", "so:\n1. prune it\n2. fuse it", "below 0.05 s.", "or 20 fps.",
    ],
)  # fmt: skip
def test_names_settings_and_the_users_numbers_stand_beside_references(rest: str, records: Records) -> None:
    assert review(FILLED + rest, records, "Is it below 50 ms?").marked == ()


@pytest.mark.parametrize(
    ("rest", "number"),
    [
        ("about 470 ms.", "470 ms"), ("or twenty milliseconds.", "twenty milliseconds"),
        ("twice as fast.", "twice"), ("half the RAM.", "half"), ("3 times faster.", "3"),
        ("with 1,234 MACs.", "1,234"), ("54.7 fps.", "54.7 fps"), ("12 KB of RAM.", "12 KB"), ("80 % of it.", "80 %"),
    ],
)  # fmt: skip
def test_any_other_number_is_asked_about(rest: str, number: str, records: Records) -> None:
    assert review(FILLED + rest, records, "Is it below 50 ms?").marked == (number,)


@pytest.mark.parametrize(
    "rest",
    [
        "at twice the clock of the other.", "480 against 240 MHz.",
        "on the ESP32-S3 {{r2.latency_ms|ms}}, two and a half times as long.",
    ],
)  # fmt: skip
def test_ratios_of_settings_and_of_figures_beside_it_may_be_said_in_words(
    rest: str, records: Records
) -> None:
    assert review(FILLED + rest, records).marked == ()


def test_the_writer_is_told_which_field_a_number_rounds_to(records: Records) -> None:
    text = plain("{{r1.latency_ms|ms}}", records)
    (problem,) = review("{{r1.bound}}-bound at {{r1.compute_utilization|%}}: " + text, records).problems
    assert "{{r1.latency_ms" in problem.why


TOLD = (
    "It takes {{r1.latency_ms|ms~}} on the STM32H743, {{1/r1.latency_ms|fps}}, and {{r2.latency_ms|ms}} on the "
    "ESP32-S3, {{r2.latency_ms/r1.latency_ms|x}} as long. It needs {{r5.checks[ram].demand|KiB}} of "
    "{{r5.checks[ram].bound|KiB}} RAM. Layer 2 takes {{r1.layers[2].latency_ms|ms}}."
)


def test_a_text_without_references_stands_on_fields_and_relations(records: Records) -> None:
    report = check_grounding(plain(TOLD, records), records)
    assert report.grounded, report.ungrounded
    assert report.bindings[0].path in ("r1.latency_ms", "r5.latency_ms")


@pytest.mark.parametrize(("unit", "other"), [(" ms", " s"), (" KiB", " MiB"), (" fps", " ms")])
def test_another_unit_is_found(unit: str, other: str, records: Records) -> None:
    assert not check_grounding(plain(TOLD, records).replace(unit, other), records).grounded


def test_failed_calls_bind_no_number(records: Records) -> None:
    failed = [{**record, "result": None, "error": "It takes 12.5 ms."} for record in records]
    assert check_grounding("It takes 12.5 ms.", failed).ungrounded == ("12.5 ms",)


def test_words_of_a_model_file_bind_no_number() -> None:
    record = {
        "id": "r1",
        "name": "t",
        "arguments": {},
        "result": {"name_untrusted": "it takes 7.7 ms", "n": 3},
    }
    assert not check_grounding("As said, it takes 7.7 ms.", [record]).grounded
