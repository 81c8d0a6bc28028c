"""A measured trace beside the estimate: what is off the most, what is known of it, what to check."""

from __future__ import annotations

from ....tools.core.quantity import Basis, Quantity
from ....tools.core.units import digits
from ....tools.traces.report import Hypothesis, LayerResidual, MeasuredProfile
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, layer, listed, operator, plain, quantity
from .subject import model_of, place_of

_OTHERS = 3
_NAMED = 4


def phrase(outcome: Outcome, _asked: Reading) -> list[str]:
    profile = MeasuredProfile.model_validate(outcome.result)
    return [
        _lead(profile, outcome),
        *_worst(profile),
        *_others(profile),
        *_whole(profile),
        *_left_over(profile),
    ]


def _lead(profile: MeasuredProfile, outcome: Outcome) -> str:
    what = "was measured" if profile.latency_ms.basis is Basis.MEASURED else "was simulated"
    where = f"{model_of(outcome)} on {place_of(profile.deployment)}"
    runs = "" if profile.runs == 1 else f" as the mean of {profile.runs:,} runs"
    return f"{where} {what} at {_measured(profile.latency_ms)}{runs}; my estimate is {_estimate(profile)}."


def _measured(figure: Quantity) -> str:
    spread = figure.low != figure.high
    return quantity(figure) if spread else plain(figure.value, figure.unit)


def _estimate(profile: MeasuredProfile) -> str:
    side = {
        True: ", and the measurement lies inside it",
        False: ", and the measurement lies outside it",
        None: "",
    }
    return quantity(profile.estimated_ms) + side[profile.inside_interval]


def _worst(profile: MeasuredProfile) -> list[str]:
    if not profile.residuals:
        return ["No single layer of it can be compared."]
    worst = profile.residuals[0]
    lead = (
        "The estimate is off the most at"
        if worst.stands_out
        else "No layer stands out; the most is missed at"
    )
    told = [f"{lead} {_off(worst)}.", *_twins(worst)]
    if worst.runs_logged == 1:
        told.append("One run was logged, so whether it always takes as long is not known.")
    return [" ".join(told), *_checks("What it could be, none of it found out yet", worst.hypotheses)]


def _off(residual: LayerResidual) -> str:
    ratio = residual.residual_ratio
    level = "" if ratio is None else f": {digits(ratio)} times the level of the other layers"
    kind = "an excess" if residual.excess_ms > 0 else "a saving"
    measured, estimated = plain(residual.measured_ms, "ms"), plain(residual.estimated_ms, "ms")
    return (
        f"{layer(residual.index, residual.op)}, measured at {measured} and estimated at {estimated}{level}, "
        f"{kind} of {plain(abs(residual.excess_ms), 'ms')}"
    )


def _twins(residual: LayerResidual) -> list[str]:
    if not residual.twins or residual.twins_ratio is None:
        return []
    named = listed([f"layer {index}" for index in residual.twins[:_NAMED]])
    took = plain(residual.twins_ms, "ms")
    return [
        f"Its twins {named}, with the same operator, options, shapes and types, took {took}.",
        f"Layer {residual.index} takes {digits(residual.twins_ratio)} times as long as they do.",
    ]


def _checks(title: str, hypotheses: tuple[Hypothesis, ...]) -> list[str]:
    if not hypotheses:
        return []
    return [f"{title}:\n" + bullets([f"{each.cause}: {each.check}" for each in hypotheses])]


def _others(profile: MeasuredProfile) -> list[str]:
    """The next ones, by time that the estimate misses."""
    rest = [other for other in profile.residuals[1:] if other.stands_out][:_OTHERS]
    return ["Also off:\n" + bullets([_off(other) for other in rest])] if rest else []


def _whole(profile: MeasuredProfile) -> list[str]:
    told = []
    if profile.level_ratio is not None:
        told.append(
            f"The layers have in common that they take {digits(profile.level_ratio)} times the estimate."
        )
    if profile.at_level_ms is not None:
        told.append(f"Without what stands out the total would be {plain(profile.at_level_ms, 'ms')}.")
    for other in profile.would_fit:
        told.append(f"With {other.runtime} the estimate would be {quantity(other.estimated_ms)}.")
    return [" ".join(told), *_checks("What it could be as a whole", profile.hypotheses)] if told else []


def _left_over(profile: MeasuredProfile) -> list[str]:
    told = []
    if profile.unmatched_layers and any(x.measured_ms is not None for x in profile.layers):
        named = [layer(i, profile.layers[i].op) for i in profile.unmatched_layers[:_NAMED]]
        told.append(f"Not in the trace: {listed(named)}.")
    if profile.unmatched_events:
        named = [operator(event.tag_untrusted) for event in profile.unmatched_events[:_NAMED]]
        told.append(f"In the trace, but no layer of the model: {listed(list(dict.fromkeys(named)))}.")
    return [" ".join(told)] if told else []
