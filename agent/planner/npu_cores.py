"""`Three NPU cores`, `all cores of its NPU`: cores that take an inference each, no threads of a processor."""

from __future__ import annotations

from ...hardware_db import Accelerator
from ...hardware_db.derived import accelerator_for
from ...hardware_db.resolver import resolve_runtime, resolve_target
from ...tools.cost_model.at_once import cores_of
from ..figures import number_in
from .query import Query, Role, Slot
from .words import patterns

_SAYS = patterns("npu_cores")
_COUNTS = (Role.THREADS, Role.DEVICES, Role.CARDS, Role.BATCH, Role.RUNS)


def with_npu_cores(query: Query) -> Query:
    """With the cores of the accelerator that are spoken of, in place of the roles that their number got.

    Cores that are not said to be of the accelerator are where it has as many and no processor is named.
    """
    targets = set(query.all(Role.TARGET))
    found, bare = (_SAYS[name].search(query.question) for name in ("of_the_npu", "bare"))
    said = found or (None if _SAYS["of_the_cpu"].search(query.question) else bare)
    if said is None or len(targets) != 1:
        return query
    cores = _cores(query, targets.pop())
    counted = next(filter(None, said.groupdict().values()), "")
    many = number_in(counted.casefold().replace("single", "one")) if counted else float(cores)
    if cores == 1 or (not found and many != cores):
        return query
    slots = [s for s in query.slots if not (s.role in _COUNTS and s.text and s.text in said[0])]
    slot = Slot(role=Role.NPU_CORES, value=many, text=said[0])
    unread = tuple(text for text in query.unread if text not in said[0])
    return query.model_copy(update={"slots": (*slots, slot), "unread": unread})


def _cores(query: Query, name: str) -> int:
    """Of the accelerator that it runs on: 1 where that is not known, or the cores of the processor are."""
    return cores_of(accelerator_of(query, name))


def accelerator_of(query: Query, name: str) -> Accelerator | None:
    """On which it runs with the kernels that are named, or with the usual ones."""
    target = resolve_target(name, query.own)
    runtime = query.text(Role.RUNTIME) or target.runtimes[0]
    return accelerator_for(target, resolve_runtime(runtime, query.own))
