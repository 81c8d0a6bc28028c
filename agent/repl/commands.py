"""Slash commands: what one is, and which one is meant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ...hardware_db.errors import UsageError, nearest
from ...tools.core.sanitize import clean_text
from ..workspace import Workspace
from .state import ChatState

if TYPE_CHECKING:
    from ...tools.core.document import Document


class Choice(NamedTuple):
    """A completion: `text` takes the place of the last `replaces` characters."""

    text: str
    replaces: int
    meta: str = ""


Completion = Callable[[str, Workspace], Iterable[Choice]]
"""What an argument may go on with, from what was typed of it."""


@dataclass(frozen=True)
class Command:
    """`run` gets the argument and returns what to show: a text, or the documents of results."""

    name: str
    help: str
    run: Callable[[ChatState, str], str | tuple[Document, ...]]
    argument: str = ""
    """As help shows it; in brackets where it may be left out."""
    aliases: tuple[str, ...] = ()
    """Other names; those without a slash count only as a whole line."""
    complete: Completion | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)

    @property
    def usage(self) -> str:
        return f"{self.name} {self.argument}".rstrip()


class Invocation(NamedTuple):
    command: Command
    argument: str


def command_in(line: str, table: Sequence[Command]) -> Invocation | None:
    """The command that a line is, with its argument; None for a question, which may start with a path.

    Raises:
        UsageError: no such command, one of several, or an argument too many or too few.
    """
    first, _, rest = line.strip().partition(" ")
    if not first.startswith("/"):
        found = [c for c in table if not rest and first.casefold() in c.aliases]
        return Invocation(found[0], "") if found else None
    if "/" in first[1:]:
        return None
    command = find_command(first, table)
    argument = rest.strip()
    if argument and not command.argument:
        raise UsageError(f"{command.name} takes no argument.", hint=command.help)
    if not argument and command.argument and not command.argument.startswith("["):
        raise UsageError(f"{command.name} needs its argument.", hint=f"{command.usage}: {command.help}")
    return Invocation(command, argument)


def find_command(name: str, table: Sequence[Command]) -> Command:
    """The command of this name, or the only one whose name starts so.

    Raises:
        UsageError: none, or several.
    """
    wanted = name.casefold()
    for command in table:
        if wanted in command.names:
            return command
    starting = [c for c in table if any(n.startswith(wanted) for n in c.names)] if len(wanted) > 1 else []
    if len(starting) == 1:
        return starting[0]
    shown = clean_text(name, 40)
    if starting:
        listed = ", ".join(command.name for command in starting)
        raise UsageError(f"{shown} could be {listed}.", hint="Type one letter more.")
    known = [n for command in table for n in command.names if n.startswith("/")]
    close = nearest(wanted, known, 2) if len(wanted) > 1 else []
    hint = f"Did you mean {' or '.join(close)}?" if close else "/help lists the commands."
    raise UsageError(f"There is no command {shown}.", hint=hint)
