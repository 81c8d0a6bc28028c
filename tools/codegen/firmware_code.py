"""Result of writing the code that runs a model."""

from ..core.deployment import DeploymentRef
from ..core.quantity import Result


class FirmwareCode(Result):
    """What to paste into a program, or the command that makes it."""

    schema_version: str = "1.0"
    model: str = ""
    deployment: DeploymentRef
    files: dict[str, str]
    """Name → text. Names out of the model are in them only as C identifiers and escaped literals."""
    commands: tuple[str, ...]
    """To run in a shell, in this order."""
    arena_bytes: int | None
    """What the code gives the arena; None where it has none, or leaves the size to the builder."""
    operators: tuple[str, ...]
    """Methods of the resolver that are called: AddConv2D; nothing where there is no resolver."""
    why_not: str = ""
    """Why there is no code."""
    notes: tuple[str, ...] = ()
    """What the code leaves to do."""
    written: tuple[str, ...] = ()
    """Files on disk."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return ", ".join(self.files) or self.why_not or "; ".join(self.commands)
