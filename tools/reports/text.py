"""Results as text for a terminal: verdict or headline first, then tables."""

from __future__ import annotations

import functools

from ..catalog import RuntimeList, RuntimePage, TargetList, TargetPage
from ..compatibility_scorer import CompatibilityReport
from ..constraint_checker import ConstraintReport
from ..deployments import DeploymentRef
from ..graph.summary import ModelSummary
from ..memory_planner import MemoryPlan
from ..optimization_simulator import OptimizationReport
from ..quantity import Quantity, Result
from ..roofline import PerformanceEstimate, RooflineReport
from ..units import digits, show
from .analysis import AnalysisReport
from .hardware_text import runtime_list, runtime_page, target_list, target_page
from .table import pipe_table


@functools.singledispatch
def as_text(result: Result) -> str:
    """The result as people read it."""
    raise TypeError(f"{type(result).__name__} has no text form")


as_text.register(TargetList)(target_list)
as_text.register(TargetPage)(target_page)
as_text.register(RuntimeList)(runtime_list)
as_text.register(RuntimePage)(runtime_page)


def quantity(figure: Quantity) -> str:
    """`12.4 ms (9.8 ms to 16.1 ms, fitted)`."""
    if figure.value is None:
        return "unknown"
    if figure.low == figure.high:
        return f"{show(figure.value, figure.unit)} ({figure.basis})"
    low, high = show(figure.low, figure.unit), show(figure.high, figure.unit)
    return f"{show(figure.value, figure.unit)} ({low} to {high}, {figure.basis})"


def where(ref: DeploymentRef) -> str:
    batch = f", batch {ref.batch}" if ref.batch > 1 else ""
    return f"{ref.target} with {ref.runtime} at {ref.clock_mhz:g} MHz{batch}"


def notes(*groups: tuple[str, ...]) -> str:
    lines = [f"- {text}" for text in dict.fromkeys(text for group in groups for text in group)]
    return "\n".join(["", "", "Notes:", *lines]) if lines else ""


@as_text.register
def model_text(model: ModelSummary) -> str:
    layers = pipe_table(
        ("Layer", "Operator", "Type", "Output", "MACs", "Param bytes", "Output bytes"),
        ((x.index, x.op, x.dtype, "x".join(map(str, x.output_shape)), x.macs, x.parameter_bytes,
          x.output_bytes)
         for x in model.layers),
    )  # fmt: skip
    left_out = tuple(f"operator {x.index} ({x.op}) is not counted: {x.reason}" for x in model.not_counted)
    return f"== MODEL SUMMARY ==\n{model_summary(model)}\n\n{layers}{notes(left_out)}"


def model_summary(model: ModelSummary) -> str:
    inputs = ", ".join(f"{'x'.join(map(str, t.shape))} {t.dtype}" for t in model.inputs)
    outputs = ", ".join(f"{'x'.join(map(str, t.shape))} {t.dtype}" for t in model.outputs)
    return pipe_table(
        ("Metric", "Value"),
        (
            ("Model", model.name),
            ("Format", model.format),
            ("SHA-256", model.sha256),
            ("File size", "no file" if model.file_bytes is None else f"{model.file_bytes:,} bytes"),
            ("Parameters", f"{model.parameter_count:,} in {model.parameter_bytes:,} bytes"),
            ("MACs", f"{model.macs:,}"),
            ("Data type", model.dtype),
            ("Layers", f"{model.op_count:,}"),
            ("Inputs", inputs),
            ("Outputs", outputs),
        ),
    )


