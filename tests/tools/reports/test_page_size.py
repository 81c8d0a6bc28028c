"""A page of many deployments stays small enough to send, and says what it leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.tools import deployment, write_report
from edgewright.tools.reports.page import shell
from edgewright.tools.reports.page.fragment import LEFT_OUT
from edgewright.tools.reports.results import results_of

BOARDS = ("stm32h743zi", "nrf52840", "stm32l4r5zi", "esp32-s3", "max78000", "raspberry-pi-4b")


def test_a_page_of_sixty_deployments_is_under_five_megabytes(tmp_path: Path) -> None:
    places = [deployment(board).at(batch=2**power) for power in range(10) for board in BOARDS]
    written = write_report("mobilenet_v2:int8", places, tmp_path / "many.html", in_depth=False)
    assert len(written.deployments) == 60
    assert written.bytes < 5_000_000


def test_beyond_its_room_a_page_keeps_figures_and_says_what_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    views = [results_of("mobilenet_v2:int8", board, in_depth=False) for board in BOARDS[:3]]
    whole = shell.page(views)
    assert LEFT_OUT not in whole
    monkeypatch.setattr(shell, "_ROOM", 0)
    first, *others = shell.page(views).split('<article class="deployment"')[1:]
    assert LEFT_OUT not in first
    for at, other in enumerate(others, start=1):
        assert LEFT_OUT in other
        assert f'data-target="{BOARDS[at]}"' in other
        assert "Latency" in other
        assert "Time of each layer" in other
    assert len(others[0]) < len(whole.split('<article class="deployment"')[2]) / 2
