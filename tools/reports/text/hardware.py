"""Targets and runtimes as text."""

from __future__ import annotations

from ...core.units import show
from ...hardware_catalog.pages import (
    ArchitectureList,
    RuntimeList,
    RuntimePage,
    TargetDiff,
    TargetList,
    TargetPage,
)
from ..table import pipe_table

BAR_WIDTH = 24


def _bar(share: float) -> str:
    return "#" * max(1, round(BAR_WIDTH * share))


def target_list(listing: TargetList) -> str:
    return pipe_table(
        ("Target", "Class", "Cores", "MHz", "RAM", "Flash", "Accelerators", "Usual runtime"),
        ((t.id, t.target_class, ", ".join(t.cores), t.clock_max_mhz, show(t.ram_bytes, "bytes"),
          "-" if t.flash_bytes is None else show(t.flash_bytes, "bytes"), ", ".join(t.accelerators) or "-",
          t.runtimes[0]) for t in listing.targets),
    )  # fmt: skip


def target_diff(diff: TargetDiff) -> str:
    rows = ((d.field, d.one or "-", d.other or "-") for d in diff.differences)
    table = pipe_table(("Figure", diff.one, diff.other), rows)
    return f"{table}\n\n{len(diff.differences)} figures differ, {diff.same} agree."


def target_page(page: TargetPage) -> str:
    largest = max((r.size_bytes for r in page.regions), default=1)
    head = pipe_table(
        ("Target", page.id),
        (
            ("Name", page.name if page.name.startswith(page.vendor) else f"{page.vendor} {page.name}"),
            ("Class", page.target_class),
            ("Cores", ", ".join(page.cores)),
            ("Clock", f"{page.clock_max_mhz:g} MHz"),
            (
                "RAM in one piece",
                f"{show(page.largest_region_bytes, 'bytes')} ({page.largest_region or '-'})",
            ),
            ("Price", "unknown" if page.price_usd is None else f"{page.price_usd:g} USD"),
            ("Runtimes", ", ".join(page.runtimes)),
        ),
    )
    regions = pipe_table(
        ("Region", "Kind", "Size", "", "Bandwidth", "Continues in"),
        ((r.region, r.kind, show(r.size_bytes, "bytes"), _bar(r.size_bytes / largest),
          "unknown" if r.bandwidth_bytes_per_s is None else f"{r.bandwidth_bytes_per_s / 1e9:,.4g} GB/s",
          ", ".join(r.contiguous_with)) for r in page.regions),
    )  # fmt: skip
    peaks = pipe_table(
        ("Processor", "Type", "Dense GOP/s", "Sparse GOP/s", "Ridge FLOP/byte"),
        ((p.processor, p.dtype, p.dense_gops, p.sparse_gops, p.ridge_point) for p in page.peaks),
    )
    conflicts = [
        f"- {c.field}: {c.chosen}, against {'; '.join(c.others)}. Chosen: {c.chosen_because}"
        for c in page.conflicts
    ]
    figures = pipe_table(
        ("Figure", "Value", "Kind", "Source", "Where in it"),
        ((f.field, f.value, f.kind, f.source, f.locator) for f in page.figures),
    )
    parts = [head, regions, peaks]
    if conflicts:
        parts.append("\n".join(("Sources that disagree:", *conflicts)))
    return "\n\n".join((*parts, figures, *page.notes))


def architecture_list(listing: ArchitectureList) -> str:
    return "\n".join(listing.architectures)


def runtime_list(listing: RuntimeList) -> str:
    return pipe_table(
        ("Runtime", "Name", "Vendor", "Planner", "Usual type", "Operators", "Targets"),
        (
            (r.id, r.name, r.vendor, r.planner, r.usual_dtype, r.operators, r.targets)
            for r in listing.runtimes
        ),
    )


def runtime_page(page: RuntimePage) -> str:
    head = pipe_table(
        ("Runtime", page.id),
        (
            ("Name", page.name if page.name.startswith(page.vendor) else f"{page.vendor} {page.name}"),
            ("Planner", page.planner),
            ("Usual type", page.usual_dtype),
            ("Fallback", page.fallback),
            ("Operator list", "complete" if page.complete else "not complete: others may run"),
            ("Runs on", ", ".join(page.runs_on)),
            ("Targets", ", ".join(page.targets)),
        ),
    )
    operators = pipe_table(
        ("Operator", "Types", "Optimized", "Up to version"),
        ((o.op, ", ".join(o.dtypes), ", ".join(o.optimized) or "-", o.max_version) for o in page.operators),
    )
    return "\n\n".join((head, operators, "Sources:", *(f"- {s}" for s in page.sources), *page.notes))
