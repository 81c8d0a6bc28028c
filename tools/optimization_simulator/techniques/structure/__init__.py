"""Changes of a network's structure: every shape is worked out again, nothing is scaled."""

from .activations import rectified
from .balanced import pruned_by_cost
from .depth import ended_early, exits, without_blocks, without_layers
from .factors import factorised, grouped, separated
from .fusing import fused
from .inputs import scaled_image, with_image
from .students import smaller, student
from .widths import aligned, pruned_layers, widened

__all__ = [
    "aligned",
    "ended_early",
    "exits",
    "factorised",
    "fused",
    "grouped",
    "pruned_by_cost",
    "pruned_layers",
    "rectified",
    "scaled_image",
    "separated",
    "smaller",
    "student",
    "widened",
    "with_image",
    "without_blocks",
    "without_layers",
]
