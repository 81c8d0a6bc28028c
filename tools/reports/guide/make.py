"""The guide: estimates of the reference models on all hardware, and what follows from them."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from .... import __version__
from ....hardware_db.coefficients import RELEASE, load_coefficients
from ....hardware_db.errors import UsageError
from ...core.deployment_table import DeploymentTable, all_deployments
from ...core.units import digits, show
from ...cost_model.table import estimate_many
from ...graph.costs.table import layer_table
from ...sweep.tree import Node, held_out, learn_tree, tree_lines
from ...verdicts.rules import prices
from .cases import CASES, case_study
from .demands import FEATURES, Demand, Estimates, demands
from .guide_report import (
    ClassGuide,
    Guide,
    GuideRow,
    GuideTree,
    Rate,
    ReferenceModel,
    Share,
    Validity,
)

MODELS = ("kws", "ad", "resnet8", "vww", "mobilenet_v2", "yolov5n", "resnet50")
"""From 0.3 to 4,000 million MACs: the four of MLPerf Tiny, two for images and one for objects."""
CRITERIA = ("energy", "price", "latency")
_CHOSEN_BY = {"energy": "the least energy of one inference", "price": "the lowest price of a board"}
"""Criteria that a tree is learned for; by the third alone a limit of latency would part nothing."""
NOTHING = "nothing meets it"
Progress = Callable[[str, int, int], None]


def hardware_guide(models: Sequence[str] = MODELS, *, progress: Progress | None = None) -> Guide:
    """Compute when to take which class of hardware, out of estimates of models on every known target.

    A demand is a model under a limit of latency and one of energy. Of the deployments that run and fit it and
    keep both, the one with the least energy, price or latency is chosen; decision trees (CART) learn the
    class that was chosen from what is known before anything is measured.

    Args:
        models: architectures or files that stand for what is to be run, in each runtime's usual type.
        progress: called with a word, how much is done and of how much.

    Raises:
        InputError: a model that cannot be read.
        UsageError: fewer than two models.

    Example:
        >>> guide = hardware_guide(["kws", "vww"])
        >>> [one.target_class for one in guide.classes if one.best_for][:1]
        ['cpu']
    """
    if len(models) < 2:
        raise UsageError("A guide needs models to tell apart.", hint="Name two or more.")
    usual = {place.target.id: place for place in reversed(all_deployments())}
    places = DeploymentTable([usual[name] for name in sorted(usual)])
    price = prices(places).value
    found = []
    for at, name in enumerate(models):
        if progress is not None:
            progress("estimating", at, len(models))
        found.append(Estimates(name, estimate_many(name, places), price))
    wanted = list(demands(found, CRITERIA))
    data = tuple(_rows(found))
    known = np.concatenate([m.table.energy_uj.value[m.can] for m in found])
    return Guide(
        models=tuple(_reference(model) for model in found),
        targets=len(places),
        classes=tuple(_class_guides(found, wanted)),
        trees=tuple(_tree(found, wanted, at, name) for at, name in enumerate(CRITERIA) if name in _CHOSEN_BY),
        cases=tuple(case_study(model, *case) for case in CASES for model in found if model.name == case[1]),
        validity=tuple(_validity()),
        energy_known_share=float((~np.isnan(known)).mean()) if len(known) else 0.0,
        price_known_share=float((~np.isnan(price)).mean()),
        version=__version__,
        figures=RELEASE,
        data_sha256=hashlib.sha256("\n".join(row.model_dump_json() for row in data).encode()).hexdigest(),
        data=data,
        assumptions=(
            "each target with its usual runtime, at its maximum clock, one inference at a time",
            "energy is that of one inference alone: sleep, sensors and radio are not in it",
        ),
    )


def _reference(model: Estimates) -> ReferenceModel:
    graph = next((g for g in model.table.models if g.dtype.value == "int8"), model.table.models[0])
    table = layer_table(graph)
    return ReferenceModel(
        name=model.name,
        sha256=graph.sha256,
        macs=table.total_macs,
        parameter_bytes=int(table.weight_bytes.sum()),
    )


def _classes(model: Estimates) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
    return np.array([place.target.target_class.value for place in model.table.deployments])


def _class_guides(models: Sequence[Estimates], wanted: Sequence[Demand]) -> Iterator[ClassGuide]:
    classes, price = _classes(models[0]), models[0].prices
    names = sorted(set(classes.tolist()), key=lambda name: -int((classes == name).sum()))
    for name in names:
        members = classes == name
        known = price[members][~np.isnan(price[members])]
        yield ClassGuide(
            target_class=name,
            targets=int(members.sum()),
            price_usd=float(np.median(known)) if len(known) else None,
            best_for=tuple(_best_for(models, wanted, classes.tolist(), name, 1 / len(names))),
            avoid_when=tuple(_avoid(models, members)),
            typical_use=tuple(_typical(models, members)),
        )


def _best_for(
    models: Sequence[Estimates], wanted: Sequence[Demand], classes: list[str], name: str, even: float
) -> Iterator[Share]:
    shares = []
    for at, model in enumerate(models):
        chosen = [row for demand in wanted if demand.model == at for row in demand.chosen if row >= 0]
        wins = sum(classes[row] == name for row in chosen)
        if chosen and wins / len(chosen) > even:
            shares.append(Share(model=model.name, share=wins / len(chosen), count=wins, of=len(chosen)))
    yield from sorted(shares, key=lambda share: -share.share)


def _avoid(
    models: Sequence[Estimates], members: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> Iterator[Share]:
    for model in models:
        rows = np.flatnonzero(members)
        cannot = [int(row) for row in rows if not model.can[row]]
        if len(cannot) > len(rows) / 2:
            why = Counter(reason_of(model, row) for row in cannot).most_common(1)[0][0]
            yield Share(
                model=model.name, share=len(cannot) / len(rows), count=len(cannot), of=len(rows), why=why
            )


def reason_of(model: Estimates, row: int) -> str:
    found = model.table.reasons(row)
    return found[0].lack.replace("_", " ") if found else "limits"


def _typical(
    models: Sequence[Estimates], members: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> Iterator[Rate]:
    for model in models:
        rows = np.flatnonzero(members & model.can)
        if len(rows) * 2 < members.sum():
            continue
        energy = model.table.energy_uj.value[rows]
        energy = energy[~np.isnan(energy)]
        ms = float(np.median(model.table.latency_ms.value[rows]))
        yield Rate(
            model=model.name,
            inferences_per_second=1e3 / ms,
            energy_uj=float(np.median(energy)) if len(energy) else None,
        )


def _tree(models: Sequence[Estimates], wanted: Sequence[Demand], at: int, criterion: str) -> GuideTree:
    classes = _classes(models[0]).tolist()
    words = [classes[demand.chosen[at]] if demand.chosen[at] >= 0 else NOTHING for demand in wanted]
    names = sorted(set(words))
    codes = np.array([names.index(word) for word in words], dtype=np.int64)
    features = np.array([demand.features for demand in wanted], dtype=np.float64)
    out = held_out(features, codes, [demand.model for demand in wanted])
    accuracy, majority = (None, None) if out is None else (float((each == codes).mean()) for each in out)

    def condition(feature: int, threshold: float, at_most: bool) -> str:
        name, unit = FEATURES[feature]
        size = show(threshold, unit) if unit else digits(threshold)
        return f"{name} {'at most' if at_most else 'above'} {size}"

    def leaf(node: Node) -> str:
        return (
            f"→ {names[node.label]}: {float((codes[node.rows] == node.label).mean()):.0%} of {len(node.rows)}"
        )

    text = "\n".join(tree_lines(learn_tree(features, codes), condition, leaf))
    return GuideTree(
        criterion=_CHOSEN_BY[criterion], text=text, demands=len(wanted),
        held_out_accuracy=accuracy, majority_accuracy=majority,
    )  # fmt: skip


def _validity() -> Iterator[Validity]:
    factors = load_coefficients().factors
    for name in ("mcu", "cpu", "gpu", "npu"):
        yield Validity(
            device_class=name, measured=factors.get(f"{name}/target"), same_core=factors.get(f"{name}/pair"),
            elsewhere=factors.get(f"{name}/nothing"),
        )  # fmt: skip


def _rows(models: Sequence[Estimates]) -> Iterator[GuideRow]:
    for model in models:
        table = model.table
        for row, place in enumerate(table.deployments):
            fits = (int(table.fits[row]), int(table.runs[row]))
            yield GuideRow(
                model=model.name,
                target=place.target.id,
                target_class=place.target.target_class.value,
                runtime=place.runtime.id,
                runs=None if -1 in fits and 0 not in fits else 0 not in fits,
                latency_ms=_or_none(table.latency_ms.value[row]),
                energy_uj=_or_none(table.energy_uj.value[row]),
                arena_bytes=_or_none(table.arena_bytes.value[row]),
                price_usd=_or_none(model.prices[row]),
            )


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
