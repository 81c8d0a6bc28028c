"""A message's figures as items."""

from __future__ import annotations

from ...core.document import Document, Items, Section, described, text
from .message_report import MessageReport

_FIGURES = {
    "needed_bytes": "needed", "available_bytes": "available", "missing_bytes": "missing",
    "arena_bytes": "arena", "least_arena_bytes": "arena that would do, at least",
    "largest_arena_bytes": "arena that would fit, at most", "ram_bytes": "RAM of the target",
    "left_bytes": "RAM beside what is needed", "flash_bytes": "flash of the target",
}  # fmt: skip


@described.register
def message(report: MessageReport) -> Document:
    items = [
        text(f"{words}: {{{name}|B}}")
        for name, words in _FIGURES.items()
        if getattr(report, name) is not None
    ]
    if report.operator:
        items.append(text("operator {operator}"))
    if report.register_call:
        items.append(text("resolver.{register_call};"))
    blocks = (Items(tuple(items)),) if items else ()
    return Document(report, "Message", (Section("", blocks),))
