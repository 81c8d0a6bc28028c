import pytest

from edgewright.tools import ModelGraph
from edgewright.tools.traces.alignment import aligned
from edgewright.tools.traces.trace import Event, Trace, Unit
from stubs.traces import KWS_TICKS, TOTAL_MS, Import, events, sentences

_NO_RESHAPE = tuple(row for row in KWS_TICKS if row[0] != "RESHAPE")


def trace_of(*tags: str, repeats: bool = False) -> Trace:
    events = tuple(Event(tag, 1.0) for tag in tags)
    return Trace("test", Unit.MILLISECONDS, (events,), repeats=repeats)


def test_a_reshape_that_is_not_logged_shifts_nothing(imported: Import) -> None:
    report = imported(events(_NO_RESHAPE))
    assert report.unmatched_layers == (10,)
    assert report.layers[11].measured_ms == pytest.approx(KWS_TICKS[11][1] / 120e3)
    assert report.residuals[0].index == 6


def test_an_event_of_no_operator_is_told_and_shifts_nothing(imported: Import) -> None:
    extra = (*KWS_TICKS[:3], ("MEMORY_COPY", 12000), *KWS_TICKS[3:])
    report = imported(events(extra))
    assert [(event.tag_untrusted, event.measured_ms) for event in report.unmatched_events] == [
        ("MEMORY_COPY", 0.1)
    ]
    assert all(layer.measured_ms is not None for layer in report.layers)
    assert report.latency_ms.value == pytest.approx(TOTAL_MS + 0.1)


def test_repeated_runs_are_averaged_with_their_spread(imported: Import) -> None:
    report = imported(sentences() + sentences(scale=1.1) + sentences(scale=0.9))
    assert report.runs == 3
    assert report.latency_ms.value == pytest.approx(TOTAL_MS, rel=1e-4)
    assert report.latency_ms.low == pytest.approx(0.91 * TOTAL_MS, rel=1e-3)
    assert report.latency_ms.high == pytest.approx(1.09 * TOTAL_MS, rel=1e-3)
    assert report.layers[6].runs == 3
    assert report.layers[6].low_ms is not None


def test_runs_in_one_table_are_told_apart_by_the_model(imported: Import) -> None:
    """MicroProfiler numbers on where nobody clears it."""
    report = imported(events((*KWS_TICKS, *KWS_TICKS)))
    assert report.runs == 2
    assert report.latency_ms.value == pytest.approx(TOTAL_MS)


def test_a_log_that_begins_and_ends_amid_a_run_counts_whole_runs_only(imported: Import) -> None:
    report = imported(sentences(KWS_TICKS[7:]) + sentences() + sentences(KWS_TICKS[:4]))
    assert report.runs == 1
    assert report.latency_ms.value == pytest.approx(TOTAL_MS)
    assert any("2 runs of which the trace holds only a part" in line for line in report.warnings)


@pytest.mark.parametrize("left_out", range(13))
def test_one_event_lost_leaves_one_layer_unmeasured(kws: ModelGraph, left_out: int) -> None:
    tags = [tag for tag, _ in KWS_TICKS]
    ((run,),) = aligned(trace_of(*tags[:left_out], *tags[left_out + 1 :]), kws)
    missing = [op.index for op in kws.ops if op.index not in run.taken]
    assert len(missing) == 1
    assert kws.ops[missing[0]].kind == tags[left_out]


def test_each_event_is_used_once_and_in_order(kws: ModelGraph) -> None:
    tags = [tag for tag, _ in KWS_TICKS] * 3
    (runs,) = aligned(trace_of("SETUP", *tags, "DONE", repeats=True), kws)
    taken = [at for run in runs for op in sorted(run.taken) for at in run.taken[op]]
    assert taken == list(range(1, 40))
    assert len(runs) == 3


def test_names_of_other_runtimes_find_their_operators(kws: ModelGraph) -> None:
    names = ["Conv", "QLinearConv", "Conv2D", "DepthwiseConv2D", "CONV2D", "Convolution (NHWC, QC8) DWConv",
             "OPTIMIZED_CONV2D", "Conv", "Convolution (NHWC, QC8) IGEMM", "GlobalAveragePool", "Gemm", "Softmax"]  # fmt: skip
    ((run,),) = aligned(trace_of(*names), kws)
    assert [op.index for op in kws.ops if op.index not in run.taken] == [10]
    assert run.extra == []
