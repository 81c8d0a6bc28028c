"""Power, or current and voltage, over time as CSV: PPK2, Joulescope, Otii, INA226, what says its units.

PPK2: `Timestamp(ms),Current(uA)` and levels of its pins, github.com/NordicSemiconductor/pc-nrfconnect-ppk
(older `Bits`, newer `D0-D7` or `D0,D1,…`). Joulescope: `#time,current,voltage,power,charge,energy` in SI, as
joulescope_ui writes. Loggers of an INA226 name their columns as they like: times may be dates, and a voltage
beside current and power may go without its unit. An oscilloscope of Keysight has `x-axis,1,2` and below it
the units, `second,Volt,Ampere`, which name what its channels are. Read in one go, as a second of a PPK2 has
100,000 rows.
"""

from __future__ import annotations

import codecs
import datetime
import io
import re
import warnings
from typing import NamedTuple

import numpy as np

from ....hardware_db.errors import InputError, UsageError
from ...core.sanitize import clean_text
from ..grid import facts_of
from ..recording import Floats, PowerSamples, Recording

HEAD_BYTES = 16_384
_BOM = "\ufeff"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_NAMED = frozenset(
    ("op", "operator", "layer", "name", "tag", "opcode", "node", "kernel", "cycles", "instructions",
     "frequency_mhz", "clock_mhz", "freq_mhz")
)  # fmt: skip
"""Columns of a table that has a row a layer or a run, not a row a moment."""
_TIMES = {"s": 1.0, "sec": 1.0, "second": 1.0, "seconds": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}
_AMPERES = {"a": 1.0, "ampere": 1.0, "ma": 1e-3, "ua": 1e-6, "na": 1e-9}
_VOLTS = {"v": 1.0, "volt": 1.0, "mv": 1e-3, "uv": 1e-6}
_WATTS = {"w": 1.0, "watt": 1.0, "mw": 1e-3, "uw": 1e-6}
_KINDS = {
    "time": ("time", "timestamp", "t", "second"), "current": ("current", "i", "main", "ampere"),
    "power": ("power", "p", "watt"), "voltage": ("voltage", "v", "bus", "volt"), "shunt": ("shunt",),
}  # fmt: skip
_SCALES = {"time": _TIMES, "current": _AMPERES, "power": _WATTS, "voltage": _VOLTS, "shunt": _VOLTS}
_JOULESCOPE = ("time", "current", "voltage", "power")
_PINS = re.compile(r"d[0-7]|d0-d7|bits|gpio\w*|pins?|marker|mark|trigger|logic", re.IGNORECASE)
_ROW = re.compile(r"at row (\d+)")
_MOMENT = re.compile(r'"?(?:\d{4}-\d\d-\d\d[ T])?(\d\d):(\d\d):(\d\d(?:\.\d{1,9})?)"?')
"""A time of day, perhaps with its date: 2025-11-27 02:51:00.672659."""


class Column(NamedTuple):
    at: int
    scale: float
    is_moment: bool = False
    """Whether its cells are times of day, which become seconds."""


class Layout(NamedTuple):
    """What the columns of a file hold."""

    first: int
    """Lines up to the header, that included."""
    mark: str
    columns: dict[str, Column]
    pins: list[int]
    facts: dict[str, str]

    @property
    def taken(self) -> list[int]:
        return [*(column.at for column in self.columns.values()), *self.pins]

    @property
    def time(self) -> int:
        """Position of the time among those taken."""
        return list(self.columns).index("time")


def read(data: bytes) -> Recording | None:
    if data.startswith(_UTF16):
        data = data.decode("utf-16", "replace").encode()
    layout = None if b"\0" in data else layout_of(data[:HEAD_BYTES])
    if layout is None:
        return None
    table = table_of(data, layout.first, layout, 0)
    if len(table) < 2:
        raise InputError("There are fewer than two samples.", hint="Nothing of the file was imported.")
    in_order(table[:, layout.time], layout.first + 1, layout.columns["time"].scale)
    return recorded(table, layout, len(table))


def layout_of(data: bytes) -> Layout | None:
    """By the head of a file; None for what is no power over time."""
    if b"\0" in data:
        return None
    head = data.decode("utf-8-sig", "replace").splitlines()
    header = next((at for at, line in enumerate(head[:60]) if _columns(line) is not None), None)
    if header is None:
        return None
    row = next((line for line in head[header + 1 :] if line.strip()), "")
    mark, columns, pins = _columns(head[header], row) or ("", {}, [])
    return Layout(header + 1, mark, columns, pins, facts_of(head[: header + 40]))


def recorded(table: Floats, layout: Layout, lines: int) -> Recording:
    """Of the columns that are taken, in their order, the pins last."""
    columns = layout.columns
    series = {name: table[:, n] * column.scale for n, (name, column) in enumerate(columns.items())}
    marks = _marks(table[:, len(columns) :]) if layout.pins else None
    samples = _samples(series, marks, layout.facts)
    return Recording("power over time", power=samples, facts=layout.facts, lines=lines)