@as_text.register
def memory_text(plan: MemoryPlan) -> str:
    peak = f" at layer {plan.peak_layer.index} ({plan.peak_layer.op})" if plan.peak_layer else ""
    head = pipe_table(
        ("Memory", "Value"),
        (
            ("Fits", "unknown" if plan.fits is None else "yes" if plan.fits else f"no: {plan.why_not}"),
            ("Arena", quantity(plan.arena)),
            ("of which activations and scratch", show(plan.arena_nonpersistent_bytes, "bytes")),
            ("of which the interpreter keeps", show(plan.arena_persistent_bytes, "bytes")),
            ("Lower bound", f"{show(plan.lower_bound_bytes, 'bytes')}{peak}"),
            ("Flash", quantity(plan.flash)),
            ("of which model", show(plan.model_bytes, "bytes")),
            ("of which code", show(plan.code_bytes, "bytes")),
        ),
    )
    regions = pipe_table(
        ("Region", "Kind", "Size", "Used", "Holds"),
        ((r.region, r.kind, show(r.size_bytes, "bytes"), show(r.used_bytes, "bytes"), ", ".join(r.holds))
         for r in plan.regions),
    )  # fmt: skip
    peak_tensors = pipe_table(
        ("Alive at the peak", "Bytes", "Layers"),
        ((t.name_untrusted, t.bytes, f"{t.first_op} to {t.last_op}") for t in plan.peak_tensors),
    )
    return "\n\n".join((f"Memory on {where(plan.deployment)}", head, regions, peak_tensors)) + notes(
        plan.assumptions, plan.warnings
    )


@as_text.register
def roofline_text(report: RooflineReport) -> str:
    shares = ", ".join(f"{bound} {share:.0%}" for bound, share in report.bound_shares.items())
    head = pipe_table(
        ("Roofline", "Value"),
        (
            ("Bound", f"{report.bound} ({shares} of the time)"),
            ("Arithmetic intensity", _per_byte(report.arithmetic_intensity)),
            ("Ridge point", _per_byte(report.ridge_point)),
            ("Compute utilization", _percent(report.compute_utilization)),
            ("Memory utilization", f"{_percent(report.memory_utilization)} of {report.memory_level}"),
            (
                "Peak",
                "unknown" if report.peak_gops is None else f"{report.peak_gops:,.4g} GOP/s {report.dtype}",
            ),
            (
                "Bandwidth",
                "unknown" if report.bandwidth_gb_s is None else f"{report.bandwidth_gb_s:,.4g} GB/s",
            ),
            ("Latency", quantity(report.latency_ms)),
        ),
    )
    layers = pipe_table(
        ("Layer", "Operator", "Bound", "Latency ms", "Share %", "FLOP/byte", "Data in"),
        ((x.index, x.op, x.bound.value, x.latency_ms, None if x.share is None else 100 * x.share,
          x.arithmetic_intensity, x.memory_level) for x in report.layers),
    )  # fmt: skip
    return f"Roofline on {where(report.deployment)}\n\n{head}\n\n{layers}" + notes(
        report.assumptions, report.warnings
    )


@as_text.register
def performance_text(report: PerformanceEstimate) -> str:
    head = pipe_table(
        ("Metric", "Value"),
        (
            ("Latency", quantity(report.latency_ms)),
            ("Rate", quantity(report.inferences_per_second)),
            ("Cycles", "unknown" if report.cycles is None else f"{report.cycles:,.0f}"),
            ("Energy", quantity(report.energy_uj)),
            ("Power", quantity(report.power_mw)),
            ("Accelerated layers", f"{report.accelerated_layers}"),
            ("CPU-only layers", f"{report.cpu_only_layers}"),
        ),
    )
    return f"Performance on {where(report.deployment)}\n\n{head}\n\n{layer_table_text(report)}" + notes(
        report.assumptions, report.warnings
    )


def layer_table_text(report: PerformanceEstimate) -> str:
    return pipe_table(
        ("Layer", "Operator", "Cycles", "Latency ms", "Energy uJ", "Power mW", "MACs", "Memory KiB", "Accel"),
        ((x.index, x.op, None if x.cycles is None else round(x.cycles), x.latency_ms, x.energy_uj, x.power_mw,
          x.macs, x.memory_bytes / 1024, "yes" if x.accelerated else "no") for x in report.layers),
    )  # fmt: skip


@as_text.register
def constraints_text(report: ConstraintReport) -> str:
    lines = [f"{report.verdict}: {where(report.deployment)}", ""]
    for check in report.checks:
        soft = " (soft)" if check.soft else ""
        lines.append(f"{check.verdict:<8} {check.name}{soft}: {check.statement}")
        lines += [f"           {term.name}: {show(term.value, term.unit)}" for term in check.terms]
        lines += [
            f"         > {x.change} ({x.effort}): {show(x.before, x.unit)} -> {show(x.after, x.unit)}"
            + (", closes the gap" if x.closes_gap else "")
            for x in check.levers
        ]
    return "\n".join(lines) + "\n" + notes(report.assumptions, report.warnings)


