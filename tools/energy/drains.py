"""What empties a battery, part by part, the largest first."""

from __future__ import annotations

from ..core.intervals import share_of, total
from ..core.quantity import Quantity
from ..core.units import show
from .cell import Cell
from .draw import Draw, leak_of
from .energy_budget import Drain

BY_ITSELF, COMPUTING = "self-discharge", "computing"


def drains_of(drawn: Draw, cell: Cell | None) -> tuple[Drain, ...]:
    """Consumers and the battery's own loss with their shares; empty where one of the consumers is unknown."""
    charged = all(charge.known for _, _, charge in drawn.parts)
    if not drawn.parts or not all(charge.known or power.known for _, power, charge in drawn.parts):
        return ()
    amounts = [(name, power, charge, charge if charged else power) for name, power, charge in drawn.parts]
    leak = leak_of(cell) if cell and charged else Quantity.unknown("mAh")
    if leak.value:
        amounts.append((BY_ITSELF, Quantity.unknown("mW"), leak, leak))
    found = [
        Drain(name=name, power_mw=power, charge_mah=charge, share=_share(amount, [
            other for other_name, _, _, other in amounts if other_name != name
        ]))
        for name, power, charge, amount in amounts
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda one: -(one.share.value or 0.0)))


def in_words(drains: tuple[Drain, ...]) -> tuple[str, str]:
    """What takes most, with the share of each; what the network is in it. Empty where nothing is known."""
    if not drains:
        return "", ""
    first = _CALLED.get(drains[0].name, drains[0].name.capitalize())
    shares = [f"{show(100 * (one.share.value or 0.0), '%')} {one.name}" for one in drains]
    told = " and ".join([", ".join(shares[:-1]), shares[-1]]) if len(shares) > 1 else shares[0]
    own = sum(one.share.value or 0.0 for one in drains if one.name == COMPUTING)
    return f"{first} takes most: {told}", next(word for least, word in _NETWORK if own >= least)


_CALLED = {COMPUTING: "The network", "asleep": "Sleep", "idle": "Being idle"}
_NETWORK = (
    (0.65, "decides"), (0.35, "counts about as much as the rest"),
    (0.1, "counts, though less than the rest"), (0.0, "hardly matters"),
)  # fmt: skip
"""What it is from which share on of all that is drawn."""


def _share(part: Quantity, others: list[Quantity]) -> Quantity:
    return share_of(part, total(part.unit, *others)) if others else Quantity.exact(1.0, "1", part.basis)
