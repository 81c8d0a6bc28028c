"""What a line of a log holds, beside the memory of the board that it comes from."""

from ...core.quantity import Result


class MessageReport(Result):
    """Null where the message does not say it."""

    schema_version: str = "1.0"
    needed_bytes: int | None = None
    """What was asked for."""
    available_bytes: int | None = None
    """What was left."""
    missing_bytes: int | None = None
    """As the message says, else the difference of the two."""
    arena_bytes: int | None = None
    """Size of the array, where it is said."""
    least_arena_bytes: int | None = None
    """That array with what it is short of."""
    largest_arena_bytes: int | None = None
    """That array without what overflowed."""
    operator: str = ""
    """TFLite's name of the operator that the message is about."""
    register_call: str = ""
    """Call of a MicroMutableOpResolver that adds it; empty where TFLite Micro has none."""
    target: str = ""
    ram_bytes: int | None = None
    """Of the target, all its regions together."""
    largest_region_bytes: int | None = None
    """Of its RAM, the largest piece without a gap."""
    left_bytes: int | None = None
    """Of that RAM beside what was needed; negative where it is short of it."""
    flash_bytes: int | None = None
    """Of the target."""

    def headline(self) -> str:
        return self.register_call or f"{self.missing_bytes or 'no'} bytes missing"
