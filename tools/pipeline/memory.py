"""RAM and flash of several models at once.

Of TFLite Micro, interpreters that share one allocator stack what they keep (the tail of the arena) and
overlay what they need only while they run (its head): tflite-micro 0009f77,
tensorflow/lite/micro/docs/memory_management.md. Code is linked once.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..core.deployment import Deployment
from ..core.intervals import total
from ..core.quantity import Basis, Quantity
from ..core.records import dataclass
from ..cost_model.study import Study
from ..graph import ModelGraph
from ..memory_planner.flash.code_size import shared_code_size
from ..memory_planner.flash.flash import model_bytes
from ..memory_planner.terms import flash_terms
from ..verdicts.capacity import has_flash
from .plan import Ram, Task


@dataclass(frozen=True)
class Memory:
    arenas_shared: Quantity
    """Of all models in one arena."""
    arenas_apart: Quantity
    """Each with an arena of its own."""
    buffers: Quantity
    """Of the steps themselves, as the user gave them."""
    ram: Quantity
    """In the way that was asked for, with the buffers."""
    flash: Quantity
    models: Quantity
    """Of the flash."""
    code: Quantity
    """Likewise, linked once."""


def memory_of(tasks: Sequence[Task], studies: Sequence[Study], deployment: Deployment, how: Ram) -> Memory:
    """A model that two steps run is there once."""
    studies = list({case.graph.sha256: case for case in studies}.values())
    apart = total("B", *(_arena(case) for case in studies)) if studies else _nothing()
    shared = _shared(studies) if studies else _nothing()
    buffers = Quantity.exact(sum(task.plan.ram or 0.0 for task in tasks), "B", Basis.ASSUMED)
    models, code = _flash([case.graph for case in studies], deployment)
    own = Quantity.exact(sum(task.plan.flash or 0.0 for task in tasks), "B", Basis.ASSUMED)
    with_own = (own,) if own.value else ()
    return Memory(
        arenas_shared=shared,
        arenas_apart=apart,
        buffers=buffers,
        ram=total("B", shared if how is Ram.SHARED else apart, *((buffers,) if buffers.value else ())),
        flash=total("B", models, code, *with_own),
        models=models,
        code=code,
    )


def _nothing() -> Quantity:
    return Quantity.exact(0.0, "B")


def _arena(case: Study) -> Quantity:
    arena = case.planned.outcome.arena
    return Quantity.unknown("B") if arena is None else arena.size


def _shared(studies: Sequence[Study]) -> Quantity:
    """What each keeps, and the most that one needs beside; the largest arena where that is not known."""
    kept = [case.plan.arena_persistent_bytes for case in studies]
    sizes = [_arena(case) for case in studies]
    if any(size.value is None for size in sizes):
        return Quantity.unknown("B")
    persistent = [float(size or 0) for size in kept]
    least = [(size.value or 0) - own for size, own in zip(sizes, persistent, strict=True)]
    low = [(size.low or 0) - own for size, own in zip(sizes, persistent, strict=True)]
    high = [(size.high or 0) - own for size, own in zip(sizes, persistent, strict=True)]
    together = sum(persistent)
    return Quantity(
        value=together + max(least),
        low=together + max(low),
        high=together + max(high),
        unit="B",
        basis=total("B", *sizes).basis,
    )


def _flash(graphs: Sequence[ModelGraph], deployment: Deployment) -> tuple[Quantity, Quantity]:
    """(models, code); where programs are loaded into the same memory as all else, code is not counted."""
    if not graphs:
        return _nothing(), _nothing()
    terms = flash_terms(deployment)
    models = total("B", *(model_bytes(graph, terms)[0] for graph in graphs))
    if not has_flash(deployment.target):
        return models, _nothing()
    if terms.code_bytes is not None:
        return models, Quantity.exact(terms.code_bytes, "B", Basis.PUBLISHED)
    code = None if terms.build is None else shared_code_size(graphs, terms.build)
    return models, Quantity.unknown("B") if code is None else code.size
