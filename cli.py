"""The command line: one app out of the families of commands, and an exit code for every end."""

from __future__ import annotations

import atexit
import errno
import io
import os
import sys
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from typer.main import get_command_name
from typer.models import CommandInfo

from . import __version__
from .agent.registry import TOOLS
from .commands import (
    analyses,
    calibrating,
    catalog,
    conversation,
    converting,
    diagnosing,
    generated,
    optimizing,
    serving,
    sessions,
    sweeping,
)
from .commands.errors import EXIT_INTERRUPTED, end_of, say
from .commands.options import Flags, RedactNames
from .commands.printing import echo
from .hardware_db.errors import UsageError

_CANNOT_PRINT = (errno.ENOSPC, errno.EIO, errno.EBADF)

_BODIES = analyses.BODIES | calibrating.BODIES | converting.BODIES | optimizing.BODIES | sweeping.BODIES
_FAMILIES = (analyses, catalog, conversation, sessions, serving, diagnosing)


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
        echo(f"edgewright {__version__}")
        raise typer.Exit


@app.callback()
def top(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")
    ] = False,
    hardware_dir: Annotated[
        list[Path] | None, typer.Option("--hardware-dir", help="Directory of your own hardware files.")
    ] = None,
    redact_names: RedactNames = False,
) -> None:
    context.obj = flags = Flags(tuple(hardware_dir or ()), redact_names)
    for problem in flags.left_out():
        echo(f"edgewright: left out: {problem}", err=True)


for family in _FAMILIES:
    app.add_typer(family.app)
for tool in TOOLS:
    *group, _ = tool.command.split() or [""]
    if tool.command:
        home = catalog.GROUPS[group[0]] if group else analyses.app
        run = _BODIES.get(tool.function, generated.plain)
        home.registered_commands.append(generated.Generated(tool, run))


def _app_for(words: Sequence[str]) -> typer.Typer:
    """The command that the first word names, alone; every other would cost its building. Else all of them,
    with the options of those alone that are named anywhere."""
    asked = [command for command in _commands() if words and _name(command) == words[0]]
    _expand(asked or [command for command in (*_commands(), *_inner()) if command.name in words])
    if not asked:
        return app
    alone = _empty_app()
    alone.registered_callback = app.registered_callback
    alone.registered_commands = asked
    return alone


def whole_app() -> typer.Typer:
    """All commands with all options, for programs that run one after the other."""
    _expand((*_commands(), *_inner()))
    return app


def _commands() -> list[CommandInfo]:
    return [command for family in _FAMILIES for command in family.app.registered_commands]


def _inner() -> list[CommandInfo]:
    """The commands behind a first word, such as `targets list`."""
    return [command for group in catalog.GROUPS.values() for command in group.registered_commands]


def _expand(commands: Iterable[CommandInfo]) -> None:
    for command in commands:
        if isinstance(command, generated.Generated):
            command.expand()


def _name(command: CommandInfo) -> str | None:
    return command.name or (command.callback and get_command_name(command.callback.__name__))


def main() -> None:
    """Run the command line; every error a user can cause is one line and an exit code.

    Threads that nothing here multiplies matrices with would cost a tenth of the run; the search for plugins
    of pydantic among all installed packages costs a hundredth.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    _open_streams()
    words = sys.argv[1:] or _completed_words()
    try:
        sys.exit(_exit_code(words))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        if error.errno == errno.ENOENT and error.filename is None and not _has_directory():
            hint = "Change to another directory."
            sys.exit(
                end_of(UsageError("The working directory is gone.", hint=hint), as_json="--json" in words)
            )
        if error.errno not in _CANNOT_PRINT or error.filename is not None:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"edgewright: the output cannot be written: {error.strerror}.", file=sys.stderr)
        sys.exit(1)


def _open_streams() -> None:
    """What is written to a stream that was closed goes nowhere; what an encoding lacks is replaced."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - until the end
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _has_directory() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return False
    return True


def _exit_code(words: Sequence[str]) -> int:
    """Of the command, or of the error that it ended with, which is printed."""
    as_json = "--json" in words
    try:
        found = _app_for(words)(standalone_mode=False)
        code = found if isinstance(found, int) else 0
    except OSError:
        raise
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except typer.Abort:
        print("Aborted!", file=sys.stderr)
        code = 1
    except Exception as error:
        return end_of(error, as_json=as_json)
    if code == EXIT_INTERRUPTED and as_json:
        say(code, "Interrupted.")
    return code


def _completed_words() -> list[str]:
    """What stands behind `edgewright` where a shell asks for the rest."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    return line.split()[1:] if "_EDGEWRIGHT_COMPLETE" in os.environ else []


def console() -> NoReturn:
    """`main` for the process that a shell started, which then ends at once: taking every object apart would
    cost a fifteenth of a short command, and the system takes the memory back anyway.
    """
    try:
        main()
    except KeyboardInterrupt:
        os._exit(EXIT_INTERRUPTED)
    except SystemExit as end:
        others = (thread for thread in threading.enumerate() if thread is not threading.main_thread())
        if not isinstance(end.code, int | None) or not all(thread.daemon for thread in others):
            raise
        atexit._run_exitfuncs()
        try:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
        except OSError:
            raise end from None
        os._exit(end.code or 0)
    sys.exit(0)


if __name__ == "__main__":
    console()
