"""The errors that are stored are those that the shipped measurements and coefficients give."""

from __future__ import annotations

import pytest

from edgewright import tools
from edgewright.hardware_db.errors import UnknownNameError
from edgewright.tools.calibration.validation.scores import error_groups
from edgewright.tools.calibration.validation.shipped import shipped_samples
from edgewright.tools.calibration.validation.stored import computed_report, narrowed, stored_report


def test_what_is_stored_is_what_is_computed() -> None:
    assert stored_report() == computed_report()  # else run `make calibrate`


@pytest.mark.parametrize(
    ("device_class", "runtime"),
    [("mcu", None), ("cpu", "litert-xnnpack"), (None, "tflm-cmsis-nn"), ("gpu", None), ("npu", "ethos-u")],
)
def test_narrowed_it_is_what_those_measurements_alone_give(
    device_class: str | None, runtime: str | None
) -> None:
    chosen = [
        sample
        for sample in shipped_samples(in_sample=False).samples
        if device_class in (None, sample.device_class) and runtime in (None, sample.runtime)
    ]
    assert narrowed(stored_report(), device_class, runtime).groups == error_groups(chosen)


@pytest.mark.parametrize("named", [{"runtime": "tflm-cmsis"}, {"runtime": "all"}, {"device_class": "dsp"}])
def test_what_nothing_was_measured_with_is_named(named: dict[str, str]) -> None:
    with pytest.raises(UnknownNameError, match="among the measurements"):
        tools.validate(**named)


def test_errors_within_the_fit_are_computed() -> None:
    schemes = {group.scheme for group in tools.validate(in_sample=True, device_class="mcu").groups}
    assert "in-sample" in schemes
