"""What each view can be asked with. Every word here is sent with every request, so there are few."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from .given import ANY_CASE, ANY_CASES, Count, Counts, Demands, Given, Measure, Measures, Name, Names

Detail = Annotated[Literal["concise", "full"], ANY_CASE]
Goal = Annotated[Literal["latency", "energy", "ram", "flash"], ANY_CASE]
Show = Literal["fit", "time", "memory", "bottleneck", "operators", "layers", "timeline", "cache"]
_ARCHITECTURE = "file, or NAME[:WIDTH][:INPUT][:TYPE]"
_MODEL = Field(None, description=_ARCHITECTURE)
_TARGET = Field(None, description="chip or board")
_LIMITS = Field(
    Demands(),
    description="each with its unit (ms, /s, KB, mJ, mW, USD); reserve: RAM of other code",
)


def _also(*names: str) -> ConfigDict:
    """Asked for in the schema, though the conversation may have a default of it."""
    return ConfigDict(json_schema_extra={"required": list(names)})


class Concise(Given):
    detail: Detail = Field("concise", description="full: every row")


class LookUp(Concise):
    kind: Annotated[Literal["targets", "runtimes", "models", "batteries"], ANY_CASE] = Field(
        ..., description="models: architectures and the model files here"
    )
    names: Names = Field(
        (), description="none: the list; one: its page; several targets: also how they differ"
    )
    where: Name = Field(
        None,
        description="of targets: class=mcu core=… runtime=… ram>=…KB flash>=…KB power<=…mW price<=…",
    )


class InspectModel(Concise):
    models: Names = Field((), description="one; of two versions also what changed")
    target: Name = Field(None, description="of two versions")


class Evaluate(Concise):
    models: Names = Field((), description=_ARCHITECTURE)
    targets: Names = Field((), description="chips or boards")
    runtimes: Names = Field((), description="kernel libraries; else the usual one")
    dtypes: Names = Field((), description="of architectures: int8, float16, float32")
    clocks: Measures = Field((), description="MHz; else the maximum")
    batches: Counts = ()
    threads: Counts = ()
    limits: Demands = _LIMITS
    show: Annotated[tuple[Show, ...], ANY_CASES] = Field((), description="else fit, time, energy")


class Improve(Concise):
    model: Name = _MODEL
    target: Name = _TARGET
    runtime: Name = None
    clock: Measure = None
    batch: Count = None
    threads: Count = None
    limits: Demands = _LIMITS
    change: Name = Field(
        None,
        description="this one only: a type, prune-PERCENT, width-PERCENT, input-HEIGHTxWIDTH, "
        "clock-FREQUENCY or runtime-NAME",
    )
    goal: Goal = "latency"


class RecommendHardware(Concise):
    model: Name = _MODEL
    limits: Demands = _LIMITS
    targets: Names = Field((), description="only these")
    where: Name = Field(None, description="class= runtime= without=")
    use: Annotated[
        Literal["keyword-spotting", "battery-camera", "drone", "wearable", "gateway"] | None, ANY_CASE
    ] = Field(None, description="limits to start from")
    goal: Annotated[Literal["balance", "latency", "energy", "power", "ram", "price", "class"], ANY_CASE] = (
        Field("balance", description="class: what suits what, no model")
    )


class RecommendModel(Given):
    model_config = _also("task", "target")

    task: Annotated[
        Literal[
            "keyword-spotting", "image-classification", "person-detection", "object-detection",
            "segmentation", "asr", "anomaly", "text-generation",
        ],
        ANY_CASE,
    ]  # fmt: skip
    target: Name = _TARGET
    runtime: Name = None
    limits: Demands = _LIMITS


class FindLimit(Given):
    variable: Annotated[
        Literal["input", "width", "depth", "clock", "ram", "batch", "rate", "battery-life"], ANY_CASE
    ] = Field(..., description="the least of clock and ram, the most of the others")
    model: Name = _MODEL
    target: Name = _TARGET
    runtime: Name = None
    clock: Measure = None
    batch: Count = None
    threads: Count = None
    limits: Demands = _LIMITS
    battery: Name = None
    sleep_current: Measure = None


class Battery(Given):
    model: Name = Field(None, description="or measured: NAME=TIME,POWER,RATE")
    targets: Names = ()
    runtime: Name = None
    clock: Measure = None
    every: Measure = Field(None, description="time or rate (/s); else nonstop")
    battery: Name = Field(None, description="size, kind with mAh, or mAh and V; in series: COUNTx")
    sleep_current: Measure = Field(None, description="as the user gave it (uA)")
    sensor_current: Measure = Field(None, description="or KIND, KIND@TIME on")
    regulator_efficiency: float | None = None
    self_discharge_per_month: float | None = None


class Pipeline(Given):
    model_config = _also("networks", "target")

    networks: Names = Field(description="MODEL@RATE each")
    target: Name = None
    battery: Name = None
    work: Names = Field(
        (),
        description="of each, NAME=VALUE: streams, items, within_h, devices, sites, days, price_per_hour, "
        "price_per_kwh, device_price",
    )


class EvidenceFor(Concise):
    model: Name = Field(None, description="with a target: what its estimate stands on")
    target: Name = None
    runtime: Name = None
    device_class: Annotated[Literal["mcu", "cpu", "gpu", "npu"] | None, ANY_CASE] = Field(
        None, description="without a target: errors of estimates of this class"
    )


class Firmware(Given):
    model: Name = _MODEL
    target: Name = _TARGET
    runtime: Name = None
    project: Name = None


class Imported(Concise):
    path: Name = Field(None, description="as the user named it")
    counters: Names = Field((), description="else NAME=VALUE: ipc, cache_miss_rate, …")
    beside: Names = Field((), description="other files")
    model: Name = None
    target: Name = None
    runtime: Name = None
    clock: Measure = None
    unit: Name = Field(None, description="what it counts in, if said: cycles, ms, a clock")


class Calibrate(Given):
    path: Name = Field(None, description="CSV as the user named it; else model, target, latency_ms")
    model: Name = Field(None, description="that was measured")
    target: Name = Field(None, description="where")
    runtime: Name = None
    clock: Measure = None
    batch: Count = None
    threads: Count = None
    latency_ms: Measure = Field(None, description="with its unit")


class Generation(Concise):
    models: Names = Field((), description="by name, or a GGUF file; none: rank them on the target")
    targets: Names = Field((), description="none: rank targets for the model, the cheapest first")
    runtime: Name = Field(None, description="llama.cpp, vllm, tensorrt-llm, mlc, mlx, litert-lm, rkllm")
    weights: Name = Field(None, description="Q4_K_M, int4, fp16 …; else the usual four bits")
    kv: Name = Field(None, description="KV cache: f16, fp8, q8_0, q4_0")
    context: Count = Field(None, description="tokens")
    prompt: Count = Field(None, description="tokens")
    batch: Count = Field(None, description="sessions at once")
    gpu_layers: int | None = Field(None, description="rest on the host")
    host: Name = None
    min_rate: Measure = Field(None, description="tokens/s a session, of a ranking")
    price: Measure = Field(None, description="USD, of a ranking")
    device_class: Name = Field(None, description="gpu, gpu-soc, cpu, mpu, npu")
