"""What limits are called."""

from __future__ import annotations

from ..core.units import Dimension

FLAGS: dict[str, tuple[str, Dimension]] = {
    "latency": ("latency_ms", Dimension.TIME_MS),
    "rate": ("rate_hz", Dimension.RATE_HZ),
    "ram": ("ram_bytes", Dimension.BYTES),
    "flash": ("flash_bytes", Dimension.BYTES),
    "energy": ("energy_uj", Dimension.ENERGY_UJ),
    "power": ("power_mw", Dimension.POWER_MW),
    "reserve": ("reserve_bytes", Dimension.BYTES),
    "price": ("price_usd", Dimension.PRICE_USD),
}
"""What a limit is called on the command line and in a budget file → its field and dimension."""
