"""What ships, scored on the measurements it was fitted to: the folds alone would not show a fit stored wrongly."""

import functools
from collections import defaultdict

import numpy as np
import pytest

from edgewright.tools.calibration.validation.samples import Sample
from edgewright.tools.calibration.validation.scores import absolute_errors
from edgewright.tools.calibration.validation.shipped import shipped_samples
from edgewright.tools.calibration.validation.validation_report import ALL, Measured, Scheme

ENOUGH = 15
"""Rows that have a median worth the name."""

Group = tuple[str, str, Measured]


@functools.cache
def by_scheme(scheme: Scheme) -> dict[Group, dict[str, Sample]]:
    """(class, runtime or all, quantity) → id → sample."""
    found: dict[Group, dict[str, Sample]] = defaultdict(dict)
    for sample in shipped_samples(in_sample=True).samples:
        if sample.scheme is scheme:
            for runtime in (ALL, sample.runtime):
                found[sample.device_class, runtime, sample.quantity][sample.id] = sample
    return found


def median(samples: list[Sample]) -> float:
    return float(np.median(absolute_errors(samples)))


@pytest.mark.parametrize("left_out", [Scheme.MODEL_OUT, Scheme.BOARD_OUT])
def test_the_shipped_fit_is_nearer_to_what_it_saw_than_fits_that_had_not_seen_it(left_out: Scheme) -> None:
    compared = {}
    for group, unseen in by_scheme(left_out).items():
        seen = by_scheme(Scheme.IN_SAMPLE).get(group, {})
        both = seen.keys() & unseen.keys()
        if len(both) >= ENOUGH:
            compared[group] = median([seen[i] for i in both]), median([unseen[i] for i in both])
    assert {device_class for device_class, runtime, _ in compared if runtime == ALL} == {
        "mcu", "cpu", "gpu", "npu",
    }  # fmt: skip
    assert {group: pair for group, pair in compared.items() if pair[0] > pair[1]} == {}
