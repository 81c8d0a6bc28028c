"""What the user demands, as numbers in fixed units."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import Field, ValidationError, field_validator, model_validator

from ...hardware_db.errors import HardwareFileError, LimitsError, UsageError, nearest
from ...hardware_db.yaml_reader import read_yaml
from ..core.files import file_named
from ..core.quantity import Result
from ..core.units import parse_measure
from ..graph import DType
from .figures_release import figures_asked
from .flags import FLAGS

HEADROOM = 0.2
"""Share of the target's own RAM and flash kept free for stack, drivers and the application; a deployment that
eats into it is MARGINAL. Budgets of 60 to 80 % of a device's memory are common practice."""


REGRESSIONS = ("latency", "energy", "arena", "flash", "model", "macs")
"""Figures that are compared with a baseline's."""
_PERCENT = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*%\s*")


class Limits(Result):
    """Upper bounds; None is no demand. Figures may be text with a unit, which is converted to the field's.

    >>> Limits(latency_ms=50, ram_bytes="256 KiB")
    <Limits latency_ms=50, ram_bytes=262,144, reserve_bytes=0, headroom=0.2>
    >>> Limits(latency=50)
    Traceback (most recent call last):
    edgewright.hardware_db.errors.LimitsError: There is no limit 'latency'. Did you mean latency_ms?
    """

    latency_ms: float | None = Field(default=None, gt=0)
    """Most time of one batch."""
    rate_hz: float | None = Field(default=None, gt=0)
    """Least inferences per second, one after the other."""
    ram_bytes: int | None = Field(default=None, gt=0)
    """Most RAM."""
    reserve_bytes: int = Field(default=0, ge=0)
    """RAM that stack, heap and the application need beside the arena."""
    flash_bytes: int | None = Field(default=None, gt=0)
    """Most flash."""
    energy_uj: float | None = Field(default=None, gt=0)
    """Per inference."""
    power_mw: float | None = Field(default=None, gt=0)
    """While computing; with a rate on average, idle between inferences."""
    price_usd: float | None = Field(default=None, gt=0)
    """Of one target, as its file gives it."""
    dtype: DType | None = None
    """The only type that arithmetic may be done in."""
    headroom: float = Field(default=HEADROOM, ge=0, lt=1)
    """Share of the target's own RAM and flash to keep free, 0 to 1."""
    soft: frozenset[str] = frozenset()
    """Names of limits that are reported but fail nothing."""
    regression_percent: Mapping[str, float] = Field(default_factory=dict)
    """How much more than the baseline a figure may take, by its name; what is not named is only reported."""

    @property
    def hard(self) -> Limits:
        """What can fail: all but the soft limits."""
        fields = [FLAGS[name][0] for name in self.soft if name in FLAGS]
        dropped = {field: type(self).model_fields[field].default for field in fields}
        return self.model_copy(update={**dropped, "soft": frozenset()})

    def allowing_percent(self, text: str) -> Limits:
        """The limits with the same allowance, such as "5%", for every figure that a budget does not name.

        Raises:
            LimitsError: no percentage.
        """
        allowed = dict.fromkeys(REGRESSIONS, parse_percent(text)) | dict(self.regression_percent)
        return self.model_copy(update={"regression_percent": allowed})

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, given: Any) -> Any:
        return _in_fields(given) if isinstance(given, Mapping) else given

    @field_validator("regression_percent")
    @classmethod
    def _known_figures(cls, allowed: Mapping[str, float]) -> Mapping[str, float]:
        for name, percent in allowed.items():
            if name not in REGRESSIONS:
                close = ", ".join(nearest(name, REGRESSIONS)) or ", ".join(REGRESSIONS)
                raise ValueError(f"there is no figure {name!r}; known: {close}")
            if not 0 <= percent < math.inf:
                raise ValueError(f"{percent} % is no allowance")
        return allowed


BUDGET_KEYS = dict.fromkeys(("limits", "soft", "headroom", "dtype", "regression", "figures"))
FIGURES = tuple(field for field, _ in FLAGS.values())
LimitsLike: TypeAlias = Limits | Mapping[str, float | str]
"""What functions take for limits: a mapping has field names, and numbers in their unit or text with one."""


def as_limits(given: LimitsLike | None) -> Limits:
    """Limits as they are, or of a mapping such as {"latency_ms": 50, "ram_bytes": "256 KiB"}.

    Raises:
        LimitsError: an unknown limit (with the nearest), a figure that cannot be, or in another unit.
    """
    if isinstance(given, Limits):
        return given
    try:
        return Limits.model_validate(dict(given or {}))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise LimitsError(f"Limit {where}: {first['msg']} (got {first['input']!r}).") from None


