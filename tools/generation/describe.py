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
            ("Prefill", "{prefill_tokens_per_s~!}"),
            ("Time to the first token", "{time_to_first_token_ms~!}"),
            ("Weights", text("{weights_bytes}, {weights}")),
            ("KV cache", text("{kv_cache_bytes}, {kv}, {context} tokens × {batch}")),
            ("Together", "{total_bytes}"),
            ("Memory", "{ram_bytes:unknown}"),
            ("Bandwidth", "{bandwidth_bytes_per_s:unknown}"),
            ("Longest context that fits", "{max_context:unknown}"),
            ("Runs on", text("{processor}, {runtime}")),
        ),
    ]
    cited = tuple(text(f"{{published[#{at}]}}") for at in range(len(report.published)))
    return Document(
        report, text("{statement}"),
        (Section("", (*blocks, *(Paragraph(joined(text("Measured: "), line)) for line in cited))),),
        verdict=text("{verdict}"), notes=notes(report),
    )  # fmt: skip
