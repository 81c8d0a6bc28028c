import math

import numpy as np
import pytest

from edgewright.tools.calibration.fit.left_out import inverse, left_out
from edgewright.tools.calibration.fit.pooled import Model, Pooled, Solved, solve
from edgewright.tools.calibration.fit.priors import models
from edgewright.tools.calibration.fit.table import Width, table_of
from edgewright.tools.cost_model.features import COLUMN, FEATURES
from edgewright.tools.cost_model.hardware_figures import HardwareFigures
from edgewright.tools.cost_model.hierarchy import amount
from edgewright.tools.cost_model.work import shares_of_cost, whole_cost

WIDTHS = {
    "dtype": Width(0.1, 2.0),
    "board": Width(0.1, 0.3),
    "clock": Width(0.1, 2.0),
    "hardware": Width(0.1, 1.0),
}
ROWS = 6


def solved(slowness: dict[str, float], steps: dict[str, str]) -> Solved:
    """One feature; boards are as slow as told, and each has one more step."""
    paths = [("dtype:cpu/int8", f"board:cpu/{name}", steps[name]) for name in slowness for _ in range(ROWS)]
    work = np.tile(np.arange(1.0, ROWS + 1)[:, None], (len(slowness), 1))
    time = np.concatenate([np.arange(1.0, ROWS + 1) * s for s in slowness.values()])
    return solve(table_of(work, time, paths, np.ones(len(time))), Model(np.zeros(1), WIDTHS, 0.1))


def by_clock(slowness: dict[str, float], clocks: dict[str, float]) -> Pooled:
    return solved(slowness, {name: f"clock:cpu/mhz*{clocks[name]}" for name in slowness}).pooled


def test_a_step_counts_once_unless_it_says_how_often() -> None:
    assert amount("board:rk3588") == ("board:rk3588", 1.0)
    assert amount("clock:cpu*-0.5") == ("clock:cpu", -0.5)


def test_a_board_that_was_never_seen_goes_by_its_clock() -> None:
    clocks = {"a": -0.6, "b": -0.2, "c": 0.2, "d": 0.6}
    found = by_clock({name: math.exp(-2 * clock) for name, clock in clocks.items()}, clocks)
    new = found.coefficients(("dtype:cpu/int8", "board:cpu/new", "clock:cpu/mhz*0.4"))[0]
    assert new == pytest.approx(math.exp(-0.8), rel=0.1)


def test_a_board_that_was_never_seen_takes_after_those_with_hardware_like_its_own() -> None:
    small, large = HardwareFigures(peak=25.0), HardwareFigures(peak=29.0)
    boards = {"a": small, "b": small, "c": large, "d": large}
    found = solved(
        {"a": 4.0, "b": 4.0, "c": 1.0, "d": 1.0}, {b: f"hardware:cpu/{own}" for b, own in boards.items()}
    ).pooled
    near_small, between, near_large = (
        found.coefficients(("dtype:cpu/int8", f"hardware:cpu/{HardwareFigures(peak=peak)}"))[0]
        for peak in (25.2, 27.0, 28.8)
    )
    assert near_small > 3
    assert near_large < 1.3
    assert near_large < between < near_small


def test_what_one_board_alone_has_stays_with_it() -> None:
    found = by_clock({"a": 1.0, "b": 1.0, "c": 1.0, "slow": 2.0}, dict.fromkeys(("a", "b", "c", "slow"), 0.0))
    usual = found.coefficients(("dtype:cpu/int8",))[0]
    assert usual == pytest.approx(1.0, abs=0.25)
    assert found.coefficients(("dtype:cpu/int8", "board:cpu/slow"))[0] > 1.5 * usual


def test_leaving_a_board_out_in_closed_form_is_as_if_it_had_never_been_measured() -> None:
    slowness = {"a": 1.0, "b": 1.3, "c": 0.7, "d": 1.1}
    clocks = {"a": -0.4, "b": 0.1, "c": 0.5, "d": 0.3}
    every = solved(slowness, {name: f"clock:cpu/mhz*{clocks[name]}" for name in slowness})
    groups = [name for name in slowness for _ in range(ROWS)]
    errors = left_out(every, inverse(every.factor), groups, ["dtype:cpu/int8"] * len(groups))
    for at, name in enumerate(slowness):
        others = {other: slow for other, slow in slowness.items() if other != name}
        alone = by_clock(others, clocks)
        cost = alone.coefficients(("dtype:cpu/int8", f"clock:cpu/mhz*{clocks[name]}"))[0]
        assert errors[at * ROWS] == pytest.approx(math.log(cost / slowness[name]), abs=0.02)


def test_a_row_is_not_predicted_where_nothing_of_its_type_is_left() -> None:
    every = solved({"a": 1.0, "b": 1.3}, {"a": "clock:cpu/mhz*0.1", "b": "clock:cpu/mhz*0.2"})
    groups = ["a"] * ROWS + ["b"] * ROWS
    types = ["dtype:cpu/int8"] * ROWS + ["dtype:cpu/float32"] * ROWS
    assert np.isnan(left_out(every, inverse(every.factor), groups, types)).all()


def test_every_level_of_every_class_has_a_width_and_a_prior() -> None:
    found = models()
    assert set(found) == {"mcu", "cpu", "gpu", "npu"}
    assert all({"board", "software", "family"} <= set(model.widths) for model in found.values())
    assert all({"hardware", "hardware_of"} <= set(found[name].widths) for name in ("gpu", "npu"))
    assert all(len(model.prior) == len(FEATURES) for model in found.values())


def test_a_gpu_hides_the_lesser_of_launches_and_the_rest_behind_the_greater() -> None:
    parts = np.zeros((3, len(FEATURES)))
    parts[:, COLUMN["op"]] = 3.0, 100.0, 0.1
    parts[:, COLUMN["conv"]] = 4.0, 1.0, 100.0
    assert whole_cost(parts, "gpu") == pytest.approx([5.0, 100.0, 100.0], rel=1e-3)
    assert whole_cost(parts, "npu") == pytest.approx([7.0, 101.0, 100.1])


@pytest.mark.parametrize("kind", ["cpu", "gpu"])
def test_shares_are_the_slopes_of_the_logarithm(kind: str) -> None:
    parts = np.random.default_rng(1).uniform(0.1, 1.0, (1, len(FEATURES)))
    whole = whole_cost(parts, kind)
    shares = shares_of_cost(parts, whole, kind)
    assert shares.sum() == pytest.approx(1.0)
    for column in (COLUMN["op"], COLUMN["conv"], COLUMN["fill"]):
        more = parts.copy()
        more[0, column] *= math.exp(1e-6)
        slope = float(np.log(whole_cost(more, kind) / whole)[0]) / 1e-6
        assert shares[0, column] == pytest.approx(slope, rel=1e-3)
