"""Result of grounding."""

from __future__ import annotations

from ...tools.quantity import Result

USER = "user"


class Binding(Result):
    """A number of the answer and the field that it is a rounding of."""

    text: str
    """As it stands in the answer, with its unit."""
    value: float
    unit: str
    tool_call: str
    """Identifier of the call; `user` for a figure that the user named."""
    path: str
    """Dotted path into the call's result."""


class GroundingReport(Result):
    schema_version: str = "1.0"
    grounded: bool
    ungrounded: tuple[str, ...]
    """Numbers that no tool returned and the user did not name, as they stand in the answer, in order."""
    bindings: tuple[Binding, ...]
