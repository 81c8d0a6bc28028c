"""What links carry and what stays on a chip, from the measurements of boards that carry a module.

`python -m edgewright.tools.calibration.fit.link_fit` writes `hardware_db/coefficients/link.json`, from rows
and what the fit before it makes of the modules. Of a network that is reloaded a board takes as long as its
module and what its own link is slower: that gives the share of the link's rate, the median over networks.
Networks that a chip computes faster than its weights could come over its link keep them there: that gives the
largest that do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from ....hardware_db import coefficients as package
from ....hardware_db import load_target, target_ids
from ....hardware_db.coefficients.link import LinkCoefficients, LinkRow, Residence, load_link_coefficients
from ....hardware_db.derived import accelerator_peak_ops_per_s, shared_ram
from ....hardware_db.links import LinkKind, link_bytes_per_s
from ....hardware_db.measurements import digest, rows
from ....hardware_db.schema import Accelerator
from ...core.deployment import Deployment, deployment
from ...cost_model.crossing import fills_of, layers_with_weights, size_of
from ...cost_model.linked import Linked, linked_of
from ...cost_model.linked_anchors import is_carrier
from ...cost_model.study import study
from ...graph import ModelGraph
from ...graph.costs.table import layer_table
from ...model_zoo.named import build_architecture
from ..work import graph_of_type
from .by_device import interval

DIGITS = 4
UNSEEN = 100.0
"""Where no smaller chip of a family was measured."""


@dataclass(frozen=True)
class OnBoard:
    """A measurement of a board with its module behind PCIe."""

    id: str
    network: str
    target: str
    measured_s: float
    module_s: float
    """Before what the board's link adds."""
    raw_s: float
    """What it adds at the rate after the line code, where weights are reloaded; else what frames take."""
    reloaded: bool
    fills: float
    """How many times what its chip is taken to hold the network fills."""

    @property
    def share(self) -> float:
        """Of that rate: no more than all of it."""
        added = self.measured_s - self.module_s
        return min(self.raw_s / added, 1.0) if added > 0 else 1.0

    def estimated_s(self, share: float) -> float:
        if not self.reloaded:
            return max(self.module_s, self.raw_s / share)
        return self.module_s + self.raw_s / share


@dataclass(frozen=True)
class Sized:
    """A network on a chip, and whether its weights came too fast to have crossed the link."""

    network: str
    layers: int
    weight_bytes: float
    stays: bool


def fit_links() -> LinkCoefficients:
    measured = board_rows()
    errors: dict[bool, list[tuple[str, float]]] = {True: [], False: []}
    for row in measured:
        error = float(np.log(row.measured_s / left_out_s(row, measured)))
        errors[row.reloaded].append((row.network, error))
    return LinkCoefficients(
        schema_version="1.0",
        data_sha256=digest(),
        pcie_share=round(share_of(measured), DIGITS),
        interval_factor=interval(errors[True])[0],
        resident_factor=interval(errors[False])[0],
        residence={name: _seen(found, name, measured) for name, found in residences().items()},
        rows=tuple(
            LinkRow(
                id=row.id,
                network=row.network,
                target=row.target,
                measured_ms=round(row.measured_s * 1e3, DIGITS),
                without_network_ms=round(left_out_s(row, measured) * 1e3, DIGITS),
                reloaded=row.reloaded,
            )
            for row in measured
        ),
    )


def share_of(measured: Iterable[OnBoard]) -> float:
    """By the networks that are reloaded, each with one vote."""
    by_network: dict[str, list[float]] = defaultdict(list)
    for row in measured:
        if row.reloaded:
            by_network[row.network].append(row.share)
    return median(median(shares) for shares in by_network.values())


def left_out_s(row: OnBoard, measured: Sequence[OnBoard]) -> float:
    """What the other networks make of it."""
    return row.estimated_s(share_of(other for other in measured if other.network != row.network))


def board_rows() -> tuple[OnBoard, ...]:
    found = []
    for row in rows():
        if not row["network"] or not row["latency_ms"] or not is_carrier(row["target"]):
            continue
        place = deployment(row["target"], row["runtime"], batch=int(row["batch"] or 1))
        graph = graph_of_type(build_architecture(row["network"]), row["dtype"])
        linked = linked_of(graph, place)
        if linked is not None and linked.alone is not None:
            found.append(_on_board(row, graph, place, linked))
    return tuple(found)


