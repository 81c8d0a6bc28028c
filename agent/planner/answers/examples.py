"""A real network on a real target as a page's example: what the question names, or else one of these."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any

from ..bench import Answering, Call, Record, ToolFailedError, call_of, needed
from ..query import Query, Role
from .layers import peak
from .phrases import joined, language_models
from .templates import put

_COMPUTER = ("mobilenet_v2", "raspberry-pi-4b")
"""A computer for the palm of a hand, and a network with layers on either side of its ridge."""
_CHIP = ("kws", "nrf52840")
_CARDS, _WRITER, _TYPE = ("rtx-3090", "rtx-4090"), "llama-3-8b", "float16"
"""More than twice the arithmetic with hardly more bandwidth, both measured with this language model."""
_SMALL = ("mcu", "dsp")
_KEPT = (Role.MODEL, Role.TARGET, Role.RUNTIME, Role.DTYPE, Role.CLOCK_MHZ)


def example(query: Query, kind: str) -> Answering:
    """What a section's example shows; empty where it has none, or where the case does not run."""
    try:
        return (yield from _EXAMPLES[kind](query)) if kind else ""
    except ToolFailedError:
        return ""


def _roofline(query: Query) -> Answering:
    case = _case(query, _COMPUTER)
    roof = needed((yield call_of("analyze_roofline", case)))
    said = (
        put(
            "Layer {index} ({op}) does {arithmetic_intensity}, and that many times {roof.bandwidth_gb_s} are "
            f"{{arithmetic_intensity*roof.bandwidth_gb_s|GOP/s}}{_under(_waits(roof, layer))}.",
            layer,
            roof=roof,
        )
        for layer, _ in (yield from _ends(case, roof))
    )
    return " ".join(filter(None, (_ridge_of(roof), *said)))


def _under(waits: bool) -> str:
    return " at most, the slanted roof" if waits else ", but {roof.peak_gops} stop it, the flat roof"


def _ridge(query: Query) -> Answering:
    roof = needed((yield call_of("analyze_roofline", _case(query, _COMPUTER))))
    return _ridge_of(roof)


def _ridge_of(roof: Record) -> str:
    side = "left of it, under the slanted roof" if _waits(roof, roof) else "right of it, under the flat roof"
    return put(
        "For real, {deployment.target} calculates at most {peak_gops} and fetches {bandwidth_gb_s}: "
        "{peak_gops} / {bandwidth_gb_s} = {peak_gops/bandwidth_gb_s|FLOP/byte} is its ridge. {model} does "
        f"{{arithmetic_intensity}}: {side}.", roof,
    )  # fmt: skip


def _bound(query: Query) -> Answering:
    case = _case(query, _COMPUTER)
    roof = needed((yield call_of("analyze_roofline", case)))
    said = (
        put(
            "Layer {index} ({op}) fetches {work.memory_bytes} in {work.memory_bytes/roof.bandwidth_gb_s|us} "
            "and does {work.macs|M} MACs, two operations each, in {2*work.macs/roof.peak_gops|us}: "
            f"{'memory' if _waits(roof, layer) else 'compute'}-bound.",
            layer,
            roof=roof,
            work=work,
        )
        for layer, work in (yield from _ends(case, roof))
    )
    rates = "{deployment.target} fetches {bandwidth_gb_s} and calculates at most {peak_gops}"
    first = put(f"For real, {rates}; of {{model}} it runs these:", roof)
    return " ".join(filter(None, (first, *said)))


def _intensity(query: Query) -> Answering:
    case = _case(query, _COMPUTER)
    roof = needed((yield call_of("analyze_roofline", case)))
    said = [
        put(
            "layer {index} ({op}) does {work.macs|M} MACs, two operations each, and moves "
            "{work.memory_bytes}: {2*work.macs/work.memory_bytes|FLOP/byte}",
            layer,
            work=work,
        )
        for layer, work in (yield from _ends(case, roof))
    ]
    return f"For real, in {roof.ref('model')} {joined(said)}." if all(said) and said else ""


