"""Measured candidates in tables."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.document import Block, Document, Section, Table, Text, described, notes, text
from ..core.paths import keys_of
from .measured_candidates import AccuracyPoint, MeasuredCandidate, MeasuredCandidates


@described.register
def candidates(report: MeasuredCandidates) -> Document:
    title = "Candidates, measured on this machine"
    return Document(report, title, (Section("", tuple(_blocks(report))),), notes=notes(report))


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
