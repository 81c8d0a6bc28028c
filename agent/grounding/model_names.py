"""Under which names a text may speak of a model, and of models that no result speaks of."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePath

_FILE_ENDINGS = (".tflite", ".onnx", ".pt", ".pth")
_FILE = re.compile(r"(?<![\w/.\\-])[\w./\\-]{0,120}\w\.(?:tflite|onnx|pth?|keras|h5)(?!\w)", re.IGNORECASE)
_NICKNAMES = {
    "kws": r"kws|keyword[- ]spotting|keyword[- ]spotter|keyword (?:model|network|inference|detection)|"
    r"ds[-_]?cnn",
    "vww": r"vww|visual[- ]wake[- ]words?|person[- ]detect\w+",
    "ic": r"image[- ]classification|cifar-?10",
    "ad": r"anomaly[- ]detection|toycar",
}
"""What people call the MLPerf Tiny networks."""
_NETWORKS = re.compile(
    r"(?<![\w-])(?:(?:mobile|efficient|res|squeeze|mnas|shuffle|dense|alex|google|yam|nas)[-_ ]?net[\w.-]*"
    r"(?:[ _-]?[vb]\d[\w.]*)?|yolo[\w-]*|inception[-_ ]?v\d|vgg-?\d+|whisper[\w-]*)(?![\w])",
    re.IGNORECASE,
)


def model_forms(models: Collection[str]) -> dict[str, str]:
    """Every form that means one model and no other; `net:0.35:int8` may go by `net`."""
    forms: dict[str, set[str]] = {}
    for model in models:
        for form in _forms(model):
            forms.setdefault(form.casefold(), set()).add(model)
    return {form: next(iter(those)) for form, those in forms.items() if len(those) == 1}


def _forms(model: str) -> Iterator[str]:
    """A path also goes by its file's name, with and without its ending; and a name may be spelt with "
    "hyphens."""
    path = PurePath(model)
    stem = path.stem if path.suffix.lower() in _FILE_ENDINGS else path.name
    base = model.partition(":")[0]
    for name in {model, path.name, stem, base if base != model else stem}:
        yield name
        for spelt in ("", "-", " "):
            yield name.replace("_", spelt)


def other_models(text: str, known: Collection[str]) -> Iterator[tuple[int, int, str, str]]:
    """Files and networks that are none of the known ones."""
    forms = model_forms(known)
    by_task = {_task_of(model): model for model in known}
    for match in _FILE.finditer(text):
        if match[0].casefold() not in forms:
            yield match.start(), match.end(), "model", match[0]
    if not all(_task_of(model) or _NETWORKS.search(model) for model in known):
        return  # a file may hold any network
    for task, words in _NICKNAMES.items():
        for match in _nickname(words).finditer(text):
            if not _is_form(match[0], forms):
                yield match.start(), match.end(), "model", by_task.get(task, task)
    for match in _NETWORKS.finditer(text):
        if not _is_form(match[0], forms) and any(c.isdigit() for c in match[0]):
            yield match.start(), match.end(), "model", _family_of(match[0], known)


_COMPILED: dict[str, re.Pattern[str]] = {}


def _nickname(words: str) -> re.Pattern[str]:
    if words not in _COMPILED:
        _COMPILED[words] = re.compile(rf"(?<![\w./-])(?:{words})(?![\w-])(?!\.\w)", re.IGNORECASE)
    return _COMPILED[words]


def _is_form(name: str, forms: Mapping[str, str]) -> bool:
    return name.casefold() in forms


def _task_of(model: str) -> str:
    stem = PurePath(model).name.casefold()
    return next((task for task in _NICKNAMES if re.match(rf"{task}(?![a-z])", stem)), "")


def _family_of(name: str, known: Collection[str]) -> str:
    """One of the known that the name may mean, or itself."""
    squeezed = re.sub(r"[\W_]", "", name.casefold())
    meant = [model for model in known if re.sub(r"[\W_]", "", model.casefold()).startswith(squeezed)]
    return meant[0] if len(meant) == 1 else "|".join(sorted(meant)) or name
