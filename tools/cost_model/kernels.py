"""Which fitted coefficients a deployment's kernels go by, and how far they can be trusted."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from ...hardware_db.coefficients import load_coefficients
from ...hardware_db.coefficients.stored import ReadByName
from ..core.quantity import Basis
from ..core.records import dataclass
from ..core.releases import is_numbered, newest_first
from .hardware_figures import LEVELS
from .hierarchy import Path, class_of_path
from .nodes import log_deviation

Floats = npt.NDArray[np.float64]


class Tier(StrEnum):
    """The nearest kin that was measured; each has the interval of predictions made from just that far."""

    TARGET = "target"
    PAIR = "pair"
    RUNTIME = "runtime"
    ISA = "isa"
    NOTHING = "nothing"


_LEVELS = (("target", Tier.TARGET), ("pair", Tier.PAIR), ("runtime", Tier.RUNTIME), ("isa", Tier.ISA))
_WORDS = {
    Tier.TARGET: "on this very target",
    Tier.PAIR: "on other targets with this core",
    Tier.RUNTIME: "of this library on other cores",
    Tier.ISA: "on this core with other libraries",
}


@dataclass(frozen=True, eq=False)
class Kernels:
    """Cost of a unit of each feature of work: cycles of a core, MACs at peak rate of an accelerator."""

    cost: Floats
    interval_factor: float
    basis: Basis
    evidence: str


def kernels_on(path: Path) -> Kernels | None:
    """The coefficients along a path; None where nothing of its type and class of processor was measured.

    Paths that lead over the same fitted nodes, and hardware alike, give one object.
    """
    nodes = load_coefficients().nodes
    return _kernels_on(
        tuple([s for s in path if s.partition("*")[0] in nodes or s.partition(":")[0] in LEVELS])
    )


@functools.cache
def _kernels_on(path: Path) -> Kernels | None:
    fitted = load_coefficients()
    by_level = {name.partition(":")[0]: name for name in path}
    if "dtype" not in by_level:
        return None
    release = "" if "version" in by_level else _default_release(by_level.get("pair", ""))
    if release:
        by_level["version"] = release
    tier = next((tier for level, tier in _LEVELS if level in by_level), Tier.NOTHING)
    name = class_of_path(path)
    log = np.array(fitted.priors[name]) + log_deviation(_nodes_of(name), tuple(by_level.values()))
    pair = by_level.get("pair", "")
    factor = fitted.factors.get(pair) if tier is Tier.TARGET else None
    return Kernels(
        cost=np.exp(log),
        interval_factor=factor or fitted.factors[f"{name}/{tier}"],
        basis=Basis.FITTED if tier in (Tier.TARGET, Tier.PAIR) else Basis.ASSUMED,
        evidence=_evidence(tier, by_level),
    )


def release_taken(path: Path) -> str:
    """The release that an estimate along a path stands for; empty where most measurements name none."""
    steps = {step.partition(":")[0]: step for step in path}
    node = steps.get("version") or _default_release(steps.get("pair", ""))
    return node.partition("@")[2].partition("/")[0]


@functools.cache
def _nodes_of(name: str) -> Mapping[str, tuple[float, ...]]:
    """Of one class of processors."""
    nodes = load_coefficients().nodes
    return ReadByName([n for n in nodes if n.partition(":")[2].startswith(f"{name}/")], nodes.__getitem__)


@functools.cache
def _default_release(pair: str) -> str:
    """The newest release of a pair's measurements, or the most usual way to build it where builds are named
    apart by other things than numbers; none where most measurements name none."""
    evidence = load_coefficients().evidence
    if pair not in evidence:
        return ""
    kind, library, rest = pair.removeprefix("pair:").split("/", 2)
    head = f"version:{kind}/{library}@"
    rows = {
        name.removeprefix(head).partition("/")[0]: evidence[name].rows
        for name in _releases()
        if name.startswith(head) and name.endswith(f"/{rest}")
    }
    unnamed = evidence[pair].rows - sum(rows.values())
    usual = max(rows, key=lambda name: rows[name], default="")
    numbered = {name for name in rows if is_numbered(name)}
    if usual in numbered and sum(rows[name] for name in numbered) > unnamed:
        return f"{head}{newest_first(numbered)[0]}/{rest}"
    return f"{head}{usual}/{rest}" if usual and rows[usual] > unnamed else ""


@functools.cache
def _releases() -> tuple[str, ...]:
    return tuple(name for name in load_coefficients().evidence if name.startswith("version:"))


def _evidence(tier: Tier, by_level: dict[str, str]) -> str:
    if tier is Tier.NOTHING:
        name = by_level["dtype"]
        return f"no measurement akin: what {name.partition(':')[2]} took elsewhere"
    name = by_level[tier.value]
    evidence = load_coefficients().evidence[name]
    what = name.partition("/")[2]
    release = by_level.get("version", "").partition("@")[2].partition("/")[0]
    taken = f"; as {release}" if release else ""
    return f"{evidence.rows} measurements {_WORDS[tier]} ({evidence.networks} networks; {what}{taken})"
