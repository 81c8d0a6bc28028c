"""Calls that choose, list or set side by side, and those about versions and grounds."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from typing import Any

from .call import WHOLE, Call, limits_of, of_model
from .reading import Reading

_CLASSES = {
    "mcu": re.compile(r"\b(?:mcus?|micro-?controllers?)\b", re.IGNORECASE),
    "gpu": re.compile(r"\b(?:data ?cent(?:er|re) )?gpus?\b", re.IGNORECASE),
}
"""Words that leave one class of targets."""
_DEVICES = {
    **_CLASSES,
    "npu": re.compile(r"\b(?:npus?|accelerators?)\b", re.IGNORECASE),
    "cpu": re.compile(r"\b(?:cpus?|application processors?|phones?)\b", re.IGNORECASE),
}
_NEW_BEFORE_OLD = re.compile(r"\b(?:compared (?:to|with)|than|instead of|over|against)\b", re.IGNORECASE)


def recommended(reading: Reading) -> Iterable[Call]:
    """Where the price is limited also without it: the price of hardware is seldom known."""
    more = _ranked(reading)
    unpriced = {name: value for name, value in more.items() if name != "price_usd"}
    for model in reading.models:
        for limits in (more, unpriced) if unpriced != more else (more,):
            yield Call("recommend_hardware", {**of_model(model, reading), **limits})


def compared(reading: Reading) -> Iterable[Call]:
    """All targets with all runtimes that are named, in one call for each model."""
    pairs = itertools.product(reading.targets, reading.runtimes or ("",))
    places = [f"{target}/{runtime}" if runtime else target for target, runtime in pairs]
    for model in reading.models:
        yield Call(
            "compare_deployments", {**of_model(model, reading), "targets": places, **limits_of(reading)}
        )


def versions(reading: Reading) -> Iterable[Call]:
    """The old one first: the order in which they are named, unless the words turn it."""
    before, after = reading.models[:2]
    if _NEW_BEFORE_OLD.search(reading.question):
        before, after = after, before
    for place in reading.targets:
        yield Call("diff_models", {"before": before, "after": after, "target": place})


def validated(reading: Reading) -> Iterable[Call]:
    kind = next((name for name, words in _DEVICES.items() if words.search(reading.question)), None)
    told: dict[str, Any] = {"device_class": kind} if kind else {}
    yield Call("validate", told | ({"runtime": reading.runtimes[0]} if reading.runtimes else {}))


def listed_targets(reading: Reading) -> Iterable[Call]:
    """Those with at least that much memory, at most that power and price."""
    limits = reading.demands.limits
    found: dict[str, Any] = {f"min_{name}": int(limits[name]) for name in sorted(WHOLE) if name in limits}
    found |= {"max_power_mw": limits["power_mw"]} if "power_mw" in limits else {}
    found |= {"max_price_usd": limits["price"]} if "price" in limits else {}
    yield Call("list_targets", found | ({"runtime": reading.runtimes[0]} if reading.runtimes else {}))


def _ranked(reading: Reading) -> dict[str, Any]:
    """Under which limits, and what decides."""
    more = limits_of(reading) | ({"runtime": reading.runtimes[0]} if reading.runtimes else {})
    price = reading.demands.limits.get("price")
    more |= {"price_usd": price} if price else {}
    kind = next((kind for kind, words in _CLASSES.items() if words.search(reading.question)), None)
    more |= {"target_class": kind} if kind else {}
    return more | ({"goal": "energy"} if reading.goal == "energy" and "energy_uj" not in more else {})
