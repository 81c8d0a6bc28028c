"""What suits which demand, learned from a sweep: a decision tree and a table.

A demand is a model under a limit on latency and one on energy. Of the evaluations that run, fit and keep
both, the one with the least energy is chosen, or the fastest where no energy is known. The tree sees only
what is known before anything is measured.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from ..core.records import dataclass
from ..core.units import digits, show
from .columnar import Floats, Ints, Swept, Texts
from .fronts import figure
from .sweep_report import Guideline, TreeReport
from .tree import Node, held_out, learn_tree, tree_lines

NOTHING = "nothing"
LATENCIES, ENERGIES = 6, 5
"""Limits that are tried of each, the absence of one included."""
FEATURES = (
    ("latency limit", "ms"), ("energy limit", "uJ"), ("MACs", ""), ("parameters", "bytes"),
    ("peak activations", "bytes"), ("bits of the weights", "bit"),
)  # fmt: skip
_BITS = {"int4": 4, "int8": 8, "uint8": 8, "int16": 16, "float16": 16, "bfloat16": 16}


@dataclass(frozen=True)
class Demand:
    group: int
    """Of the model's source: what it was made from is held out with it."""
    latency_ms: float
    energy_uj: float
    features: tuple[float, ...]
    row: int
    """The evaluation chosen; -1 for none."""
    meeting: int


def learn(swept: Swept) -> TreeReport:
    """The tree with its accuracy on models held out, and the guideline table."""
    demands = list(_demands(swept))
    label = _label(swept, demands)
    names, codes = _labels(swept, demands, label)
    features = np.array([demand.features for demand in demands], dtype=np.float64).reshape(-1, len(FEATURES))
    out = held_out(features, codes, [demand.group for demand in demands]) if demands else None
    accuracy, majority = (None, None) if out is None else (float((each == codes).mean()) for each in out)
    table = tuple(_guidelines(swept, demands, names, codes))
    text = (
        _text(swept, demands, learn_tree(features, codes), names, codes)
        if demands
        else "Nothing was accepted."
    )
    return TreeReport(
        label=label,
        text=text,
        demands=len(demands),
        held_out_accuracy=accuracy,
        held_out_demands=0 if out is None else len(demands),
        majority_accuracy=majority,
        chosen_by=_chosen_by(swept),
        guidelines=table,
    )


def _demands(swept: Swept) -> Iterator[Demand]:
    """Every variant under every pair of limits; limits are whole decades that the sweep reaches."""
    latency, energy = figure(swept, "latency_ms"), figure(swept, "energy_uj")
    good = swept.accepted & ~np.isnan(latency)
    if not good.any():
        return
    latencies = _decades(latency[good], LATENCIES)
    energies = _decades(energy[good], ENERGIES)
    models, graphs = swept.texts["model"], swept.texts["model_sha256"]
    for code in range(len(graphs.words)):
        every = np.flatnonzero(graphs.codes == code)
        rows = every[good[every]]
        of_model = _model_features(swept, int(every[0]))
        for slowest in latencies:
            for most in energies:
                meets = rows[latency[rows] <= slowest]
                if np.isfinite(most):
                    meets = meets[energy[meets] <= most]
                chosen = _chosen(meets, latency, energy)
                limits = (slowest, most)
                yield Demand(int(models.codes[every[0]]), *limits, (*limits, *of_model), chosen, len(meets))


def _decades(values: Floats, count: int) -> list[float]:
    """At most `count` limits, powers of ten from the least figure up, the last being none."""
    known = values[(values > 0) & np.isfinite(values)]
    if not len(known):
        return [math.inf]
    lowest, highest = math.ceil(math.log10(known.min())), math.ceil(math.log10(known.max()))
    steps = range(lowest, highest, max(1, math.ceil((highest - lowest) / (count - 1))))
    return [*(10.0**step for step in steps), math.inf]


def _model_features(swept: Swept, row: int) -> tuple[float, ...]:
    numbers = (
        float(swept.numbers[name][row]) for name in ("macs", "parameter_bytes", "peak_activation_bytes")
    )
    bits = float(_BITS.get(swept.texts["precision"][row], 32))
    return (*(0.0 if np.isnan(number) else number for number in numbers), bits)


def _chosen(rows: Ints, latency: Floats, energy: Floats) -> int:
    if not len(rows):
        return -1
    known = rows[~np.isnan(energy[rows])]
    return int(known[energy[known].argmin()]) if len(known) else int(rows[latency[rows].argmin()])


def _chosen_by(swept: Swept) -> str:
    known = int((swept.accepted & ~np.isnan(swept.numbers["energy_uj"])).sum())
    accepted = int(swept.accepted.sum())
    return (
        "the least energy of one inference among what is accepted and keeps the limits, or the fastest "
        f"where no energy is known; energy is known of {known:,} of the {accepted:,} accepted"
    )


def _label(swept: Swept, demands: Sequence[Demand]) -> str:
    """The widest of class, runtime and target in which choices differ."""
    chosen = [demand.row for demand in demands if demand.row >= 0]
    for name in ("class", "runtime"):
        if len({int(swept.texts[name].codes[row]) for row in chosen}) > 1:
            return name
    return "target"


def _labels(swept: Swept, demands: Sequence[Demand], label: str) -> tuple[list[str], Ints]:
    texts: Texts = swept.texts[label]
    words = [texts[demand.row] if demand.row >= 0 else NOTHING for demand in demands]
    names = sorted(set(words))
    return names, np.array([names.index(word) for word in words], dtype=np.int64)


def _text(swept: Swept, demands: Sequence[Demand], root: Node, names: list[str], codes: Ints) -> str:
    def condition(feature: int, threshold: float, at_most: bool) -> str:
        name, unit = FEATURES[feature]
        size = show(threshold, unit) if unit not in ("", "bit") else digits(threshold)
        return f"{name} {'at most' if at_most else 'above'} {size}"

    def leaf(node: Node) -> str:
        share = float((codes[node.rows] == node.label).mean())
        mostly = _mostly(swept, [demands[row] for row in node.rows if codes[row] == node.label])
        sentence = f" (mostly {mostly})" if mostly else ""
        return f"→ {names[node.label]}: {share:.0%} of {len(node.rows)}{sentence}"

    return "\n".join(tree_lines(root, condition, leaf))


def _mostly(swept: Swept, demands: Sequence[Demand]) -> str:
    """The deployment chosen most often."""
    rows = [demand.row for demand in demands if demand.row >= 0]
    found = Counter(f"{swept.texts['target'][row]} with {swept.texts['runtime'][row]}" for row in rows)
    return min(found, key=lambda name: (-found[name], name)) if found else ""


def _guidelines(
    swept: Swept, demands: Sequence[Demand], names: list[str], codes: Ints
) -> Iterator[Guideline]:
    kinds: dict[tuple[float, float], list[int]] = {}
    for at, demand in enumerate(demands):
        kinds.setdefault((demand.latency_ms, demand.energy_uj), []).append(at)
    for (latency, energy), members in kinds.items():
        counts = np.bincount(codes[members], minlength=len(names))
        winner = int(counts.argmax())
        yield Guideline(
            latency_limit_ms=latency if np.isfinite(latency) else None,
            energy_limit_uj=energy if np.isfinite(energy) else None,
            take=names[winner],
            share=float(counts[winner] / len(members)),
            mostly=_mostly(swept, [demands[at] for at in members if codes[at] == winner]),
            models=len(members),
            evaluations=sum(demands[at].meeting for at in members),
        )
