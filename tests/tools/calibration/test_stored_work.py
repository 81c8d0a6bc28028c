"""The work of measured networks that ships is what their graphs come to."""

from __future__ import annotations

import numpy as np
import pytest

from edgewright.hardware_db.measurements import rows
from edgewright.tools.calibration import work


def test_the_stored_work_of_every_measured_network_is_that_of_its_graph() -> None:
    stored = work._stored()
    cases = {(row["network"], row["dtype"]) for row in rows() if row["network"] and row["dtype"]}
    assert stored.keys() == cases, "make calibrate"
    for case, columns in stored.items():
        built = work.built_work(*case)
        if built is None:
            assert columns is None, case
        else:
            assert columns is not None, case
            np.testing.assert_array_equal(columns, built, err_msg=f"{case}: make calibrate")


def test_other_networks_than_those_it_was_stored_for_are_built(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = work.work_of("kws", "int8")
    work._stored.cache_clear()
    monkeypatch.setattr(work, "networks_digest", lambda: "others")
    try:
        assert work._stored() == {}
        np.testing.assert_array_equal(work.work_of("kws", "int8"), stored)
    finally:
        work._stored.cache_clear()
