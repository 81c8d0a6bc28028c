import pytest

from edgewright.tools import (
    Limits,
    LimitsError,
    UsageError,
    check_constraints,
    compare_deployments,
    deployment,
    find_limit,
    recommend_hardware,
    simulate_optimizations,
    sweep_frequency,
)

BOARD = deployment("stm32h743zi", "tflm-cmsis-nn", clock_mhz=480)


def test_a_mapping_of_fields_is_taken_for_limits() -> None:
    asked = check_constraints("kws:int8", BOARD, {"latency_ms": 5}, remedies=False)
    assert asked == check_constraints("kws:int8", BOARD, Limits(latency_ms=5), remedies=False)
    assert asked.verdict == "FAIL"


def test_text_with_a_unit_is_a_figure_in_the_fields_unit() -> None:
    given = {"latency_ms": "50 us", "ram_bytes": "256 KiB", "energy_uj": "1mJ", "rate_hz": "20fps"}
    limits = Limits.model_validate(given)
    assert limits == Limits(latency_ms=0.05, ram_bytes=262144, energy_uj=1000, rate_hz=20)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"latency": 50}, "no limit 'latency'. Did you mean latency_ms?"),
        ({"ram": "256KiB"}, "no limit 'ram'. Did you mean ram_bytes?"),
        ({"colour": 1}, "Known: latency_ms, rate_hz, ram_bytes"),
        ({"latency_ms": "50"}, "'50' has no unit"),
        ({"latency_ms": "50 KiB"}, "wrong unit"),
        ({"latency_ms": -1}, "Limit latency_ms: Input should be greater than 0"),
    ],
)
def test_a_limit_that_does_not_exist_or_cannot_be_is_answered_with_the_next_step(
    given: dict[str, object], said: str
) -> None:
    with pytest.raises(LimitsError) as refused:
        check_constraints("kws:int8", BOARD, given)
    assert said in str(refused.value)


def test_the_type_itself_names_the_nearest_limit() -> None:
    with pytest.raises(UsageError, match="Did you mean energy_uj"):
        Limits(energy_mj=1)


def test_every_function_with_limits_takes_a_mapping() -> None:
    limits = {"latency_ms": "1 s"}
    assert find_limit("kws:int8", BOARD, limits, "clock").limits.latency_ms == 1000
    assert sweep_frequency("kws:int8", BOARD, limits=limits).latency_limit_ms == 1000
    assert compare_deployments("kws:int8", [BOARD, "nrf52840"], limits).ranking[0].verdict == "PASS"
    assert simulate_optimizations("kws:int8", BOARD, technique="prune-50", limits=limits).fit is not None
    only = recommend_hardware("kws:int8", limits, classes=["npu"])
    assert only.limits == Limits(latency_ms=1000)
