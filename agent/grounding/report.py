"""Result of grounding."""

from __future__ import annotations

from ...tools.core.quantity import Result

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

    @property
    def citation(self) -> str:
        """`[t3 latency_ms]`: the call and the field; of a quantity, its central value goes unsaid."""
        if self.tool_call == USER:
            return "your own words"
        path = self.path.removeprefix("result.").replace(".value", "")
        return f"[{self.tool_call} {path}]"


class GroundingReport(Result):
    schema_version: str = "1.0"
    grounded: bool
    ungrounded: tuple[str, ...]
    """Numbers that no tool returned and the user did not name, as they stand in the answer, in order."""
    spans: tuple[tuple[int, int], ...] = ()
    """Where each of them starts and ends in the answer."""
    bindings: tuple[Binding, ...]


def audit_rows(report: GroundingReport) -> list[tuple[str, str]]:
    """The binding table: each number of the answer, and where it is from."""
    rows = [(binding.text, binding.citation) for binding in report.bindings]
    return [*rows, *((text, "no tool") for text in report.ungrounded)]
