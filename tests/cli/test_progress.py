"""What takes longer than a second says so on a terminal, and leaves nothing there."""

import io
import time

import pytest

from edgewright.commands import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_long_computation_shows_its_seconds_and_clears_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "AFTER_S", 0.0)
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    with progress.clock("validate"):
        until = time.monotonic() + 10
        while "validate: 0 s" not in terminal.getvalue() and time.monotonic() < until:
            time.sleep(0.01)
    assert "validate: 0 s" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_short_one_and_one_into_a_pipe_show_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (Terminal(), io.StringIO()):
        monkeypatch.setattr("sys.stderr", stream)
        with progress.clock("validate"):
            pass
        assert stream.getvalue() == ""