def _arena(query: Query) -> Answering:
    plan = needed((yield call_of("plan_memory", _case(query, _CHIP))))
    most = peak(plan) if plan["peak_layer"] else ""
    takes = "{arena~} of RAM[, most at {most}], and {model_bytes} of flash for its weights"
    return put(f"For real, {{model}} on {{deployment.target}} takes {takes}.", plan, most=most)


def _tops(query: Query) -> Answering:
    """Two cards, the one with more than twice the arithmetic of the other, and what a token takes on each."""
    runs, peaks = [], []
    for target in _CARDS:
        card = needed((yield call_of("get_target", query, target=target)))
        at = next(i for i, row in enumerate(card["peaks"]) if row["dtype"] == _TYPE and row["dense_gops"])
        peaks.append(card.row("peaks", at))
        plain = query.without(Role)
        runs.append(
            needed((yield call_of("estimate_generation", plain, model=_WRITER, target=target, batch=1)))
        )
    less, more = runs
    parts = (
        "For real, {more.target} calculates at most {faster.dense_gops} in float16, {less.target} "
        "{dense_gops}: {faster.dense_gops/dense_gops|x}. For each token {less.model} reads all of its "
        "{less.weights_bytes} of weights, though, and they come at {more.bandwidth_bytes_per_s} against "
        "{less.bandwidth_bytes_per_s}: at most {more.bandwidth_bytes_per_s/more.weights_bytes|tokens/s} "
        "and {less.bandwidth_bytes_per_s/less.weights_bytes|tokens/s}. Reached are "
        "{more.decode_tokens_per_s} and {less.decode_tokens_per_s}: "
        "{more.decode_tokens_per_s/less.decode_tokens_per_s|x}."
    )
    return put(parts, peaks[0], faster=peaks[1], more=more, less=less)


def _waits(roof: Record, of: Record) -> bool:
    """Whether it has too few operations for a byte to keep the arithmetic busy."""
    return (of.number("arithmetic_intensity") or 0.0) < (roof.number("ridge_point") or 0.0)


def _ends(case: Query, roof: Record) -> Generator[Call, Record, list[tuple[Record, Record]]]:
    """The layers with MACs that have the fewest and the most operations for a byte, each with its work."""
    estimate = needed((yield call_of("estimate_performance", case)))
    works = {row["index"]: at for at, row in enumerate(estimate["layers"]) if row["macs"]}
    rows: list[tuple[float, int, Any]] = sorted(
        (row["arithmetic_intensity"], at, row["index"])
        for at, row in enumerate(roof["layers"])
        if row["index"] in works and row["arithmetic_intensity"]
    )
    ends = dict.fromkeys((rows[0], rows[-1])) if rows else ()
    return [(roof.row("layers", at), estimate.row("layers", works[index])) for _, at, index in ends]


def _case(query: Query, usual: tuple[str, str]) -> Query:
    """The network and the target that are named; for what is not, the usual one of the example."""
    model, target = usual
    plain = query.without([role for role in Role if role not in _KEPT])
    named = len(set(plain.all(Role.TARGET))) == 1 and plain.text(Role.TARGET) in query.targets
    if not named or language_models(plain):
        plain = plain.without([Role.TARGET, Role.RUNTIME, Role.CLOCK_MHZ]).put(Role.TARGET, target)
    if len(set(plain.all(Role.MODEL))) != 1 or language_models(plain):
        small = query.targets[plain.text(Role.TARGET)].target_class in _SMALL
        plain = plain.without([Role.MODEL, Role.DTYPE]).put(Role.MODEL, _CHIP[0] if small else model)
    return plain


_EXAMPLES: Mapping[str, Callable[[Query], Answering]] = {
    "roofline": _roofline, "ridge": _ridge, "bound": _bound, "intensity": _intensity, "arena": _arena,
    "tops": _tops,
}  # fmt: skip
"""By the name that a section of docs/ gives."""
