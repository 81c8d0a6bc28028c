"""What would do where a language model does not fit."""

from ..core.quantity import Quantity, Result
from ..verdicts.verdict import Verdict


class Remedy(Result):
    """What would do where a model does not fit."""

    kind: str
    """cache, weights, both (a cache of 8 bits beside fewer bits), narrow (fewer than four bits) or cards."""
    statement: str
    """What it is and what it takes."""
    weights: str
    """Format of the weights then."""
    kv: str
    """Format of the cache then."""
    cards: int
    """Of the target."""
    total_bytes: int
    """Weights, cache and buffers."""
    verdict: Verdict
    """Whether it all fits."""
    max_context: int | None
    """The most tokens of each session."""
    decode_tokens_per_s: Quantity
    """Of all sessions together."""
