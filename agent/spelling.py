"""How an argument of a tool is spelled on the command line, and what a chat model reads about it."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field

from ..hardware_db.errors import UsageError
from ..tools.core.records import dataclass
from ..tools.core.units import Dimension, parse_measure

Names = Literal["models", "targets", "runtimes", "techniques"]
_UNITS = {
    "_ms": Dimension.TIME_MS,
    "_hz": Dimension.RATE_HZ,
    "_bytes": Dimension.BYTES,
    "_uj": Dimension.ENERGY_UJ,
    "_mw": Dimension.POWER_MW,
    "_mhz": Dimension.CLOCK_MHZ,
    "_usd": Dimension.PRICE_USD,
}
"""End of a field's name → what its text on the command line measures."""


@dataclass(frozen=True)
class Option:
    """One option; a position where its only name has no dash, and none where it has no name."""

    names: tuple[str, ...]
    help: str
    kind: Any = None
    """What is typed; None is the field's own type, or text such as 256KiB where its name ends in a unit."""
    default: Any = None
    required: bool = False
    read: Callable[[Any], Any] | None = None
    """Makes the argument out of what was typed."""
    completes: Names | None = None
    """What the shell may offer."""
    least: int | None = None
    offered: bool = True
    """Whether a chat model may give the argument."""

    @property
    def is_position(self) -> bool:
        return not self.names[0].startswith("-")

    @property
    def long_name(self) -> str:
        """`max_latency` of --max-latency; of a switch, what turns it on."""
        return self.names[0].partition("/")[0].removeprefix("--").replace("-", "_")

    def value(self, typed: Any) -> Any:
        """The argument out of what was typed. Raises UsageError."""
        return typed if typed is None or self.read is None else self.read(typed)

    def __call__(self, schema: dict[str, Any]) -> None:
        """It rides on a field as what adds to the JSON schema, and adds nothing."""


def arg(
    description: str | None,
    names: str = "",
    help: str = "",
    *,
    default: Any = None,
    shown: Any = None,
    kind: Any = None,
    required: bool | None = None,
    read: Callable[[Any], Any] | None = None,
    completes: Names | None = None,
    least: int | None = None,
    **constraints: Any,
) -> Any:
    """A field of `Arguments`.

    Args:
        description: what a chat model reads; None hides the argument from it, and `help` describes it.
        names: spellings on the command line, such as "--target -t"; none where it has no such argument.
        default: of the field; `...` where it must be given.
        shown: default on the command line where that is another.
        required: on the command line, where it is not required as the field is.
    """
    must = default is ... if required is None else required
    value = None if must or default is ... else default if shown is None else shown
    offered = description is not None
    option = Option(tuple(names.split()), help, kind, value, must, read, completes, least, offered)
    return Field(default, description=description or help, json_schema_extra=option, **constraints)


class Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    @classmethod
    def options(cls) -> dict[str, Option]:
        """Field → option, those of the bases first."""
        riding = {name: cls.model_fields[name].json_schema_extra for name in _in_order(cls)}
        return {
            name: _complete(option, cls, name)
            for name, option in riding.items()
            if isinstance(option, Option) and option.names
        }

    @classmethod
    def read(cls, typed: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """What was typed by the names of the options, and the arguments that it means.

        Args:
            typed: by field; an option that is not in it has its default.

        Raises:
            UsageError: a text that means nothing to its option.
        """
        options = cls.options()
        texts = {name: typed.get(name, option.default) for name, option in options.items()}
        values = {name: option.value(texts[name]) for name, option in options.items()}
        named = {option.long_name: texts[name] for name, option in options.items()}
        return named, {name: value for name, value in values.items() if value is not None}


def _in_order(kind: type[Any]) -> Iterator[str]:
    """Fields as the classes list them; pydantic's order begins with the last base."""
    for base in kind.__bases__:
        yield from _in_order(base)
    if issubclass(kind, Arguments):
        yield from (name for name in inspect.get_annotations(kind) if name in kind.model_fields)


def _complete(option: Option, kind: type[Arguments], name: str) -> Option:
    """With the type and the reader that follow from the field."""
    if option.kind is not None:
        return option
    unit = next((unit for end, unit in _UNITS.items() if name.endswith(end)), None)
    if unit is not None:
        return replace(option, kind=str, read=lambda text: parse_measure(text, unit))
    return replace(option, kind=_typed(kind.model_fields[name].annotation))


def _typed(annotation: Any) -> Any:
    """The type of what is typed for a field: without None, constraints and names of choices."""
    parts = [part for part in get_args(annotation) if part is not NoneType]
    match get_origin(annotation):
        case None:
            return annotation
        case origin if origin is Literal:
            return str
        case origin if origin is dict or origin is list:
            return list[str]
        case _:
            return _typed(parts[0])


def weights_from(texts: Sequence[str]) -> dict[str, float]:
    """{"energy": 3.0} from ["energy=3"].

    Raises:
        UsageError: no figure with a number.
    """
    found = {}
    for text in texts:
        name, _, points = text.partition("=")
        try:
            found[name.strip()] = float(points)
        except ValueError:
            raise UsageError(f"{text!r} is no weight.", hint="Write it like energy=3.") from None
    return found


def penalties_from(texts: Sequence[str]) -> dict[str, float]:
    """{"cpu_fallback": 80.0} from ["cpu_fallback=80"]. Raises UsageError."""
    from ..tools.compatibility_scorer.penalties import weights_from_text

    return weights_from_text(texts)


def clocks_from(text: str) -> list[float]:
    """[48.0, 96.0] from "48MHz,96MHz". Raises LimitsError."""
    return [parse_measure(one, Dimension.CLOCK_MHZ) for one in text.split(",")]


def seconds_from(text: str) -> float:
    """10.0 from "10s". Raises LimitsError."""
    return parse_measure(text, Dimension.TIME_MS) / 1e3


def hours_from(text: str) -> float:
    """48.0 from "48h" or "2d". Raises LimitsError."""
    return seconds_from(text) / 3600


def share_from(text: str) -> float:
    """0.05 from "5%" or "0.05". Raises UsageError."""
    number, percent, rest = text.partition("%")
    try:
        share = float(number) / (100 if percent else 1)
    except ValueError:
        share = -1.0
    if rest or not 0 <= share <= 1:
        raise UsageError(f"{text!r} is no share.", hint="Write it like 5%.")
    return share


def bytes_from(text: str) -> int:
    """24GiB. Raises LimitsError."""
    return int(parse_measure(text, Dimension.BYTES))
