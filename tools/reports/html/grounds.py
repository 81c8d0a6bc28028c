"""What the figures rest on: measurements, assumptions, sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ....hardware_db.cited import Source
from ..text.evidence import AKIN
from .blocks import Block, Items, Paragraph, Table
from .figures import UNKNOWN
from .results import Results


def evidence_blocks(results: Results) -> tuple[Block, ...]:
    report = results.evidence
    akin = AKIN.get(report.akin_by, f"that share its {report.akin_by}")
    lead = f"Latencies here rest on {report.measurements:,} published measurements {akin}"
    found: list[Block] = []
    if report.nearest:
        lead += f", {report.networks} networks; the {len(report.nearest)} most alike are below"
        rows = tuple(
            (e.network, e.dtype, e.device, f"{e.runtime} {e.runtime_version}".strip(),
             UNKNOWN if e.clock_mhz is None else f"{e.clock_mhz:g}", f"{e.batch}", f"{e.latency_ms:g}",
             f"{e.repository} {e.path} @{e.commit[:8]} ({e.id})")
            for e in report.nearest
        )  # fmt: skip
        header = ("Network", "Type", "Device", "Runtime", "MHz", "Batch", "Latency ms", "Read at")
        found.append(Table(header, rows, right=frozenset({4, 5, 6})))
    stands_on = results.analysis.performance.stands_on
    if stands_on:
        found.append(Items(stands_on))
    return (Paragraph(f"{lead}."), *found)


def note_blocks(results: Results) -> tuple[Block, ...]:
    groups = (results.analysis, results.memory, results.checks, results.timeline, results.evidence)
    warnings = tuple(dict.fromkeys(text for group in groups for text in group.warnings))
    assumptions = tuple(dict.fromkeys(text for group in groups for text in group.assumptions))
    found: list[Block] = []
    if warnings:
        found += [Paragraph("Warnings:"), Items(warnings)]
    if assumptions:
        found += [Paragraph("Assumed:"), Items(assumptions)]
    return tuple(found)


def source_blocks(results: Results) -> tuple[Block, ...]:
    target, runtime = results.place.target, results.place.runtime
    rows = (*_sources(target.id, target.sources), *_sources(runtime.id, runtime.sources))
    header = ("For", "Source", "Where", "Version", "Date", "Kind")
    return (Table(header, rows, folded=f"{len(rows)} sources of {target.name} and {runtime.id}"),)


def _sources(what: str, sources: Mapping[str, Source]) -> Iterator[tuple[str, ...]]:
    for source in sources.values():
        yield (what, source.title, source.where, source.version, f"{source.date}", source.kind.value)
