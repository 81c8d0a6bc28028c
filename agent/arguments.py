"""What each tool can be asked with: flat, in fixed units, optional where the conversation has a default."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


def _blank_is_none(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


_BLANK = BeforeValidator(_blank_is_none)
_Text = Annotated[Annotated[str, Field(max_length=4096)] | None, _BLANK]
_Positive = Annotated[Annotated[float, Field(gt=0, allow_inf_nan=False)] | None, _BLANK]
_Count = Annotated[Annotated[int, Field(gt=0)] | None, _BLANK]


class Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class ModelArguments(Arguments):
    model: _Text = Field(
        default=None,
        description="path of a model file, or the name of a known architecture; "
        "leave out for the model of the context",
    )
    dtype: _Text = Field(
        default=None, description="type to build a named architecture in: int8, float16 or float32"
    )
    width: _Positive = Field(
        default=None, description="width multiplier of a named architecture, as a factor"
    )
    input_size: _Count = Field(
        default=None, description="side of the square input of a named architecture, in pixels"
    )


class TopArguments(Arguments):
    top: _Count = Field(
        default=None, description="how many layers or operators to list, the heaviest first, as a count"
    )


class DeploymentArguments(Arguments):
    target: _Text = Field(
        default=None, description="chip or board, by id or nickname; leave out for the target of the context"
    )
    runtime: _Text = Field(
        default=None, description="kernel library, by id or nickname; leave out for the target's usual one"
    )
    clock_mhz: _Positive = Field(default=None, description="core clock, in MHz; leave out for the maximum")
    batch: _Count = Field(default=None, description="inferences computed at once, as a count")
    threads: _Count = Field(default=None, description="cores used at once, as a count")


class LimitArguments(Arguments):
    latency_ms: _Positive = Field(default=None, description="longest time of one inference, in milliseconds")
    rate_hz: _Positive = Field(
        default=None, description="least rate of inferences one after the other, per second"
    )
    ram_bytes: _Count = Field(default=None, description="most RAM, in bytes; engineers' k is KiB")
    flash_bytes: _Count = Field(default=None, description="most flash, in bytes; engineers' k is KiB")
    energy_uj: _Positive = Field(
        default=None, description="most energy of one inference, in microjoules; not power"
    )
    power_mw: _Positive = Field(
        default=None, description="most power while computing, in milliwatts; not energy"
    )


class InspectArguments(ModelArguments, TopArguments): ...


class Placed(ModelArguments, DeploymentArguments): ...


class OnDeployment(ModelArguments, DeploymentArguments, TopArguments): ...


class CheckArguments(ModelArguments, DeploymentArguments, LimitArguments): ...


class BudgetArguments(ModelArguments, DeploymentArguments):
    rate_hz: _Positive = Field(default=None, description="inferences per second; leave out for nonstop")
    period_s: _Positive = Field(
        default=None, description="seconds from one inference to the next, instead of rate_hz"
    )
    battery: _Text = Field(
        default=None,
        description="a battery by its size or kind, with its capacity where it comes in every size",
    )
    battery_mah: _Positive = Field(default=None, description="capacity of the battery, in mAh")
    battery_v: _Positive = Field(default=None, description="nominal voltage of the battery, in volts")
    sleep_ua: _Positive = Field(
        default=None, description="current asleep, in microamperes, only as the user gave it"
    )
    wakeup_us: _Positive = Field(default=None, description="time to wake up, in microseconds")


class SweepArguments(ModelArguments, DeploymentArguments):
    latency_ms: _Positive = Field(default=None, description="longest time of one inference, in milliseconds")
    power_mw: _Positive = Field(default=None, description="most power while computing, in milliwatts")


class OptimizeArguments(ModelArguments, DeploymentArguments):
    technique: _Text = Field(
        default=None,
        description="simulate this change alone: a type, prune-PERCENT, width-PERCENT, input-HEIGHTxWIDTH or "
        "clock-FREQUENCY; leave out for all",
    )
    goal: Literal["latency", "energy", "ram", "flash"] = Field(
        default="latency", description="the quantity that the changes are ranked by"
    )


class TargetArguments(Arguments):
    target: _Text = Field(
        default=None, description="chip or board, by id or nickname; leave out for the target of the context"
    )


class RuntimeArguments(Arguments):
    runtime: str = Field(description="kernel library, by id or nickname", max_length=4096)


class ListTargetsArguments(Arguments):
    target_class: _Text = Field(default=None, description="mcu, dsp, npu, mpu, gpu-soc, gpu or cpu")
    core: _Text = Field(default=None, description="part of the name of its cores' instruction set")
    runtime: _Text = Field(default=None, description="kernel library that has to run there")
    min_ram_bytes: _Count = Field(default=None, description="least RAM, in bytes")
    min_flash_bytes: _Count = Field(default=None, description="least flash, in bytes")
    max_power_mw: _Positive = Field(default=None, description="most power while computing, in mW")
    max_price_usd: _Positive = Field(default=None, description="most price, in US dollars")


class DiffTargetsArguments(Arguments):
    one: str = Field(description="a chip or board, by id or nickname", max_length=4096)
    other: str = Field(description="the one to compare it with", max_length=4096)


class RecommendArguments(ModelArguments, LimitArguments, TopArguments):
    price_usd: _Positive = Field(default=None, description="most price of one target, in US dollars")
    template: _Text = Field(
        default=None,
        description="limits to start from: keyword-spotting, battery-camera, drone, wearable or gateway",
    )
    target_class: _Text = Field(default=None, description="only mcu, dsp, npu, mpu, gpu-soc, gpu or cpu")
    runtime: _Text = Field(default=None, description="only this kernel library")
    goal: Literal["balance", "latency", "energy", "power", "ram"] = Field(
        default="balance", description="what decides among those that meet the limits"
    )


class CompareArguments(ModelArguments, LimitArguments):
    targets: list[Annotated[str, Field(max_length=4096)]] = Field(
        min_length=2,
        max_length=12,
        description="chips or boards, by id or nickname; a slash and a kernel library where not the usual",
    )


class FindLimitArguments(ModelArguments, DeploymentArguments, LimitArguments):
    variable: Literal["input", "width", "clock", "ram", "batch", "rate", "battery-life", "depth"] = Field(
        description="what to take as far as it goes: the side of the input, the share of the channels, the "
        "lowest clock, least RAM, largest batch, highest rate, longest battery life, most operators run"
    )
    battery: _Text = Field(default=None, description="for battery-life: a battery by its size or kind")
    battery_mah: _Positive = Field(default=None, description="capacity of the battery, in mAh")
    sleep_ua: _Positive = Field(
        default=None, description="current asleep, in microamperes, as the user gave it"
    )


class DiffModelsArguments(DeploymentArguments):
    before: str = Field(description="the version to compare with, a file or an architecture", max_length=4096)
    after: str = Field(description="the new version, likewise", max_length=4096)


class ImportArguments(OnDeployment):
    path: str = Field(description="file with the trace, as the user named it", max_length=4096)
    unit: _Text = Field(
        default=None,
        description="what the trace counts in, if the user said it: cycles, s, ms, us, ns or a timer's rate",
    )


class ValidateArguments(Arguments):
    device_class: Literal["mcu", "cpu", "gpu", "npu"] | None = Field(
        default=None, description="only this class of hardware"
    )
    runtime: _Text = Field(default=None, description="only this kernel library")


class NoArguments(Arguments): ...
