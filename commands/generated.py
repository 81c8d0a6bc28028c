"""Commands out of the records of the tools: options from the arguments, a call, a print, an exit code."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.models import CommandInfo

from .. import tools
from ..agent.registry import Tool, tool_named
from ..agent.workspace import Workspace
from ..tools.core.records import dataclass
from .completing import completer
from .options import Csv, Flags, Json, Picture
from .printing import echo, print_json, print_text
from .progress import clock

if TYPE_CHECKING:
    from ..agent.spelling import Option
    from ..tools.core.document import Document
    from ..tools.core.quantity import Result

FAILED, UNKNOWN = 10, 11


class _AsTyped(Workspace):
    """Of a command line: its user typed each name, so it is taken as it stands."""

    def model_source(self, name: str | None) -> str:
        return name or super().model_source(name)

    def file(self, name: str) -> str:
        return name


@dataclass(frozen=True)
class Asked:
    """What a command was asked: a tool, its arguments by name, and whether for JSON."""

    tool: Tool
    given: Mapping[str, Any]
    json: bool
    flags: Flags
    typed: Mapping[str, Any] = field(default_factory=dict)
    """All options by their own names, as they were typed."""
    csv: Path | None = None
    """Where the tables go as CSV."""
    picture: Path | None = None
    """Where pictures of the result go."""

    def result(self, **more: Any) -> Result:
        """What the tool makes of it; `more` is what only a program can give.

        The arguments are not validated: the function checks what it is given, in its own words.

        Raises:
            EdgewrightError: arguments that mean nothing or something impossible.
        """
        arguments = self.tool.arguments.model_construct(**self.given)
        workspace = _AsTyped(settings=self.flags.settings())
        if "progress" in more:
            return self.tool.run(arguments, workspace, **more)
        with clock(self.tool.command or self.tool.function):
            return self.tool.run(arguments, workspace, **more)

    def show(
        self,
        result: Result,
        shown: Callable[[Any], Document | str] | None = None,
        write: Callable[[], None] = lambda: None,
    ) -> None:
        """Print the result, as `shown` describes it where that is given, and `write` files of it, --csv and
        --picture.

        Under --json the file comes first, as the one document is an error or the result; else last, as an
        error then costs no answer.
        """
        described = shown or self.tool.describe
        if self.json:
            from ..agent.inputs import TOOL_NAMES, document_inputs

            write()
            self._save_beside(result, described)
            name = self.tool.function
            print_json(TOOL_NAMES.get(name, name), document_inputs(name, self.given, self.typed), result)
            return
        print_text(result, described)
        write()
        self._save_beside(result, described)

    def _save_beside(self, result: Result, shown: Callable[[Any], Document | str]) -> None:
        force = bool(self.given.get("force") or self.typed.get("force"))
        if self.picture is not None:
            for file in tools.write_pictures(result, self.picture, force=force):
                echo(file, err=True)
        if self.csv is None:
            return
        document = shown(result)
        if isinstance(document, str):
            raise tools.UsageError("--csv and --format are two formats.", hint="Drop one of them.")
        for file in tools.write_tables(result, self.csv, document=document, force=force):
            echo(file, err=True)

    def judge(self, shown: Callable[[Any], Document | str] | None = None) -> NoReturn:
        """Print the result and leave with the exit code of its verdict."""
        result = self.result()
        self.show(result, shown)
        raise typer.Exit(exit_code(result))

    def of(self, function: str, **more: Any) -> Asked:
        """The same asked of another tool, as far as that takes it."""
        tool = tool_named(function)
        given = {**self.given, **more}
        taken = {name: given[name] for name in tool.arguments.model_fields if name in given}
        return replace(self, tool=tool, given=taken)


Body = Callable[..., None]


class Bodies(dict[str, Body]):
    """What the commands of some tools do with what they were asked; their keywords are further options."""

    def of(self, function: str) -> Callable[[Body], Body]:
        def mark(run: Body) -> Body:
            self[function] = run
            return run

        return mark


def plain(asked: Asked) -> None:
    if asked.tool.judges:
        asked.judge()
    asked.show(asked.result())


def exit_code(result: Any) -> int:
    """Of a verdict; of a limit that is or is not feasible; of a ranking in which some pass or may."""
    match result:
        case _ if hasattr(result, "feasible"):
            return {True: 0, False: FAILED}.get(result.feasible, UNKNOWN)
        case _ if hasattr(result, "passing"):
            return 0 if result.passing else UNKNOWN if result.unknown else FAILED
        case _:
            return {tools.Verdict.FAIL: FAILED, tools.Verdict.UNKNOWN: UNKNOWN}.get(result.verdict, 0)


class Generated(CommandInfo):
    """The command of a tool, a name and a help until `expand` gives it its options."""

    def __init__(self, tool: Tool, run: Body, *, prints: bool = True) -> None:
        super().__init__(tool.command.split()[-1], callback=_not_yet, help=tool.help)
        self._tool, self._run, self._prints = tool, run, prints

    def expand(self) -> None:
        """Options cost the import of the arguments, so only what may be called gets them."""
        if self.callback is _not_yet:
            self.callback = callback(self._tool, self._run, prints=self._prints)


def _not_yet() -> None:
    raise AssertionError("a command is expanded before it is called")


def callback(tool: Tool, run: Body, *, prints: bool = True) -> Callable[..., None]:
    """A function with the signature that Typer reads a command from; what prints a result has --json."""
    options = tool.arguments.options()
    called = {name: option.names[0] if option.is_position else name for name, option in options.items()}
    own = list(inspect.signature(run, eval_str=True).parameters.values())[1:]

    def command(**typed: Any) -> None:
        context, json = typed.pop("typer_context"), typed.pop("json", False)
        beside = {name: typed.pop(name, None) for name in ("csv", "picture")}
        named, given = tool.arguments.read({name: typed.pop(called[name]) for name in options})
        run(Asked(tool, given, json, context.obj, {**named, **typed}, **beside), **typed)

    spelled = [_parameter(called[name], option) for name, option in options.items()]
    spelled.sort(key=lambda parameter: parameter.default is not parameter.empty)
    shared = [
        _optional("csv", Csv),
        *([_optional("picture", Picture)] if tool.pictured else []),
        _optional("json", Json, default=False),
    ]
    context = inspect.Parameter("typer_context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    command.__signature__ = inspect.Signature([context, *spelled, *own, *(shared if prints else [])])  # type: ignore[attr-defined]
    command.__annotations__ = {}
    return command


def _optional(name: str, annotation: Any, *, default: Any = None) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _parameter(name: str, option: Option) -> inspect.Parameter:
    spelled: Any = typer.Argument if option.is_position else typer.Option
    names = () if option.is_position else option.names
    info = spelled(*names, help=option.help, min=option.least, autocompletion=completer(option.completes))
    needed = option.required
    kind = option.kind if needed or option.default is not None else option.kind | None
    default = inspect.Parameter.empty if needed else option.default
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info]
    )
