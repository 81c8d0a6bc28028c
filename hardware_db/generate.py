"""Writes what is generated from the schema and the files: `python -m edgewright.hardware_db.generate`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from .compiled import ENTRIES_FILE, entries_text
from .described import described_schema
from .index import INDEX_FILE, index_text
from .loader import RUNTIMES_DIR, TARGETS_DIR, read_runtime, read_target, shipped_ids
from .schema import Runtime, Target

HERE = Path(__file__).parent


def schema_text(model: type[BaseModel]) -> str:
    """JSON Schema that editors check a file against."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **described_schema(model),
    }
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def generated() -> dict[Path, str]:
    """Every generated file and what it has to hold."""
    return {
        HERE / "target.schema.json": schema_text(Target),
        HERE / "runtime.schema.json": schema_text(Runtime),
        INDEX_FILE: index_text(),
        ENTRIES_FILE: entries_text(_shipped()),
    }


def _shipped() -> Iterator[tuple[Path, Target | Runtime]]:
    for name in shipped_ids("runtime"):
        path = RUNTIMES_DIR / f"{name}.yaml"
        yield path, read_runtime(path)
    for name in shipped_ids("target"):
        path = TARGETS_DIR / f"{name}.yaml"
        yield path, read_target(path)


def main() -> None:
    for path, text in generated().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