def _columns(header: str, row: str = "") -> tuple[str, dict[str, Column], list[int]] | None:
    """Separator, columns by what they hold with the factor to SI, and pins; None for another table.

    Args:
        row: the first below the header, which tells whether a time is one of day.
    """
    plain = header.strip().lstrip(_BOM).lstrip("# ")
    mark = next((mark for mark in (";", "\t", ",") if mark in plain), "")
    titles = [title.strip().strip('"') for title in plain.split(mark)] if mark else []
    if tuple(title.casefold() for title in titles[:4]) == _JOULESCOPE:
        return mark, {name: Column(at, 1.0) for at, name in enumerate(_JOULESCOPE)}, []
    if _NAMED & {title.casefold() for title in titles}:
        return None
    found: dict[str, Column] = {}
    moments = _moments(row.split(mark)) if mark else ()
    for at, title in enumerate(titles):
        words = re.findall(r"[a-zµμ]+", title.casefold().replace("µ", "u").replace("μ", "u"))
        for kind in ("shunt", "time", "power", "voltage", "current"):
            if kind not in found and set(words) & set(_KINDS[kind]) and words:
                scale = next((_SCALES[kind][w] for w in reversed(words) if w in _SCALES[kind]), 0.0)
                found[kind] = Column(at, scale)
                break
    if "time" not in found or not {"current", "power"} & found.keys():
        return None
    if not {"voltage", "power"} & found.keys() and len(titles) > 12:
        return None
    if moments and "time" in found and found["time"].scale == 0.0:
        found["time"] = Column(moments[0], 1.0, is_moment=True)
    if {"current", "power"} <= found.keys() and found.get("voltage", Column(0, 1.0)).scale == 0.0:
        del found["voltage"]  # it is power over current
    for kind, column in found.items():
        if column.scale == 0.0 and row:
            raise UsageError(
                f"The column {clean_text(titles[column.at], 30)!r} does not say its unit.",
                hint=f"Call it {kind}_{next(iter(_SCALES[kind]))} or another: {', '.join(_SCALES[kind])}.",
            )
    return mark, found, [at for at, title in enumerate(titles) if _PINS.fullmatch(title)]


def _moments(cells: list[str]) -> list[int]:
    """Columns with a time of day, the finest first."""
    found = [(at, match[3]) for at, cell in enumerate(cells) if (match := _MOMENT.fullmatch(cell.strip()))]
    return [at for at, seconds in sorted(found, key=lambda each: -len(each[1]))]


def _seconds_of(cell: str) -> float:
    """Since 1970, or since midnight where there is no date."""
    text = cell.strip().strip('"')
    if len(text) > len("00:00:00.000000000"):
        return datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.UTC).timestamp()
    found = _MOMENT.fullmatch(text)
    if found is None:
        raise ValueError("no time of day")
    return 3600.0 * int(found[1]) + 60.0 * int(found[2]) + float(found[3])


def table_of(data: bytes, skipped: int, layout: Layout, before: int) -> Floats:
    """Columns that are taken, of whole lines, of which the first is the file's line `before` + 1.

    Raises:
        InputError: a row that is none, with its line.
    """
    text = data.decode("utf-8-sig", "replace")
    text = text.replace(",", ".") if layout.mark == ";" else text
    first = before + skipped
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of no rows, which are told below
            table = np.loadtxt(
                io.StringIO(text),
                delimiter=layout.mark,
                skiprows=skipped,
                usecols=layout.taken,
                converters={one.at: _seconds_of for one in layout.columns.values() if one.is_moment},
                ndmin=2,
                comments="#",
            )
    except (ValueError, IndexError) as error:
        row = _ROW.search(str(error))
        counted_from = 0 if "column index" in str(error) else 1
        line = f"Line {int(row[1]) + first + counted_from}" if row else "A line"
        raise InputError(
            f"{line}: no row of numbers: {clean_text(str(error), 80)}.",
            hint="The file is cut off or mixed with another; nothing of it was imported.",
        ) from error
    bad = np.flatnonzero(~np.isfinite(table).all(axis=1))
    if len(bad):
        raise InputError(
            f"Line {int(bad[0]) + first + 1}: a sample that is no number.", hint="Nothing was imported."
        )
    return table


_MOST_MARK = 2**53


def _marks(levels: Floats) -> np.typing.NDArray[np.int64]:
    """Pins as the bits of one number; a single column as it is."""
    if levels.shape[1] == 1:
        return np.clip(levels[:, 0], -_MOST_MARK, _MOST_MARK).astype(np.int64)
    return ((levels > 0.5) @ (1 << np.arange(levels.shape[1]))).astype(np.int64)


def in_order(time: Floats, line: int, scale: float = 1.0) -> None:
    """
    Raises:
        InputError: time that goes back, with the line; the first is that of `line`.
    """
    back = np.flatnonzero(np.diff(time) < 0)
    if len(back):
        at = int(back[0]) + 1
        before, after = time[at - 1] * scale, time[at] * scale
        raise InputError(
            f"Line {at + line}: time goes back from {before:.9g} s to {after:.9g} s.",
            hint="Give one measurement in its order; nothing of the file was imported.",
        )


def _samples(
    series: dict[str, Floats],
    marks: np.typing.NDArray[np.int64] | None,
    facts: dict[str, str],
) -> PowerSamples:
    time = series["time"]
    current, voltage, power = series.get("current"), series.get("voltage"), series.get("power")
    if power is None and current is not None and voltage is not None:
        power = current * voltage
    return PowerSamples(
        time_s=time - time[0],
        power_w=np.full(len(time), np.nan) if power is None else power,
        marks=marks,
        current_a=current,
        voltage_v=voltage,
        conversion_s=_seconds(facts.get("conversion_ms") or facts.get("conversion ms") or ""),
        shunt_v=series.get("shunt"),
    )


def _seconds(ms: str) -> float | None:
    """Of the milliseconds that the file states; None where it states none."""
    digits = ms.removesuffix("ms").strip()
    return float(digits) / 1e3 if digits.replace(".", "", 1).isdigit() and len(digits) < 12 else None
