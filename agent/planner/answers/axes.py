"""What is named more than once is an axis of a table; each combination is a row: a name, and its query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....tools.model_zoo.named import tokens_of
from ..bench import PLAIN, is_named
from ..owners import combinations, of_kernels, of_target
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from .phrases import joined, model_shown, said

_AXES = {
    Role.MODEL: "network", Role.TARGET: "board", Role.RUNTIME: "kernels", Role.DTYPE: "type",
    Role.BATCH: "batch", Role.THREADS: "threads", Role.CLOCK_MHZ: "clock", Role.SIDE: "input",
    Role.WIDTH: "width", Role.SEQUENCE: "tokens",
}  # fmt: skip
"""Role → the head of its column."""
_OF_NETWORKS = (Role.DTYPE, Role.SIDE, Role.WIDTH)
_SHOWN = {
    Role.CLOCK_MHZ: "{:g} MHz", Role.SIDE: "{0:g}x{0:g}", Role.SEQUENCE: "{:g} tokens",
    Role.THREADS: "{:g} threads", Role.BATCH: "batch {:g}",
}  # fmt: skip
_PER = {"power": Want.PER_WATT, "price": Want.PER_PRICE}
_ALIKE = {
    "clock": (Role.CLOCK_MHZ, "at the same clock, {:g} MHz, the highest that each runs at"),
    "kernels": (Role.RUNTIME, "with the same kernels, {}"),
    "threads": (Role.THREADS, "with one thread each"), "batch": (Role.BATCH, "with batch 1"),
}  # fmt: skip


def varied(query: Query) -> list[Role]:
    """The roles with several values; a file has the width, input and type that it has."""
    named = all(is_named(model) for model in query.all(Role.MODEL))
    roles = [role for role in _AXES if named or role not in _OF_NETWORKS]
    return [role for role in roles if len(set(query.all(role))) > 1]


def several(query: Query) -> bool:
    """Whether something that a deployment consists of is named more than once."""
    return bool(varied(query))


def chosen_from(query: Query) -> bool:
    """Whether settings are listed, of which one is to be chosen."""
    own = query.model_copy(update={"slots": tuple(slot for slot in query.slots if not slot.inherited)})
    return bool(set(varied(own)) - {Role.TARGET, Role.MODEL, Role.RUNTIME})


def kinds_of(query: Query, wants: Sequence[Want]) -> tuple[list[tuple[str, Query]], list[Role]]:
    """Every combination of what is named more than once, as a name and a query of its own; what differs."""
    axes = {role: _values(query, role) for role in varied(query)} or _with_another(query, wants)
    runtime, targets = query.text(Role.RUNTIME), query.all(Role.TARGET)
    if Role.TARGET in axes and len(query.all(Role.RUNTIME)) == 1:
        offered = [t for t in targets if (found := query.targets.get(t)) and runtime in found.runtimes]
        if len(offered) < len(targets):
            kernels = {**dict.fromkeys(offered, runtime), **query.kernels}
            query = query.without([Role.RUNTIME]).model_copy(update={"kernels": kernels})
    kinds = []
    for each in combinations(query, axes):
        one = of_target(query, str(each[Role.TARGET])) if Role.TARGET in each else query.without([Role.CARDS])
        one = of_kernels(one, str(each[Role.RUNTIME])) if Role.RUNTIME in each else one
        for role, value in each.items():
            one = one.put(role, value, text=said(query, role) and str(value))
        kinds.append(_named(query, one, each))
    return kinds, list(axes)


def head_of(roles: Sequence[Role]) -> str:
    """Over the names of the rows."""
    return joined(_AXES[role] for role in roles)


def _values(query: Query, role: Role) -> list[float | str]:
    return list(dict.fromkeys(slot.value for slot in query.slots if slot.role is role))


def _named(query: Query, one: Query, each: dict[Role, Any]) -> tuple[str, Query]:
    """How a row is called: with how many of it, and the kernels and the clock of its own."""
    kernels = query.kernels.get(one.text(Role.TARGET), "") if not one.has(Role.RUNTIME) else ""
    many, own = one.number(Role.CARDS) or 1, (s for s in one.slots if s.of and s.role is Role.CLOCK_MHZ)
    name = f"{many:g} x " if many > 1 else ""
    name += ", ".join(_called(query, role, value) for role, value in each.items())
    name += "".join(f" at {slot.number:g} MHz" for slot in own)
    return (f"{name} with {kernels}", one.put(Role.RUNTIME, kernels)) if kernels else (name, one)


def _called(query: Query, role: Role, value: float | str) -> str:
    """As it stands in a table, with the user's own word for it: rknn (NPU)."""
    own = dict.fromkeys(s.label for s in query.slots if s.role is role and s.value == value and s.label)
    return f"{shown(role, value)} ({', '.join(own)})" if own else shown(role, value)