def _in_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """The same by fields, with text of figures as numbers."""
    dimensions = dict(FLAGS.values())
    fields: dict[str, Any] = {}
    for name, value in given.items():
        if name not in Limits.model_fields:
            close = nearest(str(name), Limits.model_fields)
            hint = f"Did you mean {close[0]}?" if close else f"Known: {', '.join(FIGURES)}."
            raise LimitsError(f"There is no limit {name!r}.", hint=hint)
        is_text = isinstance(value, str) and name in dimensions
        fields[name] = parse_measure(value, dimensions[name]) if is_text else value
    return fields


def limits_from_text(texts: Mapping[str, str | None], **more: Any) -> Limits:
    """Limits as people type them: {"latency": "50ms", "ram": "256KiB"}.

    Raises:
        LimitsError: an unknown limit, a figure without its unit, or with another dimension's.

    Example:
        >>> limits_from_text({"latency": "50ms", "ram": "256KiB"}).ram_bytes
        262144
    """
    fields: dict[str, Any] = dict(more)
    for name, text in texts.items():
        if text is None:
            continue
        if name not in FLAGS:
            close = ", ".join(nearest(name, FLAGS)) or ", ".join(FLAGS)
            raise LimitsError(f"There is no limit {name!r}.", hint=f"Known: {close}.")
        field, dimension = FLAGS[name]
        fields[field] = parse_measure(str(text), dimension)
    return as_limits(fields)


def read_budget(path: str | os.PathLike[str], *, any_figures: bool = False) -> Limits:
    """Limits from a budget file.

        limits: {latency: 50ms, ram: 256KiB}   # hard: overstepping one fails
        soft: {energy: 1mJ}                    # reported only
        headroom: 0.2
        dtype: int8
        regression: {latency: 5%, arena: 0%}   # how much more than a baseline is allowed
        figures: "2026.12"                     # the release of the figures that it was written for

    Args:
        any_figures: leave it to the caller to answer by the figures that `pinned_figures` names.

    Raises:
        LimitsError: a file that cannot be read, an unknown key, or a limit in the wrong unit.
        UsageError: other figures than the file names.

    Example:
        >>> _ = Path("budget.yaml").write_text("limits: {latency: 50ms}\\nsoft: {energy: 1mJ}")
        >>> limits = read_budget("budget.yaml")
        >>> limits.latency_ms, limits.energy_uj, sorted(limits.soft)
        (50.0, 1000.0, ['energy'])
    """
    document = _budget(path)
    if "figures" in document and not any_figures and figures_asked(_pin(document, path)) is not None:
        raise UsageError(
            f"{path}: kept figures are for check_constraints; others answer by those that ship.",
            hint="Use `edgewright check`, or take figures: out of the budget.",
        )
    hard = _mapping(document.get("limits") or {}, "limits", path)
    soft = _mapping(document.get("soft") or {}, "soft", path)
    both = set(hard) & set(soft)
    if both:
        raise LimitsError(f"{path}: {sorted(both)[0]!r} is both hard and soft.", hint="Keep one of them.")
    more: dict[str, Any] = {key: document[key] for key in ("headroom", "dtype") if key in document}
    allowed = _mapping(document.get("regression") or {}, "regression", path)
    more["regression_percent"] = {str(name): parse_percent(text) for name, text in allowed.items()}
    return limits_from_text({**hard, **soft}, soft=frozenset(map(str, soft)), **more)


def pinned_figures(path: str | os.PathLike[str]) -> str | None:
    """The release or the file of figures that a budget pins; a file's path is taken from the budget's folder.

    Raises:
        LimitsError: a file that cannot be read, or an unknown key.

    Example:
        >>> _ = Path("pinned.yaml").write_text('limits: {latency: 50ms}\\nfigures: "2026.12"')
        >>> pinned_figures("pinned.yaml")
        '2026.12'
    """
    document = _budget(path)
    return _pin(document, path) if "figures" in document else None


def _pin(document: dict[str, Any], path: str | os.PathLike[str]) -> str:
    named = str(document["figures"])
    return str(file_named(named, Path(path).parent) or named)


def _budget(path: str | os.PathLike[str]) -> dict[str, Any]:
    try:
        document = _mapping(read_yaml(Path(path)).data, "a budget file", path)
    except HardwareFileError as error:
        raise LimitsError(error.message, hint=error.hint) from error
    unknown = set(document) - BUDGET_KEYS.keys()
    if unknown:
        key = sorted(map(str, unknown))[0]
        raise LimitsError(f"{path}: unknown key {key!r}.", hint=f"Known: {', '.join(BUDGET_KEYS)}.")
    return document


def parse_percent(text: object) -> float:
    """The figure of "5%" or "5 %".

    Raises:
        LimitsError: no percentage.
    """
    match = _PERCENT.fullmatch(str(text))
    if match is None:
        raise LimitsError(f"{text!r} is no percentage.", hint="Write it like 5%.")
    return float(match[1])


def _mapping(value: Any, what: str, path: str | os.PathLike[str]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise LimitsError(
            f"{path}: {what} must be a mapping of names to values.", hint="For example: {latency: 50ms}."
        )
    return value
