"""Tokens a second of language models beside llmfit's, on published rows, each device left out of our fit.

llmfit (`pip install llmfit`) is run where it is on the PATH, with a profile of the device's bandwidth; rows are
those of one session on a GPU with llama.cpp or Ollama, of models that its catalogue has under their own names.
"""

from __future__ import annotations

import json
import math
import shutil
import statistics
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from edgewright.tools.calibration.fit.decode_fit import fit_on
from edgewright.tools.calibration.fit.decode_rows import Speed, read_speeds
from edgewright.tools.cost_model.decode import engine_of, step_seconds

PEER = "llmfit"
NAMES = {
    "llama-2-7b": "meta-llama/Llama-2-7b-hf",
    "llama-2-13b": "meta-llama/Llama-2-13b-chat-hf",
    "llama-3-8b": "meta-llama/Meta-Llama-3-8B-Instruct",
    "llama-3-70b": "meta-llama/Meta-Llama-3-70B-Instruct",
    "llama-3.1-8b": "meta-llama/Llama-3.1-8B-Instruct",
    "llama-3.1-70b": "meta-llama/Llama-3.1-70B-Instruct",
    "llama-3.2-1b": "meta-llama/Llama-3.2-1B-Instruct",
    "llama-3.2-3b": "meta-llama/Llama-3.2-3B-Instruct",
    "qwen2.5-1.5b": "Qwen/Qwen2.5-1.5B-Instruct",
    "qwen2.5-7b": "Qwen/Qwen2.5-7B-Instruct",
    "qwen2.5-14b": "Qwen/Qwen2.5-14B-Instruct",
    "tinyllama-1.1b": "TinyLlama/TinyLlama-1.1B-Chat-v1.0",
}


def report() -> None:
    """Print the median factor of both, by rows and by devices, with the device and the source left out."""
    speeds = [s for s in read_speeds() if s.step_s is not None]
    print(f"\n{'tokens a second of language models':44} {'rows':>5} {'by rows':>8} {'by devices':>11}")
    for title, part in (("a device left out", _device), ("a source left out", _source)):
        for kind in ("gpu", "cpu", "npu"):
            _print(f"{kind}, {title}", [pair for pair in _left_out(speeds, part) if pair[0].kind == kind])
    if shutil.which(PEER) is None:
        print(f"{PEER} is not on the PATH: nothing to compare with")
        return
    theirs = {speed.row.id: rate for speed, rate in _peer(speeds)}
    ours = [pair for pair in _left_out(speeds, _device) if pair[0].row.id in theirs]
    _print("the rows of both: ours, a device left out", ours)
    _print(f"the rows of both: {PEER}", [(speed, _error(speed, theirs[speed.row.id])) for speed, _ in ours])


def _device(speed: Speed) -> str:
    return speed.device


def _source(speed: Speed) -> str:
    return speed.row.repository


def _left_out(speeds: list[Speed], part: Callable[[Speed], str]) -> Iterator[tuple[Speed, float]]:
    for name in sorted({part(speed) for speed in speeds}):
        fit = fit_on([speed for speed in speeds if part(speed) != name])
        for speed in speeds:
            seconds = step_seconds(speed.work, speed.place, fit) if part(speed) == name else None
            if seconds:
                yield speed, _error(speed, 1 / seconds)


def _error(speed: Speed, rate: float) -> float:
    return abs(math.log(rate * (speed.step_s or math.nan)))


def _peer(speeds: list[Speed]) -> Iterator[tuple[Speed, float]]:
    with tempfile.TemporaryDirectory() as folder:
        for speed in speeds:
            is_its = speed.kind == "gpu" and engine_of(speed.row.runtime) == "llama.cpp"
            if is_its and speed.row.model in NAMES:
                rate = _asked(speed, Path(folder) / "profile.json")
                if rate:
                    yield speed, rate


def _asked(speed: Speed, profile: Path) -> float | None:
    """What its plan says of the GPU."""
    hardware = {
        "gpu_memory_bandwidth_gbps": (speed.place.bytes_per_s or 0) / 1e9, "total_ram_gb": 256.0,
        "unified_memory": speed.row.backend == "metal",
    }  # fmt: skip
    profile.write_text(
        json.dumps(
            {
                "schema_version": 1,
                "name": profile.stem,
                "hardware": hardware,
                "match": {"gpu_name_contains": "device"},
            }
        )
    )
    asked = ["plan", NAMES[speed.row.model], "--context", "2048", "--quant", speed.row.weights, "--json"]
    done = subprocess.run(
        [PEER, "--profile", str(profile), *asked], capture_output=True, text=True, check=False
    )
    begin = done.stdout.find("{")
    paths = json.loads(done.stdout[begin:])["run_paths"] if begin >= 0 else []
    return next((path["estimated_tps"] for path in paths if path["path"] == "gpu"), None)


def _print(title: str, errors: list[tuple[Speed, float]]) -> None:
    if not errors:
        return
    of_device = defaultdict(list)
    for speed, error in errors:
        of_device[speed.device].append(error)
    rows = math.exp(statistics.median(error for _, error in errors))
    devices = math.exp(statistics.median(statistics.median(own) for own in of_device.values()))
    print(f"{title:44} {len(errors):5} {f'x{rows:.2f}':>8} {f'x{devices:.2f}':>11}")


if __name__ == "__main__":
    report()