@as_text.register
def compatibility_text(report: CompatibilityReport) -> str:
    head = f"{_score(report)} on {where(report.deployment)}"
    penalties = pipe_table(
        ("Penalty", "Points", "Reason"), ((p.name, p.points, p.reason) for p in report.penalties)
    )
    ops = pipe_table(
        ("Layer", "Operator", "Runs", "On", "Optimized", "Reason", "Remedy"),
        ((x.index, x.op, "unknown" if x.supported is None else "yes" if x.supported else "no",
          x.processor or "-", "yes" if x.optimized else "no", x.reason, x.remedy) for x in report.ops),
    )  # fmt: skip
    return f"{head}\n\n{penalties}\n\n{ops}" + notes(report.assumptions, report.warnings)


@as_text.register
def optimization_text(report: OptimizationReport) -> str:
    rows = []
    for option in (*report.options, *((report.combined,) if report.combined else ())):
        after = option.after
        if after is None:
            rows.append((option.technique, "no", option.effort, "", "", "", "", option.reason))
            continue
        before = option.before
        rows.append((
            option.technique, "yes", option.effort,
            _change(before.latency_ms.value, after.latency_ms.value, "ms"),
            _change(before.energy_uj.value, after.energy_uj.value, "uJ"),
            _change(before.arena_bytes, after.arena_bytes, "bytes"),
            _change(before.flash_bytes, after.flash_bytes, "bytes"), option.reason,
        ))  # fmt: skip
    options = pipe_table(("Change", "Applies", "Effort", "Latency", "Energy", "Arena", "Flash", "Why"), rows)
    heavy = pipe_table(
        ("Layer", "Operator", "Param KiB", "MACs", "Kernels", "Share", "Suggestion"),
        ((x.index, x.op, x.parameter_bytes / 1024, x.macs, str([list(s) for s in x.kernel_shapes]),
          f"{x.share:.0%} of {x.of}", x.suggestion) for x in report.heavy_layers),
    )  # fmt: skip
    return (
        f"Changes simulated for {report.goal} on {where(report.deployment)}\n\n{options}\n\n{heavy}"
        + notes(report.assumptions, report.warnings)
    )


@as_text.register
def analysis_text(report: AnalysisReport) -> str:
    roof = report.roofline
    slowest = max((x for x in roof.layers if x.share), key=lambda x: x.share or 0, default=None)
    dominating = (
        f"Layer {slowest.index} ({slowest.op}) takes {_percent(slowest.share)} of the time and is "
        f"{slowest.bound}-bound."
        if slowest
        else "No layer's time is known."
    )
    return "\n\n".join((
        f"== MODEL SUMMARY ==\n{model_summary(report.model)}",
        f"== MEMORY ANALYSIS ==\n{memory_text(report.memory)}",
        f"== HARDWARE PERFORMANCE ==\nThe model is {roof.bound}-bound on {where(roof.deployment)}.\n"
        f"{performance_text(report.performance).split(chr(10) * 2)[1]}",
        f"== PER-LAYER PERFORMANCE ==\n{dominating}\n{layer_table_text(report.performance)}",
        f"== COMPATIBILITY ==\n{_score(report.compatibility)}",
        f"== OPTIMIZATION OPPORTUNITIES ==\n{optimization_text(report.optimization)}",
        "== NEXT STEPS ==\nApply the change with the best figures above, then analyze the new file again.",
    ))  # fmt: skip


def _score(report: CompatibilityReport) -> str:
    return f"{report.verdict}: score {digits(report.score)} of 100"


def _per_byte(value: float | None) -> str:
    return "unknown" if value is None else f"{digits(value)} FLOP/byte"


def _percent(share: float | None) -> str:
    return "unknown" if share is None else f"{100 * share:.3g} %"


def _change(before: float | None, after: float | None, unit: str) -> str:
    return f"{show(before, unit)} -> {show(after, unit)}"
