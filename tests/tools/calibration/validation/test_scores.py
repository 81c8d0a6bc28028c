import pytest

from edgewright.tools.calibration.validation.samples import Sample, class_of_row, grouped_reasons
from edgewright.tools.calibration.validation.scores import error_groups, spearman
from edgewright.tools.calibration.validation.validation_report import (
    ALL,
    LITTLE_KNOWN,
    SUMS,
    WELL_KNOWN,
    DeviceClass,
    Measured,
    Scheme,
)


def sample(
    measured: float,
    predicted: float,
    *,
    board: str = "a",
    network: str = "kws",
    runtime: str = "tflm",
    factor: float = 1.2,
) -> Sample:
    return Sample(
        id=f"{network}-{board}", device_class=DeviceClass.MCU, runtime=runtime, quantity=Measured.LATENCY,
        scheme=Scheme.MODEL_OUT, network=network, dtype="int8", board=board, measured=measured,
        predicted=predicted, low=predicted / factor, high=predicted * factor,
    )  # fmt: skip


def test_errors_are_shares_of_the_measurement() -> None:
    # 5 %, 20 %, 50 % and 100 % off
    samples = [sample(100, 105), sample(100, 80), sample(10, 15), sample(10, 20)]
    total, group = error_groups(samples)
    assert (total.runtime, group.runtime) == (ALL, "tflm")
    assert group.n == 4
    assert group.median_ape == pytest.approx((0.2 + 0.5) / 2)
    assert group.mean_ape == pytest.approx((0.05 + 0.2 + 0.5 + 1) / 4, abs=1e-4)
    assert group.within_10 == 0.25
    assert group.within_25 == 0.5


def test_a_measurement_is_covered_inside_the_interval_of_its_prediction() -> None:
    # 105/1.2 to 105·1.2 holds 100; 80·1.2 = 96 does not reach it
    assert error_groups([sample(100, 105), sample(100, 80)])[0].coverage == 0.5


def test_models_and_boards_are_counted_once() -> None:
    samples = [sample(1, 1, board="a"), sample(1, 1, board="a"), sample(1, 1, board="b", network="ic")]
    group = error_groups(samples)[0]
    assert (group.n, group.models, group.boards) == (3, 2, 2)


def test_a_class_is_summed_up_over_its_runtimes() -> None:
    groups = error_groups([sample(1, 1, runtime="tflm"), sample(1, 2, runtime="x-cube-ai")])
    assert [(g.runtime, g.n) for g in groups] == [(ALL, 2), ("tflm", 1), ("x-cube-ai", 1)]


def test_groups_of_many_models_are_summed_up_apart() -> None:
    many = [sample(1, 1, network=str(number)) for number in range(15)]
    few = [sample(1, 2, network=str(number), runtime="x-cube-ai") for number in range(14)]
    summed = {g.runtime: (g.n, g.median_ape) for g in error_groups([*many, *few]) if g.runtime in SUMS}
    assert summed[WELL_KNOWN] == (15, 0)
    assert summed[LITTLE_KNOWN] == (14, 1)


def test_boards_are_ranked_model_by_model() -> None:
    in_order = [sample(m, 3 * m, board=b) for m, b in ((1, "a"), (2, "b"), (3, "c"))]
    reversed_order = [sample(m, 4 - m, board=b, network="ic") for m, b in ((1, "a"), (2, "b"), (3, "c"))]
    assert error_groups(in_order)[0].rank_correlation == 1
    assert error_groups([*in_order, *reversed_order])[0].rank_correlation == 0


def test_two_boards_have_no_rank_correlation() -> None:
    assert error_groups([sample(1, 1, board="a"), sample(2, 2, board="b")])[0].rank_correlation is None


def test_rank_correlation_with_ties() -> None:
    # ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5 · 5)
    assert spearman([1, 2, 2, 3], [1, 2, 3, 4]) == pytest.approx(4.5 / (4.5 * 5) ** 0.5)


def test_a_constant_has_no_rank() -> None:
    assert spearman([1, 1, 1], [1, 2, 3]) is None


@pytest.mark.parametrize(
    ("kind", "processor", "expected"),
    [
        ("core", "cortex-m4", DeviceClass.MCU), ("core", "cortex-a76", DeviceClass.CPU),
        ("core", "x86-64", DeviceClass.CPU), ("unit", "mali", DeviceClass.GPU),
        ("unit", "nvidia-gpu", DeviceClass.GPU), ("unit", "hexagon", DeviceClass.NPU),
    ],
)  # fmt: skip
def test_a_row_belongs_to_the_class_of_what_computed(
    kind: str, processor: str, expected: DeviceClass
) -> None:
    assert class_of_row(kind, processor) is expected


def test_reasons_are_counted_the_most_frequent_first() -> None:
    found = grouped_reasons([("1", "no clock"), ("2", "no type"), ("3", "no type")])
    assert [(left.reason, left.n, left.ids) for left in found] == [
        ("no type", 2, ("2", "3")),
        ("no clock", 1, ("1",)),
    ]
