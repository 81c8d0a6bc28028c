"""Each call by the rule of its operator; one without a rule, or that its rule cannot take, under its name."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from ...core.sanitize import clean_text
from . import arithmetic, joined, moves, windows
from .calls import Call
from .program import Program

Rule = Callable[[Program, Call], None]

_RULES: dict[str, Rule] = {**arithmetic.RULES, **joined.RULES, **moves.RULES, **windows.RULES}
_NONE: Mapping[str, Rule] = {}
_SCALES = "quantized_decomposed."
_SMALL = 1 << 16
_REFUSED = (IndexError, KeyError, TypeError, ValueError, OverflowError, ZeroDivisionError)
"""What a rule ends in whose call has another form than the rule knows."""


def translated(program: Program, calls: Iterable[Call], more: Mapping[str, Rule] = _NONE) -> None:
    """Write `calls`, in execution order, into `program`; what follows an unknown one keeps its shape.

    Args:
        more: rules of calls that are not ATen's.
    """
    for call in calls:
        if not call.outputs:
            continue
        if _is_known(program, call):
            for name in call.outputs:
                program.known(name)
            continue
        before, rule = len(program.nodes), more.get(call.target) or _RULES.get(plain(call.target))
        try:
            if rule is None:
                raise KeyError(call.target)
            rule(program, call)
        except _REFUSED:
            del program.nodes[before:]
            program.put(f"aten.{clean_text(call.target)}" if "." not in call.target else call.target,
                        call.tensors_given(), call.outputs)  # fmt: skip


def _is_known(program: Program, call: Call) -> bool:
    """Whether small constants are all that it computes with: masks and positions, computed at load."""
    given = call.tensors_given()
    if not given or not all(map(program.is_constant, given)) or call.target.startswith(_SCALES):
        return False
    made = [program.shape(name) for name in (*given, *call.outputs)]
    return all(-1 not in shape and math.prod(shape) <= _SMALL for shape in made)


def plain(target: str) -> str:
    """The operator that computes the same: one in place, or one that copies, as the one that does not."""
    name = target.removesuffix("_copy")
    return name[:-1] if name.endswith("_") and not name.startswith("_") else name
