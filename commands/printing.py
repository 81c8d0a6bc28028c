"""From a command's words to a deployment, and from a result to stdout."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer

from .options import Where

if TYPE_CHECKING:
    from ..tools.core.quantity import Result


def run_analysis(
    tool: str,
    function: Callable[..., Result],
    model: str,
    where: Where,
    json: bool,
    text: Callable[[Any], str] | None = None,
    /,
    **told: Any,
) -> Result:
    """Print what `function` makes of the model there; as `text` writes it, where that is given."""
    from ..tools import deployment, parse_model
    from ..tools.core.units import Dimension, parse_measure

    clock_mhz = None if where.clock is None else parse_measure(where.clock, Dimension.CLOCK_MHZ)
    place = deployment(
        where.target, where.runtime, clock_mhz=clock_mhz, batch=where.batch, threads=where.threads
    )
    result = function(model if where.shape is None else parse_model(model, shape=where.shape), place)
    inputs = where._asdict() | {"clock": None, "clock_mhz": clock_mhz}
    print_result(tool, result, {"model": model, **inputs, **told}, json, text)
    return result


def print_result(
    tool: str,
    result: Result,
    inputs: dict[str, Any],
    json: bool,
    text: Callable[[Any], str] | None = None,
) -> None:
    from ..tools.core.envelope import envelope
    from ..tools.reports.text import as_text

    if json:
        import json as json_module

        typer.echo(json_module.dumps(envelope(tool, inputs, result), ensure_ascii=False, indent=1))
    else:
        typer.echo((text or as_text)(result))
