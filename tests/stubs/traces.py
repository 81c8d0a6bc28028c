"""Traces as profilers write them."""

from collections.abc import Callable

from edgewright.tools import MeasuredProfile

Import = Callable[..., MeasuredProfile]
"""Reads a text as a trace of the keyword spotter; see the fixture `imported`."""
KWS_TICKS = (
    ("CONV_2D", 1950917), ("DEPTHWISE_CONV_2D", 655522), ("CONV_2D", 2045462), ("DEPTHWISE_CONV_2D", 655173),
    ("CONV_2D", 2044178), ("DEPTHWISE_CONV_2D", 655343), ("CONV_2D", 12769264), ("DEPTHWISE_CONV_2D", 655308),
    ("CONV_2D", 2044546), ("AVERAGE_POOL_2D", 59095), ("RESHAPE", 2626), ("FULLY_CONNECTED", 8974), ("SOFTMAX", 7178),
)  # fmt: skip
"""Synthetic: layer 6 was made six times slower than its twins, layers 2, 4 and 8."""
TOTAL_MS = sum(ticks for _, ticks in KWS_TICKS) / 120e3


def events(ticks: tuple[tuple[str, int], ...] = KWS_TICKS, first: int = 0) -> str:
    """As MicroProfiler::LogCsv prints them."""
    rows = "".join(f"{at},{tag},{count}\n" for at, (tag, count) in enumerate(ticks, first))
    return f'"Event","Tag","Ticks"\n{rows}'


def sentences(
    ticks: tuple[tuple[str, int], ...] = KWS_TICKS, per_ms: float = 120_000, scale: float = 1.0
) -> str:
    """As MicroProfiler::Log prints them; TicksToMs cuts the milliseconds to whole ones."""
    counts = [(tag, int(count * scale)) for tag, count in ticks]
    return "".join(f"{tag} took {count} ticks ({int(count / per_ms)} ms).\n" for tag, count in counts)
