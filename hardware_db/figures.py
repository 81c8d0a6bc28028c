"""The figures of a release in one file: what was fitted and published, kept to answer by later."""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from pathlib import Path
from typing import NamedTuple

from .errors import InputError, UsageError

FILES = (
    "coefficients/fitted.json",
    "coefficients/offsets.json",
    "coefficients/flash.json",
    "coefficients/decode.json",
    "coefficients/vela.json",
    "coefficients/link.json",
    "coefficients/achieved.csv",
    "measurements/published.tsv",
)
"""What a fit writes and an answer reads. Chips and rules are the installed package's."""
FORMAT = 2
"""Of the files in it: changes where the package no longer reads what an older one wrote."""
LARGEST_BYTES = 32 << 20
_CONTENTS = "figures.json"
_HERE = Path(__file__).parent
_KEEP = "Keep the figures of a release with `edgewright check … --keep-figures FILE` while it is installed."


class KeptFigures(NamedTuple):
    """Figures that were kept."""

    release: str
    """Their name, such as 2026.12."""
    file: Path
    texts: dict[str, bytes]
    """Name out of `FILES` → what stands in it."""


class _InUse:
    """Of this process; None is what the package ships."""

    kept: KeptFigures | None = None
    read = False


def read(name: str) -> bytes:
    """One of `FILES`, of the figures that this process answers by."""
    _InUse.read = True
    return _HERE.joinpath(name).read_bytes() if _InUse.kept is None else _InUse.kept.texts[name]


def answer_by(kept: KeptFigures) -> None:
    """From its start, let this process answer by kept figures; they stay until it ends.

    Raises:
        UsageError: it has already read others.
    """
    if _InUse.read:
        raise UsageError("Figures are chosen before the first is read.", hint="Use a process of its own.")
    _InUse.kept = kept


def shipped() -> bytes:
    """A file with the figures that the package ships, some 0.4 MB."""
    texts = {name: _HERE.joinpath(name).read_bytes() for name in FILES}
    contents = {
        "format": FORMAT,
        "release": json.loads(texts[FILES[0]])["release"],
        "sha256": {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()},
    }
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {_CONTENTS: json.dumps(contents, indent=1).encode(), **texts}.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return whole.getvalue()


def read_kept(file: str | os.PathLike[str]) -> KeptFigures:
    """Figures out of a file that holds `shipped`, each checked by its hash.

    Raises:
        InputError: no such file, a damaged one, or one that this release cannot read.
    """
    path = Path(file).expanduser().resolve()
    try:
        with zipfile.ZipFile(path) as archive:
            contents = json.loads(_member(archive, _CONTENTS))
            if contents["format"] != FORMAT:
                raise InputError(
                    f"{str(path)!r} is in format {contents['format']!r}; this release reads {FORMAT}.",
                    hint="Install the release that wrote them.",
                )
            texts = {name: _member(archive, name) for name in FILES}
            whole = all(
                hashlib.sha256(text).hexdigest() == contents["sha256"][name] for name, text in texts.items()
            )
            release = str(contents["release"])
            alike = _layout(texts[FILES[0]]) == _layout(_HERE.joinpath(FILES[0]).read_bytes())
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read: {error.strerror}.", hint=_KEEP) from None
    except (zipfile.BadZipFile, ValueError, KeyError, TypeError, NotImplementedError):
        raise InputError(f"{str(path)!r} holds no kept figures.", hint=_KEEP) from None
    if not alike:
        raise InputError(
            f"{str(path)!r} is of a release whose cost model counts other work than this one's.",
            hint="Install the release that wrote it.",
        )
    if not whole:
        raise InputError(f"{str(path)!r} is damaged: its contents are not what was kept.", hint=_KEEP)
    return KeptFigures(release, path, texts)


def _layout(fitted: bytes) -> tuple[str, list[str]]:
    """What has to agree between coefficients and the code that multiplies them."""
    document = json.loads(fitted)
    return document["schema_version"], document["features"]


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as opened:
        text = opened.read(LARGEST_BYTES + 1)
    if len(text) > LARGEST_BYTES:
        raise ValueError(name)
    return text
