"""What an answer speaks of: the model and the deployment of a result."""

from __future__ import annotations

import re
from pathlib import PurePath

from ....tools.core.deployment import DeploymentRef
from ....tools.core.units import digits
from ..turns import Outcome


def model_of(outcome: Outcome) -> str:
    """The model as the user knows it: a file's name without its folder."""
    name = str(outcome.inputs.get("model") or outcome.arguments.get("model") or "the model")
    chosen = [
        str(outcome.arguments[key]) for key in ("width", "input_size", "dtype") if outcome.arguments.get(key)
    ]
    return ":".join((re.sub(r"[^\w.@+/ :-]", "_", PurePath(name).name), *chosen))


def place_of(where: DeploymentRef) -> str:
    """stm32l4r5zi with tflm-cmsis-nn at 120 MHz"""
    told = bare_place_of(where)
    told += f", batch {where.batch}" if where.batch > 1 else ""
    return told + (f", {where.threads} threads" if where.threads > 1 else "")


def bare_place_of(where: DeploymentRef) -> str:
    """Without batch and threads."""
    return f"{where.target} with {where.runtime} at {digits(where.clock_mhz)} MHz"
