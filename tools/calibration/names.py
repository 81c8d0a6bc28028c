"""What published measurements call a core, a type or an accelerator → our name for it."""

from __future__ import annotations

import re

CORES: tuple[tuple[str, str], ...] = (
    (r"(?:Cortex-|ARM C)M0\+|CM0\+", "cortex-m0plus"),
    (r"Cortex-M0|CM0", "cortex-m0"),
    (r"(?:Cortex-|ARM C)M3\b", "cortex-m3"),
    (r"(?:Cortex-|ARM C)M33", "cortex-m33"),
    (r"(?:Cortex-|ARM C)M4", "cortex-m4"),
    (r"(?:Cortex-|ARM C)M7", "cortex-m7"),
    (r"Cortex-M55", "cortex-m55"),
    (r"Cortex-M85", "cortex-m85"),
    (r"Carmel", "carmel"),
    (r"Denver", "denver2"),
    (r"Cortex-X4", "cortex-x4"),
    (r"Cortex-X3", "cortex-x3"),
    (r"Cortex-A78", "cortex-a78ae"),
    (r"Cortex-A76", "cortex-a76"),
    (r"Cortex-A73|Kryo 280", "cortex-a73"),
    (r"Cortex-A72|ARM A72", "cortex-a72"),
    (r"Cortex-A57", "cortex-a57"),
    (r"Cortex-A55|little cluster of RK3588", "cortex-a55"),
    (r"Cortex-A53|ARM A53|little cluster of RK3399", "cortex-a53"),
    (r"Cortex-A35", "cortex-a35"),
    (r"Cortex-A9|ARM A9", "cortex-a9"),
    (r"Cortex-A7\b|ARM A7\b", "cortex-a7"),
    (r"Cortex-A5\b", "cortex-a5"),
    (r"Kryo 385", "cortex-a75"),
    (r"Kryo 485", "cortex-a76"),
    (r"Kryo 360", "cortex-a75"),
    (r"Kryo 1", "kryo"),
    (r"ARM1176", "arm1176"),
    (r"Loongson", "loongson-mips"),
    (r"RX", "rxv2"),
    (r"RH850", "rh850"),
    (r"Xtensa LX7", "xtensa-lx7"),
    (r"Xtensa LX6", "xtensa-lx6"),
    (r"U74", "sifive-u74"),
    (r"X60", "spacemit-x60"),
    (r"C906|RV64V$", "xuantie-c906"),
    (r"C910", "xuantie-c910"),
    (r"HP dual", "rv32imafc-hp"),
    (r"RV32|RISC-V|QingKe", "rv32"),
    (r"Apple M", "apple-m"),
    (r"Apple", "apple-a"),
    (r"LA264", "la264"),
    (r"Cherry Trail", "silvermont"),
    (r"Jasper", "tremont"),
    (r"Ryzen \d 3\d\d\d", "x86-64"),
    (r"EPYC 9|family 25 model 17", "x86-64"),
    (r"Zen", "zen"),
    (r"x86|AMD64|Xeon|EPYC|Core\(TM\)|Intel", "x86-64"),
)

DTYPES: tuple[tuple[str, str], ...] = (
    (r"int16x8|16x8", "int16"),
    (r"w8a16", "int16"),
    (r"int8|uint8|w8a8|5-7", "int8"),
    (r"^float32 \(ncnn", "float32"),
    (r"float16|fp16|AMP|half", "float16"),
    (r"bf16", "bfloat16"),
    (r"TF32|tf32", "tfloat32"),
    (r"float|fp32", "float32"),
)


def named(text: str, table: tuple[tuple[str, str], ...]) -> str:
    """The first of the table's names whose pattern is in `text`; empty where none is."""
    return next((name for pattern, name in table if re.search(pattern, text)), "")


UNITS: tuple[tuple[str, str], ...] = (
    (r"Ethos-U55", "ethos-u55"),
    (r"Ethos-U65", "ethos-u65"),
    (r"Ethos-U85", "ethos-u85"),
    (r"Edge ?TPU", "edgetpu"),
    (r"BLAI", "blai"),
    (r"Hailo-8", "hailo8"),
    (r"Hailo-10", "hailo10"),
    (r"Hailo-15", "hailo15"),
    (r"RKN", "rknpu"),
    (r"Hexagon|Sensing Hub|QNN", "hexagon"),
    (r"VeriSilicon|VIP8000|VX delegate|OpenVX", "vip"),
    (r"Neutron", "neutron-n1"),
    (r"Neural-ART", "neural-art"),
    (r"MVP", "mvp"),
    (r"Syntiant", "ndp"),
    (r"Axon", "axon"),
    (r"DRP", "drp-ai"),
    (r"DPU", "dpu"),
    (r"NE16|cluster|GAP", "gap9-cluster"),
    (r"GapFlow", "gap8-cluster"),
    (r"Myriad", "myriad"),
    (r"DSP Co-processor", "st-hsp"),
    (r"Mali|MALI|Immortalis", "mali"),
    (r"Adreno", "adreno"),
    (r"Apple .*GPU", "apple-gpu"),
    (r"Cloud AI", "cloud-ai-100"),
    (r"NNAPI", "nnapi"),
    (r"XC7|Alveo|fpga", "fpga"),
    (r"Volta|Maxwell|Pascal|Ampere|NVIDIA|RTX|V100|Orin|Xavier|GA10|AD10|GB20|GPU|TensorRT", "nvidia-gpu"),
)
"""Families of accelerators."""
