import functools
import math

import pytest

from edgewright.tools import validate
from edgewright.tools.calibration.validation.shipped import shipped_samples
from edgewright.tools.calibration.validation.validation_report import ErrorGroup, Measured, Scheme


@functools.cache
def group(quantity: Measured, scheme: Scheme, runtime: str = "all") -> ErrorGroup:
    return next(
        g
        for g in validate(device_class="mcu").groups
        if (g.quantity, g.scheme, g.runtime) == (quantity, scheme, runtime)
    )


def test_flash_of_an_unseen_network_is_predicted_within_a_few_percent() -> None:
    found = group(Measured.FLASH, Scheme.MODEL_OUT)
    assert found.n > 400
    assert found.median_ape < 0.03
    assert found.coverage is not None
    assert 0.85 <= found.coverage <= 0.97


def test_the_interval_holds_where_the_board_is_unseen_too() -> None:
    found = group(Measured.FLASH, Scheme.BOARD_OUT)
    assert found.coverage is not None
    assert found.coverage >= 0.85


def test_weights_published_by_the_vendor_are_our_parameter_bytes() -> None:
    found = group(Measured.WEIGHTS, Scheme.MODEL_OUT, "x-cube-ai")
    assert found.n > 100
    assert found.median_ape < 0.001
    assert found.within_10 > 0.95


def test_a_prediction_is_positive_and_inside_its_interval() -> None:
    samples = [s for s in shipped_samples(in_sample=False).samples if s.quantity is Measured.FLASH]
    for sample in samples:
        assert sample.low is not None
        assert sample.high is not None
        assert 0 < sample.low <= sample.predicted <= sample.high
        assert math.isfinite(sample.predicted)


@pytest.mark.parametrize("quantity", list(Measured))
def test_every_quantity_has_a_column_of_the_table_of_measurements(quantity: Measured) -> None:
    from edgewright.tools.calibration.importer import COLUMNS

    assert quantity.column in COLUMNS
