"""What a want is shown by in a table: its head, the call and field, and what the best of it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..want import Want

ESTIMATE, PLAN, CHECK, CHIP, ROOF, LIFE, MODEL = (
    "estimate_performance", "plan_memory", "check_constraints", "get_target", "analyze_roofline",
    "estimate_energy_budget", "parse_model",
)  # fmt: skip


@dataclass(frozen=True)
class Column:
    """What a want is shown by: its head, the call and field, and what the best of it does."""

    head: str
    function: str
    path: str
    unit: str
    best: str
    largest: bool = False
    ratio: str = ""
    """What is shown instead of the field: over `{here}`, `{batch}` and `{chip}`, as a plain number."""


COLUMNS: Mapping[Want, Column] = {
    Want.LATENCY: Column("latency", ESTIMATE, "latency_ms", "~", "is the fastest"),
    Want.THROUGHPUT: Column(
        "throughput", ESTIMATE, "inferences_per_second", "fps~", "reaches most", largest=True
    ),
    Want.CYCLES: Column("cycles", ESTIMATE, "cycles", "", "takes the fewest cycles"),
    Want.ENERGY: Column("energy", ESTIMATE, "energy_uj", "~", "takes the least energy"),
    Want.POWER: Column("power", ESTIMATE, "power_mw", "~", "draws the least power"),
    Want.BATTERY_LIFE: Column(
        "battery life", LIFE, "battery.life_days", "days", "lasts longest", largest=True
    ),
    Want.PER_WATT: Column(
        "images a joule", ESTIMATE, "energy_uj", "", "does most for its power", ratio="{batch}J/{here}"
    ),
    Want.PER_PRICE: Column(
        "images/s a dollar",
        ESTIMATE,
        "inferences_per_second",
        "",
        "does most for its price",
        largest=True,
        ratio="1s*1USD*{here}/{chip}.price_usd",
    ),
    Want.RAM: Column("arena", PLAN, "arena", "", "takes the least RAM"),
    Want.FLASH: Column("flash", PLAN, "flash", "", "takes the least flash"),
    Want.PRICE: Column("price", CHIP, "price_usd", "", "is the cheapest"),
    Want.UTILISATION: Column(
        "of the peak", ROOF, "compute_utilization", "%", "uses its peak best", largest=True
    ),
    Want.INTENSITY: Column("ridge", ROOF, "ridge_point", "", "has the lowest ridge"),
}
