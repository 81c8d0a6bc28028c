"""A call over HTTP: the arguments of a tool as text or JSON, and the document that its command prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, get_origin

from pydantic import ValidationError

from ...hardware_db.errors import EdgewrightError, InputError, UsageError, nearest
from ...tools.core.envelope import envelope
from ..arguments import WRITTEN
from ..inputs import TOOL_NAMES, document_inputs
from ..registry import TOOLS, Tool
from ..spelling import Arguments, Option
from ..views.errors import what_is_wrong
from ..workspace import FileNotAllowedError, Workspace, cleaned_name


class NoSuchToolError(UsageError):
    """Nothing is served under this name."""


class WrongArgumentsError(UsageError):
    """Arguments that the tool does not take."""


def served() -> tuple[Tool, ...]:
    """The tools that leave nothing behind."""
    return tuple(tool for tool in TOOLS if not tool.writes)


def tool_called(name: str) -> Tool:
    """By its function, or by its command as in `targets-list`.

    Raises:
        NoSuchToolError: there is none, or it writes, which only a command does.
    """
    known = {tool.function: tool for tool in served()}
    commands = {tool.command.replace(" ", "-"): tool for tool in served() if tool.command}
    found = known.get(name) or commands.get(name)
    if found is not None:
        return found
    shown = cleaned_name(name)
    if any(name in (tool.function, tool.command) for tool in TOOLS):
        raise NoSuchToolError(f"{shown} leaves something behind.", hint="Only the command line does that.")
    close = nearest(shown, [*known, *commands]) or known
    raise NoSuchToolError(f"There is no tool {shown!r}.", hint=f"Nearest: {', '.join(close)}.")


def offered(tool: Tool) -> dict[str, Any]:
    """Field → its description by pydantic, of the arguments that may come over HTTP."""
    return {name: info for name, info in tool.arguments.model_fields.items() if not _writes(info)}


def _writes(info: Any) -> bool:
    return WRITTEN in info.metadata


def called(tool: Tool, asked: Mapping[str, Any], workspace: Workspace) -> dict[str, Any]:
    """The document of a call.

    Args:
        tool: what to run.
        asked: argument → JSON, or text such as "50ms" as one types it after the option.
        workspace: the directory that files are read in.

    Raises:
        EdgewrightError: arguments that mean nothing or something impossible, or a file elsewhere.
    """
    typed, given, arguments = arguments_of(tool.arguments, asked, offered(tool), workspace)
    result = tool.run(arguments, workspace)
    name = tool.function
    return envelope(TOOL_NAMES.get(name, name), document_inputs(name, given, typed), result)


def arguments_of(
    kind: type[Arguments], asked: Mapping[str, Any], known: Iterable[str], workspace: Workspace
) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """What was typed by option, the arguments by name, and the same validated.

    Raises:
        WrongArgumentsError: arguments that are not known or do not fit.
        UsageError: a text that means nothing.
        InputError: a file outside the directory.
    """
    _check_names(asked, tuple(known))
    asked = {name: value for name, value in asked.items() if value is not None}
    for value in asked.values():
        _confine(value, workspace)
    options = kind.options()
    plain = {name: _plain(options[name], asked[name]) for name in options if name in asked}
    texts = {name: value for name, (value, is_text) in plain.items() if is_text}
    typed, given = kind.read(texts)
    ready = {name: value for name, (value, is_text) in plain.items() if not is_text}
    given |= ready | {name: value for name, value in asked.items() if name not in options}
    typed |= {options[name].long_name: value for name, value in ready.items()}
    try:
        return typed, given, kind.model_validate(given)
    except ValidationError as error:
        raise WrongArgumentsError(f"{what_is_wrong(error, tuple(known))}.") from None


def _check_names(asked: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for name in asked:
        if name not in known:
            close = nearest(name, known) or known
            raise WrongArgumentsError(
                f"There is no argument {cleaned_name(name)!r}.", hint=f"Nearest: {', '.join(close)}."
            )


def _plain(option: Option, value: Any) -> tuple[Any, bool]:
    """The value, and whether it is a text that its option reads, as one types it on the command line."""
    is_list = get_origin(option.kind) is list
    match value:
        case str() if is_list:
            return [value], True
        case str() if option.read is not None and (number := _number(value)) is not None:
            return number, False  # in the unit that the field's name ends in
        case str():
            return value, True
        case list() if is_list and all(isinstance(each, str) for each in value):
            return value, True
        case _:
            return value, False


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _confine(value: Any, workspace: Workspace) -> None:
    """No text may name what lies outside the directory, whether a tool took it for a path or not."""
    for text in _texts(value):
        try:
            path = Path(workspace.file(text))
        except InputError as error:
            raise FileNotAllowedError(error.message, hint="Files are read inside --directory.") from None
        if Path.cwd() != workspace.directory and Path(text).exists() and not path.exists():
            raise FileNotAllowedError(f"{cleaned_name(text)} lies outside the directory.")


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for key, each in value.items():
                yield from (*_texts(key), *_texts(each))
        case list():
            for each in value:
                yield from _texts(each)


def status_of(error: EdgewrightError) -> HTTPStatus:
    """What HTTP calls an end such as this."""
    match error:
        case NoSuchToolError():
            return HTTPStatus.NOT_FOUND
        case FileNotAllowedError():
            return HTTPStatus.FORBIDDEN
        case WrongArgumentsError() | InputError():
            return HTTPStatus.UNPROCESSABLE_ENTITY
        case UsageError():
            return HTTPStatus.BAD_REQUEST
        case _:
            return HTTPStatus.INTERNAL_SERVER_ERROR
