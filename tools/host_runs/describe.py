"""Measured candidates in tables."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.document import Block, Document, Section, Table, Text, described, figures, notes, text
from ..core.paths import keys_of
from .ceilings import HostCeilings
from .measured_candidates import AccuracyPoint, MeasuredCandidate, MeasuredCandidates
from .variants import MeasuredVariant, MeasuredVariants


@described.register
def candidates(report: MeasuredCandidates) -> Document:
    title = "Candidates, measured on this machine"
    return Document(report, title, (Section("", tuple(_blocks(report))),), notes=notes(report))


@described.register
def ceilings(report: HostCeilings) -> Document:
    peaks = ((peak.dtype, f"{{peaks[{peak.dtype}].gops}}") for peak in report.peaks)
    title = text("Ceilings of {machine}, {threads} threads")
    measured = figures("Measured", ("Bandwidth", "{bandwidth_gb_s}"), *peaks)
    return Document(report, title, (Section("", (measured,)),))


@described.register
def variants(report: MeasuredVariants) -> Document:
    header = ("Variant", "Threads", "Median", "Speed-up", "Differs", "What it is")
    keys = keys_of(report.variants)
    rows = tuple(_variant(one, f"variants[{key}]") for key, one in zip(keys, report.variants, strict=True))
    title = text("Variants of {model} on this machine")
    summary = (text("Measured here: {machine}"),)
    sections = (Section("", (Table(header, rows),)),)
    return Document(report, title, sections, summary=summary, notes=notes(report))


def _variant(one: MeasuredVariant, at: str) -> tuple[Text, ...]:
    cells = ("{name}", "{threads}", "{latency_ms~}", "{speedup:-}", "{differs:-}")
    return (*(text(cell, at) for cell in cells), text("{why_not}" if one.why_not else "{asks}", at))


def _blocks(report: MeasuredCandidates) -> Iterator[Block]:
    header = ("Model", "Transform", "File", "Accuracy", "90 % interval", "Mean here", "p95 here", "Why not")
    keys = keys_of(report.candidates)
    rows = tuple(
        _candidate(one, f"candidates[{key}]") for key, one in zip(keys, report.candidates, strict=True)
    )
    yield Table(header, rows, spare=("p95 here", "File"))
    if report.fronts:
        keys = keys_of(report.fronts)
        points = tuple(_point(one, f"fronts[{key}]") for key, one in zip(keys, report.fronts, strict=True))
        yield Table(("Front", "Model", "Transform", "Accuracy", "Least", "On"), points)


def _candidate(one: MeasuredCandidate, at: str) -> tuple[Text, ...]:
    accuracy, host = one.accuracy, one.host
    spread = accuracy is not None and accuracy.low is not None
    return (
        one.model,
        one.transform,
        text("{file_bytes:-}", at),
        "-" if accuracy is None else text("{accuracy.value}", at),
        text("{accuracy.low} to {accuracy.high}", at) if spread else "-",
        "-" if host is None else text("{host.mean_ms}", at),
        "-" if host is None else text("{host.p95_ms}", at),
        one.reason,
    )


def _point(one: AccuracyPoint, at: str) -> tuple[Text, ...]:
    figure = "latency_ms" if one.latency_ms is not None else "energy_uj"
    return (
        figure.partition("_")[0],
        one.model,
        one.transform,
        text("{accuracy}", at),
        text(f"{{{figure}}}", at),
        text("{target} with {runtime}", at),
    )
