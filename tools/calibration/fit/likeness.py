"""What a measurement says about one that differs in a single respect, over all pairs that were published.

Errors are logarithms of measured over predicted, by fits that had seen neither the network nor, for boards,
the board. Every target has one vote, so that a board with many rows does not decide.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ....hardware_db.coefficients.offsets import Likeness, OfBoards
from ....hardware_db.measurements.published import Published
from ...cost_model.measured import NEAR, next_batches, peaks_apart

Floats = npt.NDArray[np.float64]

RESPECTS = {"release": "release", "clock": "clock_mhz", "threads": "threads"}
"""What differs → the column in which the two must differ."""
OTHER_BOARD = ("target", "clock_mhz", "release")
"""Columns in which measurements on two boards may differ."""
WHOLE = {"clock": 1.0}
"""What carries over whole, so that latency is smooth over the clock: a board takes its cycles at any."""
CASE = ("signature", "processor", "runtime", "dtype", "batch", "threads", "clock_mhz", "target", "release")
PLACE = ("target", "runtime", "dtype")
FEW_PAIRS = 20
DECAYS = tuple(round(0.05 * step, 2) for step in range(1, 21))
MOST_SHARED = 0.99
CLIP = 1.5
"""An error of a factor of 4.5 says that something else was measured."""
HOLDS = 0.9
MOST_SPREADS = 10.0
LEAST_REPEAT = 1.1
"""Runs on one board at other temperatures and with other compilers differ by this much."""
NINETY = 1.645
"""Standard deviations on either side that hold 90 %."""
NORMAL_MIDDLE = 0.6745 * 2**0.5
"""Median distance of two figures, in their standard deviation."""
FEW_CASES = 20
DIGITS = 4


@dataclass(frozen=True)
class ScoredRow:
    row: Published
    sort: str
    """Class of hardware: mcu, cpu, gpu or npu."""
    errors: Mapping[str, float]
    """network_out and board_out, as far as there are any."""
    network: str
    document: str
    """Where it was read."""


def repeat_factors(cases: Sequence[ScoredRow]) -> dict[str, float]:
    """The 90 % interval of a single measurement, by class, and over all classes as `any`.

    From cases that several documents tell of: rows of one document differ in something that its author knew.
    Every case has one vote, and the middle of them decides: those that are far apart were not one case (a
    power mode, copies from the host, a release that the source does not name).
    """
    apart_by: dict[str, list[float]] = defaultdict(list)
    for group in _groups(cases, (*CASE, "network")).values():
        pairs = [(a, b) for a in group for b in group if a.document < b.document]
        if pairs:
            apart = np.log([a.row.latency_ms / b.row.latency_ms for a, b in pairs])
            for name in (group[0].sort, "any"):
                apart_by[name].append(float(np.abs(apart).mean()))
    return {
        name: round(max(float(np.exp(NINETY * np.median(found) / NORMAL_MIDDLE)), LEAST_REPEAT), DIGITS)
        for name, found in sorted(apart_by.items())
        if len(found) >= FEW_CASES
    }


def likenesses(cases: Sequence[ScoredRow]) -> dict[str, dict[str, Likeness]]:
    """By class and respect."""
    found: dict[str, dict[str, Likeness]] = defaultdict(dict)
    for respect, column in RESPECTS.items():
        for sort, pairs in sorted(_pairs(cases, column).items()):
            if len(pairs) >= FEW_PAIRS:
                found[sort][respect] = _likeness(pairs, WHOLE.get(respect))
    for sort, boards in sorted(_other_boards(cases).items()):
        if sum(len(others) for _, others in boards) >= FEW_PAIRS:
            found[sort]["board"] = _fading_over_peaks(boards)
    for sort, batches in sorted(_batches(cases).items()):
        if len(batches) >= FEW_PAIRS:
            found[sort]["batch"] = _fading(batches)
    return dict(sorted(found.items()))


Batches = list[tuple[ScoredRow, dict[Published, float]]]
"""A measurement, and the errors of those at other batches."""


def _batches(cases: Sequence[ScoredRow]) -> dict[str, Batches]:
    found: dict[str, Batches] = defaultdict(list)
    known = [case for case in cases if "network_out" in case.errors]
    for group in _groups(known, [name for name in CASE if name != "batch"]).values():
        for case in group:
            others = {c.row: _clipped(c) for c in group if c.row.batch != case.row.batch}
            if others:
                found[case.sort].append((case, others))
    return found


OtherBoards = list[tuple[ScoredRow, list[tuple[ScoredRow, float]]]]
"""A measurement, and those on other boards with how many times their peak is this one's, or the reverse."""


