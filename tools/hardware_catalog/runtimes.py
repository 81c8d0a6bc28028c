"""Runtimes of the database."""

from __future__ import annotations

from ...hardware_db import resolve_runtime
from ...hardware_db.index import read_index
from ..core.settings import Settings, hardware_of
from .pages import RuntimeEntry, RuntimeList, RuntimePage, SupportedOperator


def list_runtimes(*, settings: Settings | None = None) -> RuntimeList:
    """Every runtime of the database.

    Example:
        >>> [runtime.id for runtime in list_runtimes().runtimes if runtime.planner == "tflm-greedy"][:3]
        ['tflm-cmsis-nn', 'tflm-esp-nn', 'tflm-mvp']
    """
    index = read_index(hardware_of(settings))
    return RuntimeList(
        runtimes=tuple(
            RuntimeEntry(
                id=r.id,
                name=r.name,
                vendor=r.vendor,
                planner=r.planner,
                availability=r.availability,
                usual_dtype=r.usual_dtype,
                operators=r.operators,
                targets=sum(r.id in t.runtimes for t in index.targets),
            )
            for r in index.runtimes
        )
    )


def get_runtime(name: str, *, settings: Settings | None = None) -> RuntimePage:
    """One runtime by id or nickname.

    Raises:
        UnknownNameError: no such runtime, with the nearest names.

    Example:
        >>> page = get_runtime("tflm-cmsis-nn")
        >>> page.name, page.usual_dtype
        ('TensorFlow Lite Micro with CMSIS-NN', 'int8')
    """
    own = hardware_of(settings)
    r = resolve_runtime(name, own)
    return RuntimePage(
        id=r.id,
        name=r.name,
        vendor=r.vendor,
        planner=r.planner.value,
        availability=r.availability.value.value if r.availability else "",
        usual_dtype=r.usual_dtype.value,
        fallback=r.fallback.value,
        complete=r.complete,
        runs_on=(*r.runs_on_isas, *r.runs_on_accelerators),
        targets=tuple(t.id for t in read_index(own).targets if r.id in t.runtimes),
        operators=tuple(
            SupportedOperator(op=op, dtypes=s.dtypes, optimized=s.optimized, max_version=s.max_version)
            for op, s in sorted(r.operators.items())
        ),
        sources=tuple(f"{s.title}: {s.where}" for s in r.sources.values()),
        notes=r.notes,
    )
