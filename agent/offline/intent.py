"""What questions want to know."""

from __future__ import annotations

from enum import StrEnum


class Intent(StrEnum):
    FIT = "fit"
    LATENCY = "latency"
    ENERGY = "energy"
    MEMORY = "memory"
    BOTTLENECK = "bottleneck"
    COMPATIBILITY = "compatibility"
    OPTIMISE = "optimise"
    WHATIF = "whatif"
    COMPARE = "compare"
    BATTERY = "battery"
    CLOCK = "clock"
    INVERSE = "inverse"
    RECOMMEND = "recommend"
    IMPORT = "import"
    TIMELINE = "timeline"
    ORDER = "order"
    CODE = "code"
    DIFF = "diff"
    EVIDENCE = "evidence"
    VALIDATE = "validate"
    HARDWARE = "hardware"
    MODEL = "model"
    RUNTIME = "runtime"
    LIST_TARGETS = "list targets"
    LIST_RUNTIMES = "list runtimes"
    ACCURACY = "accuracy"
    HELP = "help"
