"""Limits out of flags or a budget file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..tools.verdicts.limits import Limits


def limits_from(flags: Mapping[str, str | None], budget: Path | None, **more: Any) -> Limits:
    """Raises UsageError where both are given."""
    from ..tools import UsageError, limits_from_text, read_budget

    told = {name: value for name, value in more.items() if value is not None}
    if budget is None:
        return limits_from_text(flags, **told)
    if told or any(flags.values()):
        raise UsageError("Limits come from --budget or from flags, not from both.", hint="Drop one of them.")
    return read_budget(budget)


def weights_from(texts: list[str] | None) -> dict[str, float]:
    """{"energy": 3.0} from ["energy=3"].

    Raises:
        UsageError: no figure with a number.
    """
    from ..tools import UsageError

    found = {}
    for text in texts or ():
        name, _, points = text.partition("=")
        try:
            found[name.strip()] = float(points)
        except ValueError:
            raise UsageError(f"{text!r} is no weight.", hint="Write it like energy=3.") from None
    return found
