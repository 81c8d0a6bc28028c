"""Result of the search for the best order of operators and the best packing."""

from typing import ClassVar

from ...core.deployment import DeploymentRef
from ...core.quantity import Result
from ..memory_plan import PlannedTensor


class ArenaFigures(Result):
    """What one order of the operators takes of memory shared over time; what is kept for good is not in."""

    peak_bytes: int
    """Most bytes alive at once, sizes rounded up to the planner's alignment."""
    peak_op: str
    """Kind of the operator at which the peak is."""
    arena_bytes: int
    """As the runtime's own planner places the buffers."""
    packed_bytes: int | None
    """In the lowest packing found; None where a compiler places buffers by rules of its own."""
    packed_bound_bytes: int | None
    """No packing of this order is lower."""


class OrderReport(Result):
    """The order and the packing that need the least memory, of those that were found in the time."""

    main_rows: ClassVar[str] = "placement"

    schema_version: str = "1.0"
    model: str = ""
    deployment: DeploymentRef
    planner: str
    order: tuple[int, ...]
    """Operators of the main subgraph by their present index, in the order to run them."""
    moved_ops: int
    """How many operators stand at another position than before."""
    before: ArenaFigures | None
    """None where the model cannot be planned, with the reason in `warnings`."""
    after: ArenaFigures | None
    """Equal to `before` where no order has a lower peak."""
    peak_bound_bytes: int | None
    """No order has a lower peak."""
    order_is_proven: bool
    """Whether no order has a lower peak."""
    packing_is_proven: bool
    """Whether no packing of that order is lower."""
    saved_by_order_bytes: int
    """Of the runtime's own arena; negative where its planner places the new order worse."""
    saved_by_packing_bytes: int
    """By placing the better order's buffers at `placement` instead of where the planner does."""
    advice: str
    """What to do, in a sentence."""
    placement: tuple[PlannedTensor, ...]
    """The best packing of the better order; operators are counted in that order."""
    offline_plan: tuple[int, ...]
    """Words of the metadata OfflineMemoryAllocation that make TFLite Micro place it so; empty elsewhere."""
    packed_by: str
    """What found the packing: the planner itself, the built-in heuristic, or a solver with its version."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return self.advice
