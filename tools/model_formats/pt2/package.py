"""The parts of a .pt2 archive that say what the program is: JSON only, no pickle is opened."""

from __future__ import annotations

import json
import zipfile
from typing import Any, BinaryIO

from ...core.records import dataclass
from ..archive import member_content, opened
from ..tflite.reader import DamagedError

_PROGRAMS = ("serialized_exported_program.json", "models/model.json")
"""Until 2.7 at the root, from 2.8 on in a folder of the archive's name."""
_WEIGHTS = "data/weights/model_weights_config.json"
_CONSTANTS = "data/constants/model_constants_config.json"
_MOST_BYTES = 96 << 20


@dataclass(frozen=True)
class Package:
    program: Any
    """What the program's JSON holds."""
    stored: dict[str, int]
    """Bytes of each weight by the name that the program gives it; empty for older archives."""
    bytes_in_all: int


def is_program(name: str) -> bool:
    """Whether a member of an archive is an exported program."""
    return name in _PROGRAMS or name.endswith(tuple(f"/{each}" for each in _PROGRAMS))


def read_package(file: BinaryIO, what: str) -> Package:
    """
    Raises:
        ModelFileError: a damaged archive, or one beyond all bounds.
        DamagedError: its JSON is none.
    """
    with opened(file, what) as archive:
        members = {member.filename: member for member in archive.infolist()}
        programs = [name for name in members if is_program(name)]
        if len(programs) != 1:
            raise DamagedError(f"it holds {len(programs)} programs")
        folder = programs[0].removesuffix(_PROGRAMS[1]) if programs[0].endswith(_PROGRAMS[1]) else ""
        stored: dict[str, int] = {}
        for listed in (_WEIGHTS, _CONSTANTS):
            config = members.get(folder + listed)
            if config is not None:
                at = folder + listed.rpartition("/")[0]
                stored |= _stored(_json(archive, config, what), members, at)
        program = _json(archive, members[programs[0]], what)
        return Package(program, stored, sum(member.file_size for member in members.values()))


def _stored(listed: Any, members: dict[str, zipfile.ZipInfo], folder: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, entry in listed["config"].items():
        path = f"{folder}/{entry['path_name']}"
        if path not in members:
            raise DamagedError("a weight that it lists is not there")
        found[name] = members[path].file_size
    return found


def _json(archive: zipfile.ZipFile, member: zipfile.ZipInfo, what: str) -> Any:
    if member.file_size > _MOST_BYTES:
        raise DamagedError(f"its program is text of {member.file_size:,} bytes")
    try:
        return json.loads(member_content(archive, member, what))
    except (ValueError, RecursionError) as error:
        raise DamagedError("its program is no JSON") from error
