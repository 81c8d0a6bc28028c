"""By how much limits would have to give, as text."""

from __future__ import annotations

from ...core.units import show
from ...verdicts.relaxation import Relaxation, RelaxedPair


def relaxation_text(found: Relaxation) -> str:
    return f"- {_change(found)}: {', '.join(found.admits)}"


def pair_text(found: RelaxedPair) -> str:
    return f"- {' and '.join(map(_change, found.relaxations))}: {', '.join(found.admits)}"


def _change(found: Relaxation) -> str:
    to = f"{show(found.demanded, found.unit)} -> {show(found.needed, found.unit)}"
    return f"{found.limit} {to} ({found.percent:+.3g} %)"
