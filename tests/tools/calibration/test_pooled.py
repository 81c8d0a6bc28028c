import math

import numpy as np
import pytest

from edgewright.tools.calibration.fit.physics import priors, widths
from edgewright.tools.calibration.fit.pooled import Pooled, Width, fit
from edgewright.tools.cost_model.features import FEATURES
from edgewright.tools.cost_model.hierarchy import amount

WIDTHS = {"dtype": Width(0.1, 2.0), "board": Width(0.1, 0.3), "clock": Width(0.1, 2.0)}


def fitted(slowness: dict[str, float], clocks: dict[str, float]) -> Pooled:
    """One feature; boards are as slow as told, and their clocks are their covariates."""
    paths = [
        ("dtype:cpu/int8", f"board:{name}", f"clock:cpu*{clocks[name]}")
        for name in slowness
        for _ in range(6)
    ]
    work = np.tile(np.arange(1.0, 7.0)[:, None], (len(slowness), 1))
    time = np.concatenate([np.arange(1.0, 7.0) * s for s in slowness.values()])
    return fit(work, time, paths, np.ones(len(time)), prior=np.zeros(1), widths=WIDTHS)


def test_a_step_counts_once_unless_it_says_how_often() -> None:
    assert amount("board:rk3588") == ("board:rk3588", 1.0)
    assert amount("clock:cpu*-0.5") == ("clock:cpu", -0.5)


def test_a_board_that_was_never_seen_goes_by_its_clock() -> None:
    clocks = {"a": -0.6, "b": -0.2, "c": 0.2, "d": 0.6}
    found = fitted({name: math.exp(-2 * clock) for name, clock in clocks.items()}, clocks)
    new = found.coefficients(("dtype:cpu/int8", "board:new", "clock:cpu*0.4"))[0]
    assert new == pytest.approx(math.exp(-0.8), rel=0.1)


def test_what_one_board_alone_has_stays_with_it() -> None:
    found = fitted({"a": 1.0, "b": 1.0, "c": 1.0, "slow": 2.0}, dict.fromkeys(("a", "b", "c", "slow"), 0.0))
    usual = found.coefficients(("dtype:cpu/int8",))[0]
    assert usual == pytest.approx(1.0, abs=0.25)
    assert found.coefficients(("dtype:cpu/int8", "board:slow"))[0] > 1.5 * usual


def test_every_level_of_every_kind_has_a_width_and_a_prior() -> None:
    assert {"board", "software", "family", "clock"} <= set(widths("mcu")) & set(widths("cpu")) & set(
        widths("unit")
    )
    assert all(len(prior) == len(FEATURES) for prior in priors().values())
