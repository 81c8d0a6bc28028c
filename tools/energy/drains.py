"""What empties a battery, part by part, the largest first."""

from __future__ import annotations

from ..core.quantity import Quantity
from .cell import Cell
from .draw import Draw, leak_of
from .energy_budget import Drain
from .intervals import share_of, total

BY_ITSELF = "self-discharge"


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


def _share(part: Quantity, others: list[Quantity]) -> Quantity:
    return share_of(part, total(part.unit, *others)) if others else Quantity.exact(1.0, "1", part.basis)
