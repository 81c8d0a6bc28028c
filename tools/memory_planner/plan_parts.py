"""What arena and flash are made of, and what is put into a region."""

from ..core.quantity import Result


class RegionUse(Result):
    """One region of the target, what is put there and what is left."""

    region: str
    kind: str
    """sram, tcm, flash, dram or another kind of memory."""
    size_bytes: int
    used_bytes: int
    """What is put there."""
    holds: tuple[str, ...]
    """Of: arena, reserve, weights, code."""
    external: bool


class PersistentPart(Result):
    """Bytes that the interpreter keeps for one purpose, alignment included."""

    what: str
    """What the bytes are kept for."""
    bytes: int


class FlashPart(Result):
    """Code that a program needs: the runtime's own, a kernel, or what is written for each operator."""

    what: str
    """What the code is."""
    bytes: int
    """Kernels that only occur together in what was measured share their size by the fit's choice."""
