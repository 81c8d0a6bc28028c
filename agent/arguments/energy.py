"""What is asked of energy, clocks and language models that run on and on."""

from ..spelling import Arguments, arg, bytes_from, clocks_from, hours_from, seconds_from, share_from
from . import (
    BATTERY,
    CAPACITY,
    LATENCY,
    POWER,
    TARGET,
    Count,
    DeploymentArguments,
    MemoryLimits,
    Name,
    Placed,
    Positive,
    Text,
)


class _Battery(Arguments):
    """The battery, and what lies between it and the chip."""

    battery: Text = arg(
        "a battery by its size or kind, with its capacity where it comes in every size", "--battery", BATTERY
    )
    battery_mah: Positive = arg("capacity of the battery, in mAh", "--battery-mah", CAPACITY)
    battery_v: Positive = arg(
        "nominal voltage of the battery, in volts", "--battery-v", "Its nominal voltage."
    )
    self_discharge_per_month: float | None = arg(
        "of the battery's charge in a month, 0 to 1, only as the user gave it",
        "--self-discharge", "Of the battery in a month, such as 2%.", kind=str, read=share_from,
    )  # fmt: skip
    regulator_efficiency: Positive = arg(
        "power that reaches the chip, of what the battery gives, 0 to 1",
        "--regulator-efficiency", "Power that reaches the chip, such as 90%.", kind=str, read=share_from,
    )  # fmt: skip
    sensor_ua: Positive = arg(
        "current that sensors draw while it is in use, in microamperes",
        "--sensor-ua", "Current that sensors draw while it is in use, in microamperes.",
    )  # fmt: skip
    sensor_mw: Positive = arg(
        "power that sensors draw while it is in use, in milliwatts",
        "--sensor-mw", "Power that sensors draw while it is in use, in milliwatts.",
    )  # fmt: skip
    sleep_ua: Positive = arg(
        "current asleep, in microamperes, only as the user gave it",
        "--sleep-ua", "Current asleep in microamperes.",
    )  # fmt: skip


class BudgetArguments(Placed, _Battery):
    rate_hz: Positive = arg(
        "inferences per second; leave out for nonstop",
        "--rate", "How often it runs, such as 10/s; else nonstop.",
    )  # fmt: skip
    period_s: Positive = arg(
        "seconds from one inference to the next, instead of rate_hz",
        "--every", "Or the time from one to the next, such as 10s.", kind=str, read=seconds_from,
    )  # fmt: skip
    battery_wh: Positive = arg(
        "energy of the battery, in Wh, instead of mAh", "--battery-wh", "Its energy, instead of mAh."
    )
    hours_per_day: Positive = arg(
        "hours of a day that it is in use, asleep the others", "--hours-per-day", "That it is in use."
    )
    life_days: Positive = arg(
        "life wanted of the battery, in days, for what it leaves to sensors and radio",
        "--life-days", "Wanted of the battery: what is left for sensors and radio.",
    )  # fmt: skip
    wakeup_us: Positive = arg(
        "time to wake up, in microseconds", "--wakeup-us", "Time to wake up in microseconds."
    )
    host: Text = arg(
        "board that an accelerator is plugged into, for what it draws idle",
        "--host", "Board that an accelerator is plugged into, which draws idle too.", completes="targets",
    )  # fmt: skip
    sensor: Text = arg(
        "a sensor by name or kind, for what it draws on: microphone, camera, accelerometer, motion",
        "--sensor", "By name or kind, for what it draws: microphone, camera, accelerometer, motion.",
    )  # fmt: skip
    sensor_on_s: Positive = arg(
        "seconds that the sensor is on for each inference; leave out for all the time",
        "--sensor-on", "That it is on for each inference, such as 1s; else all the time.",
        kind=str, read=seconds_from,
    )  # fmt: skip


