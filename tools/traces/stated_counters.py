"""Figures of hardware counters as a text states them: IPC is 0.4, 12 % misses."""

from __future__ import annotations

import re

_NUMBER = r"(\d{1,4}(?:[.,]\d{1,4})?)"
_SAYS = r"(?:\s*(?:is|of|at|was|around|about|only|=|:|~|≈|rate|says|shows))*\s*"
_IPC = re.compile(
    rf"\b(?:ipc|instructions (?:per|a|/) cycle){_SAYS}{_NUMBER}|{_NUMBER}\s*(?:ipc\b|instructions per)",
    re.IGNORECASE,
)
_OF = r"(?:l1d?|l2|l3|llc|last[- ]level|data|d-?cache|cache|tlb)?[- ]*(?:cache )?"
_RATES: tuple[tuple[str, str], ...] = (
    ("branch_miss_rate", r"(?:branch(?:es)?[- ]*(?:mis(?:s|ses|predict\w*))?|mispredict\w*)"),
    ("npu_idle_share", r"(?:npu )?idle"),
    ("stall_share", r"(?:back[- ]?end |memory )?stall(?:s|ed)?(?: cycles)?"),
    ("bandwidth_share", r"(?:of (?:the )?)?(?:memory |peak )?bandwidth"),
    ("mac_utilization", r"mac (?:unit )?(?:utili[sz]ation|use|usage)"),
    ("cache_miss_rate", rf"{_OF}miss(?:es)?(?: rate| ratio)?"),
)
_PERCENT = rf"{_NUMBER}\s*(?:%|percent)"


def counters_in(text: str) -> dict[str, float]:
    """Counters' figures as shares; `IPC is 0.4 and 12 % misses` has two."""
    found: dict[str, float] = {}
    if (match := _IPC.search(text)) is not None:
        found["ipc"] = _value(match)
    left = text
    for name, words in _RATES if re.search(_PERCENT, text) else ():
        pattern = rf"{_PERCENT}\s*(?:of (?:the )?)?(?:{words})|\b(?:{words}){_SAYS}{_PERCENT}"
        if (match := re.search(pattern, left, re.IGNORECASE)) is not None and _value(match) <= 100:
            found[name] = _value(match) / 100
            left = left[: match.start()] + " " * len(match[0]) + left[match.end() :]
    return found


def _value(match: re.Match[str]) -> float:
    return float(next(group for group in match.groups() if group is not None).replace(",", "."))
