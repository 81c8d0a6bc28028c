"""Measurements that are explained by themselves, without a model or a board to compare with."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ...hardware_db.errors import UsageError
from ..core.renamed import takes_where
from ..hardware_catalog.targets import get_target
from ..traces.counters.cache_prediction import CachePrediction, predicted
from ..traces.counters.counter_report import CounterReport
from ..traces.counters.judging import judged_figures
from ..traces.counters.rules import rules_of
from ..traces.explained.explaining import explained
from ..traces.explained.trace_report import TraceReport
from ..traces.linked.firmware_report import FirmwareReport
from ..traces.linked.reading import firmware_explained
from ..traces.messages.message_report import MessageReport
from ..traces.messages.reading import read_message
from ..traces.runs.comparing import runs_compared
from ..traces.runs.run_comparison import RunComparison

if TYPE_CHECKING:
    from ..core.deployment import Deployment
    from ..core.settings import Settings
    from ..placement.model_source import ModelSource


def explain_trace(
    path: str | os.PathLike[str],
    *beside: str | os.PathLike[str],
    clock_mhz: float | None = None,
    rules: str | os.PathLike[str] | None = None,
    supply_v: float | None = None,
) -> TraceReport:
    """Read what a profiler, a compiler or a counter wrote, and tell what takes the time and why.

    Args:
        path: a trace, recognised by what it holds: Torq's timeline and runtime profile, Perfetto and Chrome
            traces, perf stat, counters as CSV, and every log of operators that `import_profile` reads.
        beside: further files of the same measurement: the compiler's timeline beside the runtime's profile,
            the source as MLIR.
        clock_mhz: of the unit that cycles are counted in; without it cycles stay cycles.
        rules: a table like tools/traces/counters/rules.toml, by which counters are judged instead.
        supply_v: of a power trace that has a current and no voltage.

    Raises:
        InputError: a file in no form that is known, one that is cut off, or one whose time goes back: with
            its line, and nothing of it is used.
        UsageError: too many files.

    Example:
        >>> rows = ["DI0,0,40,x,DMA_IN", "S0,20,100,x,conv2d", "DO1,100,120,x,DMA_OUT"]
        >>> _ = Path("trace.csv").write_text("\\n".join(rows))
        >>> found = explain_trace("trace.csv")
        >>> found.operators[0].name_untrusted, round(found.occupancy.overlap_share, 2)
        ('conv2d', 0.17)
    """
    return explained((path, *beside), clock_mhz, rules, supply_v)


def compare_runs(
    before: str | os.PathLike[str],
    after: str | os.PathLike[str],
    *,
    clock_mhz: float | None = None,
    rules: str | os.PathLike[str] | None = None,
    supply_v: float | None = None,
) -> RunComparison:
    """Set two measured runs side by side, and divide the difference by what makes it up.

    Args:
        before: file with times, cycles, counters or marked power of layers or of runs, as `explain_trace`
            reads it.
        after: the same of a later run: quantised, fused, at another clock, with other tiles or kernels.
        clock_mhz: of both, where they count cycles or ticks and are to be compared in time.
        rules: a table like tools/traces/counters/rules.toml, with other penalties.
        supply_v: of a power trace that has a current and no voltage.

    Raises:
        InputError: a file in no form that is known, or without times.
        UsageError: one counts cycles and the other time, and no clock is known.

    Example:
        >>> _ = Path("before.csv").write_text("layer,time_ms\\nconv1,8\\nconv2,8\\nrelu,1\\n")
        >>> _ = Path("after.csv").write_text("layer,time_ms\\nconv1,4\\nconv2,4\\n")
        >>> found = compare_runs("before.csv", "after.csv")
        >>> [(part.cause, part.change) for part in found.by_structure]
        [('CONV_2D layers', -8.0), ('layers gone', -1.0)]
    """
    return runs_compared(before, after, clock_mhz, rules, supply_v)


def explain_counters(
    *,
    ipc: float | None = None,
    cache_miss_rate: float | None = None,
    branch_miss_rate: float | None = None,
    bandwidth_share: float | None = None,
    stall_share: float | None = None,
    npu_idle_share: float | None = None,
    mac_utilization: float | None = None,
    rules: str | os.PathLike[str] | None = None,
) -> CounterReport:
    """What figures of hardware counters say, which a profiler showed: what binds, and what helps.

    Args:
        ipc: instructions a cycle.
        cache_miss_rate, branch_miss_rate: misses over accesses, as shares: 0.12 for 12 %.
        bandwidth_share: of the memory's bandwidth.
        stall_share, npu_idle_share: of the cycles.
        mac_utilization: of the cycles, those in which the MAC unit works.
        rules: a table like tools/traces/counters/rules.toml, to judge by instead.

    Raises:
        UsageError: no figure, or a share that is none.

    Example:
        >>> found = explain_counters(ipc=0.4, cache_miss_rate=0.12)
        >>> found.kind, [rule.name for rule in found.rules]
        ('memory-bound', ['CACHE_MISSES', 'MEMORY_STALL'])
    """
    given = {
        "ipc": ipc, "cache_miss_rate": cache_miss_rate, "branch_miss_rate": branch_miss_rate,
        "bandwidth_share": bandwidth_share, "stall_share": stall_share, "npu_idle_share": npu_idle_share,
        "mac_utilization": mac_utilization,
    }  # fmt: skip
    figures = {name: value for name, value in given.items() if value is not None}
    if not figures:
        raise UsageError("No figure was given.", hint="Give ipc, cache_miss_rate or another.")
    for name, value in figures.items():
        if not 0 <= value <= (64 if name == "ipc" else 1):
            raise UsageError(f"{name} of {value:g} cannot be.", hint="Shares lie between 0 and 1.")
    return judged_figures(figures, rules_of(rules))


@takes_where
def explain_firmware(
    path: str | os.PathLike[str],
    model: ModelSource | None = None,
    deployment: Deployment | str | None = None,
) -> FirmwareReport:
    """Read what was linked, symbol by symbol, and set it against the plan for a model.

    Args:
        path: an ELF file, or the map of GNU ld, armlink or IAR's linker.
        model: that is in it: a graph, a path or the name of an architecture; None explains the file alone.
        deployment: that it was linked for, or a target's name for its usual runtime; goes with `model`.

    Raises:
        InputError: a file that is none of these, or is broken: with what is wrong in it.
        UsageError: a model without a deployment, or the other way round.

    Example:
        >>> line = " .bss.tensor_arena 0x0000000020000000 0x8000 main.o"
        >>> text = f"Linker script and memory map\\n\\n.bss 0x0000000020000000 0x8000\\n{line}\\n"
        >>> _ = Path("firmware.map").write_text(text)
        >>> [(part.role, part.ram_bytes) for part in explain_firmware("firmware.map").parts]
        [('arena', 32768)]
    """
    if (model is None) != (deployment is None):
        raise UsageError(
            "A plan needs both a model and a deployment.", hint="Name both, or neither for the file alone."
        )
    return firmware_explained(path, model, deployment)


def explain_message(
    text: str, target: str | None = None, *, settings: Settings | None = None
) -> MessageReport:
    """Read the figures and the operator out of a message of a runtime, a linker or a compiler.

    Args:
        text: the message, with words around it or without; the size of the arena may stand in them.
        target: that it comes from, by id, nickname or part number: its memory is set beside them.
        settings: which hardware is known; None reads environment and home.

    Raises:
        UnknownNameError: no such target.

    Example:
        >>> found = explain_message("Arena size is too small. Needed 136704 but only 98304 was available.")
        >>> found.missing_bytes
        38400
        >>> explain_message("Didn't find op for builtin opcode 'MEAN'").register_call
        'AddMean()'
    """
    if target is None:
        return read_message(text)
    page = get_target(target, settings=settings)
    return read_message(text, page)


@takes_where
def predict_cache(
    model: ModelSource, deployment: Deployment | str, *, rules: str | os.PathLike[str] | None = None
) -> CachePrediction:
    """Set each layer's data against the core's data cache, and tell what misses are taken to cost.

    Args:
        model: a graph, a path or the name of an architecture.
        deployment: where it runs, or a target's name for its usual runtime.
        rules: a table like tools/traces/counters/rules.toml, with other miss rates and penalties.

    Raises:
        InputError: rules that are none.

    Example:
        >>> found = predict_cache("kws:int8", deployment("stm32h743zi", "tflm-cmsis-nn"))
        >>> found.cache_bytes, found.fitting_layers, len(found.layers)
        (16384, 5, 13)
    """
    return predicted(model, deployment, rules_of(rules))
