"""Which form a file of measurements has, and what it says."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ....hardware_db.errors import InputError
from ...core.quantity import Basis
from ..accesses import accesses_of
from ..grid import facts_of
from ..recording import Recording
from ..trace import Trace, Unit
from ..trace_file import MOST_EVENTS, Content, is_large, read_content
from . import (
    accelerator_logs,
    benchmark_model,
    board,
    c_nodes,
    chrome,
    chrome_spans,
    counter_stream,
    counter_table,
    ctf,
    etdump,
    generate_report,
    mltk,
    nsight,
    perf_stat,
    perfetto,
    power,
    power_stream,
    spreadsheet,
    st_edge_ai,
    table,
    table_stream,
    tensorrt,
    tflm,
    torq,
    torq_runtime,
    vela,
    xtensa,
    zephelin,
)
from .locations import operators_of

Lines = Sequence[str]


class Format(NamedTuple):
    """A reader, which gives None for what has another form."""

    of_lines: Callable[[Lines], Recording | None] | None = None
    of_bytes: Callable[[bytes], Recording | None] | None = None


_UNSTATED = "the file does not say what its times count in: call the column time_ms, or cycles"


def _traced(read: Callable[[Lines], Trace | None]) -> Format:
    """Of a reader of operators with a time each."""

    def recorded(lines: Lines) -> Recording | None:
        trace = read(lines)
        if trace is None or not any(trace.segments):
            return None
        return Recording(
            trace.format, trace.unit, trace=trace, basis=trace.basis, written_by=trace.written_by,
            clock_mhz=trace.clock_mhz, notes=trace.notes, lines=sum(map(len, trace.segments)),
            warnings=(_UNSTATED,) if trace.unit is Unit.UNSTATED else (),
            facts=facts_of(lines),
        )  # fmt: skip

    return Format(recorded)


def _source(lines: Lines) -> Recording | None:
    """The model's source as MLIR, which tells which operator stands in which line."""
    found = operators_of(lines) if any("func" in line or "module" in line for line in lines[:200]) else {}
    return (
        Recording("source in MLIR", sources=found, basis=Basis.DERIVED, lines=len(found)) if found else None
    )


def _accesses(lines: Lines) -> Recording | None:
    found = accesses_of(lines)
    return None if found is None else Recording("accesses to memory", accesses=found, lines=len(lines))


FORMATS: tuple[Format, ...] = (
    Format(of_bytes=spreadsheet.read), Format(of_bytes=etdump.read), Format(of_bytes=perfetto.read),
    Format(of_bytes=power.read), Format(board.read), Format(torq.read), Format(torq_runtime.read),
    Format(perf_stat.read), Format(xtensa.read), Format(_accesses),
    Format(tensorrt.read), Format(nsight.read), Format(mltk.read), Format(st_edge_ai.read),
    Format(accelerator_logs.read_edge_tpu),
    Format(accelerator_logs.read_hailo), _traced(chrome.read), Format(zephelin.read),
    Format(chrome_spans.read),
    _traced(benchmark_model.read),
    Format(vela.summary), Format(vela.costs), _traced(tflm.read), Format(generate_report.read),
    _traced(c_nodes.read), Format(_source), Format(counter_table.read), _traced(table.read),
)  # fmt: skip
"""The plainest comes last."""
KNOWN = (
    "the log of TFLM's MicroProfiler, op profiling of benchmark_model, onnxruntime's profile, Vela's CSV by "
    "layer, the c-node report of X-CUBE-AI, a CSV with an operator and a time such as time_ms to a row; "
    "Torq's trace.csv, runtime.csv and annotated CSV, xlsx or .pb; Perfetto and Chrome traces; "
    "perf stat as text, CSV or JSON; counters as CSV; power or current over time; profiles "
    "of TensorRT and ExecuTorch, sums of Nsight Systems, MLTK's profile; ST Edge AI's generate report and "
    "*_c_info.json, logs of Edge TPU's and Hailo's compilers; the serial lines of `code --instrument`; "
    "CTF beside its metadata, and Zephelin's JSON of it; the summary of Xtensa's simulator, lackey's "
    "accesses to memory"
)


def read_recording(path: str | os.PathLike[str]) -> Recording:
    """
    Raises:
        InputError: a file that cannot be read, has none of the forms, or holds what cannot be.
    """
    if is_large(path):
        streams = (power_stream.read, counter_stream.read, table_stream.read)
        if (large := next((one for read in streams if (one := read(path)) is not None), None)) is not None:
            return large
    if (events := ctf.read(path)) is not None:
        return events
    content = read_content(path)
    found = next((one for form in FORMATS if (one := _read(form, content)) is not None), None)
    if found is None:
        _ = content.lines  # a binary file is refused as one
        raise InputError(
            f"{content.shown} holds no times of operators that I can read.", hint=f"I read {KNOWN}."
        )
    segments = () if found.trace is None else found.trace.segments
    count = sum(map(len, segments)) + len(found.spans)
    if count > MOST_EVENTS:
        raise InputError(
            f"The trace has {count:,} events, more than {MOST_EVENTS:,}.", hint="Cut it to some runs."
        )
    return found


def _read(form: Format, content: Content) -> Recording | None:
    if form.of_bytes is not None:
        return form.of_bytes(content.data)
    return form.of_lines(content.lines) if form.of_lines is not None and content.is_text else None


def read_trace(path: str | os.PathLike[str]) -> Trace:
    """
    Raises:
        InputError: a file that cannot be read, holds no times of operators, or has times that cannot be.
    """
    found = read_recording(path)
    if found.trace is None:
        raise no_operators(found)
    return found.trace


def no_operators(found: Recording) -> InputError:
    return InputError(
        f"The {found.format} has no operators of a model, one after the other, to compare with.",
        hint="Leave out --model and --target (explain_trace) to see what it says by itself.",
    )
