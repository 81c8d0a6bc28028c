"""The command line: one app out of the families of commands, and an exit code for every end."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from typer.main import get_command_name
from typer.models import CommandInfo

from .commands import (
    analyses,
    catalog,
    code,
    conversation,
    diagnosing,
    limits,
    memory,
    optimizing,
    power,
    profiling,
    reporting,
    selection,
    serving,
    sessions,
    sweeping,
    validation,
)
from .commands.options import RedactNames, redact_if

_CANNOT_PRINT = (errno.ENOSPC, errno.EIO, errno.EBADF)

_FAMILIES = (
    analyses, memory, code, reporting, limits, optimizing, selection, sweeping, power, profiling, validation,
    catalog, conversation, sessions, serving, diagnosing,
)  # fmt: skip


def _empty_app() -> typer.Typer:
    return typer.Typer(
        help="Does a neural network fit a piece of hardware, how fast is it there, and what holds it back?",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


app = _empty_app()


def version(wanted: bool) -> None:
    if wanted:
        from . import __version__

        typer.echo(f"edgewright {__version__}")
        raise typer.Exit


@app.callback()
def top(
    _version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")
    ] = False,
    hardware_dir: Annotated[
        list[Path] | None, typer.Option("--hardware-dir", help="Directory of your own hardware files.")
    ] = None,
    redact_names: RedactNames = False,
) -> None:
    redact_if(redact_names)
    if hardware_dir:
        from .hardware_db import use_directories
        from .hardware_db.index import user_problems

        use_directories(hardware_dir)
        for problem in user_problems():
            typer.echo(f"edgewright: left out: {problem}", err=True)


for family in _FAMILIES:
    app.add_typer(family.app)


def _app_for(words: Sequence[str]) -> typer.Typer:
    """The command that the first word names, alone; every other would cost its building. Else all of them."""
    commands = [command for family in _FAMILIES for command in family.app.registered_commands]
    asked = [command for command in commands if words and _name(command) == words[0]]
    if not asked:
        return app
    alone = _empty_app()
    alone.registered_callback = app.registered_callback
    alone.registered_commands = asked
    return alone


def _name(command: CommandInfo) -> str | None:
    return command.name or (command.callback and get_command_name(command.callback.__name__))


def main() -> None:
    """Run the command line; every error a user can cause is one line and an exit code.

    One command makes little garbage and ends soon: collecting it, now or at the exit, would cost a tenth of
    the run. Threads that nothing here multiplies matrices with would cost as much again; the search for
    plugins of pydantic among all installed packages costs a hundredth.
    """
    gc.disable()
    atexit.register(gc.freeze)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        _app_for(sys.argv[1:])()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        if error.errno not in _CANNOT_PRINT or error.filename is not None:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"edgewright: the output cannot be written: {error.strerror}.", file=sys.stderr)
        sys.exit(1)
    except Exception as error:
        from .hardware_db.errors import EdgewrightError

        if not isinstance(error, EdgewrightError):
            raise
        print(f"edgewright: {error}", file=sys.stderr)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
