"""Tokens a second of language models beside llmfit's, on published rows, each device left out of our fit.

llmfit (`pip install llmfit`) is run where it is on the PATH, with a profile of the device's bandwidth; rows are
those of one session on a GPU with llama.cpp or Ollama, of models that its catalogue has under their own names.
Cards that a slow board drives are left out of the fit and of the scores, theirs and ours.
"""

from __future__ import annotations

import itertools
import json
import math
import shutil
import statistics
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from edgewright.hardware_db.coefficients.decode import DecodeFit
from edgewright.tools.calibration.fit.decode_fit import fit_on, prefill_error, step_error
from edgewright.tools.calibration.fit.decode_rows import Speed, read_speeds
from edgewright.tools.cost_model.decode import engine_of

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
    "llama-3.3-70b": "meta-llama/Llama-3.3-70B-Instruct",
    "mistral-7b": "mistralai/Mistral-7B-Instruct-v0.3",
    "qwen2.5-32b": "Qwen/Qwen2.5-32B-Instruct",
    "qwen3-8b": "Qwen/Qwen3-8B",
    "qwen3-30b-a3b": "Qwen/Qwen3-30B-A3B",
    "gpt-oss-20b": "openai/gpt-oss-20b",
    "gpt-oss-120b": "openai/gpt-oss-120b",
    "gemma-2-2b": "google/gemma-2-2b-it",
    "gemma-3-4b": "google/gemma-3-4b-it",
}

Error = Callable[[Speed, DecodeFit], float | None]
PARTS: dict[str, Callable[[Speed], str]] = {
    "a device left out": lambda speed: speed.device,
    "a source left out": lambda speed: speed.source,
}


def report() -> None:
    """Print the median factor of both, by rows and by devices, with the device and the source left out."""
    usual = [speed for speed in read_speeds() if not speed.is_behind_slow_host]
    speeds = [speed for speed in usual if speed.step_s is not None]
    _print_ours("tokens a second of language models", speeds, step_error)
    _print_strangers(speeds)
    _print_ours("tokens a second of prompts", [s for s in usual if s.prefill_s is not None], prefill_error)
    if shutil.which(PEER) is None:
        print(f"{PEER} is not on the PATH: nothing to compare with")
        return
    theirs = {speed.row.id: rate for speed, rate in _peer(speeds)}
    for title, part in PARTS.items():
        ours = [pair for pair in _left_out(speeds, part, step_error) if pair[0].row.id in theirs]
        _print(f"the rows of both: ours, {title}", ours)
    _print(f"the rows of both: {PEER}", [(speed, _error(speed, theirs[speed.row.id])) for speed, _ in ours])


def _print_ours(heading: str, speeds: list[Speed], error: Error) -> None:
    print(f"\n{heading:44} {'rows':>5} {'by rows':>8} {'by devices':>11}")
    for title, part in PARTS.items():
        for kind in ("gpu", "cpu", "npu"):
            _print(f"{kind}, {title}", [p for p in _left_out(speeds, part, error) if p[0].kind == kind])


def _print_strangers(speeds: list[Speed]) -> None:
    """How far two sources are apart on one device, backend, model and format: no estimate can be nearer."""
    cases: defaultdict[tuple[str, ...], defaultdict[str, list[float]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for speed in speeds:
        row = speed.row
        case = (row.device, speed.backend, row.model, row.weights, str(row.prompt_tokens))
        cases[case][speed.source].append(math.log(row.decode_tokens_per_s or math.nan))
    apart = [
        abs(statistics.median(one) - statistics.median(other))
        for sources in cases.values()
        for one, other in itertools.combinations(sources.values(), 2)
    ]
    middle, most = statistics.median(apart), max(apart)
    print(f"two sources of one case: x{math.exp(middle):.2f} of {len(apart)}, at most x{math.exp(most):.2f}")


def _left_out(
    speeds: list[Speed], part: Callable[[Speed], str], error: Error
) -> Iterator[tuple[Speed, float]]:
    for name in sorted({part(speed) for speed in speeds}):
        fit = fit_on([speed for speed in speeds if part(speed) != name])
        for speed in speeds:
            off = error(speed, fit) if part(speed) == name else None
            if off is not None:
                yield speed, abs(off)


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
