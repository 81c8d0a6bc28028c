import math

import numpy as np
import pytest

from edgewright.tools.calibration.validation.samples import Sample
from edgewright.tools.calibration.validation.shipped import shipped_samples
from edgewright.tools.calibration.validation.validation_report import Scheme


@pytest.fixture(scope="module")
def by_source() -> list[Sample]:
    return [s for s in shipped_samples(in_sample=False).samples if s.scheme is Scheme.SOURCE_OUT]


def of(samples: list[Sample], part: str) -> list[Sample]:
    return [sample for sample in samples if sample.runtime == part]


def test_tensorrt_on_cards_is_within_half_where_its_author_was_never_heard_of(
    by_source: list[Sample],
) -> None:
    cards = of(by_source, "tensorrt on cards")
    assert len(cards) > 500
    assert math.exp(float(np.median([abs(math.log(s.predicted / s.measured)) for s in cards]))) < 1.5


def test_libraries_on_x86_are_told_apart_by_source(by_source: list[Sample]) -> None:
    assert {s.runtime for s in by_source} >= {"onnxruntime on x86-64", "litert-xnnpack on x86-64"}
