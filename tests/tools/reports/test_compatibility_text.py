from __future__ import annotations

import pytest

from edgewright.tools import deployment, score_compatibility
from edgewright.tools.compatibility_scorer.report import CompatibilityReport
from edgewright.tools.reports.text import as_text
from edgewright.tools.reports.text.compatibility import compatibility_text


@pytest.fixture(scope="module")
def report() -> CompatibilityReport:
    return score_compatibility("mobilenet_v3_large", deployment("coral-dev-board", "edgetpu"))


def test_operators_that_are_alike_share_a_row(report: CompatibilityReport) -> None:
    text = as_text(report)
    assert "HARD_SWISH x 21" in text
    assert "1, 45, 47, 50, 52 and 16 more" in text
    assert len(text.splitlines()) < 40


def test_every_operator_has_a_row_of_its_own_when_asked_for(report: CompatibilityReport) -> None:
    rows = [line for line in compatibility_text(report, every=True).splitlines() if "| HARD_SWISH  " in line]
    assert len(rows) == 21


@pytest.mark.parametrize("width", [100, 120, 160])
def test_long_cells_are_wrapped_so_that_rows_grow_and_words_stay_whole(
    report: CompatibilityReport, width: int
) -> None:
    plain, wrapped = compatibility_text(report), compatibility_text(report, width=width)
    assert max(map(len, wrapped.splitlines())) < max(map(len, plain.splitlines()))
    assert "HARD_SWISH" in wrapped
    assert wrapped.count("replace it by") >= 1


def test_the_price_of_falling_back_and_its_remedy_are_told(report: CompatibilityReport) -> None:
    text = as_text(report)
    assert "times as long" in text
    assert "| HARD_SWISH: replace it by RELU6 and retrain" in text
    assert "Moved between processors: 196 KiB, unknown" in text


def test_a_model_that_is_accelerated_in_whole_has_no_pieces_to_show() -> None:
    text = as_text(score_compatibility("mobilenet_v2", deployment("coral-dev-board", "edgetpu")))
    assert "times as long" not in text
    assert "What would help" not in text
