"""The roofline in characters: the model stands under the roofs, and nothing is drawn of what is not known."""

from __future__ import annotations

import pytest

from edgewright.tools import analyze_roofline
from edgewright.tools.roofline.text_drawing import HEIGHT, WIDTH, text_roofline


@pytest.mark.parametrize(("model", "target"), [("resnet50", "a100"), ("kws", "stm32l4r5zi")])
def test_the_model_stands_below_the_roof_and_the_drawing_fits_a_terminal(model: str, target: str) -> None:
    drawn = text_roofline(analyze_roofline(model, target)).splitlines()
    assert max(map(len, drawn)) <= 76
    grid = [line[13:].ljust(WIDTH) for line in drawn[:HEIGHT]]
    row = next(at for at, line in enumerate(grid) if "X" in line)
    column = grid[row].index("X")
    roof = next(at for at, line in enumerate(grid) if line[column] in "/-")
    assert roof <= row


def test_every_layer_with_an_intensity_is_counted() -> None:
    report = analyze_roofline("kws", "stm32l4r5zi")
    rug = text_roofline(report).splitlines()[HEIGHT + 1]
    known = sum(1 for layer in report.layers if layer.arithmetic_intensity)
    assert sum(int(mark) for mark in rug if mark.isdigit()) == known


def test_without_a_peak_nothing_is_drawn() -> None:
    report = analyze_roofline("kws", "stm32l4r5zi").model_copy(update={"peak_gops": None})
    assert text_roofline(report) == ""
