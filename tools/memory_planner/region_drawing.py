"""The target's memory regions as bars: what is used of each, and by what."""

from __future__ import annotations

from ..core.svg import svg, text, titled
from ..core.units import show
from .memory_plan import MemoryPlan
from .plan_parts import RegionUse

WIDTH, ROW, LEFT, ROOM = 900.0, 30.0, 170.0, 320.0


def region_drawing(plan: MemoryPlan) -> str:
    """Each bar is its whole region; regions differ by orders of magnitude, so lengths do not compare."""
    rows = [_row(region, 8 + ROW * place) for place, region in enumerate(plan.regions)]
    return svg(WIDTH, 8 + ROW * len(rows), rows, "Use of each memory region")


def _row(region: RegionUse, y: float) -> str:
    share = region.used_bytes / region.size_bytes if region.size_bytes else 0.0
    wide = WIDTH - LEFT - ROOM
    holds = ", ".join(region.holds)
    sentence = f"{show(region.used_bytes, 'bytes')} of {show(region.size_bytes, 'bytes')}"
    sentence += f" ({100 * share:.3g} %): {holds}" if holds else ": nothing placed"
    return titled(
        f"{region.region}: {sentence}",
        text(LEFT - 10, y + 13, region.region[:26], anchor="end")
        + _box("free", y, wide)
        + _box("over" if share > 1 else "used", y, wide * min(share, 1))
        + text(LEFT + wide + 10, y + 13, sentence),
    )


def _box(kind: str, y: float, wide: float) -> str:
    return f'<rect class="{kind}" x="{LEFT:g}" y="{y:g}" width="{wide:.2f}" height="16"/>'
