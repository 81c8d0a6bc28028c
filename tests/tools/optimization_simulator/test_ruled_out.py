"""Kinds of changes that may not be made: no search, combination or remedy holds one of them."""

import pytest

from edgewright.tools import UsageError, check_constraints, deployment
from edgewright.tools.api.optimizations import simulate_optimizations

WHERE = deployment("stm32l4r5zi", runtime="tflm-cmsis-nn")
LIMITS = {"latency_ms": 40}


@pytest.mark.parametrize(
    ("exclude", "gone", "left"),
    [
        ("resolution", {"input-50", "input-75"}, {"prune-50", "runtime-x-cube-ai"}),
        (("pruning", "runtime-x-cube-ai"), {"prune-25", "prune-50", "runtime-x-cube-ai"}, {"input-50"}),
        ("retraining", {"input-50", "prune-50", "separable"}, {"runtime-x-cube-ai", "bands-4"}),
        ("redesign", {"separable", "bands-4"}, {"input-50"}),
        ("memory", {"bands-4", "in-place"}, {"separable"}),
    ],
)
def test_no_search_offers_what_is_ruled_out(exclude: str, gone: set[str], left: set[str]) -> None:
    report = simulate_optimizations("kws", WHERE, exclude=exclude, limits=LIMITS)
    offered = {option.technique for option in report.options}
    assert left <= offered
    assert not offered & gone
    together = [report.combined.technique] if report.combined else []
    together += [name for point in report.front for name in (step.technique for step in point.changes)]
    assert not {part for name in together for part in name.split(" + ")} & gone


def test_remedies_of_a_check_hold_none_of_what_is_ruled_out() -> None:
    report = check_constraints("kws", WHERE, LIMITS, exclude=["resolution", "pruning"])
    levers = {lever.change for check in report.checks for lever in check.levers}
    assert levers
    assert not {name for name in levers if name.startswith(("input-", "prune-"))}


def test_an_unknown_kind_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="retrainin") as refused:
        simulate_optimizations("kws", WHERE, exclude="retrainin")
    assert "retraining" in refused.value.hint
