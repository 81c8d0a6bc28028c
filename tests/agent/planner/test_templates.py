"""A sentence is a template: its figures are references, and what is not known takes its bracket along."""

import pytest

from edgewright.agent.planner.answers.templates import how_often, put
from edgewright.agent.planner.bench import Record

SUM = Record(
    "r2", "add_up_loads", {"power_mw": 3.0, "rate_hz": None, "loads": [{"name": "run", "share": 0.5}]}
)
OTHER = Record("r1", "estimate_performance", {"latency_ms": 12.0})


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{power_mw|mW~} on average", "{{r2.power_mw|mW~}} on average"),
        ("{24h*power_mw/3V|mAh}", "{{24h*r2.power_mw/3V|mAh}}"),
        ("{power_mw}[ at {rate_hz}]", "{{r2.power_mw}}"),
        ("{power_mw}[ for {what}]", "{{r2.power_mw}} for a node"),
        ("{power_mw}[ for {nothing}]", "{{r2.power_mw}}"),
        ("{loads[#0].share|%} of {other.latency_ms}", "{{r2.loads[#0].share|%}} of {{r1.latency_ms}}"),
        ("{rate_hz} at most", ""),
        ("already {{r1.latency_ms}}", "already {{r1.latency_ms}}"),
    ],
)
def test_a_template_is_filled_or_shortened_or_not_told(template: str, text: str) -> None:
    assert put(template, SUM, what="a node", nothing="", other=OTHER) == text


@pytest.mark.parametrize(
    ("question", "hertz", "unit"),
    [("how often?", 3.0, "/s"), ("how many per minute?", 3.0, "/min"), ("how often?", 1e-5, "a day")],
)
def test_a_rate_is_counted_as_the_question_does(question: str, hertz: float, unit: str) -> None:
    assert unit in how_often(question, hertz, "rate_hz")
