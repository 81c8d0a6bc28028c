"""An estimate of text generation in words and tables."""

from __future__ import annotations

from ..core.document import Document, Paragraph, Section, described, figures, joined, notes, text
from .report import GenerationEstimate


@described.register
def generation(report: GenerationEstimate) -> Document:
    blocks = [
        figures(
            "Generation",
            ("Decode, all sessions", "{decode_tokens_per_s~!}"),
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
            ("Energy per token", "{energy_uj_per_token~!}"),
            ("Runs on", text("{processor}, {runtime}")),
            *_layers(report),
        ),
    ]
    cited = tuple(text(f"{{published[#{at}]}}") for at in range(len(report.published)))
    return Document(
        report, text("{statement}"),
        (Section("", (*blocks, *(Paragraph(joined(text("Measured: "), line)) for line in cited))),),
        verdict=text("{verdict}"), notes=notes(report),
    )  # fmt: skip


def _layers(report: GenerationEstimate) -> tuple[tuple[str, str], ...]:
    """Where layers were split, or not all of them fit."""
    if report.gpu_layers is not None:
        return (("Layers on the GPU", "{gpu_layers} of {layers}"),)
    if report.verdict == "FAIL" and report.most_gpu_layers is not None:
        return (("Layers that fit the GPU", "{most_gpu_layers} of {layers}"),)
    return ()
