"""What the shell offers behind Tab: models, targets, runtimes and techniques, read when it asks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ..agent.spelling import Names

Offers = Callable[[typer.Context, str], Iterator[tuple[str, str]]]
"""What could be typed, each with a word about it."""
_FORMS, _PARAMETER = re.compile(r", | or "), re.compile(r"[A-Z\[]")


def completer(names: Names | None) -> Callable[[typer.Context, str], list[tuple[str, str]]] | None:
    """What Typer asks for the rest of a word, in the context of what was typed before."""
    offers: dict[Names, Offers] = {
        "models": _models,
        "targets": _targets,
        "runtimes": _runtimes,
        "techniques": _techniques,
    }
    if names is None:
        return None
    offered = offers[names]

    def complete(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
        return [offer for offer in offered(ctx, incomplete) if offer[0].startswith(incomplete)]

    return complete


def _models(_ctx: typer.Context, typed: str) -> Iterator[tuple[str, str]]:
    """Architectures, and files of models beside one; where nothing is offered, the shell offers files."""
    from ..tools.model_zoo.named import architecture_names

    folder = Path(typed.rpartition("/")[0]) if "/" in typed else Path()
    yield from ((name, "architecture") for name in architecture_names())
    for file in sorted(folder.glob("*")) if folder.is_dir() else ():
        if file.suffix.casefold() in {".tflite", ".onnx"}:
            yield str(file), "model file"


def _targets(_ctx: typer.Context, _typed: str) -> Iterator[tuple[str, str]]:
    from ..hardware_db.index import read_index

    yield from ((target.id, f"{target.vendor} {target.name}") for target in read_index().targets)


def _runtimes(ctx: typer.Context, _typed: str) -> Iterator[tuple[str, str]]:
    """Those of the target that is named before, else all."""
    from ..hardware_db import resolve_target
    from ..hardware_db.errors import EdgewrightError
    from ..hardware_db.index import read_index

    try:
        usable = resolve_target(ctx.params["target"]).runtimes
    except (EdgewrightError, KeyError, TypeError, AttributeError):
        usable = None
    yield from ((r.id, r.name) for r in read_index().runtimes if usable is None or r.id in usable)


def _techniques(_ctx: typer.Context, _typed: str) -> Iterator[tuple[str, str]]:
    """Each as far as it is written the same for everybody: `prune-` of `prune-P[@LAYERS]`."""
    from ..tools.optimization_simulator.techniques.names import listed

    for written, about, _effort in listed():
        yield from ((_PARAMETER.split(form)[0], about) for form in _FORMS.split(written))