def _other_boards(cases: Sequence[ScoredRow]) -> dict[str, OtherBoards]:
    found: dict[str, OtherBoards] = defaultdict(list)
    known = [case for case in cases if "network_out" in case.errors]
    for group in _groups(known, [name for name in CASE if name not in OTHER_BOARD]).values():
        for case in group:
            apart = [(c, _apart(c, case)) for c in group if c.row.target != case.row.target]
            near = [(c, ratio) for c, ratio in apart if ratio <= NEAR]
            if near:
                found[case.sort].append((case, near))
    return found


def _apart(one: ScoredRow, other: ScoredRow) -> float:
    return peaks_apart(one.row.target, other.row.target, one.row.processor)


def _fading_over_peaks(boards: OtherBoards) -> Likeness:
    """By every pair; the interval is that of what all others tell of a board together."""
    votes = _votes([case.row.target for case, others in boards for _ in others])
    error = np.array([_clipped(case) for case, others in boards for _ in others])
    told = np.array([_clipped(other) for _, others in boards for other, _ in others])
    ratio = np.array([ratio for _, others in boards for _, ratio in others])
    best, least = Likeness(share=0.0, interval_factor=1.0, pairs=len(error)), np.inf
    for decay in (0.0, *DECAYS):
        kept = told * ratio**-decay
        share = float(np.clip((votes * error * kept).sum() / (votes * kept**2).sum(), 0.0, MOST_SHARED))
        missed = float((votes * (error - share * kept) ** 2).sum())
        if missed < least:
            best, least = best.model_copy(update={"share": round(share, DIGITS), "decay": decay}), missed
    rest = []
    for case, others in boards:
        kept_by = {other.row.target: best.kept(ratio, 1.0) for other, ratio in others}
        share, _ = best.of_several(kept_by.values())
        left = _clipped(case) - share * float(np.median([_clipped(other) for other, _ in others]))
        rest.append((case.row.target, abs(left) / best.spread(share)))
    return best.model_copy(update={"interval_factor": round(float(np.exp(_quantile(rest, HOLDS))), DIGITS)})


def _clipped(case: ScoredRow) -> float:
    return float(np.clip(case.errors["network_out"], -CLIP, CLIP))


def _fading(batches: Batches) -> Likeness:
    """All of it at the same batch, and the less the farther apart they are; by every pair.

    The interval is that of the next batches below and above, which alone are asked.
    """
    votes = _votes([case.row.target for case, _ in batches])

    def missed(alike: Likeness) -> float:
        each = [
            sum(
                (_clipped(case) - alike.kept(row.batch, case.row.batch) * other) ** 2
                for row, other in others.items()
            )
            for case, others in batches
        ]
        return float((votes * np.array(each)).sum())

    fading = (Likeness(share=1.0, interval_factor=1.0, pairs=len(batches), decay=decay) for decay in DECAYS)
    best = min(fading, key=missed)
    rest = []
    for case, others in batches:
        near = next_batches(others, case.row.batch).items()
        told = float(np.median([best.kept(row.batch, case.row.batch) * error for row, error in near]))
        rest.append((case.row.target, abs(_clipped(case) - told)))
    factor = round(float(np.exp(_quantile(rest, HOLDS))), DIGITS)
    return best.model_copy(update={"interval_factor": factor})


def _pairs(cases: Sequence[ScoredRow], column: str) -> dict[str, list[tuple[str, float, float]]]:
    """Class → (target, error, mean error of those that differ)."""
    pairs: dict[str, list[tuple[str, float, float]]] = defaultdict(list)
    known = [case for case in cases if "network_out" in case.errors]
    for group in _groups(known, [name for name in CASE if name != column]).values():
        for case in group:
            own = getattr(case.row, column)
            others = [c.errors["network_out"] for c in group if getattr(c.row, column) != own]
            if others:
                error = case.errors["network_out"]
                pairs[case.sort].append((case.row.target, error, float(np.mean(others))))
    return pairs


def _likeness(pairs: Sequence[tuple[str, float, float]], whole: float | None) -> Likeness:
    votes = _votes([target for target, _, _ in pairs])
    error, other = (np.clip([pair[n] for pair in pairs], -CLIP, CLIP) for n in (1, 2))
    best = float(np.clip((votes * error * other).sum() / (votes * other**2).sum(), 0.0, 1.0))
    share = best if whole is None else whole
    rest = [(target, abs(one - share * two)) for target, one, two in pairs]
    return Likeness(
        share=round(share, DIGITS),
        interval_factor=round(float(np.exp(_quantile(rest, 0.9))), DIGITS),
        pairs=len(pairs),
    )


