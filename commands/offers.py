"""Models, targets, runtimes and techniques that a shell may offer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import typer

from ..hardware_db import resolve_target
from ..hardware_db.errors import EdgewrightError
from ..hardware_db.index import read_index
from ..tools.model_zoo.named import architecture_names
from ..tools.optimization_simulator.techniques.names import listed

Offers = Callable[[typer.Context, str], Iterator[tuple[str, str]]]
"""What could be typed, each with a word about it."""
_FORMS, _PARAMETER = re.compile(r", | or "), re.compile(r"[A-Z\[]")


def models(_ctx: typer.Context, typed: str) -> Iterator[tuple[str, str]]:
    """Architectures, and files of models beside one; where nothing is offered, the shell offers files."""
    folder = Path(typed.rpartition("/")[0]) if "/" in typed else Path()
    yield from ((name, "architecture") for name in architecture_names())
    for file in sorted(folder.glob("*")) if folder.is_dir() else ():
        if file.suffix.casefold() in {".tflite", ".onnx"}:
            yield str(file), "model file"


def targets(ctx: typer.Context, _typed: str) -> Iterator[tuple[str, str]]:
    index = read_index(_own_hardware(ctx))
    yield from ((target.id, f"{target.vendor} {target.name}") for target in index.targets)


def runtimes(ctx: typer.Context, _typed: str) -> Iterator[tuple[str, str]]:
    """Those of the target that is named before, else all."""
    own = _own_hardware(ctx)
    try:
        usable = resolve_target(ctx.params["target"], own).runtimes
    except (EdgewrightError, KeyError, TypeError, AttributeError):
        usable = None
    yield from ((r.id, r.name) for r in read_index(own).runtimes if usable is None or r.id in usable)


def _own_hardware(ctx: typer.Context) -> tuple[Path, ...] | None:
    """What stands before the command; None where nothing does."""
    given = ctx.find_root().params.get("hardware_dir")
    return tuple(Path(each).resolve() for each in given if Path(each).is_dir()) if given else None


def techniques(_ctx: typer.Context, _typed: str) -> Iterator[tuple[str, str]]:
    """Each as far as it is written the same for everybody: `prune-` of `prune-P[@LAYERS]`."""
    for written, about, _effort in listed():
        yield from ((_PARAMETER.split(form)[0], about) for form in _FORMS.split(written))


OFFERS: dict[str, Offers] = {
    "models": models,
    "targets": targets,
    "runtimes": runtimes,
    "techniques": techniques,
}