def _with_another(query: Query, wants: Sequence[Want]) -> dict[Role, list[Any]]:
    """What a single thing is compared with: int8 with float, one thread with four, kernels with others."""
    found = query.targets.get(query.text(Role.TARGET))
    if query.has(Role.DTYPE) and Want.RECOMMEND_RUNTIME not in wants:
        gpu = found is not None and found.target_class in ("gpu", "gpu-soc")
        wide, own = "float16" if gpu else "float32", query.text(Role.DTYPE)
        return {Role.DTYPE: [own, "int8" if own != "int8" else wide]}
    for role in (Role.BATCH, Role.THREADS):
        if query.has(role):
            return {role: [1.0, query.number(role)]}
    kernels = list(dict.fromkeys([query.text(Role.RUNTIME), *(found.runtimes if found else ())]))
    own = query.text(Role.RUNTIME)
    if query.says(Role.RUNTIME) and len(kernels) > 1:
        plain = own.startswith("tflm-") and own != PLAIN and PLAIN in kernels
        kernels = [own, PLAIN if plain else kernels[1]]
    return {Role.RUNTIME: [name for name in kernels if name]}


def shown(role: Role, value: float | str) -> str:
    """A value of an axis, as it stands in a table."""
    if isinstance(value, str):
        return value.rpartition("/")[2]
    text = _SHOWN.get(role, f"{role.value} {{:g}}").format(value)
    return text.removesuffix("s") if text == "1 threads" else text


def same_in_all(query: Query) -> str:
    """What is the same in all rows."""
    same = [model_shown(query)] if len(set(query.all(Role.MODEL))) == 1 else []
    targets = set(query.all(Role.TARGET))
    anywhere = not any(slot.text for slot in query.slots if slot.role is Role.TARGET)
    same += [f"on {next(iter(targets))}"] if len(targets) == 1 and not anywhere else []
    for role in (Role.BATCH, Role.CLOCK_MHZ, Role.THREADS, Role.SEQUENCE):
        numbers = {slot.number for slot in query.slots if slot.role is role and not slot.of}
        if len(numbers) == 1 and not (role is Role.BATCH and numbers == {1.0}):
            same.append(shown(role, numbers.pop()).replace("1 thread", "one thread", 1))
    if (tokens := tokens_of(query.text(Role.MODEL))) and same and not query.has(Role.SEQUENCE):
        same.append(f"at {shown(Role.SEQUENCE, tokens)}")
    return " ".join(same)


def alike(query: Query, wants: Sequence[Want]) -> tuple[Query, list[Want], str]:
    """The query with what its rows are to share, what is wanted then, and a sentence on it."""
    things = spoken("alike", query.question)
    wanted, told = [*(_PER[thing] for thing in things if thing in _PER), *wants], list[str]()
    for thing in things:
        role, words = _ALIKE.get(thing, (Role.MODEL, ""))
        if not words or query.says(role):
            continue
        before = {slot.value for slot in query.slots if slot.role is role}
        shared = before.pop() if len(before) == 1 else _shared(query, thing)
        apart = "with kernels of their own, as none run on each of them" if thing == "kernels" else ""
        told.append(words.format(shared) if shared else apart)
        query = query.put(role, shared) if shared else query
    return query, wanted, f"All {joined(told)}." if any(told) else ""


def _shared(query: Query, thing: str) -> float | str:
    """The highest clock, or the first kernels, of all of the targets; one of what is counted."""
    if thing not in ("clock", "kernels"):
        return 1.0
    found = [query.targets.get(target) for target in dict.fromkeys(query.all(Role.TARGET))]
    known = [one for one in found if one is not None]
    if len(known) < max(len(found), 2):
        return ""
    if thing == "clock":
        highest = [one.clock_max_mhz for one in known if one.clock_max_mhz]
        return min(highest) if len(highest) == len(known) else ""
    return next((name for name in known[0].runtimes if all(name in one.runtimes for one in known)), "")


def at_full_clocks(query: Query) -> Query:
    """Without a clock that is the highest of the board that it is named with: each runs at its own then."""
    full = {s.text: query.targets[str(s.value)].clock_max_mhz for s in query.slots if s.role is Role.TARGET}
    slots = (s for s in query.slots if s.role is not Role.CLOCK_MHZ or s.value != full.get(s.of))
    return query.model_copy(update={"slots": tuple(slots)})
