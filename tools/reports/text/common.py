"""What every text has: figures with their interval, the deployment, the notes."""

from __future__ import annotations

from ...core.deployment import DeploymentRef
from ...core.quantity import Quantity
from ...core.units import digits, show


def quantity(figure: Quantity) -> str:
    """`12.4 ms (9.8 ms to 16.1 ms, fitted)`."""
    if figure.value is None:
        return "unknown"
    low, high = show(figure.low, figure.unit), show(figure.high, figure.unit)
    if low == high:
        return f"{show(figure.value, figure.unit)} ({figure.basis})"
    return f"{show(figure.value, figure.unit)} ({low} to {high}, {figure.basis})"


def where(ref: DeploymentRef) -> str:
    batch = f", batch {ref.batch}" if ref.batch > 1 else ""
    return f"{ref.target} with {ref.runtime} at {ref.clock_mhz:g} MHz{batch}"


def notes(*groups: tuple[str, ...]) -> str:
    lines = [f"- {text}" for text in dict.fromkeys(text for group in groups for text in group)]
    return "\n".join(["", "", "Notes:", *lines]) if lines else ""


def per_byte(value: float | None) -> str:
    return "unknown" if value is None else f"{digits(value)} FLOP/byte"


def percent(share: float | None) -> str:
    return "unknown" if share is None else f"{100 * share:.3g} %"


def change(before: float | None, after: float | None, unit: str) -> str:
    return f"{show(before, unit)} -> {show(after, unit)}"
