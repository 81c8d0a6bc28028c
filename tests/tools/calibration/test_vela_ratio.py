from __future__ import annotations

import statistics

from edgewright.hardware_db.coefficients.vela import load_vela_coefficients
from edgewright.hardware_db.measurements import rows


def test_the_shipped_factors_are_the_medians_of_the_shipped_ratios() -> None:
    shipped = load_vela_coefficients()
    for group in shipped.groups:
        ratios = [r.measured_ms / r.vela_ms for r in shipped.ratios if r.cited is group.cited]
        assert len(ratios) == group.rows
        assert abs(group.factor / statistics.median(ratios) - 1) < 0.01
    assert sum(group.rows for group in shipped.groups) == len(shipped.ratios)


def test_nine_of_ten_corrected_latencies_lie_within_the_interval() -> None:
    shipped = load_vela_coefficients()
    inside = []
    for ratio in shipped.ratios:
        group = shipped.group(cited=ratio.cited)
        assert group is not None
        off = ratio.measured_ms / (ratio.vela_ms * group.factor)
        inside.append(1 / group.interval_factor <= off <= group.interval_factor)
    assert sum(inside) / len(inside) >= 0.9


def test_every_ratio_is_of_a_shipped_measurement() -> None:
    measured = {row["id"]: row["latency_ms"] for row in rows()}
    for ratio in load_vela_coefficients().ratios:
        assert float(measured[ratio.id]) == ratio.measured_ms