Boards = dict[tuple[object, ...], Floats]
"""Class, target, library and type → the error of each network on it."""


def board_spreads(
    cases: Sequence[ScoredRow], left_out: str, repeat: Mapping[str, float]
) -> dict[str, OfBoards]:
    """Between and within boards with one library, by the analysis of variance with random effects.

    Boards differ by no less than repeated measurements do: their users build and clock them otherwise.
    """
    boards, whole = _boards(cases, left_out, CLIP), _boards(cases, left_out, np.inf)
    found = {}
    for sort in sorted({str(key[0]) for key in boards}):
        own = [errors for key, errors in boards.items() if key[0] == sort]
        within = float(np.mean([errors.var(ddof=1) for errors in own]))
        noise = float(np.mean([within / len(errors) for errors in own]))
        least = (np.log(repeat.get(sort, repeat["any"])) / NINETY) ** 2
        between = max(float(np.mean([errors.mean() ** 2 for errors in own])) - noise, float(least))
        found[sort] = OfBoards(
            board=round(between**0.5, DIGITS),
            network=round(within**0.5, DIGITS),
            spreads=round(_spreads(_by_target(whole, sort), between, within), DIGITS),
            other_type=round(_other_type(boards, sort), DIGITS),
            boards=len(own),
        )
    return found


def _by_target(boards: Boards, sort: str) -> dict[str, list[Floats]]:
    found: dict[str, list[Floats]] = defaultdict(list)
    for key, errors in boards.items():
        if key[0] == sort:
            found[str(key[1])].append(errors)
    return found


def _boards(cases: Sequence[ScoredRow], left_out: str, clip: float) -> Boards:
    found: Boards = {}
    for key, group in _groups([c for c in cases if left_out in c.errors], PLACE).items():
        networks: dict[str, list[float]] = defaultdict(list)
        for case in group:
            networks[case.row.signature].append(case.errors[left_out])
        errors = np.clip([np.mean(each) for each in networks.values()], -clip, clip)
        if len(errors) >= 2:
            found[key] = errors
    return found


def _spreads(boards: Mapping[str, Sequence[Floats]], between: float, within: float) -> float:
    """Within which 90 % of the errors after one measurement are, boards having one vote each.

    Args:
        boards: target → errors of the networks with each of its libraries and types, as they are.
    """
    share = between / (between + within)
    deviation = (within + between * within / (between + within)) ** 0.5
    left = {
        target: np.concatenate([_left(errors, share) for errors in groups]) / deviation
        for target, groups in boards.items()
    }
    low, high = 0.0, MOST_SPREADS
    for _ in range(40):
        middle = (low + high) / 2
        inside = float(np.mean([float((errors <= middle).mean()) for errors in left.values()]))
        low, high = (low, middle) if inside >= HOLDS else (middle, high)
    return high


def _left(errors: Floats, share: float) -> Floats:
    """Of each network, by each other one's measurement."""
    off_diagonal = ~np.eye(len(errors), dtype=np.bool_)
    left: Floats = np.abs(errors[:, None] - share * errors[None, :])[off_diagonal]
    return left


def _other_type(boards: Boards, sort: str) -> float:
    """0 where no board was measured in two types with one library."""
    products, squares = [], []
    for key, errors in boards.items():
        others = [e for k, e in boards.items() if k[:3] == key[:3] and k[3] != key[3]]
        if key[0] == sort and others:
            products += [float(errors.mean() * other.mean()) for other in others]
            squares.append(float(errors.mean() ** 2))
    return float(np.clip(np.mean(products) / np.mean(squares), 0.0, 1.0)) if squares else 0.0


def _groups(cases: Iterable[ScoredRow], columns: Sequence[str]) -> dict[tuple[object, ...], list[ScoredRow]]:
    groups: dict[tuple[object, ...], list[ScoredRow]] = defaultdict(list)
    for case in cases:
        groups[(case.sort, *(_column(case, name) for name in columns))].append(case)
    return groups


def _column(case: ScoredRow, name: str) -> object:
    return case.network if name == "network" else getattr(case.row, name)


def _votes(targets: Sequence[str]) -> Floats:
    counts = Counter(targets)
    return np.array([1 / counts[target] for target in targets])


def _quantile(found: Sequence[tuple[str, float]], share: float) -> float:
    """Of figures by target, each of which has one vote."""
    votes = _votes([target for target, _ in found])
    values = np.array([value for _, value in found])
    order = np.argsort(values)
    reached = np.cumsum(votes[order])
    return float(values[order][np.searchsorted(reached, share * reached[-1])])
