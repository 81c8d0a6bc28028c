"""What a vendor's compiler made of a model, told from its own report."""

from __future__ import annotations

from ..bench import Record
from .phrases import joined

_SHOWN = 3
_PLAIN = str.maketrans("{}`", "()'")
_FACTS = (
    "contexts", "epochs", "number of edge tpu subgraphs", "macc", "weights (ro)", "activations (rw)",
    "weights", "activations", "off-chip memory used for streaming uncached model parameters", "mapping",
)  # fmt: skip
"""Of the report's head, those that say how the model lies in the chip."""
_BY = (
    ("cycles", " cycles", "takes the most of what the compiler expects"),
    ("macs", " MACs", "has the most work"),
)


def is_report(record: Record) -> bool:
    """Whether nothing in it took time: a compiler's word alone."""
    return not record["operators"] and bool(record["compiled"] or record["facts"])


def told(record: Record) -> list[str]:
    """Engines, what was not taken and why, what binds, the largest layers and the report's own sums."""
    return [*_engines(record), *_left(record), *_largest(record), *_bounds(record), *_facts(record)]


def _engines(record: Record) -> list[str]:
    each = [f"{record.ref(f'engines[{name}]')} on {name}" for name in record["engines"]]
    return [f"Of its layers it put {joined(each)}."] if each else []


def _left(record: Record) -> list[str]:
    rows = [at for at, row in enumerate(record["compiled"]) if row["why_untrusted"]][:_SHOWN]
    return [
        f"- `{_clean(record, at, 'name')}` ({record.ref(f'compiled[#{at}].times')}) is not on it: "
        f"{_clean(record, at, 'why')}."
        for at in rows
    ]


def _largest(record: Record) -> list[str]:
    rows = record["compiled"]
    for name, unit, words in _BY:
        order = sorted((at for at, row in enumerate(rows) if row[name]), key=lambda at: -rows[at][name])
        if order:
            first, *others = (
                f"{_layer(record, at)} ({record.ref(f'compiled[#{at}].{name}')}{unit})"
                for at in order[:_SHOWN]
            )
            return [f"{first} {words}{f', then {joined(others)}' if others else ''}."]
    return []


def _bounds(record: Record) -> list[str]:
    each = [f"{name} {record.ref(f'bound_shares[{name}]', '%')}" for name in record["bound_shares"]]
    return [f"What binds, of the cycles: {joined(each[:_SHOWN])}."] if each else []


def _facts(record: Record) -> list[str]:
    each = [f"{name}: {record.ref(f'facts[{name}]')}" for name in _FACTS if name in record["facts"]]
    return [f"- {one}" for one in each]


def _layer(record: Record, at: int) -> str:
    name, op = _clean(record, at, "name"), _clean(record, at, "op")
    return f"`{name}`" if op in ("", name) else f"`{name}`, {op}"


def _clean(record: Record, at: int, name: str) -> str:
    """As the file has it, which is cleaned: no reference whatever it holds."""
    return str(record["compiled"][at][f"{name}_untrusted"]).translate(_PLAIN)