class WorkloadArguments(Placed):
    """What is to be done, and what time and energy cost."""

    rate_hz: Positive = arg("events of each stream, per second", "--rate", "Of each stream, such as 10/s.")
    streams: Count = arg("cameras, lines or sensors at that rate", "--streams", "How many at that rate.")
    per_event: Count = arg(
        "inferences that each event or piece takes",
        "--per-event", "Inferences that each event or piece takes.",
    )  # fmt: skip
    items: Positive = arg(
        "pieces of a job, instead of rate_hz", "--items", "Pieces of a job, instead of a rate: 40e6."
    )
    within_h: Positive = arg(
        "time that there is for the job, in hours",
        "--within", "Time that there is for the job, such as 48h.", kind=str, read=hours_from,
    )  # fmt: skip
    hours_per_day: Positive = arg("that it runs at its rate", "--hours-per-day", "That it runs at its rate.")
    days: Positive = arg(
        "that energy and money at the rate are of",
        "--days", "That energy and money are of, such as 365.", kind=float,
    )  # fmt: skip
    devices: Count = arg("that share the work", "--devices", "That share the work; else as many as it takes.")
    sites: Count = arg(
        "places with such a rate and devices of their own", "--sites", "With that rate and devices each."
    )
    most_wait_ms: Positive = arg(
        "that a result may take from the arrival of its input, in milliseconds",
        "--max-wait", "That a result may take from the arrival of its input, such as 50ms.",
    )  # fmt: skip
    price_per_kwh: Positive = arg(
        "price of a kWh, in the user's currency", "--price-per-kwh", "Of electricity, in your currency."
    )
    price_per_hour: Positive = arg(
        "rent of one device for an hour, in the same currency",
        "--price-per-hour", "Rent of one device, in the same currency.",
    )  # fmt: skip
    rents: bool = arg(
        "whether to take a cloud's list price of an hour, in US dollars, where price_per_hour is not given",
        "--rents", "Count the list price of a cloud that has the target, in US dollars.", default=False,
    )  # fmt: skip
    device_price: Positive = arg(
        "of buying one device, in the same currency", "--device-price", "Of one, in the same currency."
    )
    overhead: Positive = arg(
        "what is drawn over what the devices take, as a factor", "--overhead", "Such as a PUE of 1.4."
    )
    buys: bool = arg(
        "whether to take the database's price of the target, in US dollars",
        "--buys", "Count the database's price of the target, in US dollars.", default=False,
    )  # fmt: skip
    host: Text = arg(
        "board that an accelerator is plugged into, for what it draws idle",
        "--host", "Board that an accelerator is plugged into, which draws idle too.", completes="targets",
    )  # fmt: skip


