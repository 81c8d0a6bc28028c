"""Every deployment under the same limits, in one ranking."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from ...hardware_db import TargetClass
from ...hardware_db.errors import EdgewrightError, UsageError, nearest
from ..core.deployment import deployment
from ..core.deployment_table import DeploymentTable, all_deployments
from ..core.quantity import Basis
from ..core.records import dataclass
from ..core.settings import Settings
from ..cost_model.bounds import BOUNDS
from ..cost_model.estimate_table import EstimateTable
from ..cost_model.own_offset import NO_ESTIMATE
from ..cost_model.quantity_column import BASES, QuantityColumn
from ..cost_model.table import estimate_many
from ..graph import ModelGraph
from ..optimization_simulator.efforts import STEPS
from ..optimization_simulator.techniques.catalogue import of_models
from ..placement.model_source import ModelSource
from ..verdicts.judge import (
    FAIL,
    MARGINAL,
    PASS,
    UNKNOWN,
    VERDICTS,
    Ints,
    Judged,
    misses,
    overall,
    wider_than,
)
from ..verdicts.limits import Limits, LimitsLike, as_limits
from ..verdicts.pareto import pareto
from ..verdicts.relaxation import MOST, Relaxation, RelaxedPair, least_pairs, least_relaxations
from ..verdicts.rules import judged, prices
from .hardware_ranking import Change, HardwareRanking, RankedDeployment
from .leaving_out import remaining
from .ranking import Bools, Scores, ranks, scores
from .templates import template_named, with_template

WEIGHTS: Mapping[str, float] = {
    "latency": 1.0, "energy": 1.0, "power": 1.0, "ram": 0.0, "flash": 0.0, "price": 0.0,
}  # fmt: skip
"""What a figure counts for. Latency, energy and power alike: what is fast, frugal and small ranks first."""


def recommend_hardware(
    model: ModelSource,
    limits: LimitsLike | None = None,
    *,
    template: str | None = None,
    weights: Mapping[str, float] | None = None,
    targets: Collection[str] | None = None,
    runtimes: Collection[str] | None = None,
    classes: Collection[TargetClass | str] | None = None,
    without: Collection[str] | None = None,
    threads: int = 1,
    settings: Settings | None = None,
) -> HardwareRanking:
    """Rank every target with each of its runtimes, from microcontrollers to data-centre GPUs.

    Args:
        model: a graph, a path or the name of an architecture; a name without a type is taken in the usual
            precision of each runtime.
        limits: what is demanded; where nothing passes, the ranking says what would have to give.
        template: name of a demand that recurs (`TEMPLATES`); limits given take the place of its own.
        weights: points by figure (latency, energy, power, ram, flash, price) in place of `WEIGHTS`.
        targets: only these; ids or nicknames.
        runtimes: only these.
        classes: only these classes of targets.
        without: none of these makers, classes, targets or runtimes.
        threads: 1, or 0 for all cores of each, as of `deployment`.
        settings: what of the user's environment counts; None reads it.

    Raises:
        InputError: a model or name that cannot be used.
        UsageError: no such template or figure, or a weight below 0.

    Example:
        >>> demands = {"latency_ms": 40, "ram_bytes": "64 KiB"}
        >>> boards = ["nrf52840", "stm32h743zi"]
        >>> ranking = recommend_hardware("kws", demands, targets=boards, runtimes=["tflm-cmsis-nn"])
        >>> [(row.target, row.verdict.value) for row in ranking.ranking]
        [('stm32h743zi', 'PASS'), ('nrf52840', 'FAIL')]
    """
    wanted, chosen = as_limits(limits), checked_weights(weights)
    if template is not None:
        preset = template_named(template)
        wanted = with_template(wanted, preset)
        chosen = checked_weights({**preset.weights, **(weights or {})}, {})
        classes = classes or preset.classes or None
    places = all_deployments(
        targets=targets, runtimes=runtimes, classes=classes, threads=threads, settings=settings
    )
    if without:
        places = remaining(places, without)
    if not len(places):
        raise UsageError(
            "No deployment is left to rank.", hint="Name fewer of --target, --runtime, --class, --without."
        )
    field = Field.of(model, places, wanted)
    assumptions = _assumptions(places, field, template) + _left_out(without)
    return _ranking(model, field, chosen, template, assumptions)


def _ranking(
    model: ModelSource,
    field: Field,
    weights: Mapping[str, float],
    template: str | None,
    assumptions: tuple[str, ...],
) -> HardwareRanking:
    """All of them in order; where nothing passes, what would have to give, and what would have to change."""
    nothing = not (field.verdict <= MARGINAL).any()
    relaxed = _relaxations(field) if nothing else ()
    return HardwareRanking(
        model=model.name if isinstance(model, ModelGraph) else str(model),
        model_sha256=field.table.models[0].sha256,
        limits=field.limits,
        template=template,
        weights=weights,
        ranking=rank(field, weights),
        passing=int((field.verdict <= MARGINAL).sum()),
        unknown=int((field.verdict == UNKNOWN).sum()),
        failing=int((field.verdict == FAIL).sum()),
        relaxations=relaxed,
        relaxed_pairs=_relaxed_pairs(field) if nothing and not relaxed else (),
        changes=_admitting_changes(field, weights) if nothing else (),
        assumptions=assumptions,
    )


@dataclass(frozen=True, eq=False)
class Field:
    """All deployments with their estimates and verdicts."""

    places: DeploymentTable
    table: EstimateTable
    limits: Limits
    parts: tuple[Judged, ...]
    verdict: Ints
    """Positions in `VERDICTS`."""

    @classmethod
    def of(cls, model: ModelSource, places: DeploymentTable, limits: Limits) -> Field:
        table = estimate_many(model, places)
        parts = tuple(judged(table, places, limits.hard))
        return cls(places, table, limits, parts, overall(parts))

    @property
    def figures(self) -> Mapping[str, QuantityColumn]:
        table = self.table
        return {
            "latency": table.latency_ms, "energy": table.energy_uj, "power": table.power_mw,
            "ram": table.arena_bytes, "flash": table.flash_bytes, "price": prices(self.places),
        }  # fmt: skip


def checked_weights(
    weights: Mapping[str, float] | None, defaults: Mapping[str, float] = WEIGHTS
) -> dict[str, float]:
    """The defaults with the user's own in their place.

    Raises:
        UsageError: a figure that is none, a weight below 0, or all 0.
    """
    for name, weight in (weights or {}).items():
        if name not in WEIGHTS:
            close = ", ".join(nearest(name, WEIGHTS)) or ", ".join(WEIGHTS)
            raise UsageError(f"There is no figure {name!r} to weigh.", hint=f"Known: {close}.")
        if not 0 <= weight < float("inf"):
            raise UsageError(f"A weight of {weight:g} is none.", hint="Give 0 or more.")
    chosen = dict.fromkeys(WEIGHTS, 0.0) | dict(defaults) | dict(weights or {})
    if not any(chosen.values()):
        raise UsageError("Every weight is 0.", hint=f"Weigh one of {', '.join(WEIGHTS)}.")
    return chosen


def rank(field: Field, weights: Mapping[str, float]) -> tuple[RankedDeployment, ...]:
    """What passes by score, what passes narrowly or by a guess, what cannot be judged, what fails."""
    figures, passing = field.figures, field.verdict <= MARGINAL
    found, standing = scores(figures, weights, passing), _standing(field)
    places, tied = _ranks_by_standing(standing, found)
    front = pareto(
        np.stack([figures[name].value for name in ("latency", "energy", "power")], axis=1), passing
    )
    best: set[str] = set()
    rows = []
    for row in _order(field, found, standing):
        target = field.places[row].target.id
        rows.append(
            _row(field, row, found, int(places[row]), bool(tied[row]), bool(front[row]), target not in best)
        )
        best.add(target)
    return tuple(rows)


def _order(field: Field, found: Scores, standing: Ints) -> list[int]:
    order = np.lexsort((-np.nan_to_num(found.value, nan=-1.0), misses(field.parts), standing))
    return [int(row) for row in order]


_KINDS = 3
_UNMEASURED = _KINDS * MARGINAL + 1
_GUESSED = _KINDS * MARGINAL + 2


def _standing(field: Field) -> Ints:
    """The verdict; of what passes, the known stands before the unmeasured, and that before guesses.

    Unmeasured is a latency that is assumed where the same target passes with kernels whose latency somebody
    measured, published or fitted; a guess is an interval that is no estimate.
    """
    latency, passing = field.figures["latency"], field.verdict <= MARGINAL
    guessed = passing & wider_than(latency, NO_ESTIMATE)
    assumed = latency.basis == BASES.index(Basis.ASSUMED)
    targets = np.array([place.target.id for place in field.places])
    known = np.isin(targets, targets[passing & ~guessed & ~assumed])
    standing = np.where(passing & assumed & known, _UNMEASURED, _KINDS * field.verdict)
    return np.where(guessed, _GUESSED, standing).astype(np.int64)


def _ranks_by_standing(standing: Ints, found: Scores) -> tuple[Ints, Bools]:
    place, tied, before = np.zeros(len(standing), dtype=np.int64), np.zeros(len(standing), dtype=np.bool_), 0
    for state in (_KINDS * PASS, _KINDS * MARGINAL, _UNMEASURED, _GUESSED):
        mine = standing == state
        those = Scores(*(np.where(mine, column, np.nan) for column in found))
        ranked, ties = ranks(those)
        place[mine], tied[mine] = ranked[mine] + before, ties[mine]
        before += int(mine.sum())
    return place, tied


def _row(
    field: Field, row: int, found: Scores, place: int, tied: bool, front: bool, best: bool
) -> RankedDeployment:
    where, table = field.places[row], field.table
    score, deciding = found.value[row], _deciding(field, row)
    return RankedDeployment(
        rank=place or None,
        tied=tied,
        target=where.target.id,
        name=where.target.name,
        target_class=where.target.target_class.value,
        runtime=where.ref.runtime,
        dtype=table.models[row].dtype.value,
        clock_mhz=where.clock_mhz,
        threads=where.threads,
        verdict=VERDICTS[field.verdict[row]],
        score=None if np.isnan(score) else round(100 * float(score), 1),
        best_of_target=best,
        pareto=front,
        latency_ms=table.latency_ms[row],
        energy_uj=table.energy_uj[row],
        power_mw=table.power_mw[row],
        arena_bytes=table.arena_bytes[row],
        flash_bytes=table.flash_bytes[row],
        price_usd=price.value if (price := where.target.price_usd) else None,
        price_of=price.sold_as if price else None,
        fits={1: True, 0: False}.get(int(table.fits[row])),
        bound=BOUNDS[table.bound[row]].value,
        reasons=tuple(part.sentence(row) for part in deciding),
        decided_by=tuple(part.name for part in deciding),
    )


def _deciding(field: Field, row: int) -> tuple[Judged, ...]:
    """What decides the verdict, where that is not PASS."""
    verdict = field.verdict[row]
    return () if verdict == PASS else tuple(part for part in field.parts if part.verdict[row] == verdict)


def _assumptions(places: DeploymentTable, field: Field, template: str | None) -> tuple[str, ...]:
    cores = "all cores" if any(place.threads > 1 for place in places) else "one core"
    notes = [f"each target at its maximum clock, one inference at a time, on {cores}"]
    if template is not None:
        notes.append(f"limits of the template {template}: {template_named(template).about}")
    unknown = int(np.isnan(field.table.energy_uj.value).sum())
    if unknown:
        notes.append(f"energy is unknown on {unknown} of {len(places)} deployments: it counts as the worst")
    if len({graph.dtype for graph in field.table.models}) > 1:
        notes.append("the model in the usual precision of each runtime")
    return tuple(notes)


def _left_out(without: Collection[str] | None) -> tuple[str, ...]:
    return (f"left out as asked: {', '.join(without)}",) if without else ()


def _relaxations(field: Field) -> tuple[Relaxation, ...]:
    """For each limit that the user set, the least value that lets a deployment pass that keeps all others."""
    return least_relaxations(field.parts, field.limits, lambda row: field.places[row].target.id)


def _relaxed_pairs(field: Field) -> tuple[RelaxedPair, ...]:
    """Two limits at once, for where no single one suffices."""
    return least_pairs(field.parts, field.limits, lambda row: field.places[row].target.id)


def _admitting_changes(field: Field, weights: Mapping[str, float]) -> tuple[Change, ...]:
    """Techniques on the model that let a deployment pass; each is estimated on all of them."""
    graph: ModelGraph = field.table.models[0]
    anywhere = deployment("host-x86-64")
    found = []
    for technique in of_models():
        try:
            changed, _ = technique.apply(graph, anywhere)
            after = Field.of(changed, field.places, field.limits)
        except EdgewrightError:
            continue
        passing = np.flatnonzero(after.verdict <= MARGINAL)
        if len(passing):
            scored = scores(after.figures, weights, after.verdict <= MARGINAL)
            order = _order(after, scored, _standing(after))[: len(passing)]
            best = [after.places[row].target.id for row in order]
            found.append(
                Change(
                    technique=technique.name,
                    effort=technique.effort,
                    admits=tuple(dict.fromkeys(best))[:MOST],
                    count=len(passing),
                )
            )
    return tuple(sorted(found, key=lambda change: (STEPS[change.effort], -change.count)))
