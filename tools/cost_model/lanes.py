"""How wide the cores of Linux-class chips multiply: what a board that was never measured is told apart by."""

from __future__ import annotations

USUAL_LANES = 4.0

FLOAT_LANES: dict[str, float] = {
    "arm926ej-s": 0.5, "arm1176": 1, "cortex-a5": 1, "cortex-a7": 2, "cortex-a9": 2, "cortex-a15": 4,
    "cortex-a35": 4, "cortex-a53": 4, "cortex-a55": 4, "cortex-a57": 4, "cortex-a72": 4, "cortex-a73": 4,
    "cortex-a75": 8, "cortex-a76": 8, "cortex-a77": 8, "cortex-a78": 8, "cortex-a78ae": 8, "cortex-a78c": 8,
    "cortex-a510": 4, "cortex-a520": 4, "cortex-a710": 8, "cortex-a715": 8, "cortex-a720": 8,
    "cortex-x1": 16, "cortex-x1c": 16, "cortex-x3": 16, "cortex-x4": 16, "neoverse-v3ae": 16,
    "kryo": 4, "kryo-gold": 8, "kryo670-silver": 4, "kryo670-gold": 8, "kryo670-prime": 16, "oryon": 16,
    "denver2": 8, "carmel": 8, "apple-a": 8, "apple-cyclone": 8, "apple-icestorm": 8, "apple-m3-e": 8,
    "apple-m": 16, "apple-firestorm": 16, "apple-m3-p": 16,
    "silvermont": 2, "tremont": 4, "zen": 8, "zen2": 16, "zen3": 16, "zen4": 16,
    "la264": 4, "loongson-mips": 2, "mips32": 1, "mips1004kc": 1,
    "sifive-u74": 1, "xuantie-c906": 1, "xuantie-c910": 1, "spacemit-x60": 1, "blai": 1,
    "cskyv2-ck804ef": 1, "armv8-m-star-mc1": 1, "80251": 0.1,
}  # fmt: skip
"""Multiply-adds in float32 that a core starts in a cycle with the vectors that libraries have kernels for. A
covariate with room to be wrong in, no ceiling: pipes × lanes of the vector unit, those of A57 and A76 to A78
as in en.wikichip.org/wiki/flops, of others assumed to be as in the nearest core of the same maker and years.
RISC-V cores count as scalar: the vectors of their chips differ, and few kernels use them. Of instruction sets
that many cores share, such as x86-64, the target's file tells; other cores have the usual width."""

SHARED_ISAS = {"x86-64": 16.0, "cpu": 16.0, "rv64gc": 1.0, "rv64gcv": 1.0, "rv64imafcv": 1.0}
"""Instruction sets of cores too different to be one node, and the lanes of those whose own are not known."""


def lanes_of(processor: str, told: float | None) -> float:
    """`told` is what the target's file gives for the core."""
    if processor in SHARED_ISAS:
        return told or SHARED_ISAS[processor]
    return FLOAT_LANES.get(processor, USUAL_LANES)
