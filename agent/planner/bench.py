"""From the slots of a query to calls of tools: one table of which slot goes into which argument."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from ...tools.core.paths import PathError, Value, resolve
from ...tools.core.records import dataclass
from ...tools.model_zoo.language_model import is_language_model
from ...tools.model_zoo.named import is_architecture, tokens_of
from ..registry import tool_named
from .query import LIMITS, Query, Role
from .want import Want

_TAKES_LIMITS = frozenset(
    (
        "check_constraints", "compare_deployments", "find_limit", "recommend_hardware", "recommend_model",
        "sweep_frequency", "simulate_optimizations", "analyze_pipeline",
    )
)  # fmt: skip
_WHOLE = frozenset(
    (
        "ram_bytes", "flash_bytes", "reserve_bytes", "host_memory_bytes", "own_external_ram_bytes", "batch",
        "threads", "input_size",
    )
)  # fmt: skip
_ARGUMENTS: dict[str, Role] = {
    role.value: role
    for role in (
        Role.MODEL, Role.TARGET, Role.RUNTIME, Role.DTYPE, Role.WIDTH, Role.SIDE, Role.CLOCK_MHZ,
        Role.BATCH, Role.THREADS, Role.RATE_HZ, Role.BATTERY, Role.CHARGE_MAH, Role.BATTERY_V,
        Role.BATTERY_WH, Role.SLEEP_UA, Role.WAKEUP_US, Role.TARGET_CLASS, Role.EXTERNAL_BYTES,
        Role.BANDWIDTH, Role.HOST, Role.HOST_BYTES, *LIMITS,
    )
}  # fmt: skip
"""Argument of a tool → the role whose first slot fills it."""
_SHARES = {"headroom": Role.HEADROOM_PERCENT, "self_discharge_per_month": Role.SELF_DISCHARGE}
"""Arguments from 0 to 1, which are said in per cent."""
MANY_CORES = ("mpu", "cpu")
PLAIN = "tflm-reference"
"""The kernels that TFLM comes with, which no maker optimised."""
OF_FILES = (Role.DTYPE, Role.SIDE, Role.WIDTH)
"""What a file holds, and a network by name can be built with."""


NOT_KNOWN = "not known"


@dataclass(frozen=True)
class Call:
    """A tool to be called, and the roles that went into its arguments."""

    function: str
    arguments: dict[str, Any]
    used: frozenset[Role] = frozenset()


@dataclass(frozen=True)
class Record:
    """A call that ended. `result` None where `error` says why."""

    id: str
    name: str
    result: Mapping[str, Any] | None
    error: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def ref(self, path: str, unit: str = "") -> str:
        """A reference to a field, `unit` as in `ms` or, with its interval, `ms~`; else words."""
        return f"{{{{{self.id}.{path}{'|' + unit if unit else ''}}}}}" if self.knows(path) else NOT_KNOWN

    def knows(self, *paths: str) -> bool:
        return all(self._at(path).value is not None for path in paths)

    def number(self, path: str) -> float | None:
        """The figure itself, to decide by; what is shown is a reference."""
        found = self._at(path).value
        return float(found) if isinstance(found, int | float) else None

    def ends(self, path: str) -> tuple[float, float] | None:
        """The interval; the figure twice where it has none, None where nothing is known."""
        found = self._at(path)
        if not isinstance(found.value, int | float):
            return None
        value = float(found.value)
        return (value if found.low is None else found.low, value if found.high is None else found.high)

    def _at(self, path: str) -> Value:
        try:
            return resolve(path, self.result or {})
        except PathError:
            return Value(None)

    def row(self, of: str, at: int) -> Record:
        """A row of one of its lists, as a record of its own."""
        return Record(f"{self.id}.{of}[#{at}]", self.name, self[of][at])

    def __getitem__(self, name: str) -> Any:
        return (self.result or {}).get(name)


class ToolFailedError(Exception):
    """A call that an answer cannot do without has failed; its text is for the user."""


Answering: TypeAlias = Generator[Call, Record, str]
"""Yields the calls that it needs, is sent their records, and returns the answer with references."""
Frame: TypeAlias = Callable[[Query, Sequence[Want]], Answering]
"""What answers a question on what is wanted of it."""


def call_of(function: str, query: Query, **more: Any) -> Call:
    """The call with all of the query that the tool takes; `more` goes before, None leaves out."""
    fields = tool_named(function).arguments.model_fields
    arguments: dict[str, Any] = {}
    used: set[Role] = set()
    for name, role in _ARGUMENTS.items():
        if name not in fields or not query.has(role):
            continue
        if name in more:
            used |= {role} if more[name] is not None else set()
            continue
        if role in LIMITS and function not in _TAKES_LIMITS and name != "rate_hz":
            continue
        if role in OF_FILES and not is_named(str(more.get("model") or query.text(Role.MODEL))):
            continue
        value = query.text(role) if role in _OF_TEXT else query.number(role)
        assert value is not None
        arguments[name] = int(float(value)) if name in _WHOLE else value
        used.add(role)
    if "input_size" in fields and (usual := tokens_of(query.text(Role.MODEL))):
        arguments["input_size"] = int(query.number(Role.SEQUENCE) or usual)
        used.add(Role.SEQUENCE)
    if "remedies" in fields:
        arguments["remedies"] = False  # half of its time
    given = {**arguments, **more}
    if "threads" in fields and "threads" not in given and _on_cores(query, given):
        arguments["threads"] = 0
    lists = {"without": query.all(Role.WITHOUT), "exclude": () if more.get("technique") else query.ruled_out}
    arguments |= {name: list(values) for name, values in lists.items() if name in fields and values}
    used |= {Role.WITHOUT} if "without" in arguments else set()
    if "reserve_bytes" in fields and (taken := query.total(Role.TAKEN_BYTES)):
        arguments["reserve_bytes"] = int(taken)
        used.add(Role.TAKEN_BYTES)
    shares = {name: role for name, role in _SHARES.items() if name in fields and query.number(role)}
    arguments |= {name: (query.number(role) or 0.0) / 100 for name, role in shares.items()}
    used |= {*shares.values()}
    if "hours_per_day" in fields and (hours := query.hours_a_day):
        arguments["hours_per_day"] = hours
        used.add(Role.HOURS_A_DAY)
    if "life_days" in fields and (life := query.number(Role.LIFE_MS)):
        arguments["life_days"] = life / 8.64e7
        used.add(Role.LIFE_MS)
    beside = [role for role in (Role.SENSOR_UA, Role.SENSOR_MW) if role.value in fields and query.has(role)]
    arguments |= {role.value: query.total(role) for role in beside}
    used |= set(beside)
    if "own_active_mw" in fields and (watts := _active_mw(query)):
        arguments["own_active_mw"] = watts
        used |= {Role.ACTIVE_MW, Role.ACTIVE_UA, Role.SUPPLY_V}
    if "own_sleep_ua" in fields and "sleep_ua" not in fields and (asleep := query.number(Role.SLEEP_UA)):
        arguments["own_sleep_ua"] = asleep
    arguments |= {name: value for name, value in more.items() if value is not None}
    return Call(function, arguments, frozenset(used))


def _on_cores(query: Query, given: Mapping[str, Any]) -> bool:
    """Whether it may run on processors of several cores: who names such a one means all of them."""
    places = [str(name).partition("/")[0] for name in given.get("targets") or [given.get("target", "")]]
    found = [query.targets.get(name) for name in places]
    return not any(places) or any(each and each.target_class in MANY_CORES for each in found)


_OF_TEXT = frozenset(
    (Role.HOST, Role.MODEL, Role.TARGET, Role.RUNTIME, Role.DTYPE, Role.BATTERY, Role.TARGET_CLASS)
)


def _active_mw(query: Query) -> float | None:
    """The user's own power while computing; a current alone is none."""
    current, volts = query.number(Role.ACTIVE_UA), query.number(Role.SUPPLY_V)
    return query.number(Role.ACTIVE_MW) or (current * volts / 1e3 if current and volts else None)


def is_named(model: str) -> bool:
    """A network by name can be built in any type and size; a file is what it is."""
    return bool(model) and is_architecture(model) and "." not in model.rpartition("/")[2].partition(":")[0]


def is_filed(query: Query, role: Role) -> bool:
    """Whether a file settles it, whatever a question says of it."""
    networks = [name for name in query.all(Role.MODEL) if not is_language_model(name)]
    return role in OF_FILES and bool(networks) and not any(map(is_named, networks))


def needed(record: Record) -> Record:
    """The record, which has to have a result.

    Raises:
        ToolFailedError: it has none.
    """
    if record.result is None:
        raise ToolFailedError(record.error)
    return record
