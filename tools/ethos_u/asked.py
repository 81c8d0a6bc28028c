"""Whether Vela is asked at all: known without loading what asks it."""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Iterator

from ..core.deployment import Deployment
from .configurations import is_ethos_u

RUNTIMES = frozenset({"ethos-u", "ethos-u85"})
_LEFT_OUT = contextvars.ContextVar("rules_alone", default=False)


def is_for_vela(deployment: Deployment) -> bool:
    """Whether Vela is what brings a model onto the deployment's accelerator."""
    return deployment.runtime.id in RUNTIMES and is_ethos_u(deployment.accelerator)


@contextlib.contextmanager
def rules_alone() -> Iterator[None]:
    """Leaves Vela out, to compare a model with changed ones, of which it could compile no file."""
    token = _LEFT_OUT.set(True)
    try:
        yield
    finally:
        _LEFT_OUT.reset(token)


def is_left_out() -> bool:
    return _LEFT_OUT.get()
