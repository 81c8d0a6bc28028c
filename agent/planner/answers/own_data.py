"""What is asked of the data themselves: how many, whose, how far off at worst, how old."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ....hardware_db import measurements
from ....hardware_db.census import census, prices
from ....hardware_db.cited import ClaimKind
from ....hardware_db.coefficients.errors import stored_errors
from ....hardware_db.later import Later
from ..words import entries
from .phrases import joined, lines

if TYPE_CHECKING:
    from ....tools.calibration.validation import samples, stored, validation_report
else:
    samples = Later("....tools.calibration.validation.samples", __package__)
    stored = Later("....tools.calibration.validation.stored", __package__)
    validation_report = Later("....tools.calibration.validation.validation_report", __package__)

_NEW_NETWORK, _NEW_BOARD = "network_out", "board_out"
_KINDS = {ClaimKind(kind): str(words) for kind, words in entries("source_kinds").items()}
_MOST_SELLERS = 2


class Miss(NamedTuple):
    """A published time, and what was predicted by a fit that had not seen it."""

    factor: float
    """Predicted over measured."""
    row: Mapping[str, str]

    @property
    def text(self) -> str:
        measured = float(self.row["latency_ms"])
        off = f"{max(self.factor, 1 / self.factor):.0f} times too {'slow' if self.factor > 1 else 'fast'}"
        network = self.row["network"].rpartition("/")[2]
        return (
            f"{network} ({self.row['dtype']}) on {self.row['device']} with {self.row['runtime']}: predicted "
            f"{_ms(measured * self.factor)}, measured {_ms(measured)}, {off} ({self.row['repository']})"
        )


def how_many(_kind: str = "") -> str:
    """Measurements and whose they are; figures of chips by the kind of their source."""
    found = census()
    total = sum(found.claims.values())
    kinds = sorted(found.claims.items(), key=lambda each: -each[1])
    return lines(
        f"{found.measured - found.own:,} measurements that others published, read in {found.repositories} "
        f"public repositories and pages, and {found.own} taken for this program, on one server and no board: "
        f"{found.networks} networks on {found.devices} devices.",
        f"Of {total:,} figures about {found.targets} chips and boards, "
        f"{joined(f'{count:,} from {_KINDS[kind]}' for kind, count in kinds)}.",
    )


def worst(kind: str = "") -> str:
    """The worst predictions of a network, and of a board, that was left out; of a class, if named."""
    network, board = _misses(_NEW_NETWORK, kind), _misses(_NEW_BOARD, kind)
    return lines(
        f"The worst misses{f' on {kind.upper()}s' if kind else ''}:",
        f"- with the network left out of the fit, {network[0].text};",
        f"- with the board left out, {next(miss for miss in board if not miss.row['flag']).text}.",
        f"More than a factor of two off: {_beyond(network, 2):.1%} of new networks, "
        f"{_beyond(board, 2):.0%} on new boards.".replace("%", " %"),
    )


def spread(kind: str = "") -> str:
    """How often an estimate is within a quarter, and within a factor of two; of a class, if named."""
    network, board = _misses(_NEW_NETWORK, kind), _misses(_NEW_BOARD, kind)
    return (
        (
            f"With the network left out of the fit, {1 - _beyond(network, 1.25):.0%} are within 1.25 times "
            f"and {1 - _beyond(network, 2):.0%} within twice the measured time; with the board left out, "
            f"{1 - _beyond(board, 1.25):.0%} and {1 - _beyond(board, 2):.0%}. Inside their 90 % interval lay "
            f"{_inside('leave-one-model-out', kind):.0%} and, with the board left out, "
            f"{_inside('leave-one-board-out', kind):.0%} of the measured times, so "
            f"{1 - _inside('leave-one-board-out', kind):.0%} of them outside it."
        )
        .replace("%", " %")
        .replace("  %", " %")
    )


def _inside(of: str, kind: str) -> float:
    """Share of measured times inside their interval, over the classes by their measurements."""
    case = (
        validation_report.Scheme(of), validation_report.Measured.LATENCY, validation_report.ALL
    )  # fmt: skip
    groups = [
        group
        for group in stored.stored_report().groups
        if (group.scheme, group.quantity, group.runtime) == case
        and kind in ("", group.device_class)
        and group.coverage is not None
    ]
    return sum((group.coverage or 0.0) * group.n for group in groups) / sum(group.n for group in groups)


def how_old_prices(_kind: str = "") -> str:
    """How many targets have a price, of whom, and of when."""
    found = prices()
    sellers = Counter(price.seller for price in found).most_common(_MOST_SELLERS)
    dates = sorted(price.date for price in found)
    return (
        f"{len(found)} of {census().targets} chips and boards have a price, in US dollars: "
        f"{joined([f'{count} from {seller}' for seller, count in sellers])}, the rest from elsewhere; the "
        f"oldest is of {dates[0]}, half are of {dates[len(dates) // 2]} or earlier. Nothing is forecast."
    )


COMPUTED: Mapping[str, Callable[[str], str]] = {
    "census": how_many, "worst": worst, "spread": spread, "prices": how_old_prices,
}  # fmt: skip
"""By the name that a section of docs/ gives; each takes the class of processors that is asked about."""


@cache
def _misses(left_out: str, kind: str) -> Sequence[Miss]:
    """What was predicted of what the fit had not seen, the worst first."""
    rows = {row["id"]: row for row in measurements.rows() if row["latency_ms"]}
    found = [
        Miss(math.exp(float(error[left_out])), rows[key])
        for key, error in stored_errors().items()
        if error[left_out] and key in rows
    ]
    of_kind = [
        miss for miss in found if kind in ("", samples.class_of_row(miss.row["kind"], miss.row["processor"]))
    ]
    return sorted(of_kind, key=lambda miss: -abs(math.log(miss.factor)))


def _beyond(misses: Sequence[Miss], factor: float) -> float:
    """Share of predictions that are off by more than a factor."""
    return sum(abs(math.log(miss.factor)) > math.log(factor) for miss in misses) / len(misses)


def _ms(value: float) -> str:
    return f"{value / 1e3:.3g} s" if value >= 1e3 else f"{value:.3g} ms"
