"""Plans that people write by hand as YAML: read safely, with errors that name the line and what was meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from ...hardware_db.errors import HardwareFileError, UsageError, YamlPath, nearest
from ...hardware_db.yaml_reader import Document, read_yaml
from .quantity import Result

Plan = TypeVar("Plan", bound=Result)
_TYPES_NOT_KEYS = ("function-", "tuple", "constrained")


class PlanError(UsageError):
    """A plan that cannot be read; says where."""


def read_mapping(path: Path, example: str, page: str) -> Document:
    """
    Args:
        example: of what a plan says, for whoever wrote none.
        page: of the docs that tells more.

    Raises:
        PlanError: not readable, hostile, or no mapping.
    """
    try:
        document = read_yaml(path)
    except HardwareFileError as error:
        hint = error.hint if "hardware" not in error.hint.casefold() else ""
        raise PlanError(
            error.message, hint=hint.replace("Describe a target or a runtime in it", f"See {page}")
        ) from error
    if not isinstance(document.data, dict):
        raise PlanError(f"{path}: a plan is a mapping.", hint=f"For example: {example}; see {page}.")
    return document


def checked_plan(
    kind: type[Plan],
    data: Mapping[str, Any],
    document: Document | None,
    keys: Callable[[YamlPath], Iterable[str]],
    page: str,
) -> Plan:
    """
    Args:
        keys: those that are known beside the one at a place.

    Raises:
        PlanError: an unknown key (with the nearest), one that is missing, or a value out of place.
    """
    try:
        return kind.model_validate({key: value for key, value in data.items() if value is not None})
    except ValidationError as error:
        raise _plan_error(error, document, keys, page) from None


def line_at(document: Document | None, at: YamlPath) -> str:
    return f"{document.path}:{document.line_of(at)}: " if document else ""


def _plan_error(
    error: ValidationError, document: Document | None, keys: Callable[[YamlPath], Iterable[str]], page: str
) -> PlanError:
    first = min(error.errors(), key=lambda each: each["type"] != "extra_forbidden")
    at = tuple(part for part in first["loc"] if not str(part).startswith(_TYPES_NOT_KEYS))
    where, line = ".".join(map(str, at)), line_at(document, at)
    if first["type"] == "extra_forbidden":
        known = list(keys(at))
        close = nearest(str(at[-1]), known)
        sentence = f"Nearest: {', '.join(close)}." if close else f"Known: {', '.join(known)}."
        return PlanError(f"{line}unknown key {where!r}.", hint=sentence)
    if first["type"] == "missing":
        return PlanError(f"{line}{where} is missing.", hint=f"See {page}.")
    said = first["msg"].removeprefix("Value error, ").rstrip(".")
    return PlanError(f"{line}{where}: {said}, got {first['input']!r:.80}.", hint=f"See {page}.")
