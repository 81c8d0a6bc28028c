"""Traces of memory accesses, as Valgrind's lackey prints them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from edgewright.tools import InputError, TraceReport, explain_trace
from edgewright.tools.traces.accesses import AccessReport
from stubs.work import HALF_THE_SQUARE, times_as_long

HEAD = "==7== Lackey, an example Valgrind tool\n==7== \nI  004014f0,2\n"
"""As Valgrind 3.19.0 begins."""


def sweeps(size: int, times: int, step: int = 4) -> str:
    """Loads of four bytes through an array again and again."""
    loads = (
        f"I  00401000,3\n L {0x1FFF000000 + at:x},4\n" for _ in range(times) for at in range(0, size, step)
    )
    return HEAD + "".join(loads) + "==7== \n==7== Exit code:       0\n"


def found_in(tmp_path: Path, text: str) -> TraceReport:
    (tmp_path / "lackey.txt").write_text(text)
    return explain_trace(tmp_path / "lackey.txt")


def accesses(tmp_path: Path, text: str) -> AccessReport:
    found = found_in(tmp_path, text).accesses
    assert found is not None
    return found


def test_sweeps_through_an_array_touch_it_in_order_and_miss_what_is_smaller(tmp_path: Path) -> None:
    found = accesses(tmp_path, sweeps(8 << 10, times=4))
    assert (found.loads, found.stores, found.moved_bytes) == (8192, 0, 32768)
    assert found.instructions == 8192 + 1
    assert found.touched_bytes == 8 << 10
    assert found.reuse == pytest.approx(4 * 8)
    assert found.sequential_share > 0.999
    misses = {each.cache_bytes: each.miss_share for each in found.caches}
    assert misses[4 << 10] == pytest.approx(1 / 8)  # every line of each sweep
    assert misses[8 << 10] == misses[64 << 10] == pytest.approx(1 / 32)  # those of the first


def test_steps_of_a_page_follow_nothing(tmp_path: Path) -> None:
    assert accesses(tmp_path, sweeps(1 << 20, times=2, step=4096)).sequential_share == 0


def test_what_is_read_and_written_counts_in_both(tmp_path: Path) -> None:
    found = accesses(tmp_path, HEAD + " M 1fff000780,8\n" * 30)
    assert (found.loads, found.stores, found.moved_bytes) == (30, 30, 480)


@pytest.mark.parametrize(("broken", "line"), [(" L 1fff00", 34), ("hello", 34), (" L zz,4", 34)])
def test_a_trace_that_is_mixed_or_cut_is_refused_with_its_line(
    tmp_path: Path, broken: str, line: int
) -> None:
    with pytest.raises(InputError, match=f"Line {line}"):
        found_in(tmp_path, HEAD + " L 1fff000780,8\n" * 30 + broken + "\n")


def test_a_hundred_thousand_accesses_are_read_in_linear_time(tmp_path: Path) -> None:
    def reading(many: int) -> Callable[[], object]:
        text = sweeps(many, times=4)
        return lambda: accesses(tmp_path, text)

    assert accesses(tmp_path, sweeps(100 << 10, times=4)).loads > 100_000
    assert times_as_long(reading, 100 << 10, HALF_THE_SQUARE) <= HALF_THE_SQUARE
