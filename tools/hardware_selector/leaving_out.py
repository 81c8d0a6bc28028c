"""What of all hardware is left where some is not wanted."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...hardware_db import TargetClass
from ...hardware_db.errors import UnknownNameError, nearest
from ...hardware_db.index import read_index
from ...hardware_db.makers import maker_named, makers
from ...hardware_db.names import folded
from ...hardware_db.resolver import lookup
from ..core.deployment import Deployment
from ..core.deployment_table import DeploymentTable

_CLASS_OF = {"gpu": TargetClass.GPU, "vector-unit": TargetClass.DSP}
"""Of what computes beside the cores; the rest are NPUs."""
LINUX = "linux"
"""What runs Linux or another system, or is driven from one, as cards are and NPUs without cores."""
_PROGRAMMED = ("cortex-", "rv", "xtensa", "armv")
_ON_LINUX = frozenset((TargetClass.MPU, TargetClass.GPU_SOC, TargetClass.CPU, TargetClass.GPU))


def remaining(places: DeploymentTable, without: Collection[str]) -> DeploymentTable:
    """The deployments that none of the words is of: makers, classes, targets, families, runtimes or `linux`.

    Raises:
        UnknownNameError: a word that is none of these.
    """
    unwanted = {key for word in without for key in _meant(word)}
    return DeploymentTable(place for place in places if not _keys(place) & unwanted)


def _keys(place: Deployment) -> set[str]:
    target = place.target
    found = {target.vendor, str(target.target_class), target.id, place.runtime.id}
    if place.accelerator is not None:
        found.add(str(_CLASS_OF.get(place.accelerator.kind, TargetClass.NPU)))
    cores = [core.isa.value for core in target.cores]
    driven = target.target_class is TargetClass.NPU and not any(isa.startswith(_PROGRAMMED) for isa in cores)
    has_a_system = driven or target.target_class in _ON_LINUX or any(i.startswith("cortex-a") for i in cores)
    return found | {LINUX} if has_a_system else found


def _meant(word: str) -> Sequence[str]:
    index, key = read_index(), folded(word)
    if word.casefold() in (LINUX, *TargetClass):
        return (word.casefold(),)
    if maker := maker_named(word) or maker_named(word.upper()):
        return (maker,)
    for names in (index.target_names, index.runtime_names):
        if found := lookup(key, names):
            return (found,) if isinstance(found, str) else found
    known = (*makers(), *TargetClass, LINUX, *(target.id for target in index.targets))
    raise UnknownNameError("maker, class, target or runtime", word, nearest(word, known))
