import pytest

from edgewright.tools import Basis, deployment
from stubs.traces import KWS_TICKS, TOTAL_MS, Import, events, sentences

SLOW, TWIN = KWS_TICKS[6][1], KWS_TICKS[8][1]


def test_the_slow_layer_is_named_first_and_alone(imported: Import) -> None:
    report = imported(events())
    assert [layer.index for layer in report.residuals if layer.stands_out] == [6]
    assert report.residuals[0].index == 6
    assert report.residuals[0].residual_ratio == pytest.approx(6.25, rel=0.01)


def test_the_measured_total_is_ticks_over_the_clock(imported: Import) -> None:
    report = imported(events())
    assert report.latency_ms.value == pytest.approx(TOTAL_MS)
    assert report.latency_ms.basis is Basis.MEASURED
    at_80 = imported(events(), deployment("stm32l4r5zi", "tflm-cmsis-nn", clock_mhz=80))
    assert at_80.latency_ms.value == pytest.approx(1.5 * TOTAL_MS)


def test_a_layer_is_set_beside_its_twins(imported: Import) -> None:
    worst = imported(events()).residuals[0]
    assert worst.twins == (2, 4, 8)
    assert worst.twins_ratio == pytest.approx(SLOW / TWIN)
    assert any("6.25 times what its twins take (layers 2, 4 and 8" in fact for fact in worst.facts)


def test_causes_are_hypotheses_with_a_check_each(imported: Import) -> None:
    worst = imported(events()).residuals[0]
    assert worst.hypotheses
    assert all(each.cause and each.check for each in worst.hypotheses)
    assert not any("interrupt" in fact for fact in worst.facts)


def test_steady_runs_rule_out_an_interruption(imported: Import) -> None:
    once = imported(events()).residuals[0]
    thrice = imported(events() * 3).residuals[0]
    assert any("interrupt" in each.cause for each in once.hypotheses)
    assert not any("interrupt" in each.cause for each in thrice.hypotheses)
    assert any("so it is steady" in fact for fact in thrice.facts)


def test_the_common_level_is_taken_out(imported: Import) -> None:
    """Twice as slow throughout moves the level, not the residuals."""
    plain = imported(events())
    double = imported(events(tuple((tag, 2 * ticks) for tag, ticks in KWS_TICKS)))
    assert plain.level_ratio is not None
    assert double.level_ratio == pytest.approx(2 * plain.level_ratio)
    for one, other in zip(plain.layers, double.layers, strict=True):
        assert one.residual_ratio == pytest.approx(other.residual_ratio)


def test_the_total_at_the_common_level_is_told(imported: Import) -> None:
    report = imported(events())
    excess = report.residuals[0].excess_ms
    assert report.at_level_ms == pytest.approx(TOTAL_MS - excess)
    assert report.inside_interval is False
    assert any("inside the interval" in fact for fact in report.facts)


def test_no_layer_stands_out_where_all_are_alike_off(imported: Import) -> None:
    even = tuple((tag, TWIN if ticks == SLOW else ticks) for tag, ticks in KWS_TICKS)
    report = imported(events(even))
    assert not any(layer.stands_out for layer in report.residuals)
    assert report.at_level_ms is None


def test_a_runtime_whose_estimate_holds_the_measurement_is_named(imported: Import) -> None:
    portable = imported(events(), deployment("stm32l4r5zi", "tflm-reference", clock_mhz=120))
    assert [other.runtime for other in portable.would_fit] == ["tflm-cmsis-nn"]
    assert imported(events()).would_fit == ()


def test_a_tag_total_is_compared_with_all_layers_of_its_kind(imported: Import) -> None:
    sums: dict[str, int] = {}
    for tag, ticks in KWS_TICKS:
        sums[tag] = sums.get(tag, 0) + ticks
    rows = "".join(f"{tag}, {ticks}\n" for tag, ticks in sums.items())
    header = '"Unique Tag","Total ticks across all events with that tag."\n'
    report = imported(f"{header}{rows}total number of ticks, {sum(sums.values())}\n")
    first = report.layers[0]
    assert first.covers == (2, 4, 6, 8)
    assert first.measured_ms == pytest.approx(sums["CONV_2D"] / 120e3)
    assert report.unmatched_layers == ()


def test_an_unnamed_clock_is_warned_of(imported: Import) -> None:
    report = imported(events(), deployment("stm32l4r5zi", "tflm-cmsis-nn"))
    assert any("clock of the trace is not known" in line for line in report.warnings)
    assert not any("clock of the trace" in line for line in imported(events()).warnings)


def test_milliseconds_in_the_trace_tell_that_its_timer_counts_microseconds(imported: Import) -> None:
    """Some ports take ticks from a timer of microseconds."""
    in_us = sentences(per_ms=1000, scale=1 / 120)
    report = imported(in_us)
    assert report.latency_ms.value == pytest.approx(TOTAL_MS, rel=1e-3)
    assert any("does not count cycles" in line for line in report.warnings)


def test_milliseconds_that_agree_with_the_clock_are_no_cause_to_warn(imported: Import) -> None:
    report = imported(sentences())
    assert report.latency_ms.value == pytest.approx(TOTAL_MS)
    assert not report.warnings


@pytest.mark.parametrize(("unit", "per_ms"), [("us", 1e3), ("1MHz", 1e3), ("ns", 1e6), ("cycles", 120e3)])
def test_a_unit_that_is_told_is_believed(imported: Import, unit: str, per_ms: float) -> None:
    report = imported(events(), unit=unit)
    assert report.latency_ms.value == pytest.approx(TOTAL_MS * 120e3 / per_ms)


def test_a_trace_of_another_runtime_is_warned_of(imported: Import) -> None:
    report = imported(events(), deployment("stm32l4r5zi", "x-cube-ai", clock_mhz=120))
    assert any("name the runtime that ran" in line for line in report.warnings)
