"""Fit the speed of language models to published rows: five constants by runtime and backend.

Every device has one vote, however many rows it has, and a row that is far off pulls no more than one that is
a third off. A runtime's constants are pulled to those of its kind of processor as if by one device more, and
those of one of several backends (cuda, metal) to its runtime's. Cards that a slow board drives are left out:
what they took was the board's.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from ....hardware_db.coefficients.decode import DecodeFit, DecodeNode, LeftOut, PrefillNode
from ....hardware_db.measurements.decode import ENCODE_FILE, FILE
from ...core.records import replace
from ...cost_model.decode import CPU, GPU, NPU, chunk_seconds, engine_of, prefill_seconds, step_seconds
from .by_device import Errors, interval, share_within
from .decode_rows import Speed, read_speeds
from .encode_fit import fit_encode
from .robust import Equations, Floats, scales

PULL = 1.0
"""Devices that the constants of the kind count as."""
LOOSE = 0.05
"""Devices that the first guess counts as for a kind."""
STEP_GUESS = np.log([1.5, 3e-5, 3.0])
PREFILL_GUESS = np.log([2.0, 0.5])
SMALL = 9
"""Devices below which a runtime's interval is at least its kind's, but for NPUs."""
UNSCORED = LeftOut(median_factor=1.0, coverage=0.0, devices=0, rows=0)
Node = TypeVar("Node", DecodeNode, PrefillNode)
Errs = dict[str, dict[str, Errors]]
"""Of steps, prefills and requests; by kind, by kind/runtime and by kind/runtime/backend."""


def fit_decode(speeds: Sequence[Speed] | None = None) -> DecodeFit:
    """The constants, with their errors on devices and on sources left out."""
    rows = read_speeds() if speeds is None else tuple(speeds)
    whole = fit_on(rows)
    devices, sources = _errors(rows, lambda speed: speed.device), _errors(rows, lambda speed: speed.source)
    factor, left_out = interval(devices["request"].get("", []))
    update = {
        "decode": {
            n: _with_errors(node, n, devices["step"], sources["step"]) for n, node in whole.decode.items()
        },
        "prefill": {
            n: _with_errors(node, n, devices["prefill"], sources["prefill"])
            for n, node in whole.prefill.items()
        },
        "encode": fit_encode(),
        "sessions": left_out,
        "sessions_interval_factor": factor,
    }  # fmt: skip
    return whole.model_copy(update=update)


def write_decode(folder: Path) -> None:
    """Write `decode.json`."""
    text = fit_decode().model_dump_json(indent=1)
    (folder / "decode.json").write_text(text + "\n", encoding="utf-8")


def fit_on(speeds: Sequence[Speed]) -> DecodeFit:
    """The constants that some rows give, without errors."""
    usual = [speed for speed in speeds if not speed.is_behind_slow_host]
    rates = _operations_per_byte(usual)
    steps = _by_levels(usual, lambda s: s.step_s is not None, lambda s: _steps(s, rates), STEP_GUESS)
    fit = DecodeFit(
        schema_version="1.2",
        data_sha256=hashlib.sha256(FILE.read_bytes() + ENCODE_FILE.read_bytes()).hexdigest(),
        unpack_operations_per_byte=rates,
        decode={name: _decode_node(name, theta) for name, theta in sorted(steps.items())},
        prefill={},
        encode={},
        sessions=UNSCORED,
        sessions_interval_factor=1.0,
    )
    prompts = _by_levels(usual, lambda s: s.prefill_s is not None, lambda s: _prompts(s, fit), PREFILL_GUESS)
    prefill = {name: _prefill_node(name, theta) for name, theta in sorted(prompts.items())}
    return fit.model_copy(update={"prefill": prefill})


def _decode_node(name: str, theta: Floats) -> DecodeNode:
    first, second, third = (float(value) for value in np.exp(theta))
    return DecodeNode(
        seconds_per_ideal_second=round(first, 4),
        seconds_per_layer=round(second, 9),
        seconds_per_unpack_second=round(third, 4) if name.partition("/")[0] in (GPU, CPU) else 0.0,
        interval_factor=1.0, left_out=UNSCORED, sources_left_out=UNSCORED,
    )  # fmt: skip


def _prefill_node(name: str, theta: Floats) -> PrefillNode:
    peak, shaders = (float(value) for value in np.exp(-theta))
    is_on_shaders = f"{name}/".startswith("gpu/llama.cpp/")
    return PrefillNode(
        share_of_peak=round(peak, 4), share_of_shaders=round(shaders, 4) if is_on_shaders else 0.0,
        interval_factor=1.0, left_out=UNSCORED, sources_left_out=UNSCORED,
    )  # fmt: skip


def _operations_per_byte(speeds: Sequence[Speed]) -> dict[str, float]:
    """Of what unpacks, over the bandwidth: the median, by kind; 0 of none known."""
    found: dict[str, float] = {}
    for kind in (GPU, CPU):
        known = {
            speed.device: speed.place.unpack_ops_per_s / speed.place.bytes_per_s
            for speed in speeds
            if speed.kind == kind and speed.place.unpack_ops_per_s and speed.place.bytes_per_s
        }
        found[kind] = round(float(np.median(list(known.values()))), 3) if known else 0.0
    return found


def _by_levels(
    speeds: Sequence[Speed],
    has: Callable[[Speed], bool],
    equations: Callable[[Sequence[Speed]], Equations],
    guess: Floats,
) -> dict[str, Floats]:
    """Logarithms of the scales, by kind, by kind/runtime and by kind/runtime/backend."""
    found: dict[str, Floats] = {}
    for kind, members in _by([s for s in speeds if has(s)], lambda speed: speed.kind).items():
        found[kind] = scales(equations(members), guess, LOOSE)
        for group, own in _by(members, lambda speed: speed.group).items():
            found[group] = scales(equations(own), found[kind], PULL)
            backends = _by(own, lambda speed: speed.backend)
            if len(backends) > 1:
                for backend, driven in backends.items():
                    found[backend] = scales(equations(driven), found[group], PULL)
    return found


def _steps(speeds: Sequence[Speed], rates: dict[str, float]) -> Equations:
    terms = [(s.ideal_s, s.work.model.layers * s.place.launch, s.unpack_s(rates)) for s in speeds]
    return _equations(speeds, terms, [0.0] * len(speeds), [s.step_s or math.nan for s in speeds])


def _prompts(speeds: Sequence[Speed], fit: DecodeFit) -> Equations:
    terms, fixed = [], []
    for speed in speeds:
        place, operations = speed.place, speed.prompt_operations
        on_shaders = engine_of(place.runtime) == "llama.cpp" and place.kind == GPU
        shaders = operations / place.unpack_ops_per_s if place.unpack_ops_per_s and on_shaders else 0.0
        terms.append((operations / (place.peak_ops_per_s or math.nan), shaders))
        fixed.append(chunk_seconds(speed.work, speed.prompt_tokens, place, fit))
    return _equations(speeds, terms, fixed, [speed.prefill_s or math.nan for speed in speeds])


def _equations(
    speeds: Sequence[Speed], terms: Sequence[tuple[float, ...]], fixed: list[float], measured: list[float]
) -> Equations:
    of_device = Counter(speed.device for speed in speeds)
    votes = np.array([1 / of_device[speed.device] for speed in speeds])
    return Equations(np.array(terms, dtype=float), np.array(fixed), np.array(measured), votes)


def _errors(speeds: Sequence[Speed], part: Callable[[Speed], str]) -> Errs:
    """log(measured / estimated) by constants that have not seen the device, or the source."""
    found: Errs = {what: defaultdict(list) for what in ("step", "prefill", "request")}
    usual = [speed for speed in speeds if not speed.is_behind_slow_host]
    for name, own in _by(usual, part).items():
        fit = fit_on([speed for speed in usual if part(speed) != name])
        for speed in own:
            errors = {
                "step": step_error(speed, fit), "prefill": prefill_error(speed, fit),
                "request": _request_error(speed, fit),
            }  # fmt: skip
            for what, error in errors.items():
                if error is not None:
                    for level in ("",) if what == "request" else (speed.kind, speed.group, speed.backend):
                        found[what][level].append((name, error))
    return found


def step_error(speed: Speed, fit: DecodeFit) -> float | None:
    """log(measured / estimated) of a step of one session; None where there is none."""
    estimate = step_seconds(speed.work, speed.place, fit)
    return math.log(speed.step_s / estimate) if speed.step_s and estimate else None


def prefill_error(speed: Speed, fit: DecodeFit) -> float | None:
    """Likewise of a prompt."""
    estimate = prefill_seconds(replace(speed.work, sessions=1), speed.prompt_tokens, speed.place, fit)
    return math.log(speed.prefill_s / estimate) if speed.prefill_s and estimate else None


def _request_error(speed: Speed, fit: DecodeFit) -> float | None:
    step = step_seconds(speed.work, speed.place, fit)
    first = prefill_seconds(speed.work, speed.row.prompt_tokens, speed.place, fit)
    if not speed.request_s or step is None or first is None:
        return None
    return math.log(speed.request_s / (first + speed.row.generated_tokens * step))


def _with_errors(node: Node, name: str, devices: dict[str, Errors], sources: dict[str, Errors]) -> Node:
    factor, left_out = interval(devices.get(name, []))
    kind = name.partition("/")[0]
    if left_out.devices < SMALL and kind != NPU:
        factor = max(factor, interval(devices[kind])[0])
    _, by_source = interval(sources.get(name, []))
    held = share_within(sources.get(name, []), factor)
    update = {
        "interval_factor": factor, "left_out": left_out,
        "sources_left_out": by_source.model_copy(update={"coverage": held}),
    }  # fmt: skip
    return node.model_copy(update=update)


def _by(speeds: Iterable[Speed], key: Callable[[Speed], str]) -> dict[str, list[Speed]]:
    found: defaultdict[str, list[Speed]] = defaultdict(list)
    for speed in speeds:
        found[key(speed)].append(speed)
    return dict(found)
