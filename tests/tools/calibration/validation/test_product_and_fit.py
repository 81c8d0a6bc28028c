"""An estimate of the product is the fit's own: two ways to the same figure."""

import math
from collections import defaultdict

import pytest

from edgewright.tools.calibration.record import Record
from edgewright.tools.calibration.records import read_records
from edgewright.tools.calibration.validation.own_rows import OwnRow
from edgewright.tools.calibration.validation.predictions import _graph, predict
from edgewright.tools.calibration.validation.validation_report import Measured
from edgewright.tools.cost_model.kernels import kernels_on
from edgewright.tools.graph.costs.table import layer_table

CLOSE = 0.06
"""Of the logarithm: what the roofline, or a clock told on one side only, may make."""


def one_of_each_group() -> list[Record]:
    groups: dict[tuple[str, ...], list[Record]] = defaultdict(list)
    for record in read_records():
        row = record.row
        if record.target and not row["release"] and "*" not in record.network:
            groups[record.kind, row["processor"], row["runtime"], row["dtype"]].append(record)
    return [sorted(members, key=lambda r: r.id)[len(members) // 2] for members in groups.values()]


def mixes_types(record: Record) -> bool:
    """Each layer is estimated by the kernels of its type, but a measurement is fitted as one of the network's."""
    graph = _graph(OwnRow(record.row, None))
    return graph is None or len(set(layer_table(graph).dtypes)) > 1


def test_what_the_product_estimates_is_what_was_fitted() -> None:
    apart = {}
    compared = 0
    for record in one_of_each_group():
        predicted = predict(OwnRow(record.row, None))
        latency = predicted.figures.get(Measured.LATENCY)
        kernels = kernels_on(record.path)
        if mixes_types(record):
            continue
        if not predicted.estimated or latency is None or latency.value is None or kernels is None:
            continue
        compared += 1
        fitted_ms = record.estimated(kernels.cost) / record.cost * record.seconds * 1e3
        apart[record.id] = math.log(latency.value / fitted_ms)
    assert compared > 15
    assert {name: skew for name, skew in apart.items() if abs(skew) > CLOSE} == {}


@pytest.mark.parametrize(
    ("pair", "release"),
    [
        ("pair:mcu/x-cube-ai/cortex-m4/int8", "10.2"),
        ("pair:mcu/tflm-cmsis-nn/cortex-m4/float32", "-O3, FPU on"),
    ],
)
def test_a_deployment_without_a_release_goes_by_the_newest_and_by_the_usual_build(
    pair: str, release: str
) -> None:
    library, isa, dtype = pair.removeprefix("pair:mcu/").split("/")
    path = (f"dtype:mcu/{dtype}", pair)
    told = kernels_on(path)
    named = kernels_on((*path, f"version:mcu/{library}@{release}/{isa}/{dtype}"))
    assert told is not None
    assert named is not None
    assert told.cost.tolist() == named.cost.tolist()
    assert release in told.evidence
