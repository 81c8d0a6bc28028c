"""Which changes of a network a question names, and whether it sets one form of it against another."""

from __future__ import annotations

from collections.abc import Iterator

from ....tools.model_zoo.named import only_side_of
from ..bench import is_filed, is_named
from ..factors import factor_in
from ..query import Query, Role
from ..want import Want
from ..wants import QUANTITIES, is_surely_other
from .settings import OF_NETWORKS

TYPES, _INT16 = frozenset(("int8", "float16", "float32")), "int16"
"""What a network by name can be built in, and what every network is quantised to."""
_OF_BUILDS = ("build-", "fpu-")


def asks_other_type(query: Query) -> bool:
    """Whether a file in one type is set against another: int8 so many times as fast, left in float32."""
    types, one = {*query.all(Role.DTYPE)}, len(set(query.all(Role.MODEL))) == 1 and query.says(Role.DTYPE)
    own = one and (is_filed(query, Role.DTYPE) or _INT16 in types)
    claims = bool({"float32", _INT16} & types) or factor_in(query.question) is not None
    return own and claims and not is_surely_other(query, *QUANTITIES, *_OF_TYPES)


def asks_other_side(query: Query) -> bool:
    """Whether pictures of another size are set against those that a network takes, whose input is given."""
    model, sides = query.text(Role.MODEL), set(query.numbers(Role.SIDE))
    one = len(sides) == 2 and len(set(query.all(Role.MODEL))) == 1 == len(set(query.all(Role.TARGET)))
    return one and (is_filed(query, Role.SIDE) or only_side_of(model) in sides)


_OF_TYPES = (
    Want.COMPARE, Want.WHAT_IF, Want.PLAUSIBLE, Want.IMPROVE, Want.WHY_SLOWER, Want.BOUND, Want.CONCEPT,
)  # fmt: skip


def bare(query: Query) -> Query:
    """Without a type or width that a change makes; how a library is compiled leaves the network as it was."""
    changes = query.all(Role.TECHNIQUE)
    if is_named(query.text(Role.MODEL)) and _INT16 in query.all(Role.DTYPE):
        return query.put(Role.DTYPE, "int8")
    changed = bool(changes) and not all(name.startswith(_OF_BUILDS) for name in changes)
    return query.without(OF_NETWORKS) if changed or not is_named(query.text(Role.MODEL)) else query


def techniques_of(query: Query) -> Iterator[str]:
    """As they were named, with figures before words: prune 30 % is not half."""
    named = [slot for slot in query.slots if slot.role is Role.TECHNIQUE]
    exact = {str(slot.value).partition("-")[0] for slot in named if slot.text}
    exact |= {"input"} if query.numbers(Role.SIDE) else set()
    found = [str(s.value) for s in named if s.text or str(s.value).partition("-")[0] not in exact]
    own = only_side_of(query.text(Role.MODEL))
    found += [f"input-{side:g}x{side:g}" for side in query.numbers(Role.SIDE) if side != own]
    built = is_named(query.text(Role.MODEL))
    if not built:
        found += [f"width-{100 * width:g}" for width in query.numbers(Role.WIDTH)]
    types = [slot for slot in query.slots if slot.role is Role.DTYPE and not (found and slot.inherited)]
    made = {_INT16} if built else {*TYPES, _INT16}
    found += [str(slot.value) for slot in types if slot.value in made]
    found += ["weights-int4"] if found and query.says(Role.DTYPE) and "int4" in query.all(Role.DTYPE) else []
    yield from dict.fromkeys(found)
