"""Whether Vela is asked at all: known without loading what asks it."""

from __future__ import annotations

from ..core.deployment import Deployment
from ..core.settings import Vela
from .configurations import is_ethos_u

RUNTIMES = frozenset({"ethos-u", "ethos-u85"})


def is_for_vela(deployment: Deployment) -> bool:
    """Whether Vela is what brings a model onto the deployment's accelerator."""
    return deployment.runtime.id in RUNTIMES and is_ethos_u(deployment.accelerator)


def by_rules(deployment: Deployment) -> Deployment:
    """The same without Vela, to compare a model with changed ones, of which it could compile no file.

    On every target that has an accelerator: a change may be to use it.
    """
    if not deployment.target.accelerators or deployment.settings.vela is Vela.RULES:
        return deployment
    settings = deployment.settings.model_copy(update={"vela": Vela.RULES})
    return deployment.model_copy(update={"settings": settings})