def _on_board(row: Mapping[str, str], graph: ModelGraph, place: Deployment, linked: Linked) -> OnBoard:
    assert linked.alone is not None
    assert place.accelerator is not None
    module = deployment(place.accelerator.module, row["runtime"], batch=place.batch)
    rate, alone_rate = (_rate(each.accelerator) for each in (place, module))
    module_s = _module_s(graph, module)
    reloaded = linked.here.reloads and not linked.stays_at(module_s)
    raw_s = float((linked.here.moved_bytes if reloaded else linked.here.frame_bytes).sum()) / rate
    if reloaded and linked.measured:
        raw_s -= float(linked.alone.moved_bytes.sum()) / alone_rate
    elif reloaded:
        module_s -= linked.alone.seconds
    known = load_link_coefficients().residence[place.accelerator.family]
    fills = fills_of(layer_table(graph), known) / size_of(place.accelerator, known)
    return OnBoard(row["id"], row["network"], row["target"], _seconds(row), module_s, raw_s, reloaded, fills)


def _module_s(graph: ModelGraph, module: Deployment) -> float:
    """What is made of a module without the measurements of boards that carry it."""
    case = study(graph, module)
    if case.measured is not None and any(is_carrier(target) for target in case.measured.targets):
        alone = module.settings.model_copy(update={"measured_first": False})
        case = study(graph, module.model_copy(update={"settings": alone}))
    return float(case.latency_ms) / 1e3


def _seconds(row: Mapping[str, str]) -> float:
    return float(row["latency_ms"]) / 1e3


def _rate(unit: Accelerator | None) -> float:
    rate = link_bytes_per_s(unit.link) if unit is not None and unit.link is not None else None
    assert rate is not None
    return rate


def residences() -> dict[str, Residence]:
    """Of each family with a chip that has a PCIe link, no memory of its own, and measurements."""
    found = {}
    for name in target_ids():
        target = load_target(name)
        for unit in target.accelerators:
            is_chip = unit.link is not None and unit.link.kind is LinkKind.PCIE and not unit.module
            peak = accelerator_peak_ops_per_s(unit, "int8")
            sized = sized_networks(name, _rate(unit)) if is_chip and peak and not shared_ram(target) else []
            if sized:
                found[unit.family] = residence(sized, peak or 0.0)
    return found


def _seen(found: Residence, family: str, measured: Sequence[OnBoard]) -> Residence:
    """With the least that a smaller chip of the family was seen to reload."""
    smaller = [row for row in measured if row.reloaded and _is_smaller(row.target, family, found)]
    least = min((row.fills for row in smaller), default=found.reloads_from)
    return found.model_copy(update={"reloads_from": round(least, DIGITS)})


def _is_smaller(target: str, family: str, found: Residence) -> bool:
    units = load_target(target).accelerators
    return any(unit.family == family and size_of(unit, found) < 1.0 for unit in units)


def sized_networks(target: str, rate: float) -> list[Sized]:
    found = []
    for row in rows():
        if row["target"] != target or not row["network"] or not row["latency_ms"]:
            continue
        table = layer_table(graph_of_type(build_architecture(row["network"]), row["dtype"]))
        weights = float(table.weight_bytes.sum())
        stays = weights / rate > _seconds(row)
        found.append(Sized(row["network"], layers_with_weights(table), weights, stays))
    return found


def residence(sized: Sequence[Sized], peak_ops_per_s: float) -> Residence:
    """The bound on layers that parts the two best, in the middle of those that do as well."""
    bounds = sorted({each.layers + 0.5 for each in sized})
    misfits = {bound: sum((each.layers < bound) != each.stays for each in sized) for bound in bounds}
    least = min(misfits.values())
    layers = median(bound for bound, count in misfits.items() if count == least)
    stay = [each.weight_bytes for each in sized if each.stays and each.layers < layers]
    return Residence(
        layers=layers,
        weight_bytes=max(stay, default=0.0),
        peak_ops_per_s=peak_ops_per_s,
        reloads_from=UNSEEN,
        rows=len(sized),
        misfits=least,
    )


def main(file: Path) -> None:
    """First what stays on a chip, as that tells which measurements are of reloaded networks."""
    before = load_link_coefficients()
    steps: tuple[Callable[[], LinkCoefficients], ...] = (
        lambda: before.model_copy(update={"residence": residences()}),
        fit_links,
    )
    for fitted in steps:
        file.write_text(fitted().model_dump_json(indent=1) + "\n", encoding="utf-8")
        load_link_coefficients.cache_clear()
    after = load_link_coefficients()
    print(f"links: {after.pcie_share:.1%} of PCIe's rate, by {len(after.rows)} measurements")


if __name__ == "__main__":
    main(Path(package.__file__).parent / "link.json")
