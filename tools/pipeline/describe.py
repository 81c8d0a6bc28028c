"""A pipeline in words and tables."""

from __future__ import annotations

from ..core.document import (
    Bar,
    Block,
    Document,
    Paragraph,
    Ref,
    Section,
    Table,
    described,
    figures,
    joined,
    notes,
    place,
    table_of,
    text,
)
from ..energy.describe import battery_table
from .pipeline_report import PipelineReport, PipelineStep


@described.register
def pipeline(report: PipelineReport) -> Document:
    blocks: list[Block] = [
        table_of(
            report.checks, "checks", ("Check", "{name}"), ("Verdict", "{verdict}"), ("Reason", "{statement}"),
            ("Basis", "{basis}"), spare=("Basis",),
        ),
        *_helps(report),
        _steps(report),
        _together(report),
    ]  # fmt: skip
    if report.battery is not None:
        blocks.append(battery_table("Computing without a pause"))
    missing = range(len(report.missing))
    blocks += [Paragraph(text(f"To know more takes {{missing[#{at}]}}.")) for at in missing]
    sources = range(len(report.battery.sources)) if report.battery else ()
    cited = tuple(text(f"{{battery.sources[#{at}]}}") for at in sources)
    return Document(
        report, joined("Pipeline on ", place(report.deployment)), (Section("", tuple(blocks)),),
        verdict=Ref("verdict"), notes=(*notes(report, "stands_on"), *cited),
    )  # fmt: skip


def _helps(report: PipelineReport) -> list[Block]:
    return [
        Paragraph(text("Would help: {change}, which takes {after}.", f"checks[{check.name}].levers[#0]"))
        for check in report.checks
        if check.levers
    ]


def _steps(report: PipelineReport) -> Table:
    """In order of priority."""
    return table_of(
        report.steps, "steps", ("Step", "{name}"), ("Runs", _kind), ("Rate", "{rate_hz}"),
        ("Takes", "{time_ms~}"), ("Ends at worst after", "{response_ms~}"), ("Busy", "{active_share}"),
        ("Energy", "{energy_uj}"), ("Of the time", Bar("active_share", "utilization")),
        spare=("Of the time", "Energy"),
    )  # fmt: skip


def _kind(step: PipelineStep) -> str:
    return f"{step.kind} after {', '.join(step.after)}" if step.after else step.kind


def _together(report: PipelineReport) -> Table:
    return figures(
        "Together",
        ("Busy", "{utilization~!}"),
        (f"RAM with arenas {'in one' if report.ram_shared else 'apart'}", "{ram~!}"),
        ("Arenas in one", "{arena_shared~}"),
        ("Arenas apart", "{arena_apart~}"),
        ("Flash", "{flash~!}"),
        (text("Energy in {period_ms}"), "{energy_uj~!}"),
        ("Average power", "{average_power_mw~!}"),
        ("of which steps", "{compute_power_mw~!}"),
        ("Sleep current", "{sleep_current_ua~!}"),
        ("Charge a day", "{charge_mah~!}"),
    )
