"""The page as a server shows it: made anew when the model's file or that of the limits has changed."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ... import tools
from ...tools.core.records import dataclass
from ...tools.core.sanitize import escape
from ...tools.reports.page.shell import page, page_without_figures
from ...tools.reports.views import views_of
from ..arguments.limits import ServeArguments
from ..runs import limits_of, model_of, places_of
from ..workspace import Workspace
from .calls import arguments_of

_KEPT = 8
"""Pages, of 1 to 5 MB."""
_FIELDS = (
    ("model", "Model", "models"), ("targets", "Targets", "targets"), ("latency_ms", "Latency", ""),
    ("ram_bytes", "RAM", ""), ("flash_bytes", "Flash", ""), ("energy_uj", "Energy", ""),
)  # fmt: skip
_EXAMPLES = {
    "model": "kws.tflite or mobilenet_v2:int8", "targets": "stm32h743zi, nrf52840", "latency_ms": "50ms",
    "ram_bytes": "256KiB", "flash_bytes": "1MiB", "energy_uj": "1mJ",
}  # fmt: skip


@dataclass(frozen=True)
class Shown:
    """What one address shows."""

    given: Mapping[str, Any]
    """Arguments as they were asked for."""
    arguments: Any
    workspace: Workspace

    @property
    def is_whole(self) -> bool:
        """Whether a model and a target are named."""
        return bool(self.arguments.model and self.arguments.targets)

    def version(self) -> str:
        """Another one whenever a file that the page stands on is another."""
        return hashlib.sha256(repr([_state(path) for path in self._files()]).encode()).hexdigest()[:16]

    def _files(self) -> list[Path]:
        named = (self.arguments.model, self.arguments.budget)
        return [self.workspace.directory / name for name in named if name]

    def html(self, version: str) -> str:
        """
        Raises:
            EdgewrightError: a model, target or limit that cannot be used.
        """
        if not self.is_whole:
            return without_figures(self.given, self.workspace)
        asked = self.arguments
        views = views_of(
            model_of(asked, self.workspace),
            places_of(asked, self.workspace),
            limits_of(dict(asked), self.workspace),
            asked.transforms or (),
            in_depth=True if asked.in_depth else None,
        )
        before = _form(self.given, self.workspace, opened=False)
        return page(list(views), charts=asked.charts, before=before, version=version)


def without_figures(
    given: Mapping[str, Any], workspace: Workspace, wrong: str = "", version: str = ""
) -> str:
    """The questions alone, with what was answered to them, and why that cannot be shown."""
    said = f'<p id="wrong" role="alert">{escape(wrong)}</p>' if wrong else ""
    form = _form(given, workspace, opened=True)
    return page_without_figures("Edgewright", f"<h1>Edgewright</h1>{said}{form}", version)


class Pages:
    """
    Args:
        given: arguments of the command, which an address adds to.
        workspace: where files are read.
    """

    def __init__(self, given: Mapping[str, Any], workspace: Workspace) -> None:
        self._given, self._workspace = dict(given), workspace
        self._made: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._changing = threading.Lock()

    def given(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The command's arguments and those of an address, as texts."""
        named = {name: value for name, value in asked.items() if value not in ("", [""])}
        if "targets" in named:
            named["targets"] = _names(named["targets"])
        return self._given | named

    def at(self, asked: Mapping[str, Any]) -> Shown:
        """What an address shows. Raises EdgewrightError."""
        merged = self.given(asked)
        known = ServeArguments.model_fields
        _, _, arguments = arguments_of(ServeArguments, merged, known, self._workspace)
        return Shown(merged, arguments, self._workspace)

    def html(self, shown: Shown) -> str:
        """Made once for each state of its files. Raises EdgewrightError."""
        key = (repr(shown.arguments), shown.version())
        with self._changing:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
        made = shown.html(key[1])
        with self._changing:
            self._made[key] = made
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
        return made


def _names(value: Any) -> list[str]:
    """Of a list, or of a line with commas between them."""
    lines = [value] if isinstance(value, str) else value
    return [name for line in lines for name in str(line).replace(",", " ").split()]


def _state(path: Path) -> tuple[int, ...] | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _form(given: Mapping[str, Any], workspace: Workspace, *, opened: bool) -> str:
    fields = "".join(
        f'<label>{label} <input name="{name}" value="{escape(_said(given.get(name)))}" '
        f'placeholder="{_EXAMPLES[name]}"{f" list={listed}" if listed else ""}></label>'
        for name, label, listed in _FIELDS
    )
    lists = _datalist("models", _models(workspace)) + _datalist("targets", _targets(workspace))
    form = f'<form class="asked">{fields}<button>Show</button></form>{lists}'
    state = " open" if opened else ""
    return f"<details{state}><summary>Another model, target or limit</summary>{form}</details>"


def _said(value: Any) -> str:
    return (
        ", ".join(map(str, value)) if isinstance(value, list | tuple) else "" if value is None else str(value)
    )


def _datalist(name: str, words: list[str]) -> str:
    return f'<datalist id="{name}">{"".join(f"<option>{escape(word)}</option>" for word in words)}</datalist>'


def _models(workspace: Workspace) -> list[str]:
    files = [found.name for found in tools.list_model_files(workspace.directory).files]
    return [*files, *tools.list_architectures().architectures]


def _targets(workspace: Workspace) -> list[str]:
    return [each.id for each in tools.list_targets(settings=workspace.settings).targets]
