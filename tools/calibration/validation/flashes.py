"""Published flash beside what models and code are predicted to take."""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from importlib import resources

from ....hardware_db import coefficients, load_runtime
from ....hardware_db.coefficients.flash import load_flash_fit
from ....hardware_db.measurements import networks
from ...memory_planner.flash.code_family import Build, code_family
from ...memory_planner.flash.code_size import interval, tier_of, unmeasured_kinds
from ...memory_planner.flash.flash import model_bytes
from ...memory_planner.terms import FlashTerms
from ..flash_records import DOUBTFUL, FlashRecord, by_network, by_target, network_of
from .samples import Collected, Sample, class_of_row
from .validation_report import DeviceClass, Measured, Scheme

KIB = 1024.0
SCHEMES = ((Scheme.MODEL_OUT, "network_out", by_network), (Scheme.BOARD_OUT, "board_out", by_target))


def flash_samples(
    records: Sequence[FlashRecord], measured: Iterable[Mapping[str, str]], into: Collected
) -> None:
    """Adds samples of whole programs without their network and without their board, and of weights."""
    errors = _stored_errors()
    for scheme, column, key in SCHEMES:
        seen = _seen(records, key)
        for record in records:
            log = errors.get(record.id, {}).get(column)
            if not log:
                into.leave_out(record.id, f"flash, {scheme}: nothing of its kind is left")
                continue
            left = {name for name, keys in seen.items() if keys - {key(record)}}
            into.samples.append(_program(record, scheme, float(log), left))
    _weights(measured, into)


def _seen(records: Sequence[FlashRecord], key: Callable[[FlashRecord], str]) -> dict[str, set[str]]:
    """Node → the keys that it stands on."""
    found: dict[str, set[str]] = defaultdict(set)
    for record in records:
        for need in record.needs:
            for name in need.path:
                found[name].add(key(record))
    return found


def _program(record: FlashRecord, scheme: Scheme, log: float, left: Collection[str]) -> Sample:
    code = record.code_kib * math.exp(log)
    tier = tier_of(record.build, left)
    assert tier is not None
    missing = unmeasured_kinds(record.kinds, record.build, left).values()
    low, high = interval(code * KIB, record.build, tier, missing, load_flash_fit())
    return _sample(
        record.row,
        Measured.FLASH,
        scheme,
        record.total_kib,
        record.model_kib + code,
        (record.model_kib + low / KIB, record.model_kib + high / KIB),
    )


def _weights(measured: Iterable[Mapping[str, str]], into: Collected) -> None:
    """What is kept of models whose file is known, and that the runtime has not changed."""
    for row in measured:
        changed = any(flag in row["flag"] for flag in DOUBTFUL)
        if not row["flash_weights_kib"] or changed or row["network"] not in networks():
            continue
        if row["kind"] == "unit" and not row["runtime"].startswith("tflm"):
            into.leave_out(
                row["id"], "parameters: what the accelerator's compiler keeps was read from this row"
            )
            continue
        graph, runtime = network_of(row["network"], row["dtype"]), load_runtime(row["runtime"])
        assert graph is not None
        family = code_family(runtime, None)
        build = None if family is None else Build(runtime.id, family, row["processor"], row["target"])
        own, _ = model_bytes(graph, FlashTerms(runtime.id, runtime.folds_constants, None, build))
        assert own.value is not None
        stated = float(row["flash_weights_kib"])
        into.samples.append(_sample(row, Measured.WEIGHTS, Scheme.MODEL_OUT, stated, own.value / KIB))


def _sample(
    row: Mapping[str, str],
    quantity: Measured,
    scheme: Scheme,
    measured: float,
    predicted: float,
    ends: tuple[float | None, float | None] = (None, None),
) -> Sample:
    return Sample(
        id=row["id"],
        device_class=class_of_row(row["kind"], row["processor"]) if row["processor"] else DeviceClass.MCU,
        runtime=row["runtime"],
        quantity=quantity,
        scheme=scheme,
        network=row["network"],
        dtype=row["dtype"],
        board=row["target"] or row["device"],
        measured=measured,
        predicted=predicted,
        low=ends[0],
        high=ends[1],
    )


def _stored_errors() -> dict[str, dict[str, str]]:
    """Id → logarithms of predicted over measured code, by what was left out."""
    text = resources.files(coefficients).joinpath("flash_errors.csv").read_text(encoding="utf-8")
    return {row["id"]: row for row in csv.DictReader(io.StringIO(text))}
