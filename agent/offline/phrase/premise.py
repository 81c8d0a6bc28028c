"""Figures that the question held to be true, against those that were computed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ....hardware_db import find_target_names
from ....tools.core.quantity import Basis, Quantity
from ...grounding.families import Family
from ..limits import Claim
from ..models import model_mentions
from ..turns import Outcome
from .figures import quantity

_CLOSE = 0.02
_A_MODEL = re.compile(r"\b(?:it|this|that|models?|net\w*|arena|activations|file)\b", re.IGNORECASE)
_FIELDS: dict[Family, tuple[tuple[str, str, float], ...]] = {
    Family.TIME: (("latency_ms", "the latency", 1e-3),),
    Family.RATE: (("inferences_per_second", "the rate", 1.0),),
    Family.ENERGY: (("energy_uj", "the energy", 1e-6),),
    Family.POWER: (("power_mw", "the power", 1e-3),),
    Family.INTENSITY: (
        ("ridge_point", "the ridge point", 1.0),
        ("arithmetic_intensity", "the intensity", 1.0),
    ),
    Family.THROUGHPUT: (("dense_gops", "the dense peak", 1e9),),
    Family.FREQUENCY: (("clock_max_mhz", "the highest clock", 1e6),),
    Family.MACS: (("macs", "the work", 1.0),),
    Family.PARAMETERS: (("parameter_count", "the number of parameters", 1.0),),
    Family.BYTES: (
        ("arena_bytes", "the arena", 1.0),
        ("largest_region_bytes", "the largest RAM in one piece", 1.0),
        ("file_bytes", "the file", 1.0),
    ),
}
_UNITS = {
    "latency_ms": "ms",
    "energy_uj": "uJ",
    "power_mw": "mW",
    "inferences_per_second": "1/s",
    "clock_max_mhz": "MHz",
    "dense_gops": "GOP/s",
    "ridge_point": "FLOP/byte",
    "arithmetic_intensity": "FLOP/byte",
    "macs": "MACs",
    "parameter_count": "parameters",
}


def corrections(
    claims: Iterable[Claim], outcomes: Sequence[Outcome], dtypes: Sequence[str] = ()
) -> list[str]:
    """A sentence for each claim that a computed figure speaks about."""
    return [told for claim in claims if (told := _judged(claim, outcomes, dtypes))]


def _judged(claim: Claim, outcomes: Sequence[Outcome], dtypes: Sequence[str]) -> str:
    for name, label, factor in _fields(claim):
        computed = next((q for o in outcomes for q in _quantities(o.result or {}, name, dtypes)), None)
        if computed is None or computed.value is None or computed.low is None or computed.high is None:
            continue
        claimed = claim.value / factor
        margin = _CLOSE * abs(computed.value)
        if computed.low - margin <= claimed <= computed.high + margin:
            agrees = "agrees with" if computed.low == computed.high else "lies within the interval of"
            return f"{claim.text} {agrees} {label}: {quantity(computed)}."
        return f"No, not {claim.text}: {label} is {quantity(computed)}."
    return ""


def _fields(claim: Claim) -> tuple[tuple[str, str, float], ...]:
    """What a chip is said to have is no arena; what something else takes is neither."""
    fields = _FIELDS.get(claim.family, ())
    if claim.family is not Family.BYTES:
        return fields
    if find_target_names(claim.clause):
        return tuple(field for field in fields if field[0] == "largest_region_bytes")
    of_a_model = _A_MODEL.search(claim.clause) or model_mentions(claim.clause)
    return fields if of_a_model else tuple(field for field in fields if field[0] == "largest_region_bytes")


def _quantities(result: Mapping[str, Any], name: str, dtypes: Sequence[str]) -> Iterator[Quantity]:
    """The field of that name on the result, else in its peaks, of the type asked for."""
    peaks = [p for p in result.get("peaks", ()) if not dtypes or p.get("dtype") in dtypes]
    for value in (result.get(name), *(peak.get(name) for peak in peaks)):
        if isinstance(value, Mapping):
            yield Quantity.model_validate(value)
        elif isinstance(value, int | float):
            yield Quantity.exact(float(value), _UNITS.get(name, "bytes"), Basis.DERIVED)
