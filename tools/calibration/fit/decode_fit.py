"""Fit the speed of language models to published rows: three constants by runtime and backend.

Every device has one vote, however many rows it has. The logarithm of measured over estimated time is least
squares in the logarithms of the constants (Gauss-Newton); a runtime's are pulled to those of its kind of
processor as if by one device more, and those of one of several backends (cuda, metal) to its runtime's.
The share of the peak in a prefill is the median of the devices' medians.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from ....hardware_db.coefficients.decode import DecodeFit, DecodeNode, LeftOut, PrefillNode
from ....hardware_db.measurements.decode import FILE
from ...cost_model.decode import GPU, prefill_node_of, prefill_seconds, step_seconds
from .by_device import Errors, interval
from .decode_rows import Speed, read_speeds

Floats = npt.NDArray[np.float64]
PULL = 1.0
"""Devices that the constants of the kind count as."""
FIRST_GUESS = (math.log(1.5), math.log(3e-5), math.log(3.0))
LOOSE = 0.05
"""Devices that the first guess counts as for a kind."""
STEPS = 40
FEWEST_DEVICES = 3
"""For a share of the peak of a runtime's own."""
SMALL = 9
"""Devices below which a runtime's interval is at least its kind's."""
UNSCORED = LeftOut(median_factor=1.0, coverage=0.0, devices=0, rows=0)
Node = TypeVar("Node", DecodeNode, PrefillNode)


def fit_decode(speeds: Sequence[Speed] | None = None) -> DecodeFit:
    """The constants, with their errors on devices left out."""
    rows = read_speeds() if speeds is None else tuple(speeds)
    whole = _fitted(rows)
    decode, prefill, together = _errors(rows)
    factor, left_out = interval(together)
    return whole.model_copy(
        update={
            "decode": {name: _with_errors(node, name, decode) for name, node in whole.decode.items()},
            "prefill": {name: _with_errors(node, name, prefill) for name, node in whole.prefill.items()},
            "sessions": left_out,
            "sessions_interval_factor": factor,
        }
    )


def write_decode(folder: Path) -> None:
    """Write `decode.json`."""
    text = fit_decode().model_dump_json(indent=1)
    (folder / "decode.json").write_text(text + "\n", encoding="utf-8")


def fit_on(speeds: Sequence[Speed]) -> DecodeFit:
    """The constants that some rows give, without errors."""
    return _fitted(speeds)


def _fitted(speeds: Sequence[Speed]) -> DecodeFit:
    """The constants alone."""
    usual = _operations_per_byte(speeds)
    decode = {}
    for name, (first, second, third) in sorted(_constants(speeds, usual).items()):
        decode[name] = DecodeNode(
            seconds_per_ideal_second=round(math.exp(first), 4),
            seconds_per_layer=round(math.exp(second), 9),
            seconds_per_shader_second=round(math.exp(third), 4) if name.partition("/")[0] == GPU else 0.0,
            interval_factor=1.0,
            left_out=UNSCORED,
        )
    prefill = {
        name: PrefillNode(share_of_peak=round(math.exp(share), 4), interval_factor=1.0, left_out=UNSCORED)
        for name, share in sorted(_shares(speeds).items())
    }
    return DecodeFit(
        schema_version="1.0",
        data_sha256=hashlib.sha256(FILE.read_bytes()).hexdigest(),
        shader_operations_per_byte=round(usual, 3),
        decode=decode,
        prefill=prefill,
        sessions=UNSCORED,
        sessions_interval_factor=1.0,
    )


def _operations_per_byte(speeds: Sequence[Speed]) -> float:
    """Of the GPUs' shaders and memory, the median of the devices; 0 where no GPU's are known."""
    known = {
        speed.device: speed.place.shader_ops_per_s / speed.place.bytes_per_s
        for speed in speeds
        if speed.kind == GPU and speed.place.shader_ops_per_s and speed.place.bytes_per_s
    }
    return float(np.median(list(known.values()))) if known else 0.0


def _constants(speeds: Sequence[Speed], usual: float) -> dict[str, Floats]:
    """Logarithms of c1, c2 and c3, by kind, by kind/runtime and by kind/runtime/backend."""
    found: dict[str, Floats] = {}
    alone = [speed for speed in speeds if speed.step_s is not None]
    for kind, members in _by(alone, lambda speed: speed.kind).items():
        found[kind] = _gauss_newton(members, usual, np.array(FIRST_GUESS), LOOSE)
        for group, own in _by(members, lambda speed: speed.group).items():
            found[group] = _gauss_newton(own, usual, found[kind], PULL)
            backends = _by(own, lambda speed: speed.backend)
            if len(backends) > 1:
                for backend, driven in backends.items():
                    found[backend] = _gauss_newton(driven, usual, found[group], PULL)
    return found


