"""The four answers a check can give."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    PASS = "PASS"
    MARGINAL = "MARGINAL"
    FAIL = "FAIL"
    UNKNOWN = "UNKNOWN"


SEVERITY = {Verdict.PASS: 0, Verdict.MARGINAL: 1, Verdict.UNKNOWN: 2, Verdict.FAIL: 3}


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """One FAIL fails the whole; what is unknown cannot pass."""
    return max(verdicts, key=SEVERITY.__getitem__, default=Verdict.UNKNOWN)
