"""What the shell offers behind Tab: models, targets, runtimes and techniques, read when it asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ..agent.spelling import Names


def completer(names: Names | None) -> Callable[[typer.Context, str], list[tuple[str, str]]] | None:
    """What Typer asks for the rest of a word, in the context of what was typed before."""
    if names is None:
        return None

    def complete(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
        from .offers import OFFERS

        return [offer for offer in OFFERS[names](ctx, incomplete) if offer[0].startswith(incomplete)]

    return complete
