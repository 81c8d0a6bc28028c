"""Estimates and rankings of text generation in words and tables."""

from __future__ import annotations

from ..core.document import (
    Block,
    Document,
    Paragraph,
    Section,
    Table,
    Text,
    described,
    figures,
    joined,
    notes,
    text,
)
from .finetuning import FinetuningEstimate
from .generation_estimate import GenerationEstimate
from .ranking import GenerationRanking


@described.register
def generation(report: GenerationEstimate) -> Document:
    blocks = [
        figures(
            "Generation",
            ("Decode, all sessions", "{decode_tokens_per_s~!}"),
            ("With the context full", "{full_context_tokens_per_s~!}"),
            ("Of each session", "{session_tokens_per_s~!}"),
            ("Prefill", "{prefill_tokens_per_s~!}"),
            ("Time to the first token", "{time_to_first_token_ms~!}"),
            ("Weights", text("{weights_bytes}, {weights}")),
            ("KV cache", text("{kv_cache_bytes}, {kv}, {context} tokens × {batch}")),
            ("Buffers", "{buffer_bytes}"),
            ("Together", "{total_bytes}"),
            ("Memory", "{ram_bytes:unknown}"),
            ("Bandwidth", "{bandwidth_bytes_per_s:unknown}"),
            ("Longest context that fits", "{max_context:unknown}"),
            *([("Tokens that the memory holds", "{held_context}")] if _is_long(report) else []),
            ("Energy per token", "{energy_uj_per_token~!}"),
            ("Runs on", text("{processor}, {runtime}")),
            *_layers(report),
        ),
        *_crowds(report),
        *_draft(report),
    ]
    ways = tuple(Paragraph(text(f"{{remedies[#{at}].statement}}.")) for at in range(len(report.remedies)))
    cited = tuple(text(f"{{published[#{at}]}}") for at in range(len(report.published)))
    return Document(
        report, text("{statement}"),
        (Section("", (*blocks, *ways, *(Paragraph(joined(text("Measured: "), line)) for line in cited))),),
        verdict=text("{verdict}"), notes=notes(report),
    )  # fmt: skip


def _draft(report: GenerationEstimate) -> tuple[Block, ...]:
    """With a model that writes ahead, by the share of its tokens that stands."""
    if report.draft is None:
        return ()
    cells = ("{share}", "{drafted}", "{times}", "{decode_tokens_per_s~}")
    rows = tuple(
        tuple(text(cell, f"draft.accepted[#{at}]") for cell in cells)
        for at in range(len(report.draft.accepted))
    )
    fits = text("{draft.statement}.")
    head = ("Accepted", "Drafted", "Times as fast", "Decode")
    return (Paragraph(fits), *([Table(head, rows)] if rows else []))


def _is_long(report: GenerationEstimate) -> bool:
    """Whether the memory holds more than the model was made for."""
    return report.context_bound == "model" and report.held_context is not None


def _layers(report: GenerationEstimate) -> tuple[tuple[str, Text], ...]:
    """Where layers were split, or not all of them fit."""
    if report.gpu_layers is not None:
        return (("Layers on the GPU", "{gpu_layers} of {layers}"),)
    if report.offloaded is not None:
        split = text("{decode_tokens_per_s~!}, {statement}", "offloaded")
        return (("With layers in the computer's memory", split),)
    if report.verdict == "FAIL" and report.most_gpu_layers is not None:
        return (("Layers that fit the GPU", "{most_gpu_layers} of {layers}"),)
    return ()


def _crowds(report: GenerationEstimate) -> tuple[Block, ...]:
    """Sessions at once, and the last count that pays."""
    if not report.crowds:
        return ()
    cells = ("{sessions}", "{session_tokens_per_s~}", "{decode_tokens_per_s~}", "{total_bytes}")
    rows = tuple(tuple(text(cell, f"crowds[#{at}]") for cell in cells) for at in range(len(report.crowds)))
    pays = text("Twice as many bring a quarter more tokens a second or more, up to {paying.sessions}.")
    ends = f" Then {report.paying_bound} ends it." if report.paying_bound else ""
    return (
        Table(("Sessions", "Each", "Together", "Takes"), rows),
        *([Paragraph(joined(pays, text(ends)))] if report.paying else []),
    )


@described.register
def finetuning(report: FinetuningEstimate) -> Document:
    table = figures(
        "Fine-tuning",
        ("Time", "{time_ms|h~!}"),
        ("Tokens trained on", "{tokens_per_s~!}"),
        ("Weights", "{weights_bytes}"),
        ("Gradients, copies and states", "{training_bytes}"),
        ("Activations", "{activation_bytes}"),
        ("Together", "{total_bytes}"),
        ("Memory", "{ram_bytes:unknown}"),
        ("Trained parameters", "{trained_parameters}"),
        ("Energy", "{energy_uj|Wh~!}"),
    )
    return Document(
        report, text("{statement}"), (Section("", (table,)),), verdict=text("{verdict}"), notes=notes(report)
    )


@described.register
def generation_ranking(report: GenerationRanking, *, top: int = 15) -> Document:
    """What passes, and why the next ones do not.

    Args:
        report: the ranking.
        top: rows of each table.
    """
    of_models = report.target is not None
    head = "Model" if of_models else "Target"
    passing = [at for at, row in enumerate(report.ranking) if row.rank is not None]
    others = [at for at, row in enumerate(report.ranking) if row.rank is None]
    blocks: list[Block] = []
    if passing:
        last = () if of_models else ("Price",)
        header = ("Rank", head, "Runs with", "Weights", "Takes", "Each session", "Longest context", *last)
        rows = tuple(_ranked(report, at)[: len(header)] for at in passing[:top])
        blocks.append(Table(header, rows, spare=("Runs with", "Longest context")))
    if others:
        field = "model" if of_models else "target"
        why = tuple(
            (text(f"{{{field}}}", f"ranking[#{at}]"), report.ranking[at].reason) for at in others[:top]
        )
        more = f" ({min(top, len(others))} of {len(others)})" if len(others) > top else ""
        blocks.append(Table((f"Not{more}", "Why"), why))
    subject = text("{target}" if of_models else "{model}")
    counts = text(": {passing} write {min_tokens_per_s} or more, {unknown} cannot be judged, ")
    return Document(
        report, joined(subject, counts, text("{failing} do not.")), (Section("", tuple(blocks)),),
        notes=notes(report),
    )  # fmt: skip


def _ranked(report: GenerationRanking, at: int) -> tuple[Text, ...]:
    cells = (
        "{rank}", "{model}" if report.target is not None else "{target}", "{runtime}", "{weights}",
        "{total_bytes}", "{session_tokens_per_s~}", "{max_context:unknown}", "{price_usd:unknown}",
    )  # fmt: skip
    return tuple(text(cell, f"ranking[#{at}]") for cell in cells)
