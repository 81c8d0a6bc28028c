"""How a chat model may write an argument: text with a unit, one name for a list of one, in any case."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ...tools.core.units import parse_measure
from ...tools.verdicts.flags import FLAGS

_LONGEST_NAME = 4096
_OTHER_NAMES = {
    "clock": "clocks", "clock_mhz": "clocks", "clocks_mhz": "clocks", "type": "dtypes", "technique": "change",
    "rate_hz": "every", "rate": "every", "period": "every", "sleep_ua": "sleep_current", "file": "path",
    "name": "names", "filter": "where", "question": "about",
}  # fmt: skip
"""What a chat model may write → the argument that it means, where a view has none of the first name."""
_UNITS = {"ms": "ms", "hz": "/s", "bytes": "B", "uj": "uJ", "mw": "mW", "usd": "USD"}
"""End of a limit's field → the unit of a bare number in it."""


def _stripped(value: Any) -> Any:
    return value.strip() or None if isinstance(value, str) else value


def _lowered(value: Any) -> Any:
    value = _stripped(value)
    return value.lower().replace("_", "-").replace(" ", "-") if isinstance(value, str) else value


def _text(value: Any) -> Any:
    """Numbers too: `50` is text that lacks a unit, and is asked for one."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"{value:.15g}" if is_number else _stripped(value)


def _list_of(value: Any) -> Any:
    """A list, out of what may be one thing, several with commas, or the JSON of a list."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            value = json.loads(value)
        except ValueError:
            return value
    match value:
        case None:
            return ()
        case str():
            return tuple(part for part in map(_stripped, value.split(",")) if part)
        case list() | tuple():
            return tuple(part for part in map(_stripped, value) if part is not None)
    return (value,)


_Named = Annotated[str, Field(max_length=_LONGEST_NAME)]
Name = Annotated[_Named | None, BeforeValidator(_stripped)]
Names = Annotated[tuple[_Named, ...], BeforeValidator(_list_of)]
Measure = Annotated[_Named | None, BeforeValidator(_text)]
"""Text with a unit, such as 50ms."""
Measures = Annotated[
    tuple[Annotated[str, BeforeValidator(_text)], ...], BeforeValidator(_list_of), Field(max_length=16)
]
Count = Annotated[Annotated[int, Field(gt=0)] | None, BeforeValidator(_stripped)]
Counts = Annotated[tuple[Annotated[int, Field(gt=0)], ...], BeforeValidator(_list_of)]
ANY_CASE = BeforeValidator(_lowered)
ANY_CASES = BeforeValidator(
    lambda value: (
        tuple(_lowered(part) for part in parts) if isinstance(parts := _list_of(value), tuple) else parts
    )
)


class Given(BaseModel):
    """Arguments of a view. What goes by another name is taken where it can mean one thing alone."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _by_other_names(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        named = {_argument(str(key), cls.model_fields): value for key, value in data.items()}
        return _with_limits(named) if "limits" in cls.model_fields else named


class Demands(Given):
    """What has to hold; each is text with a unit."""

    latency: Measure = None
    rate: Measure = None
    ram: Measure = None
    flash: Measure = None
    energy: Measure = None
    power: Measure = None
    price: Measure = None
    reserve: Measure = None
    dtype: Annotated[str | None, ANY_CASE] = None

    def fields(self) -> dict[str, Any]:
        """By the names of the fields of `Limits`, in their units.

        Raises:
            LimitsError: what is no figure, or in the unit of something else.
        """
        found: dict[str, Any] = {} if self.dtype is None else {"only_dtype": self.dtype}
        for name, (field, dimension) in FLAGS.items():
            text = getattr(self, name)
            if text is not None:
                found[field] = parse_measure(text, dimension)
        return found


def _argument(key: str, fields: Mapping[str, Any]) -> str:
    other = _OTHER_NAMES.get(key, key)
    tried = (key, f"{key}s", key.removesuffix("s"), other, f"{other}s", other.removesuffix("s"))
    return next((name for name in tried if name in fields), key)


def _with_limits(data: dict[str, Any]) -> dict[str, Any]:
    """Limits may stand beside the other arguments, and go by the names of the fields of `Limits`."""
    inside = data.get("limits") or {}
    if isinstance(inside, str):
        try:
            inside = json.loads(inside)
        except ValueError:
            return data
    if not isinstance(inside, Mapping):
        return data
    limits = dict(_limit(str(key), value) for key, value in inside.items())
    for key in [key for key in data if key != "limits" and _limit(key, None)[0] in FLAGS]:
        limits.update([_limit(key, data.pop(key))])
    return {**data, "limits": limits}


def _limit(key: str, value: Any) -> tuple[str, Any]:
    key = key.removeprefix("max_").removeprefix("min_")
    name = next((name for name, (field, _) in FLAGS.items() if key == field), None)
    if name is None:
        return key, value
    unit = _UNITS[key.rpartition("_")[2]]
    is_bare = isinstance(value, int | float) and not isinstance(value, bool)
    return name, f"{value:.15g}{unit}" if is_bare else value