class LoadsArguments(Arguments):
    """What a user's own figures are added up with."""

    loads: list[Name] = arg(
        "what draws, as the user measured it, each NAME=TIME,POWER or CURRENT or ENERGY,RATE; sleep= and "
        "idle= draw between the runs",
        "loads", "Each NAME=TIME,POWER,RATE: run=85ms,38mA,1/min sleep=6uA radio=180uA gpu=1.2kW,60%.",
        default=...,
    )  # fmt: skip
    supply_v: Positive = arg(
        "voltage of the currents, in volts", "--volts", "Of the currents; else the battery's."
    )
    battery: Text = arg("a battery by its size or kind", "--battery", BATTERY)
    battery_mah: Positive = arg("capacity of the battery, in mAh", "--battery-mah", CAPACITY)
    battery_v: Positive = arg(
        "nominal voltage of the battery, in volts", "--battery-v", "Its nominal voltage."
    )
    battery_wh: Positive = arg(
        "energy of the battery, in Wh, instead of mAh", "--battery-wh", "Its energy, instead of mAh."
    )
    usable_share: float | None = arg(
        "of the battery's capacity, 0 to 1, only as the user gave it",
        "--usable", "Of its capacity, such as 80%; else 70 to 100%.", kind=str, read=share_from,
    )  # fmt: skip
    life_days: Positive = arg("life wanted of the battery, in days", "--life-days", "Wanted of the battery.")
    budget_mw: Positive = arg(
        "average power that is allowed or harvested, in milliwatts",
        "--budget", "Average power allowed or harvested, such as 3mW.",
    )  # fmt: skip
    budget_ua: Positive = arg(
        "average current that is allowed, in microamperes", "--budget-ua", "Average current allowed."
    )
    store_uj: Positive = arg(
        "energy stored, in microjoules, for the runs that it holds",
        "--store", "Energy stored, such as 5J, for the runs that it holds.",
    )  # fmt: skip
    headroom: float | None = arg(
        "share of the time to be kept free, 0 to 1",
        "--headroom", "Share of the time to be kept free, such as 20%.", kind=str, read=share_from,
    )  # fmt: skip
    devices: Count = arg("how many alike, for energy and cost", "--devices", "How many alike, for the cost.")
    hours_per_day: Positive = arg("hours of a day that they are on", "--hours-per-day", "That they are on.")
    days_per_month: Positive = arg(
        "days of a month that they are on", "--days-per-month", "That they are on."
    )
    price_per_kwh: Positive = arg(
        "price of a kWh, in the user's currency", "--price-per-kwh", "Of electricity, in your currency."
    )
    overhead: Positive = arg(
        "what is drawn over what the devices take, as a factor", "--overhead", "Such as a PUE of 1.4."
    )


class ComparedArguments(Arguments):
    """A figure of the user's own, and what it is held against."""

    measured: Positive = arg("what the user measured")
    against: Positive = arg("the estimate, claim or earlier measurement that it is held against")
    unit: Text = arg("of all of them, such as ms")
    low: Positive = arg("lower end of the interval that is stated")
    high: Positive = arg("upper end of the interval that is stated")


class PipelineArguments(DeploymentArguments, _Battery, MemoryLimits):
    plan: list[Name] = arg(
        "networks with rates, each as MODEL@RATE such as kws@10/s; or one YAML file that the user named",
        "plan", "A YAML file (docs/pipelines.md), or networks with rates: kws@10/s vww@1/s.", default=...,
    )  # fmt: skip
    target: Text = arg(
        "chip or board, by id or nickname; leave out for the target of the context",
        "--target -t", TARGET, required=True, completes="targets",
    )  # fmt: skip
    latency_ms: Positive = arg(
        "longest time from the start of a chain to its end, in milliseconds",
        "--max-latency", "From the start of a chain to its end, such as 50ms.",
    )  # fmt: skip
    power_mw: Positive = arg(
        "most power on average, in milliwatts", "--max-power", "On average, such as 5mW."
    )


class FrequencyArguments(Placed):
    latency_ms: Positive = arg("longest time of one inference, in milliseconds", "--max-latency", LATENCY)
    power_mw: Positive = arg("most power while computing, in milliwatts", "--max-power", POWER)
    rate_hz: Positive = arg("inferences per second", "--rate", "How often it runs, asleep in between: 1/s.")
    clocks_mhz: list[float] | None = arg(
        None, "--clocks", "Such as 48MHz,96MHz; else eight steps.", kind=str, read=clocks_from
    )


