"""What is to be done: so many events a second, or a job of so many pieces, and what time and energy cost."""

from __future__ import annotations

from typing import TypedDict

from ...hardware_db.errors import UsageError
from ..core.records import dataclass
from ..energy.draw import HOURS

Number = float | None
LEAST, MOST = 1e-18, 1e18
"""Of any figure: their products and quotients stay numbers."""


class Terms(TypedDict, total=False):
    """When it runs and what that costs, all prices in one currency; what is not known is left out."""

    hours_per_day: Number
    """That it runs at its rate; without it all 24."""
    days: Number
    """That energy and money at the rate are of, such as 365."""
    price_per_kwh: Number
    price_per_hour: Number
    """Rent of one device."""
    rents: bool
    """Whether to take a cloud's list price, in US dollars, where `price_per_hour` is not given."""
    device_price: Number
    """Of buying one."""
    buys: bool
    """Whether to take the database's price, in US dollars, where `device_price` is not given."""
    overhead: Number
    """What a data centre draws over what its computers draw (PUE)."""


@dataclass(frozen=True)
class Demand:
    """A rate, or a job, or neither."""

    rate_hz: Number = None
    streams: int = 1
    per_event: int = 1
    items: Number = None
    within_h: Number = None
    devices: int | None = None
    sites: int = 1

    @property
    def per_second(self) -> Number:
        """Inferences that are demanded in a second; None where no rate and no time of a job is said."""
        if self.rate_hz is not None:
            return self.rate_hz * self.streams * self.per_event
        return self.inferences / self.within_h / 3600 if self.inferences and self.within_h else None

    @property
    def inferences(self) -> Number:
        """Of the whole job."""
        return None if self.items is None else self.items * self.per_event


def demand(
    rate_hz: Number,
    streams: int | None,
    per_event: int | None,
    items: Number,
    within_h: Number,
    devices: int | None,
    sites: int | None = None,
) -> Demand:
    """What was asked for.

    Raises:
        UsageError: a rate and a job at once, a time without a job, or a figure that cannot be.
    """
    if rate_hz is not None and items is not None:
        raise UsageError("Both a rate and a job are given.", hint="Drop rate_hz or items.")
    if streams is not None and items is not None:
        raise UsageError(
            "A job has pieces and no streams.", hint="Multiply items by the streams that they come from."
        )
    if sites is not None and items is not None:
        raise UsageError("A job has pieces and no sites.", hint="Drop sites or items.")
    if within_h is not None and items is None:
        raise UsageError("There is a time but no job.", hint="Give items, such as 40e6.")
    figures = {
        "rate_hz": rate_hz, "streams": streams, "per_event": per_event, "items": items, "within_h": within_h,
        "devices": devices, "sites": sites,
    }  # fmt: skip
    for name, value in figures.items():
        if value is not None and not LEAST <= value <= MOST:
            raise UsageError(f"{name} {value:g} must be above zero, from {LEAST:g} to {MOST:g}.")
    return Demand(rate_hz, streams or 1, per_event or 1, items, within_h, devices, sites or 1)


def checked(given: Terms) -> Terms:
    """
    Raises:
        UsageError: a figure that cannot be, or a name that means nothing here.
    """
    unknown = given.keys() - Terms.__annotations__.keys()
    if unknown:
        raise UsageError(
            f"There is no {', '.join(sorted(unknown))}.", hint=f"Known: {', '.join(Terms.__annotations__)}."
        )
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        least, is_free = 1.0 if name == "overhead" else LEAST, value == 0 and "price" in name
        if not (is_free or least <= value <= MOST):
            raise UsageError(f"{name} {value:g} must be between {least:g} and {MOST:g}.")
    hours = given.get("hours_per_day")
    if hours is not None and not 0 < hours <= HOURS:
        raise UsageError(f"hours_per_day {hours:g} must be above 0 and at most 24.")
    return given
