"""Runs one model on this machine, in a process of its own: what brings it down ends this alone.

Run as a script in the folder of the request. This is the only module of the profiler that imports a runtime.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

_LEAST_RUNS = 3
_SEED = 0


def main() -> None:
    request = json.loads(Path("request.json").read_text(encoding="utf-8"))
    made = {"litert-xnnpack": _litert, "tflm-reference": _tflm, "onnxruntime": _onnxruntime}
    begin = time.perf_counter()
    invoke, profile = made[request["runtime"]](request["model"], request["threads"])
    answer = {"load_ms": (time.perf_counter() - begin) * 1e3, **_timed(invoke, request)}
    answer |= {"peak_memory_bytes": _peak_bytes(), "processors": _processors()}
    if profile is not None:
        profile(min(request["repeat"], len(answer["latency_ms"])) + 1)
    Path("answer.json").write_text(json.dumps(answer), encoding="utf-8")


def _timed(invoke: Callable[[], None], request: dict[str, Any]) -> dict[str, Any]:
    """Until there are as many runs as asked for, or the time is up."""
    until = time.monotonic() + request["seconds"]
    warm = [_run_ms(invoke)]
    while len(warm) < request["warm_up"] and time.monotonic() < until - request["seconds"] / 2:
        warm.append(_run_ms(invoke))
    times: list[float] = []
    while len(times) < request["repeat"] and (len(times) < _LEAST_RUNS or time.monotonic() < until):
        times.append(_run_ms(invoke))
    return {"first_ms": warm[0], "warm_up_runs": len(warm), "latency_ms": times}


def _run_ms(invoke: Callable[[], None]) -> float:
    begin = time.perf_counter()
    invoke()
    return (time.perf_counter() - begin) * 1e3


def _peak_bytes() -> int | None:
    """As Linux counts it; elsewhere it is not known."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), None)


def _processors() -> list[int]:
    allowed = getattr(os, "sched_getaffinity", None)
    return sorted(allowed(0)) if allowed else []


def _litert(path: str, threads: int) -> tuple[Callable[[], None], None]:
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_path=path, num_threads=threads)
    interpreter.allocate_tensors()
    for one in interpreter.get_input_details():
        interpreter.set_tensor(one["index"], _data(one["shape"], np.dtype(one["dtype"])))
    return interpreter.invoke, None


def _tflm(path: str, _threads: int) -> tuple[Callable[[], None], None]:
    from tflite_micro import runtime

    arena = max(64 << 20, 10 * Path(path).stat().st_size)
    interpreter = runtime.Interpreter.from_file(path, arena_size=arena)
    at = 0
    while True:
        try:
            details = interpreter.get_input_details(at)
        except (IndexError, ValueError, RuntimeError):
            break
        interpreter.set_input(_data(details["shape"], np.dtype(details["dtype"])), at)
        at += 1
    return interpreter.invoke, None


def _onnxruntime(path: str, threads: int) -> tuple[Callable[[], None], Callable[[int], None]]:
    import onnxruntime

    def session(*, profiled: bool) -> Any:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.log_severity_level = 4
        options.enable_profiling = profiled
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    plain = session(profiled=False)
    feed = {
        one.name: _data([side if isinstance(side, int) else 1 for side in one.shape], _dtype(one.type))
        for one in plain.get_inputs()
    }

    def profile(runs: int) -> None:
        """Apart from the timing, which it would slow down; the first run warms up."""
        observed = session(profiled=True)
        for _ in range(runs):
            observed.run(None, feed)
        shutil.move(observed.end_profiling(), "profile.json")

    return lambda: plain.run(None, feed), profile


def _dtype(name: str) -> np.dtype[Any]:
    inner = name.removeprefix("tensor(").removesuffix(")")
    return np.dtype({"float": "float32", "double": "float64"}.get(inner, inner))


def _data(shape: Any, dtype: np.dtype[Any]) -> Any:
    """Noise for what is measured; zeros for whole numbers of 32 bits and more, which are often positions."""
    sides = [max(1, int(side)) for side in shape]
    generator = np.random.default_rng(_SEED)
    if dtype.kind == "f":
        return generator.uniform(-1, 1, sides).astype(dtype)
    if dtype.kind in "iu" and dtype.itemsize < 4:
        limits = np.iinfo(dtype)
        return generator.integers(limits.min, limits.max + 1, sides).astype(dtype)
    return np.zeros(sides, dtype)


if __name__ == "__main__":
    main()
