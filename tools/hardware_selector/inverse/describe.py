"""How far one can go, in words and tables."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.document import (
    Block,
    Document,
    Paragraph,
    Ref,
    Section,
    Table,
    Text,
    described,
    joined,
    notes,
    place,
    text,
)
from ...verdicts.describe import fit_blocks, listed, relaxations
from .limit_answer import LimitAnswer, LimitPoint


@described.register
def limit(answer: LimitAnswer) -> Document:
    title = f"{answer.statement[:1].upper()}{answer.statement[1:]}."
    where = joined("On ", place(answer.deployment), ".")
    return Document(
        answer, title, (Section("", tuple(_blocks(answer))),), summary=(where,), notes=notes(answer)
    )


def _blocks(answer: LimitAnswer) -> Iterator[Block]:
    named = (("at", answer.at), ("likely", answer.likely), ("beyond", answer.beyond))
    points = [
        (at, point) for at, point in named if point is not None and not (at == "beyond" and answer.likely)
    ]
    header = ("Value", "Limits", "Latency", "Arena", "Flash", "What fails")
    yield Table(header, tuple(_point(point, at) for at, point in points))
    yield from relaxations(answer.relaxations, answer.relaxed_pairs)
    if answer.fit is not None:
        yield from fit_blocks(answer.fit, "fit")
    yield Paragraph(text("{tried} values tried ({method})"))


def _point(point: LimitPoint, at: str) -> tuple[Text, ...]:
    cells = ("{latency_ms~!}", "{arena_bytes}", "{flash_bytes}") if point.figures else ()
    figures = [text(cell, f"{at}.figures") for cell in cells] or ["", "", ""]
    fails = listed([Ref(f"{at}.reasons[#{n}]") for n in range(len(point.reasons))], "; ")
    return (Ref(f"{at}.told"), Ref(f"{at}.verdict"), *figures, fails)