class _Generating(Arguments):
    runtime: Text = arg(None, "--runtime -r", "Such as llama.cpp, vllm or mlx; else the usual one.")
    weights: Text = arg(
        "format, as the user named it",
        "--weights", "Such as Q4_K_M, int8 or F16; else the usual four bits.",
    )  # fmt: skip
    kv: Text = arg(None, "--kv", "Format of the KV cache: f16, fp8, q8_0 or q4_0.")
    context: Count = arg("tokens", "--context", "Tokens that each session has room for.", shown=4096)
    batch: Count = arg("sessions at once", "--batch", "Sessions at once.", shown=1)
    cards: Count = arg("of the target, that share the layers", "--cards", "That share the layers.", shown=1)
    reserve_bytes: Count = arg("bytes of the memory that have to stay free for other programs")


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
        "computer that a graphics card is in, or its memory such as ddr4-3200, for layers beside the card",
        "--host", "Computer that a card is in, or its memory (ddr4-3200, ddr5), for layers beside the card.",
        completes="targets",
    )  # fmt: skip
    host_memory_bytes: Count = arg(
        "bytes of memory of that computer",
        "--host-ram", "How much of it there is, such as 64GiB.", kind=str, read=bytes_from,
    )  # fmt: skip
    draft: Text = arg(
        "a small model that writes ahead (speculative decoding)",
        "--draft", "A small model that writes ahead for it (speculative decoding).",
    )  # fmt: skip
    accepted: float | None = arg(
        "share of the draft's tokens that stands", "--accepted", "Share of its tokens that stands: 0 to 1."
    )
    crowds: bool = arg(
        "whether to tell of more and more sessions at once, and up to how many pay",
        "--crowds", "Also 1, 2, 4 … sessions at once, and up to how many more of them pay.",
        default=False,
    )  # fmt: skip
    memory_bytes: Count = arg(
        "bytes of memory, where the user gave another than the target has",
        "--memory", "That there is, such as 24GiB; else the database's.", kind=str, read=bytes_from,
    )  # fmt: skip
    bandwidth_gb_s: Positive = arg(
        None, "--bandwidth", "Of the memory in GB/s; else the database's.", kind=float
    )
    session_tokens_per_s: Positive = arg("that each session has to write, to tell how many can")


class FinetuningArguments(Arguments):
    model: Text = arg("a language model by its name", "model", "A language model, such as llama-3.1-8b.")
    target: Text = arg("a card", "--target -t", "Id, nickname or part number.", completes="targets")
    method: Text = arg("full, lora or qlora", "--method", "full, lora or qlora.", shown="lora")
    examples: Count = arg("that are trained on", "--examples", "That are trained on.", shown=1000)
    tokens_each: Count = arg("tokens of an example", "--tokens", "Tokens of an example.", shown=512)
    epochs: Positive = arg(
        "times that each is seen", "--epochs", "Times that each is seen.", kind=float, shown=3
    )
    rank: Count = arg("of the adapters", "--rank", "Of the adapters.", shown=16)
    batch: Count = arg("examples in memory at once", "--batch", "Examples in memory at once.", shown=1)
    memory_bytes: Count = arg(
        "bytes of memory, where the user gave another than the target has",
        "--memory", "That there is, such as 24GiB; else the database's.", kind=str, read=bytes_from,
    )  # fmt: skip


class RankGenerationArguments(_Generating):
    model: Text = arg("a language model, to rank targets for it")
    target: Text = arg("a target, to rank language models on it")
    min_tokens_per_s: Positive = arg("that each session has to write")
    max_price_usd: Positive = arg("that a target may cost, in US dollars")
    prompt_tokens: Count = arg("tokens of the prompt")
    max_first_token_ms: Positive = arg("that may pass until the first token, in milliseconds")
    target_class: Text = arg("only gpu, gpu-soc, cpu, mpu or npu")
    max_cards: Count = arg("of a card that alone does not hold it, the most to take together")
    order: Text = arg("of models: size, smallest, rate, context or work")
    use: Text = arg("of models: chat or code")
    families: list[str] | None = arg("of models: what their ids begin with")
    least_parameters: Positive = arg("that a model may have")
    most_parameters: Positive = arg("that a model may have")
    memory_bytes: Count = arg("bytes of memory of the target, where the user gave another than it has")
    host: Text = arg("the computer that a card is in, or its memory (ddr5), for layers beside the card")
    host_memory_bytes: Count = arg("bytes of memory of that computer")
    top: Count = arg("how many rows to list, the first first")
