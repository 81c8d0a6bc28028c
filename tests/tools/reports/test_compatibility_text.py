"""What a compatibility report says, and how a terminal of any width shows it."""

from __future__ import annotations

import io

import pytest

from edgewright.agent.terminal import print_document
from edgewright.tools import deployment, score_compatibility
from edgewright.tools.compatibility_scorer.compatibility_report import CompatibilityReport
from edgewright.tools.core.document import describe
from edgewright.tools.core.numbers import written
from edgewright.tools.core.paths import resolve
from edgewright.tools.core.render.markdown import as_text, plain


@pytest.fixture(scope="module")
def report() -> CompatibilityReport:
    return score_compatibility("mobilenet_v3_large", deployment("coral-dev-board", "edgetpu"))


def test_operators_that_are_alike_share_a_row(report: CompatibilityReport) -> None:
    text = as_text(report)
    assert "HARD_SWISH × 21" in text
    assert "1, 45, 47, 50, 52 and 16 more" in text
    assert len(text.splitlines()) < 40


def test_every_operator_has_a_row_of_its_own_when_asked_for(report: CompatibilityReport) -> None:
    lines = plain(describe(report, every=True)).splitlines()
    rows = [line for line in lines if "| HARD_SWISH  " in line]
    assert len(rows) == 21


@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_a_terminal_shows_whole_words_in_the_columns_that_it_has(
    report: CompatibilityReport, width: int
) -> None:
    out = io.StringIO()
    print_document(describe(report), out, width)
    assert max(map(len, out.getvalue().splitlines())) <= width
    for word in ("HARD_SWISH", "accelerator", "retrain", "DEPTHWISE_CONV_2D"):
        assert word in out.getvalue()


def test_the_price_of_falling_back_and_its_remedy_are_there(report: CompatibilityReport) -> None:
    text = as_text(report)
    cost = resolve("fallback_cost", report)
    assert f"{written(cost, interval=True)} times as long" in text
    assert "| HARD_SWISH: replace it by RELU6 and retrain" in text
    assert "Moved between processors: 196 KiB, unknown" in text


def test_a_model_that_is_accelerated_in_whole_has_no_pieces_to_show() -> None:
    text = as_text(score_compatibility("mobilenet_v2", deployment("coral-dev-board", "edgetpu")))
    assert "times as long" not in text
    assert "What would help" not in text
