"""Accelerators that compute for a board beside them, and the two together where that is a target of its own.

The id of such a target is that of the board and that of the accelerator: `raspberry-pi-5-hailo-8l`.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from .index import TargetSummary

_ENGINES = ("edge-tpu", "hailo-nn")
CARRIERS = frozenset(("mpu", "cpu", "gpu-soc"))
"""Classes of targets that an accelerator can sit on."""
Known = Mapping[str, TargetSummary]


def is_hosted(found: TargetSummary | None) -> bool:
    """Whether a target computes for a board beside it, and runs no program of its own."""
    kinds = [core.partition(" x ")[2] for core in found.cores] if found else []
    return bool(kinds) and all(kind in _ENGINES for kind in kinds)


def host_of(target: str, known: Known) -> str:
    """The board under a target: itself where accelerators are known on it; empty for other targets."""
    found = pairs(known)
    return found.get(target, target if target in found.values() else "")


def with_parts(host: str, known: Known) -> tuple[str, ...]:
    """A board with each accelerator that is known on it."""
    return tuple(both for both, under in pairs(known).items() if under == host)


def both_of(host: str, part: str, known: Known) -> str:
    """The target that an accelerator on a board is; empty where the two are not known together.

    Where its chip alone is named, that with the one module of it which is known there.
    """
    if (name := f"{host}-{part}") in known:
        return name
    kinds = {core.partition(" x ")[2] for core in known[part].cores} if part in known else set()
    alone = not any(each.endswith(f"-{part}") for each in pairs(known))
    modules = [each for each in with_parts(host, known) if kinds & _kinds_on(each, host, known)]
    return modules[0] if alone and len(modules) == 1 else ""


def _kinds_on(both: str, host: str, known: Known) -> set[str]:
    part = both.removeprefix(f"{host}-")
    return {core.partition(" x ")[2] for core in known[part].cores} if part in known else set()


def pairs(known: Known) -> Mapping[str, str]:
    """A board with an accelerator on it → the board."""
    return _pairs(_Same(known))


class _Same:
    """A mapping that is asked about again and again, by which object it is."""

    def __init__(self, known: Known) -> None:
        self.known = known

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.known is other.known

    def __hash__(self) -> int:
        return id(self.known)


@functools.lru_cache(maxsize=8)
def _pairs(of: _Same) -> Mapping[str, str]:
    parts = [f"-{name}" for name, found in of.known.items() if is_hosted(found)]
    hosts = {name: name.removesuffix(part) for name in of.known for part in parts if name.endswith(part)}
    return {both: host for both, host in hosts.items() if host in of.known}


def can_carry(target: str, known: Known) -> bool:
    """Whether it is a board that an accelerator can sit on, and none that has one already."""
    found = known.get(target)
    return found is not None and found.target_class in CARRIERS and host_of(target, known) in ("", target)


def only_host(part: str, known: Known) -> str:
    """The only board that an accelerator is known on; empty for none or several."""
    hosts = {host for both, host in pairs(known).items() if both == f"{host}-{part}"}
    return hosts.pop() if len(hosts) == 1 else ""
