"""What is asked of energy, clocks and language models that run on and on."""

from __future__ import annotations

from ..spelling import Arguments, arg, bytes_from, clocks_from, seconds_from
from . import BATTERY, CAPACITY, LATENCY, POWER, Count, Placed, Positive, Text


class BudgetArguments(Placed):
    rate_hz: Positive = arg(
        "inferences per second; leave out for nonstop",
        "--rate", "How often it runs, such as 10/s; else nonstop.",
    )  # fmt: skip
    period_s: Positive = arg(
        "seconds from one inference to the next, instead of rate_hz",
        "--every", "Or the time from one to the next, such as 10s.", kind=str, read=seconds_from,
    )  # fmt: skip
    battery: Text = arg(
        "a battery by its size or kind, with its capacity where it comes in every size", "--battery", BATTERY
    )
    battery_mah: Positive = arg("capacity of the battery, in mAh", "--battery-mah", CAPACITY)
    battery_v: Positive = arg(
        "nominal voltage of the battery, in volts", "--battery-v", "Its nominal voltage."
    )
    sleep_ua: Positive = arg(
        "current asleep, in microamperes, only as the user gave it",
        "--sleep-ua", "Current asleep in microamperes.",
    )  # fmt: skip
    wakeup_us: Positive = arg(
        "time to wake up, in microseconds", "--wakeup-us", "Time to wake up in microseconds."
    )


class FrequencyArguments(Placed):
    latency_ms: Positive = arg("longest time of one inference, in milliseconds", "--max-latency", LATENCY)
    power_mw: Positive = arg("most power while computing, in milliwatts", "--max-power", POWER)
    clocks_mhz: list[float] | None = arg(
        None, "--clocks", "Such as 48MHz,96MHz; else eight steps.", kind=str, read=clocks_from
    )


class _Generating(Arguments):
    runtime: Text = arg(None, "--runtime -r", "Such as llama.cpp, vllm or mlx; else the usual one.")
    weights: Text = arg(
        "format, as the user named it",
        "--weights", "Such as Q4_K_M, int8 or F16; else the widest up to 8 bits that fits.",
    )  # fmt: skip
    kv: Text = arg(None, "--kv", "Format of the KV cache: f16, fp8, q8_0 or q4_0.")
    context: Count = arg("tokens", "--context", "Tokens that each session has room for.", shown=4096)
    batch: Count = arg("sessions at once", "--batch", "Sessions at once.", shown=1)


class GenerationArguments(_Generating):
    model: Text = arg(
        "a language model by its name, or a GGUF file",
        "model", "A language model, such as llama-3-8b, or a GGUF file; else those that run well are ranked.",
    )  # fmt: skip
    target: Text = arg(
        "chip, board or card", "--target -t", "Id, nickname or part number; else targets are ranked.",
        completes="targets",
    )  # fmt: skip
    prompt_tokens: Count = arg(None, "--prompt", "Tokens of the prompt.", shown=512)
    gpu_layers: int | None = arg(
        "layers that the GPU computes, if the user split them",
        "--gpu-layers", "Layers that the GPU computes; the cores compute the others.",
    )  # fmt: skip
    host: Text = arg(
        "computer that a graphics card is in, for layers beside the card",
        "--host", "Computer that a card is in, which computes the layers beside it.", completes="targets",
    )  # fmt: skip
    memory_bytes: Count = arg(
        "bytes of memory, where the user gave another than the target has",
        "--memory", "That there is, such as 24GiB; else the database's.", kind=str, read=bytes_from,
    )  # fmt: skip
    bandwidth_gb_s: Positive = arg(
        None, "--bandwidth", "Of the memory in GB/s; else the database's.", kind=float
    )


class RankGenerationArguments(_Generating):
    model: Text = arg("a language model, to rank targets for it")
    target: Text = arg("a target, to rank language models on it")
    min_tokens_per_s: Positive = arg("that each session has to write")
    max_price_usd: Positive = arg("that a target may cost, in US dollars")
    target_class: Text = arg("only gpu, gpu-soc, cpu, mpu or npu")
