"""Plans beside what the interpreter allocates, model by model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from edgewright.tools import deployment, parse_model, plan_memory
from edgewright.tools.graph import ModelGraph
from edgewright.tools.model_formats.writer.tflite import write_tflite

from .tflm_oracle import Outcome, outcomes


@dataclass(frozen=True)
class Compared:
    name: str
    head: int | None
    """As planned; None where the plan is unknown."""
    tail: int | None
    told: Outcome

    @property
    def equal(self) -> bool:
        return (self.head, self.tail) == (self.told.head, self.told.tail)

    @property
    def tail_error(self) -> float:
        """Relative to the interpreter's own."""
        return abs((self.tail or 0) - (self.told.tail or 0)) / (self.told.tail or 1)


def written(models: Mapping[str, ModelGraph], folder: Path) -> dict[Path, str]:
    """Name of the model in each file."""
    files: dict[Path, str] = {}
    for number, (name, graph) in enumerate(models.items()):
        path = folder / f"{number}.tflite"
        path.write_bytes(write_tflite(graph))
        files[path] = name
    return files


def compared(files: Mapping[Path, str], *, invoke: bool = False) -> list[Compared]:
    """Every model, accepted by the interpreter or not."""
    host = deployment("host-x86-64", "tflm-reference")
    result = []
    for path, told in outcomes(list(files), invoke=invoke).items():
        plan = plan_memory(parse_model(path), host)
        result.append(
            Compared(files[path], plan.arena_nonpersistent_bytes, plan.arena_persistent_bytes, told)
        )
    return result


def unequal(
    rows: Iterable[Compared],
) -> dict[str, tuple[tuple[int | None, int | None], tuple[int | None, int | None]]]:
    """Name → planned and told (head, tail), of accepted models that differ."""
    return {
        row.name: ((row.head, row.tail), (row.told.head, row.told.tail))
        for row in rows
        if row.told.accepted and not row.equal
    }


def table_row(title: str, rows: Sequence[Compared]) -> str:
    held = [row for row in rows if row.told.accepted]
    heads = sum(row.head == row.told.head for row in held)
    tails = sum(row.tail == row.told.tail for row in held)
    worst = max(held, key=lambda row: row.tail_error, default=None)
    off = f"{worst.tail_error:.2%} {worst.name}" if worst and worst.tail_error else "none off"
    return f"{title:44} {len(rows):5} models {len(held):5} accepted {heads:5} heads equal {tails:5} tails equal   {off}"
