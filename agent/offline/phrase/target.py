"""Facts about a chip or board, with where they were read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ....tools.core.units import digits
from ....tools.hardware_catalog.pages import CitedFigure, MemoryRegion, Peak, TargetPage
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, intensity, listed, size

_TOPICS = {
    "memory": r"\bs?ram\b|\bmemor\w+|\bregions?\b|\b[di]?tcm\b|\bflash\b|\brom\b|\bstorage\b|\bbandwidth\b|"
    r"\bin one piece\b|\bcontiguous\b",
    "peaks": r"\bridge\b|\bpeak\b|\bt?flops?\b|\btops\b|\bgops\b|\bmacs?\b|\btensor cores?\b|\bsparse\b|"
    r"\bsparsity\b|\broof\b",
    "clock": r"\bclock\b|\bmhz\b|\bghz\b|\bfrequency\b|\bcores?\b|\bhow fast\b|\bthreads?\b",
    "price": r"\bprice\w*|\bcosts?\b|\bcheap\w*|\bexpensive\b|\$|\bdollars?\b|\breels?\b|\beuros?\b",
    "power": r"\bpower\b|\bwatts?\b|\bsleep\b|\bstandby\b|\bcurrent\b|\bua\b|\btdp\b|\bsupply\b|\bvolt\w*",
    "cache": r"\bcaches?\b|\bfpu\b|\bdsp\b|\bsimd\b|\bhelium\b|\bmve\b|\bneon\b|\bvector\b",
    "runtimes": r"\bruntimes?\b|\bkernel librar\w+|\binference engines?\b|\bframeworks?\b",
}
_FIELDS = {
    "memory": ("memories",),
    "peaks": ("peak", "macs_per_cycle"),
    "clock": ("clock_max_mhz", ".count"),
    "power": ("power.", "supply_v"),
    "cache": ("cache", "fpu", "dsp", "vector"),
}
_DTYPES = {
    "fp16": "float16",
    "float16": "float16",
    "fp32": "float32",
    "float32": "float32",
    "int8": "int8",
    "bf16": "bfloat16",
    "tf32": "tf32",
    "fp8": "float8",
    "fp64": "float64",
}
_SLEEP = re.compile(r"\b(?:sleep\w*|standby|retention|idle)\b", re.IGNORECASE)
_MOST_FIGURES = 6
_MOST_CONFLICTS = 3


def phrase(outcome: Outcome, asked: Reading) -> list[str]:
    page = target_page(outcome.result or {})
    topics = [name for name, words in _TOPICS.items() if re.search(words, asked.question, re.IGNORECASE)]
    parts = [
        part
        for topic in topics or ["memory", "peaks", "clock", "runtimes"]
        for part in _TELL[topic](page, asked)
    ]
    shown = _cited(page, topics or ["memory", "clock"])
    return [_lead(page), *parts, *_conflicts(page, topics, asked), *_sources(shown)]


def target_page(result: Mapping[str, Any]) -> TargetPage:
    fields = {("target_class" if key == "class" else key): value for key, value in result.items()}
    return TargetPage.model_validate(fields)


def _lead(page: TargetPage) -> str:
    return f"{page.name} ({page.id}, {page.vendor}): {listed(list(page.cores))}."


def _memory(page: TargetPage, _asked: Reading) -> list[str]:
    lead = []
    if page.largest_region_bytes is not None:
        lead = [f"The largest RAM in one piece is {page.largest_region}: {size(page.largest_region_bytes)}."]
    return [
        *lead,
        "Memory regions, each on its own:\n" + bullets([_region(region) for region in page.regions]),
    ]


def _region(region: MemoryRegion) -> str:
    told = (
        f"{region.region} ({region.kind}{', external' if region.external else ''}): {size(region.size_bytes)}"
    )
    if region.bandwidth_bytes_per_s is not None:
        told += f", {digits(region.bandwidth_bytes_per_s / 1e9)} GB/s"
    return told + (f", runs on into {listed(list(region.contiguous_with))}" if region.contiguous_with else "")


def _peaks(page: TargetPage, asked: Reading) -> list[str]:
    wanted = _dtypes(asked)
    shown = [peak for peak in page.peaks if peak.dtype in wanted] or list(page.peaks)
    if not shown:
        return [f"The peak arithmetic of {page.id} is unknown: no source for it was read."]
    return ["Peaks:\n" + bullets([_peak(peak) for peak in shown])]


def _peak(peak: Peak) -> str:
    told = f"{peak.dtype} on {peak.processor}: ridge point {intensity(peak.ridge_point)}, "
    told += f"dense peak {_gops(peak.dense_gops)}"
    if peak.sparse_gops is not None:
        told += f" (with structured sparsity {_gops(peak.sparse_gops)}, which a dense model cannot use)"
    return told


def _gops(peak: float | None) -> str:
    if peak is None:
        return "unknown"
    return f"{digits(peak / 1e3)} TOP/s" if peak >= 1e3 else f"{digits(peak)} GOP/s"


def _clock(page: TargetPage, _asked: Reading) -> list[str]:
    if page.clock_max_mhz is None:
        return ["Its highest core clock is unknown: no source for it was read."]
    return [f"The highest core clock is {digits(page.clock_max_mhz)} MHz."]


def _price(page: TargetPage, _asked: Reading) -> list[str]:
    if page.price_usd is None:
        told = f"The price of {page.id} is unknown: no dated source of it was read."
        return [f"{told} A distributor's dated quote would tell."]
    return [f"Its price is {digits(page.price_usd)} USD."]


def _runtimes(page: TargetPage, _asked: Reading) -> list[str]:
    return [f"Runtimes for it: {listed(list(page.runtimes))}; the first is the usual one."]


def _figures(topic: str) -> Callable[[TargetPage, Reading], list[str]]:
    def tell(page: TargetPage, _asked: Reading) -> list[str]:
        found = _cited(page, [topic])
        if not found:
            return [f"Its {topic} figures are unknown: no source for them was read."]
        return [bullets([f"{figure.field}: {figure.value}" for figure in found[:_MOST_FIGURES]])]

    return tell


def _power(page: TargetPage, asked: Reading) -> list[str]:
    told = _figures("power")(page, asked)
    if _SLEEP.search(asked.question) and not any("sleep" in figure.field for figure in page.figures):
        told.append("Its sleep current is unknown: no source for it was read.")
    return told


_TELL = {
    "memory": _memory,
    "peaks": _peaks,
    "clock": _clock,
    "price": _price,
    "power": _power,
    "cache": _figures("cache"),
    "runtimes": _runtimes,
}


def _cited(page: TargetPage, topics: Iterable[str]) -> list[CitedFigure]:
    fields = [field for topic in topics for field in _FIELDS.get(topic, ())]
    return [figure for figure in page.figures if any(field in figure.field for field in fields)]


def _sources(figures: Iterable[CitedFigure]) -> list[str]:
    sources = list(dict.fromkeys(f"{figure.source} ({figure.kind})" for figure in figures))
    return [f"Source: {'; '.join(sources[:4])}."] if sources else []


def _conflicts(page: TargetPage, topics: Iterable[str], asked: Reading) -> list[str]:
    """Where sources disagree on what was asked; on one type, where the question names one."""
    fields = [field for topic in topics for field in _FIELDS.get(topic, ())]
    wanted = _dtypes(asked)
    found = [
        conflict
        for conflict in page.conflicts
        if any(field in conflict.field for field in fields)
        and (not wanted or any(f".{dtype}." in conflict.field for dtype in wanted))
    ]
    lines = [f"{c.field}: {c.chosen}, but {listed(list(c.others))}; {c.chosen_because}" for c in found]
    return ["Sources disagree:\n" + bullets(lines[:_MOST_CONFLICTS])] if lines else []


def _dtypes(asked: Reading) -> set[str]:
    return {d for word, d in _DTYPES.items() if re.search(rf"\b{word}\b", asked.question, re.IGNORECASE)}
