"""Common Trace Format, and Zephelin's own JSON of it: what firmware on Zephyr logs of a network."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgewright.tools import (
    Deployment,
    EdgewrightError,
    InputError,
    ModelGraph,
    explain_trace,
    import_profile,
)
from edgewright.tools.traces.formats import ctf, tsdl
from stubs import ctf_traces as made
from stubs.traces import Import
from stubs.work import TWELVE, times_as_long

REAL = bytes.fromhex(
    "08e1030062636f756e7465725f76616c756500000000000000000000000000000093799f3b62636f756e7465725f76616c7"
    "5650000000000000001000000000000005dca3b7762636f756e7465725f76616c7565000000000000000200000000000000"
    "271bd8b262636f756e7465725f76616c7565000000000000000300000000000000e86b74ee62636f756e7465725f76616c7"
    "565000000000000000400000000000000f2bb102a62636f756e7465725f76616c7565000000000000000500000000000000"
)
"""The first six events of github.com/antmicro/zephelin tests/ctf2tef/trace.ctf, commit 99b0799, of a real Zephyr;
`trace.tef` beside it is what babeltrace2 makes of it. The last is beyond 2^32 ns."""
REAL_US = (0.0, 1000052.875, 2000152.917, 3000252.959, 4000352.992, 5000452.842)
TEF = (
    ("CONV_2D", 223594.084, 338225.236), ("MAX_POOL_2D", 341632.403, 351348.055),
)  # fmt: skip
"""The first two operators of github.com/antmicro/zephelin-trace-viewer public/advanced.tef, commit 4ab1fe1: a real
run of magic_wand."""


def folder_of(tmp_path: Path, events: bytes, metadata: str | None = None) -> Path:
    (tmp_path / "metadata").write_text(made.metadata() if metadata is None else metadata)
    (tmp_path / "channel0_0").write_bytes(events)
    return tmp_path / "channel0_0"


def test_a_real_trace_has_the_times_that_babeltrace_reads_in_it() -> None:
    layout = tsdl.parsed(made.metadata())
    found = list(ctf._Stream(layout, REAL, "trace.ctf").events(100))
    assert [(event.ns - found[0].ns) / 1e3 for event in found] == pytest.approx(REAL_US, abs=0.001)
    assert [event.fields["arg0"] for event in found] == [0, 1, 2, 3, 4, 5]
    assert {event.fields["name"] for event in found} == {"counter_value"}


def test_operators_of_a_network_are_compared_with_its_layers(
    tmp_path: Path, kws: ModelGraph, board: Deployment
) -> None:
    tags = [op.kind for op in kws.ops]
    took = [100.0 * (at + 1) for at in range(len(tags))]
    file = folder_of(tmp_path, b"".join(made.inferences(tags, took, runs=3)))
    found = import_profile(file, kws, board)
    assert found.runs == 3
    assert [layer.measured_ms for layer in found.layers] == pytest.approx([us / 1e3 for us in took])
    assert found.latency_ms.value == pytest.approx(sum(took) / 1e3 + 0.002)


def test_a_trace_that_runs_past_four_seconds_goes_on(
    tmp_path: Path, kws: ModelGraph, board: Deployment
) -> None:
    tags = [op.kind for op in kws.ops]
    events = made.inferences(tags, [200_000.0] * len(tags), runs=3, start_ns=(1 << 32) - 10_000)
    found = import_profile(folder_of(tmp_path, b"".join(events)), kws, board)
    assert {layer.measured_ms for layer in found.layers} == {200.0}


def test_by_itself_a_trace_says_what_takes_the_time_and_how_warm_it_was(tmp_path: Path) -> None:
    warm = made.event("zpl_die_temp_event", 900, struct.pack("<Hff", 2, 34.5, 41.25))
    events = warm + b"".join(made.inferences(["CONV_2D", "SOFTMAX"], [900, 100], runs=2))
    found = explain_trace(folder_of(tmp_path, events))
    assert [(row.op, row.times) for row in found.operators] == [("CONV_2D", 2), ("SOFTMAX", 2)]
    assert found.operators[0].share == pytest.approx(0.9)
    assert found.facts == {"die temperature": "34.5 to 41.2 °C", "arena used": "15,408 bytes"}
    assert any("32 bits" in note for note in found.assumptions)


def test_interrupts_within_an_inference_are_told_with_their_share(tmp_path: Path) -> None:
    run = list(made.inferences(["CONV_2D"], [1000], runs=1))
    inside = made.event("isr_enter", 10_000) + made.event("isr_exit", 110_000)
    found = explain_trace(folder_of(tmp_path, b"".join((*run[:2], inside, *run[2:]))))
    assert any("interrupts took 10.0% of the inferences" in line for line in found.warnings)


def test_scopes_without_a_network_are_spans_of_their_thread(tmp_path: Path) -> None:
    name = struct.pack("<H", 9) + b"read_mics" + struct.pack("<II", 5, made.MAIN)
    switched = made.event("thread_switched_in", 1, struct.pack("<I20s", made.MAIN, b"audio"))
    events = (
        switched + made.event("zpl_scope_enter", 10, name) + made.event("zpl_scope_exit", 2_000_010, name)
    )
    found = explain_trace(folder_of(tmp_path, events))
    assert [(row.name_untrusted, row.time_ms) for row in found.operators] == [("read_mics", 2.0)]
    assert found.lanes[0].lane_untrusted == "audio"


def test_json_of_zephelins_converter_is_a_trace_of_the_network(imported: Import, kws: ModelGraph) -> None:
    events = [{"name": "MODEL", "cat": "zephyr", "ph": "M", "pid": 0, "tid": 0, "ts": 0, "args": {}}]
    events.append(json_event("zpl_inference", "B", 222975.519))
    for index, (tag, begin, end) in enumerate(TEF):
        for phase, us in (("B", begin), ("E", end)):
            events.append(
                json_event(f"MODEL::{tag}_0_{index}", phase, us, tag=tag, op_idx=index, subgraph_idx=0)
            )
    events.append(json_event("zpl_inference", "E", 470357.426))
    with pytest.raises(InputError, match="MAX_POOL_2D"):  # of another model than kws
        imported(json.dumps(events), name="advanced.tef")


def json_event(name: str, phase: str, us: float, **fields: object) -> dict[str, object]:
    said = {"thread_id": 5, "runtime": "TFLite Micro"} | fields
    return {"name": name, "cat": "zephyr", "ph": phase, "ts": us, "pid": 0, "tid": 5, "args": said}


def test_json_of_zephelin_has_the_times_of_operators(tmp_path: Path) -> None:
    events = [json_event("zpl_inference", "B", 222975.519)]
    for index, (tag, begin, end) in enumerate(TEF):
        for phase, us in (("B", begin), ("E", end)):
            events.append(json_event(f"MODEL::{tag}_0_{index}", phase, us, tag=tag, op_idx=index))
    (tmp_path / "advanced.tef").write_text(
        json.dumps([*events, json_event("zpl_inference", "E", 470357.426)])
    )
    found = explain_trace(tmp_path / "advanced.tef")
    assert [(row.op, row.time_ms) for row in found.operators] == [
        ("CONV_2D", pytest.approx(114.631152)), ("MAX_POOL_2D", pytest.approx(9.715652)),
    ]  # fmt: skip


def test_packets_bit_fields_and_a_clock_of_its_own_are_read(tmp_path: Path) -> None:
    text = """/* CTF 1.8 */
    typealias integer { size = 32; align = 8; byte_order = be; } := unsigned long;
    typealias integer { size = 5; align = 1; } := five;
    typealias integer { size = 3; align = 1; signed = true; } := three;
    clock { name = core; freq = 1000000; };
    typealias integer { size = 64; align = 8; map = clock.core.value; } := stamp;
    trace { byte_order = be; packet.header := struct { unsigned long magic; }; };
    stream {
        packet.context := struct { unsigned long packet_size; unsigned long content_size; };
        event.header := struct { stamp timestamp; enum : five { A = 0, B = 1 ... 3 } id; three level; };
    };
    event { name = "work_enter"; id = 1; fields := struct { string why; }; };
    event { name = "work_exit"; id = 2; fields := struct { }; };
    """

    def packet(*events: bytes) -> bytes:
        content = 96 + 8 * sum(map(len, events))
        head = struct.pack(">III", 0xC1FC1FC1, content + 32, content)
        return head + b"".join(events) + b"\xff" * 4

    begin = struct.pack(">QB", 40, 1 << 3 | 0b111) + b"because\0"
    end = struct.pack(">QB", 1040, 2 << 3)
    file = folder_of(tmp_path, packet(begin) + packet(end), text)
    found = list(ctf._Stream(tsdl.parsed(text), file.read_bytes(), "x").events(10))
    assert found[0].fields == {"why": "because"}
    assert explain_trace(file).operators[0].time_ms == pytest.approx(1.0)


def test_a_table_beside_a_metadata_is_a_table(tmp_path: Path) -> None:
    folder_of(tmp_path, b"")
    (tmp_path / "ops.csv").write_text("op,time_ms\nCONV_2D,1.25\n")
    assert explain_trace(tmp_path / "ops.csv").operators[0].time_ms == 1.25


def test_an_event_that_the_metadata_does_not_declare_is_named(tmp_path: Path) -> None:
    events = b"".join(made.inferences(["CONV_2D"], [5], runs=1))
    with pytest.raises(InputError, match=r"byte 9 holds event 160, .*zpl/metadata"):
        explain_trace(folder_of(tmp_path, events, made.metadata(without=[0xA0])))


@pytest.mark.parametrize("cut", [1, 6, 20])
def test_a_trace_that_was_cut_off_is_refused_whole(tmp_path: Path, cut: int) -> None:
    events = b"".join(made.inferences(["CONV_2D"], [5], runs=4))
    with pytest.raises(InputError, match=r"the event at byte [\d,]+ is cut off"):
        explain_trace(folder_of(tmp_path, events[:-cut]))


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("stream { event.header := variant <id> { } ; };", r"Line \d+ .*variant"),
        ("typealias integer { size = 900; } := big;", "integer of 900 bits"),
        ("event { name = x; id = 3; fields := struct { nothing a; }; };", "unknown type nothing"),
        ("struct a { " + "struct { " * 40, "nests too deeply"),
        ("event { name = x; id = 3; fields := struct { uint8_t a[99999999]; }; };", "array of 99,999,999"),
        ("typealias integer { size = 8", "ends amid a declaration|belongs"),
        ("event { name ? 3; };", "cannot be read"),
    ],
)
def test_metadata_that_is_none_is_refused_with_its_line(tmp_path: Path, broken: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        explain_trace(folder_of(tmp_path, b"\0" * 40, made.metadata() + broken))


def test_a_sequence_longer_than_the_file_takes_no_memory(tmp_path: Path) -> None:
    long = made.event("zpl_die_temp_event", 5, struct.pack("<H", 0xFFFF))
    with pytest.raises(InputError, match="cut off"):
        explain_trace(folder_of(tmp_path, long))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=300), text=st.text(max_size=80))
def test_no_bytes_and_no_metadata_do_more_than_raise_an_error_of_ours(
    tmp_path: Path, data: bytes, text: str
) -> None:
    good = b"".join(made.inferences(["CONV_2D"], [5], runs=1))
    for events, layout in ((good[:60] + data, made.metadata()), (good, made.metadata() + text)):
        try:
            explain_trace(folder_of(tmp_path, events, layout))
        except EdgewrightError as error:
            assert "\x1b" not in str(error)  # noqa: PT017 - what it says is shown


def test_a_hundred_thousand_events_are_read_in_linear_time(tmp_path: Path) -> None:
    rows: list[int] = []

    def reading(runs: int) -> Callable[[], object]:
        (tmp_path / str(runs)).mkdir(exist_ok=True)
        events = b"".join(made.inferences(["CONV_2D"] * 8, [50.0] * 8, runs=runs))
        file = folder_of(tmp_path / str(runs), events)
        return lambda: rows.append(explain_trace(file).sources[0].rows)

    assert times_as_long(reading, 5_600) <= TWELVE
    assert max(rows) == 100_800
