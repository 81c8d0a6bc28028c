"""Which engine, on which processor, in which format of weights, where a question leaves them open."""

from __future__ import annotations

from dataclasses import dataclass

from ...hardware_db import Target
from ...hardware_db.coefficients.decode import load_decode_fit
from ...hardware_db.errors import UsageError
from ..cost_model.decode import engine_of
from ..cost_model.decode_place import usual_kind
from ..model_zoo.language_model import Format, weight_format

_USUAL_WEIGHTS = {"rkllm": "w8a8", "vllm": "W4A16", "mlc": "q4f16_ft", "tensorrt-llm": "FP8"}
"""By engine; of others the 4 bits of llama.cpp."""
_ENGINE_OF_WEIGHTS = {"w8a8": "rkllm", "w4a16": "rkllm", "w4a16_g128": "rkllm", "W4A16": "vllm",
                      "FP8": "tensorrt-llm", "q4f16_ft": "mlc"}  # fmt: skip
"""Formats that one engine alone reads here; others are files of llama.cpp."""


@dataclass(frozen=True)
class Engine:
    kind: str
    """gpu, cpu or npu."""
    runtime: str
    weights: Format
    assumptions: tuple[str, ...]


def engine_for(target: Target, runtime: str | None, weights: str | None) -> Engine:
    """As asked; else what the format asks for, else what is usual on the target.

    Raises:
        UsageError: an engine that nothing was measured with, or that does not run on the target.
        UnknownNameError: no such format.
    """
    assumptions: list[str] = []
    chosen = None if weights is None else weight_format(weights)
    if runtime is None:
        usual = "rkllm" if usual_kind(target) == "npu" else "llama.cpp"
        runtime = usual if chosen is None else _ENGINE_OF_WEIGHTS.get(chosen.id, "llama.cpp")
        assumptions.append(f"no runtime named: took {runtime}")
    _check(target, runtime)
    if chosen is None:
        chosen = weight_format(_USUAL_WEIGHTS.get(engine_of(runtime), "Q4_K_M"))
        assumptions.append(f"no format of the weights named: took {chosen.id}")
    return Engine(_kind(target, runtime), runtime, chosen, tuple(assumptions))


def engine_names() -> tuple[str, ...]:
    """Engines that speeds were published for, and those that are one of them inside."""
    measured = {name.partition("/")[2] for name in load_decode_fit().decode if "/" in name}
    return tuple(sorted(measured | {"ollama"}))


def _check(target: Target, runtime: str) -> None:
    known = engine_names()
    if runtime not in known:
        raise UsageError(
            f"No speed of language models was published for runtime {runtime!r}.",
            hint=f"Known: {', '.join(known)}.",
        )
    has_npu = any(accelerator.family == "rknpu" for accelerator in target.accelerators)
    if runtime == "rkllm" and not has_npu:
        raise UsageError(
            f"Runtime 'rkllm' does not run on {target.id!r}: it drives Rockchip's NPUs.",
            hint="Leave the runtime out, or take llama.cpp.",
        )


def _kind(target: Target, runtime: str) -> str:
    if runtime == "rkllm":
        return "npu"
    usual = usual_kind(target)
    return "cpu" if usual == "npu" else usual
