"""Experiments on this machine: the same model with and without fusion, by other kernels, on more cores.

Every variant runs in a process of its own, in two rounds of opposite order, so that a machine that warms up
does not favour the first. Two medians differ where their notches do not meet: median ± 1.57 × interquartile
range / √n (McGill, Tukey and Larsen, Variations of Box Plots, The American Statistician 32, 1978).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np

from ...hardware_db.errors import EdgewrightError, UsageError
from ..core.quantity import Basis, Quantity, Result
from ..core.records import dataclass
from ..core.settings import Settings
from ..model_formats.source import parse_model
from .host import file_of_model, is_installed, machine_name, run_here

SECONDS = 2.0
"""That one variant runs for in one round, at most."""
_NOTCH = 1.57
_USUAL = "as usual"


@dataclass(frozen=True)
class _Variant:
    name: str
    asks: str
    runtime: str
    option: str = ""
    threads: int = 1


_TFLITE = (
    _Variant(_USUAL, "LiteRT with XNNPACK, 1 thread", "litert-xnnpack"),
    _Variant(
        "no XNNPACK", "LiteRT's own optimised kernels", "litert-xnnpack", "BUILTIN_WITHOUT_DEFAULT_DELEGATES"
    ),
    _Variant("reference kernels", "LiteRT's kernels as written for reading", "litert-xnnpack", "BUILTIN_REF"),
    _Variant("TFLite Micro", "its reference kernels", "tflm-reference"),
)
_ONNX = (
    _Variant(_USUAL, "all optimisations of the graph, 1 thread", "onnxruntime", "ORT_ENABLE_ALL"),
    _Variant(
        "no layout changes",
        "fusion, as far as it needs no other layout",
        "onnxruntime",
        "ORT_ENABLE_EXTENDED",
    ),
    _Variant("no fusion", "constants folded, what is redundant dropped", "onnxruntime", "ORT_ENABLE_BASIC"),
    _Variant("the graph as it is", "no optimisation at all", "onnxruntime", "ORT_DISABLE_ALL"),
)
"""Levels: onnxruntime.ai/docs/performance/model-optimizations/graph-optimizations.html."""


class MeasuredVariant(Result):
    """One way to run the model here."""

    name: str
    """What differs from the usual."""
    asks: str
    """What that is."""
    threads: int
    """Cores used at once."""
    runs: int
    """Of both rounds."""
    latency_ms: Quantity
    """Median of the runs, between the notches of its box."""
    speedup: float | None
    """Time of the usual way over its own; null of the usual itself."""
    differs: bool | None
    """Whether the notches do not meet; null of the usual itself."""
    why_not: str = ""
    """Why it was not measured."""


class MeasuredVariants(Result):
    """How much fusion, kernels and cores matter to a model on this machine."""

    main_rows: ClassVar[str] = "variants"

    schema_version: str = "1.0"
    model: str
    machine: str
    """Its processor and system."""
    variants: tuple[MeasuredVariant, ...]
    """The usual way first."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        known = [one for one in self.variants if one.latency_ms.value is not None]
        best = min(known, key=lambda one: float(one.latency_ms))
        return f"fastest {best.name}: {best.latency_ms.headline()}"


def measure_variants(
    path: str | os.PathLike[str], *, repeat: int = 50, settings: Settings | None = None
) -> MeasuredVariants:
    """Run a model on this machine with and without fusion, by other kernels, and on more cores.

    Of an .onnx file the levels of ONNX Runtime's graph optimisation, of a .tflite file XNNPACK, LiteRT's own
    kernels, reference kernels and TFLite Micro. Sizes of tiles are set by none of these libraries.

    Args:
        path: a .tflite or .onnx file, or the name of an architecture.
        repeat: runs of each variant in each of two rounds, as far as two seconds suffice.
        settings: what of the user's environment counts; None reads it.

    Raises:
        UsageError: no library here runs such a file.
        InputError: the usual way does not run it.

    Example:
        >>> found = measure_variants("kws.tflite", repeat=3)
        >>> [one.name for one in found.variants][:3]
        ['as usual', 'no XNNPACK', 'reference kernels']
    """
    settings = Settings.from_environment() if settings is None else settings
    graph = parse_model(path, settings=settings)
    form = "onnx" if graph.format == "onnx" else "tflite"
    if graph.format not in ("onnx", "tflite", "architecture"):
        raise UsageError(
            f"No runtime here runs a {graph.format} model.", hint="Give a .tflite or .onnx file."
        )
    asked = [one for one in _all(_ONNX if form == "onnx" else _TFLITE) if is_installed(one.runtime)]
    if not asked or asked[0].name != _USUAL:
        raise UsageError(
            f"Nothing that runs {form} files is installed.", hint="Install it: pip install '.[profile]'."
        )
    times: dict[_Variant, list[float]] = {one: [] for one in asked}
    failed: dict[_Variant, str] = {}
    with file_of_model(graph, path) as (file, folder):
        for one in (*asked, *reversed(asked)):
            if one in failed:
                continue
            try:
                times[one] += _times(file, folder, one, repeat)
            except EdgewrightError as error:
                if one.name == _USUAL:
                    raise
                failed[one] = error.message
    return MeasuredVariants(
        model=graph.name,
        machine=machine_name(),
        variants=tuple(_measured(one, times, failed, times[asked[0]]) for one in asked),
        assumptions=("each variant ran in a process of its own, in two rounds of opposite order",),
        warnings=("measured on this machine, which says nothing of a board",),
    )


def _all(given: Sequence[_Variant]) -> tuple[_Variant, ...]:
    """With the usual way on twice as many cores each, as far as there are."""
    usual = given[0]
    many = [2**n for n in range(1, 8) if 2**n <= (os.cpu_count() or 1)]
    more = (_Variant(f"{n} threads", "as usual, on more cores", usual.runtime, usual.option, n) for n in many)
    return (*given, *more)


def _times(file: Path, folder: Path, one: _Variant, repeat: int) -> list[float]:
    runs, _ = run_here(
        file, folder, one.runtime, warm_up=3, repeat=repeat, threads=one.threads, variant=one.option,
        seconds=SECONDS, profiled=False,
    )  # fmt: skip
    return list(runs.times_ms)


def _measured(
    one: _Variant, times: Mapping[_Variant, list[float]], failed: Mapping[_Variant, str], usual: list[float]
) -> MeasuredVariant:
    own = times[one]
    low, middle, high = notch(own) if own else (None, None, None)
    known = middle is not None and one.name != _USUAL
    least, of_usual, most = notch(usual)
    return MeasuredVariant(
        name=one.name,
        asks=one.asks,
        threads=one.threads,
        runs=len(own),
        latency_ms=Quantity(value=middle, low=low, high=high, unit="ms", basis=Basis.MEASURED)
        if own
        else Quantity.unknown("ms"),
        speedup=of_usual / middle if known and middle else None,
        differs=(high < least or low > most) if known and low is not None and high is not None else None,
        why_not=failed.get(one, ""),
    )


def notch(times_ms: Sequence[float]) -> tuple[float, float, float]:
    """The median between the ends of its notch."""
    first, middle, third = np.percentile(times_ms, (25, 50, 75)).tolist()
    half = _NOTCH * (third - first) / len(times_ms) ** 0.5
    return middle - half, middle, middle + half
