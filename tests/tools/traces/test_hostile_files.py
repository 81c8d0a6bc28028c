"""Whatever a file holds, it is read or refused with an error of ours; nothing of it reaches a terminal."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgewright.tools import EdgewrightError, InputError, explain_trace
from edgewright.tools.core.render.markdown import as_text
from stubs import power_traces, torq
from stubs.work import TWELVE, bytes_read_by, times_as_long

_PARTS = [
    *torq.TIMELINE.splitlines(), *torq.NEWER.splitlines(), *torq.RUNTIME.splitlines(), *torq.EVENTS.splitlines(),
    *torq.ANNOTATED.splitlines(), *power_traces.ppk2(power_traces.made(100, 1)).splitlines()[:6],
    *power_traces.joulescope(power_traces.made(100, 1)).splitlines()[:6],
    " Performance counter stats for 'x':", "  1,364,046      cycles", "  <not counted>  instructions",
    '{"counter-value" : "3112.0", "event" : "cycles"}', "5,,cycles,1,100.00", "run,cycles,misses,accesses,latency_ms",
    "0,1000,4,90,4.6,0.25", "1,1000,4,90,4.6,0.25", "2,1000,4,90,4.6,0.25", "layer,cycles,instructions", "conv,5,-3",
    '[ { "count" : 5 }', ', { "name" : "Conv_1", "averageMs" : 0.1 }', "]", '{"traceEvents": [', '{"ph": "X", "ts": 1}',
    "ST Edge AI Core v2.2.0", "Exec/report summary (generate)", "C-Layers (8)", "0 gemm_4 4 Dense 9664 38656 I",
    "# flags: -O0", "time_s;power_mw", "0,5;1,5", "nan,nan", "module {", "%1 = tosa.conv2d %0", "\x1b]0;x\x07", "",
]  # fmt: skip


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(st.one_of(st.sampled_from(_PARTS), st.text(max_size=40)), max_size=24))
def test_no_mixture_of_formats_does_more_than_raise_an_error_that_can_be_shown(
    tmp_path: Path, lines: list[str]
) -> None:
    file = tmp_path / "trace.txt"
    file.write_bytes("\n".join(lines).encode("utf-8", "surrogatepass"))
    try:
        text = as_text(explain_trace(file, supply_v=3.3))
    except EdgewrightError as error:
        text = str(error)
    assert "\x1b" not in text
    assert "\x07" not in text


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=400), head=st.sampled_from([b"", b"PK\x03\x04", b"\x0a", b"\0\0\0\0ED00"]))
def test_no_bytes_do_more_than_raise_an_error_of_ours(tmp_path: Path, data: bytes, head: bytes) -> None:
    file = tmp_path / "trace.bin"
    file.write_bytes(head + data)
    try:
        explain_trace(file)
    except EdgewrightError as error:
        assert str(error)  # noqa: PT017 - what it says is shown


@pytest.mark.parametrize("name", ["trace.csv", "perf.txt", "power.csv"])
def test_of_a_file_of_two_gigabytes_no_more_is_read_than_would_be_taken(tmp_path: Path, name: str) -> None:
    with (tmp_path / name).open("wb") as out:
        out.truncate(2 << 30)
    with pytest.raises(InputError, match="larger than 64 MiB"):
        explain_trace(tmp_path / name)
    if Path("/proc/self/io").exists():
        assert bytes_read_by(lambda: explain_trace(tmp_path / name)) < 65 << 20


@pytest.mark.parametrize(
    "row", ["DI0," + "9" * 1900, "S0_0,1,2," + "(" * 1900, "a" * 1999, "1 " * 990, '"' * 1999]
)
def test_no_line_takes_more_than_its_length_to_read(tmp_path: Path, row: str) -> None:
    heads = (
        torq.TIMELINE,
        torq.RUNTIME,
        " Performance counter stats for 'x':\n",
        "layer,cycles,instructions\n",
    )

    def reading(head: str, characters: int) -> Callable[[], object]:
        file = tmp_path / f"{characters}.csv"
        file.write_text(head + f"{row[:characters]}\n" * 200)
        return lambda: explain_trace(file)

    for head in heads:
        assert times_as_long(partial(reading, head), len(row)) <= TWELVE
