"""How and where each operator runs."""

from enum import StrEnum

from ..core.quantity import Result


class Runs(StrEnum):
    """How an operator runs."""

    ACCELERATED = "accelerated"
    """On an accelerator."""
    CPU = "cpu"
    """On the core, as everything does where the runtime drives no accelerator."""
    FALLBACK = "cpu-fallback"
    """On the CPU, because the accelerator does not get it."""
    UNTOLD = "untold"
    """Surely, but no source tells whether on the accelerator or on the CPU."""
    UNKNOWN = "unknown"
    """No source tells whether it runs."""
    NOT = "no"


class OpPlacement(Result):
    """Where and how one operator runs."""

    index: int
    op: str
    supported: bool | None
    """None where the runtime's sources do not tell."""
    runs: Runs = Runs.UNKNOWN
    """accelerated, cpu, cpu-fallback, untold, unknown or no."""
    processor: str
    """Where it runs, at worst; empty where it does not."""
    optimized: bool
    """On kernels written for that processor."""
    reason: str
    """The rule that decided."""
    remedy: str = ""
    """What would let it run better; empty where nothing is known."""


class Segment(Result):
    """Operators that one processor computes in a piece, in the order in which the pieces run."""

    processor: str
    """`host` for one that is not part of the target; `unknown` where no source tells."""
    first: int
    """Lowest index of its operators."""
    last: int
    """Highest index of its operators."""
    ops: int
    """How many operators it has."""
    macs_share: float | None
    """Of the model's MACs; None where they cannot be counted."""
