"""Runs one model on this machine, in a process of its own: what brings it down ends this alone.

Run as a module in the folder of the request. This is the only module of the profiler that imports a runtime.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from .sensors import Watch, energy_between, package_energy

_LEAST_RUNS = 3
_SEED = 0
_CEILING_S = 0.5
_LOOK_S = 0.25
"""Between two looks at the temperature, so that they take no part of the runs."""


def main() -> None:
    request = json.loads(Path("request.json").read_text(encoding="utf-8"))
    if request["step"] == "golden":
        _golden(request["model"])
        return
    if request["step"] == "ceilings":
        Path("answer.json").write_text(json.dumps(_ceilings(request)), encoding="utf-8")
        return
    begin = time.perf_counter()
    runner = _RUNNERS[request["runtime"]](request["model"], request["threads"], request.get("variant", ""))
    answer: dict[str, Any] = {"load_ms": (time.perf_counter() - begin) * 1e3}
    answer |= _timed(runner.invoke, request)
    answer |= {"peak_memory_bytes": _peak_bytes(), "processors": _processors()}
    if request["profiled"]:
        runner.profile(min(request["repeat"], len(answer["latency_ms"])) + 1)
    Path("answer.json").write_text(json.dumps(answer), encoding="utf-8")


def _timed(invoke: Callable[[], None], request: dict[str, Any]) -> dict[str, Any]:
    """Until there are as many runs as asked for, or the time is up."""
    until = time.monotonic() + request["seconds"]
    warm = [_run_ms(invoke)]
    while len(warm) < request["warm_up"] and time.monotonic() < until - request["seconds"] / 2:
        warm.append(_run_ms(invoke))
    times: list[float] = []
    watch = Watch(next(iter(_processors()), 0))
    before, begin = package_energy(), time.perf_counter()
    looked = begin
    while len(times) < request["repeat"] and (len(times) < _LEAST_RUNS or time.monotonic() < until):
        times.append(_run_ms(invoke))
        if time.perf_counter() - looked > _LOOK_S:
            watch.look()
            looked = time.perf_counter()
    energy = energy_between(before, package_energy(), time.perf_counter() - begin, len(times))
    return {
        "first_ms": warm[0], "warm_up_runs": len(warm), "latency_ms": times, "energy": energy,
        "thermal": watch.over(),
    }  # fmt: skip


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


class _Litert:
    package = "ai-edge-litert"

    def __init__(self, path: str, threads: int, variant: str) -> None:
        """`variant`: a name of OpResolverType; empty is the usual one, with XNNPACK."""
        from ai_edge_litert.interpreter import Interpreter, OpResolverType

        resolver = OpResolverType[variant or "AUTO"]
        self._interpreter = Interpreter(
            model_path=path, num_threads=threads, experimental_op_resolver_type=resolver
        )
        self._interpreter.allocate_tensors()
        self.invoke: Callable[[], None] = self._interpreter.invoke
        details = self._interpreter.get_input_details()
        self._set([_data(one["shape"], np.dtype(one["dtype"])) for one in details])

    def _set(self, inputs: list[Any]) -> None:
        for detail, array in zip(self._interpreter.get_input_details(), inputs, strict=True):
            self._interpreter.set_tensor(detail["index"], array)

    def outputs(self, inputs: list[Any]) -> list[Any]:
        self._interpreter.reset_all_variables()
        self._set(inputs)
        self.invoke()
        return [self._interpreter.get_tensor(one["index"]) for one in self._interpreter.get_output_details()]

    def profile(self, _runs: int) -> None:
        """Python's interface gives no times of operators."""


class _Tflm:
    package = "tflite-micro"

    def __init__(self, path: str, _threads: int, _variant: str) -> None:
        from tflite_micro import runtime

        arena = max(64 << 20, 10 * Path(path).stat().st_size)
        self._interpreter = runtime.Interpreter.from_file(path, arena_size=arena)
        self.invoke: Callable[[], None] = self._interpreter.invoke
        for at, one in enumerate(_all(self._interpreter.get_input_details)):
            self._interpreter.set_input(_data(one["shape"], np.dtype(one["dtype"])), at)

    def outputs(self, inputs: list[Any]) -> list[Any]:
        self._interpreter.reset()
        for at, array in enumerate(inputs):
            self._interpreter.set_input(array, at)
        self.invoke()
        return [np.array(one) for one in _all(self._interpreter.get_output)]

    def profile(self, _runs: int) -> None:
        """Python's interface gives no times of operators."""


