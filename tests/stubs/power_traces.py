"""Power traces whose truth is known: layers of fixed power, noise, idle between inferences."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
LAYERS = (("CONV_2D", 4.0, 40.0), ("DEPTHWISE_CONV_2D", 2.0, 30.0), ("FULLY_CONNECTED", 1.0, 20.0))
"""Name, milliseconds, milliwatts."""
IDLE_MW, IDLE_MS = 5.0, 18.0
TRUTH_UJ = {name: ms * mw for name, ms, mw in LAYERS}


class Made(NamedTuple):
    time_s: Floats
    power_w: Floats
    layer: npt.NDArray[np.int64]
    """1 for the first layer; 0 beside all."""


def made(hz: float = 20_000, inferences: int = 40, noise: float = 0.05, seed: int = 1) -> Made:
    """Edges fall between samples, as they do; the power is that of the layer that runs at the sample."""
    period = sum(ms for _, ms, _ in LAYERS) + IDLE_MS
    time = np.arange(int(hz * (inferences * period + IDLE_MS) / 1e3)) / hz
    phase = (time * 1e3 - IDLE_MS) % period
    edges = np.cumsum([ms for _, ms, _ in LAYERS])
    layer = np.where(
        (time * 1e3 < IDLE_MS) | (phase >= edges[-1]), 0, np.searchsorted(edges, phase, "right") + 1
    )
    milliwatts = np.array([IDLE_MW, *(mw for *_, mw in LAYERS)])[layer]
    scatter = np.random.default_rng(seed).normal(1, noise, len(time))
    return Made(time, milliwatts / 1e3 * scatter, layer)


def ppk2(trace: Made, pins: str = "gate", volts: float = 3.3) -> str:
    """As the Power Profiler app exports it: `gate` is high for a whole inference, `each` toggles by layer."""
    high = {"gate": trace.layer > 0, "each": trace.layer % 2 == 1, "none": trace.layer < 0}[pins]
    rows = (
        f"{time * 1e3:.3f},{watts / volts * 1e6:.3f},{int(pin):08b}"
        for time, watts, pin in zip(trace.time_s, trace.power_w, high, strict=True)
    )
    return "Timestamp(ms),Current(uA),D0-D7\n" + "\n".join(rows) + "\n"


def marked(trace: Made) -> str:
    rows = (f"{t:.6f},{p * 1e3:.5f},{m}" for t, p, m in zip(*trace, strict=True))
    return "time_s,power_mw,marker\n" + "\n".join(rows) + "\n"


def joulescope(trace: Made) -> str:
    rows = (
        f"{t:.6f},{p / 3:.9f},3.000,{p:.9f},0,0" for t, p in zip(trace.time_s, trace.power_w, strict=True)
    )
    return "#time,current,voltage,power,charge,energy\n" + "\n".join(rows) + "\n"


def log() -> str:
    """As a board prints the layers' times, by a clock that is 2 % off."""
    return "op,time_ms\n" + "".join(f"{name},{ms * 1.02}\n" for name, ms, _ in LAYERS)