def _gauss_newton(speeds: Sequence[Speed], usual: float, prior: Floats, pull: float) -> Floats:
    """Least squares in the logarithms, one vote a device, `pull` votes for the prior."""
    of_device = Counter(speed.device for speed in speeds)
    votes = np.array([1 / of_device[speed.device] for speed in speeds])
    terms = np.array(
        [(speed.ideal_s, speed.work.model.layers, speed.shader_s(usual)) for speed in speeds], dtype=float
    )
    measured = np.log([speed.step_s or math.nan for speed in speeds])
    theta = prior.copy()
    for _ in range(STEPS):
        parts = terms * np.exp(theta)
        total = parts.sum(axis=1)
        slope = parts / total[:, None]
        left = (slope * votes[:, None]).T @ slope + pull * np.eye(3)
        right = (slope * votes[:, None]).T @ (measured - np.log(total)) + pull * (prior - theta)
        theta = theta + np.clip(np.linalg.solve(left, right), -0.5, 0.5)
    return theta


def _shares(speeds: Sequence[Speed]) -> dict[str, float]:
    """Logarithm of the share of the peak in a prefill: the median of the devices' medians."""
    found = {}
    with_prefill = [speed for speed in speeds if speed.prefill_share is not None]
    groups = {
        **_by(with_prefill, lambda speed: speed.kind), **_by(with_prefill, lambda speed: speed.group),
        **_by(with_prefill, lambda speed: speed.backend),
    }  # fmt: skip
    for name, members in groups.items():
        middles = [_middle(own) for own in _by(members, lambda speed: speed.device).values()]
        if "/" not in name or len(middles) >= FEWEST_DEVICES:
            found[name] = float(np.median(middles))
    return found


def _middle(speeds: Sequence[Speed]) -> float:
    return float(np.median([math.log(speed.prefill_share or math.nan) for speed in speeds]))


def _errors(speeds: Sequence[Speed]) -> tuple[dict[str, Errors], dict[str, Errors], Errors]:
    """log(measured / estimated) by constants that have not seen the device: of steps, prefills, requests."""
    decode: defaultdict[str, Errors] = defaultdict(list)
    prefill: defaultdict[str, Errors] = defaultdict(list)
    together: Errors = []
    for device, own in _by(speeds, lambda speed: speed.device).items():
        fit = _fitted([speed for speed in speeds if speed.device != device])
        for speed in own:
            step, share = _step_error(speed, fit), _prefill_error(speed, fit)
            request = _request_error(speed, fit)
            for name in (speed.kind, speed.group, speed.backend):
                decode[name] += [] if step is None else [(device, step)]
                prefill[name] += [] if share is None else [(device, share)]
            together += [] if request is None else [(device, request)]
    return dict(decode), dict(prefill), together


def _step_error(speed: Speed, fit: DecodeFit) -> float | None:
    estimate = step_seconds(speed.work, speed.place, fit)
    return math.log(speed.step_s / estimate) if speed.step_s and estimate else None


def _prefill_error(speed: Speed, fit: DecodeFit) -> float | None:
    node = prefill_node_of(speed.place, fit)
    return math.log(node.share_of_peak / speed.prefill_share) if speed.prefill_share and node else None


def _request_error(speed: Speed, fit: DecodeFit) -> float | None:
    step = step_seconds(speed.work, speed.place, fit)
    first = prefill_seconds(speed.work, speed.row.prompt_tokens, speed.place, fit)
    if not speed.request_s or step is None or first is None:
        return None
    return math.log(speed.request_s / (first + speed.row.generated_tokens * step))


def _with_errors(node: Node, name: str, errors: dict[str, Errors]) -> Node:
    factor, left_out = interval(errors.get(name, []))
    if left_out.devices < SMALL:
        factor = max(factor, interval(errors[name.partition("/")[0]])[0])
    return node.model_copy(update={"interval_factor": factor, "left_out": left_out})


def _by(speeds: Iterable[Speed], key: Callable[[Speed], str]) -> dict[str, list[Speed]]:
    found: defaultdict[str, list[Speed]] = defaultdict(list)
    for speed in speeds:
        found[key(speed)].append(speed)
    return dict(found)
