"""Words that speak of a field beside those of its name: `needs` of a demand, `SRAM` of an arena."""

from __future__ import annotations

from .candidates import Candidate
from .clues import Place

_SAID = {
    "demand": "needs need needed takes take uses use used requires required demand occupies",
    "bound": "of limit limits available allowed allows budget has have offers holds within",
    "gap": "spare left over headroom short free remain remains missing",
    "ram": "ram sram arena",
    "arena": "ram sram arena",
    "flash": "flash rom",
    "nonpersistent": "activation activations scratch planned shared",
    "persistent": "persistent interpreter",
    "utilization": "peak reaches utilisation utilization utilised",
    "shares": "spends share",
    "parameter": "parameter parameters weights weight",
    "model": "model weights",
    "code": "code kernels",
    "runtime": "runtime interpreter library code",
    "before": "before from today now currently original originally instead ↣",
    "added": "longer more extra added additional slower",
    "after": "after to becomes then gives down →",
    "low": "least low lower best from",
    "high": "most high higher worst to",
    "compute": "compute computing arithmetic",
    "memory": "memory bandwidth",
    "overhead": "overhead launch",
    "sleep": "sleep sleeping asleep",
    "active": "active awake busy",
    "average": "average mean",
    "estimated": "estimated estimate",
    "layers": "layer operator op operators layers",
    "latency": "latency inference total whole altogether",
    "decode": "decode decoding generation",
    "prefill": "prefill prompt",
    "macs": "macs mac",
    "price": "price costs cost",
    "lifetime": "lasts last life",
}
_EVIDENCE = {word: frozenset(said.split()) for word, said in _SAID.items()}
_BEHIND = 0.6
"""What a word behind a figure weighs against one before it."""


def for_exchange(places: tuple[Place, Place], figures: tuple[Candidate, Candidate]) -> float:
    """How many more words speak for two figures in each other's places than in their own."""
    gain = 0.0
    for place, own, other in zip(places, figures, figures[::-1], strict=True):
        gain += _fit(place, other.words - own.words) - _fit(place, own.words - other.words)
    return gain


def _fit(place: Place, words: frozenset[str]) -> float:
    said = [_EVIDENCE.get(word, frozenset({word})) for word in words]
    return sum(1.0 if each & place.before else _BEHIND if each & place.behind else 0.0 for each in said)
