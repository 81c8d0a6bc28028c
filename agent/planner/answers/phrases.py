"""Pieces of sentences that answers have in common; every figure in them is a reference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ....hardware_db.index import read_index
from ..bench import Record
from ..query import Query, Role

RETRAINING = "retraining"
_VERDICTS = {
    "PASS": "Yes",
    "MARGINAL": "Probably, though not surely",
    "FAIL": "No",
    "UNKNOWN": "I cannot tell",
}
ASSUMED = "Assumed: "
_EXAMPLES = "`kws_ref_model.tflite`, `kws`, `mobilenet_v2:int8`"


def verdict_word(verdict: str) -> str:
    return _VERDICTS[verdict]


def model_shown(query: Query) -> str:
    return query.text(Role.MODEL).rpartition("/")[2]


def subject(query: Query, record: Record, verb: str = "") -> str:
    """Which model on what: `kws on nrf52840, batch 8`; `verb` goes between the two."""
    deployed = record["deployment"] or {}
    does = f" {verb}" if verb else ""
    said = [f"{model_shown(query)}{does} on {record.ref('deployment.target')}"]
    if query.has(Role.RUNTIME):
        said[0] += f" with {record.ref('deployment.runtime')}"
    if query.has(Role.DTYPE) and str(record.arguments.get("dtype", "")):
        said.append(str(record.arguments["dtype"]))
    if query.has(Role.SIDE) and record.arguments.get("input_size"):
        side = record.arguments["input_size"]
        said.append(f"{side}x{side} input")
    if deployed.get("batch", 1) > 1:
        said.append(f"batch {record.ref('deployment.batch')}")
    if query.has(Role.CLOCK_MHZ):
        said.append(f"at {record.ref('deployment.clock_mhz', 'MHz')}")
    if deployed.get("threads", 1) > 1:
        said.append(f"{record.ref('deployment.threads')} threads")
    return ", ".join(said)


def assumed(query: Query, record: Record) -> str:
    """What was taken because the question did not say; empty where it said all."""
    found = []
    if not query.has(Role.RUNTIME):
        found.append(f"{record.ref('deployment.runtime')}, the usual kernels there")
    if not query.has(Role.CLOCK_MHZ):
        found.append(f"the full clock of {record.ref('deployment.clock_mhz', 'MHz')}")
    if not query.has(Role.THREADS) and _many_cores(query.text(Role.TARGET)):
        found.append("one thread")
    return f"{ASSUMED}{', '.join(found)}." if found else ""


def _many_cores(target: str) -> bool:
    found = next((summary for summary in read_index().targets if summary.id == target), None)
    return found is not None and found.target_class in ("mpu", "cpu") and bool(found.cores)


def quantity(record: Record, path: str, unit: str = "") -> str:
    """The figure with its interval and what it rests on; `unknown` alone where it is not known."""
    figure = _at(record, path)
    if not isinstance(figure, Mapping) or figure.get("value") is None:
        return "unknown"
    return f"{record.ref(path, f'{unit}~')}, {record.ref(path + '.basis')}"


def is_known(record: Record, path: str) -> bool:
    figure = _at(record, path)
    return figure.get("value") is not None if isinstance(figure, Mapping) else figure is not None


def value(record: Record, path: str) -> float | None:
    """The figure itself, to decide by; what is shown is a reference."""
    figure = _at(record, path)
    found = figure.get("value") if isinstance(figure, Mapping) else figure
    return float(found) if isinstance(found, int | float) else None


def _at(record: Record, path: str) -> Any:
    node: Any = record.result
    for name in path.split("."):
        if not isinstance(node, Mapping) or name not in node:
            return None
        node = node[name]
    return node


def per_second(record: Record) -> str:
    """Images a second, all of a batch counted."""
    return f"{{{{{record.id}.deployment.batch/{record.id}.latency_ms|/s}}}}"


def relaxed(record: Record) -> list[str]:
    """Which limit would have to give, and by how much."""
    return [
        f"- {record.ref(f'relaxations[#{i}].limit')}: {record.ref(f'relaxations[#{i}].needed')} would be met"
        for i in range(min(2, len(record["relaxations"])))
    ]


def row(record: Record, rows: str, key: str, path: str, unit: str = "") -> str:
    return record.ref(f"{rows}[{key}].{path}", unit)


def joined(parts: Iterable[str], last: str = "and") -> str:
    said = list(parts)
    return f" {last} ".join([", ".join(said[:-1]), said[-1]]) if len(said) > 1 else "".join(said)


def lines(*parts: str) -> str:
    return "\n".join(part for part in parts if part)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    body = [f"| {' | '.join(cells)} |" for cells in rows]
    return "\n".join([f"| {' | '.join(head)} |", f"|{'|'.join('---' for _ in head)}|", *body])


def plain(query: Query, text: str) -> bool:
    return text in query.asks


def ask_model(instead: str = "") -> str:
    """The one question back where no model is named, with what can be said without it."""
    return lines(f"Which model? Name a file or a network, such as {_EXAMPLES}.", instead)


def ask_target(query: Query, instead: str = "") -> str:
    return lines(
        "On which board or chip? Name one, such as `stm32h743`, `esp32-s3` or `raspberry-pi-5`, and "
        "I answer for "
        f"{model_shown(query)}.",
        instead
        or f"Without one I can tell its MACs, operators and arena: *what is in {model_shown(query)}?*",
    )


def allowed(query: Query, effort: str) -> bool:
    """Whether a change is one that the user did not rule out."""
    return effort != RETRAINING or not query.excluded & {RETRAINING, "without any changes"}
