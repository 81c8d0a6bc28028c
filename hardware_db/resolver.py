"""From what people write to the target or runtime they mean."""

from __future__ import annotations

from .errors import AmbiguousNameError, UnknownNameError, nearest
from .loader import load_runtime, load_target, runtime_ids, target_ids
from .names import folded
from .schema import Runtime, Target


def resolve_target(name: str) -> Target:
    """The target that a name means.

    Raises:
        AmbiguousNameError: a family; carries its members.
        UnknownNameError: nothing goes by it; carries the nearest names.
    """
    key = folded(name)
    targets = [load_target(identifier) for identifier in target_ids()]
    for target in targets:
        if key in {folded(known) for known in (target.id, target.name, *target.aliases)}:
            return target
    members = [target.id for target in targets if key in target.families]
    if members:
        raise AmbiguousNameError("target", name, members)
    raise UnknownNameError("target", name, nearest(name, target_ids()))


def resolve_runtime(name: str) -> Runtime:
    """The runtime that a name means; raises UnknownNameError with the nearest names."""
    key = folded(name)
    for identifier in runtime_ids():
        runtime = load_runtime(identifier)
        if key in {folded(known) for known in (runtime.id, runtime.name, *runtime.aliases)}:
            return runtime
    raise UnknownNameError("runtime", name, nearest(name, runtime_ids()))
