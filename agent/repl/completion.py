"""What Tab offers: commands, models, targets, runtimes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from prompt_toolkit.completion import CompleteEvent, Completer
from prompt_toolkit.completion import Completion as Offer
from prompt_toolkit.document import Document
from typing_extensions import override

from ... import hardware_db
from ...hardware_db.errors import EdgewrightError, UsageError
from ...hardware_db.names import folded
from ...tools.core.sanitize import clean_text
from ..workspace import Workspace
from .commands import Choice, Command, Completion, find_command

if TYPE_CHECKING:
    from ...hardware_db.index import Names

_MENTION = re.compile(r"(?:^|\s)@([^\s@\"']*)$|(?:^|\s)@[\"']([^\"'\n]*)$")
_MOST = 40


class ChatCompleter(Completer):
    """Completes a command and its argument, and models after `@` anywhere in a question."""

    def __init__(self, table: Sequence[Command], workspace: Workspace) -> None:
        self._table = table
        self._workspace = workspace

    @override
    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Offer]:
        for choice in self.choices(document.text_before_cursor):
            yield Offer(
                choice.text, start_position=-choice.replaces, display_meta=clean_text(choice.meta, 60) or None
            )

    def choices(self, text: str) -> Iterator[Choice]:
        name, blank, argument = text.lstrip().partition(" ")
        if name.startswith("/") and "/" not in name[1:]:
            yield from self._argument(name, argument) if blank else self._commands(name)
        elif mention := _MENTION.search(text):
            typed = mention[1] if mention[1] is not None else mention[2]
            yield from _quoted(models(typed, self._workspace), bool(mention[2]))

    def _commands(self, typed: str) -> Iterator[Choice]:
        for command in self._table:
            found = next((n for n in command.names if n.startswith(typed.casefold())), None)
            if found:
                yield Choice(found, len(typed), command.help)

    def _argument(self, name: str, typed: str) -> Iterable[Choice]:
        try:
            command = find_command(name, self._table)
        except UsageError:
            return ()
        return command.complete(typed.lstrip(), self._workspace) if command.complete else ()


def words(*known: str) -> Completion:
    def complete(typed: str, _workspace: Workspace) -> Iterator[Choice]:
        yield from (Choice(word, len(typed)) for word in known if word.startswith(typed.casefold()))

    return complete


def models(typed: str, workspace: Workspace) -> Iterator[Choice]:
    """Files and folders that the path goes on with, then named architectures."""
    from ...tools.model_zoo.named import architecture_aliases, architecture_names

    yield from _paths(typed, workspace.directory)
    wanted = typed.casefold()
    yield from (Choice(n, len(typed), "architecture") for n in architecture_names() if n.startswith(wanted))
    for alias, name in architecture_aliases().items():
        if wanted and alias.casefold().startswith(wanted) and not name.startswith(wanted):
            yield Choice(name, len(typed), alias)


def targets(typed: str, workspace: Workspace) -> Iterator[Choice]:
    index = hardware_db.read_index(workspace.own_hardware)
    names = {t.id: f"{t.vendor} {t.name}" for t in index.targets}
    yield from _named(typed, names, index.target_names)


def runtimes(typed: str, workspace: Workspace) -> Iterator[Choice]:
    """Those of the pinned target, else all."""
    index = hardware_db.read_index(workspace.own_hardware)
    names = {r.id: r.name for r in index.runtimes}
    try:
        usable = tuple(names)
        if workspace.target:
            usable = hardware_db.resolve_target(workspace.target, workspace.own_hardware).runtimes
    except EdgewrightError:
        usable = tuple(names)
    yield from _named(typed, {k: names[k] for k in usable if k in names}, index.runtime_names)


def models_then_targets(typed: str, workspace: Workspace) -> Iterator[Choice]:
    first, blank, second = typed.partition(" ")
    if blank and not first.startswith(("'", '"')):
        yield from targets(second.lstrip(), workspace)
    elif not blank:
        yield from _quoted(models(typed, workspace), False)


def several_targets(typed: str, workspace: Workspace) -> Iterator[Choice]:
    yield from targets(typed.rpartition(" ")[2], workspace)


def _named(typed: str, names: Mapping[str, str], known: Names) -> Iterator[Choice]:
    """Ids that start so, then ids that hold it, then those with an alias that does."""
    key = folded(typed)
    starting = [i for i in names if folded(i).startswith(key)]
    holding = [i for i in names if key in folded(i)]
    called = {i: alias for alias, i in known.exact.items() if key and key in alias and i in names}
    for identifier in dict.fromkeys((*starting, *holding, *called)):
        alias = called.get(identifier, "") if identifier not in holding else ""
        yield Choice(identifier, len(typed), f"{names[identifier]} {alias}".rstrip())


def _paths(typed: str, directory: Path) -> Iterator[Choice]:
    """Folders and model files of the folder that is being typed; hidden ones only where asked for."""
    folder, slash, start = typed.rpartition("/")
    try:
        place = directory / Path(folder + slash).expanduser()
        entries = sorted(place.iterdir(), key=lambda path: path.name)
        found = [p for p in entries if p.name.startswith(start) and (start or not p.name.startswith("."))]
        offered = [
            (p, p.is_dir()) for p in found if p.suffix.casefold() in {".tflite", ".onnx"} or p.is_dir()
        ]
    except (OSError, RuntimeError, ValueError):
        return
    for path, is_folder in offered[:_MOST]:
        if path.name.isprintable():
            text = f"{folder}{slash}{path.name}{'/' if is_folder else ''}"
            yield Choice(text, len(typed), "folder" if is_folder else "model file")


def _quoted(choices: Iterable[Choice], open_quote: bool) -> Iterator[Choice]:
    """Paths with blanks in quotes, unless a quote is open already."""
    for choice in choices:
        if " " not in choice.text or open_quote:
            yield choice
        else:
            end = "" if choice.text.endswith("/") else '"'
            yield choice._replace(text=f'"{choice.text}{end}')