def _all(get: Callable[[int], Any]) -> Iterator[Any]:
    """Of an interpreter that does not tell how many it has."""
    at = 0
    while True:
        try:
            found = get(at)
        except (IndexError, ValueError, RuntimeError):
            return
        yield found
        at += 1


class _OnnxRuntime:
    def __init__(self, path: str, threads: int, variant: str) -> None:
        """`variant`: a name of GraphOptimizationLevel; empty is the usual one, all of them."""
        import onnxruntime

        def session(*, profiled: bool) -> Any:
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
            options.log_severity_level = 4
            options.enable_profiling = profiled
            if variant:
                options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, variant)
            return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

        self._session = session
        plain = session(profiled=False)
        self._feed = {
            one.name: _data([side if isinstance(side, int) else 1 for side in one.shape], _dtype(one.type))
            for one in plain.get_inputs()
        }
        self.invoke = lambda: plain.run(None, self._feed)

    def profile(self, runs: int) -> None:
        """Apart from the timing, which it would slow down; the first run warms up."""
        observed = self._session(profiled=True)
        for _ in range(runs):
            observed.run(None, self._feed)
        shutil.move(observed.end_profiling(), "profile.json")


_RUNNERS: dict[str, Any] = {
    "litert-xnnpack": _Litert,
    "tflm-reference": _Tflm,
    "onnxruntime": _OnnxRuntime,
}


def _golden(path: str) -> None:
    """Outputs of reference kernels: by the library of boards where it is installed, else by LiteRT's."""
    with np.load("inputs.npz", allow_pickle=False) as loaded:
        inputs = [loaded[f"arr_{at}"] for at in range(len(loaded.files))]
    runner: _Litert | _Tflm
    try:
        runner = _Tflm(path, 1, "")
    except (ImportError, RuntimeError):
        runner = _Litert(path, 1, "BUILTIN_REF")
    outputs = [runner.outputs([array[at] for array in inputs]) for at in range(len(inputs[0]))]
    np.savez("outputs.npz", *(np.stack(each) for each in zip(*outputs, strict=True)))
    made_by = f"{runner.package} {importlib.metadata.version(runner.package)}"
    Path("answer.json").write_text(json.dumps({"made_by": made_by}), encoding="utf-8")


def _ceilings(request: dict[str, Any]) -> dict[str, Any]:
    """Each peak at its fastest repetition: what disturbs it makes it only slower."""
    peaks: list[dict[str, Any]] = []
    operations = 2e-9 * request["rows"] * request["side"] ** 2
    try:
        for dtype in ("float32", "int8"):
            product = _Litert(f"{dtype}.tflite", request["threads"], "")
            gops = operations / _fastest_s(product.invoke)
            peaks.append({"dtype": dtype, "gops": gops, "by": f"{product.package} with XNNPACK"})
    except ImportError:
        left = np.ones((request["rows"], request["side"]), np.float32)
        right = np.ones((request["side"], request["side"]), np.float32)
        gops = operations / _fastest_s(lambda: left @ right)
        peaks.append({"dtype": "float32", "gops": gops, "by": "numpy"})
    pairs = [
        (np.ones(request["bytes"], np.uint8), np.zeros(request["bytes"], np.uint8))
        for _ in range(request["threads"])
    ]
    with ThreadPoolExecutor(request["threads"]) as pool:
        seconds = _fastest_s(lambda: list(pool.map(lambda pair: np.copyto(pair[1], pair[0]), pairs)))
    return {"bandwidth_gb_s": 2e-9 * len(pairs) * request["bytes"] / seconds, "peaks": peaks}


def _fastest_s(work: Callable[[], Any]) -> float:
    work()
    until = time.monotonic() + _CEILING_S
    taken: list[float] = []
    while len(taken) < _LEAST_RUNS or time.monotonic() < until:
        taken.append(_run_ms(work) / 1e3)
    return min(taken)


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
