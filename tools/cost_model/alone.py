"""What an accelerator on a carrier board is where it is bought alone: the same behind another link."""

from __future__ import annotations

from ...hardware_db import Target, load_target
from ...hardware_db.errors import EdgewrightError
from ..core.deployment import Deployment
from ..core.deployment_table import Machine


def module_of(where: Machine) -> Target | None:
    """The target that a machine's accelerator is by itself; None where it is part of its own."""
    if where.accelerator is None or not where.accelerator.module:
        return None
    try:
        return load_target(where.accelerator.module)
    except EdgewrightError:
        return None


def silicon_of(where: Machine) -> Target:
    """The target whose measurements and figures tell how fast the accelerator computes."""
    return module_of(where) or where.target


def alone_of(place: Deployment) -> Deployment | None:
    """The same deployment on the module; None where there is none."""
    module = module_of(place)
    if module is None:
        return None
    family = place.accelerator.family if place.accelerator else ""
    unit = next((a for a in module.accelerators if a.family == family), None)
    if unit is None:
        return None
    return place.model_copy(update={"target": module, "core": module.cores[0], "accelerator": unit})
