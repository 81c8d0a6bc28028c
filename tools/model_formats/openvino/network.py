"""The layers of an OpenVINO IR as its XML lists them. Entities and document types are refused unread."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any
from xml.parsers import expat

from ...core.records import dataclass
from ...core.sanitize import clean_text
from ..tflite.reader import DamagedError

_MOST_BYTES = 256 << 20
_DEEPEST = 64
_MOST_DIMENSIONS = 16
_NET = re.compile(rb"<net\b[^>]{0,4000}\bversion=\"1[01]\"")
_BODIES = frozenset({"body", "then_body", "else_body", "pre_process"})
Dimensions = tuple[int, ...]


@dataclass(frozen=True)
class Port:
    number: str
    dimensions: Dimensions
    """-1 is not known until run time."""
    precision: str
    names: str


@dataclass
class Layer:
    number: str
    name: str
    kind: str
    data: Mapping[str, str] = field(default_factory=dict)
    inputs: list[Port] = field(default_factory=list)
    outputs: list[Port] = field(default_factory=list)

    def integers(self, name: str) -> tuple[int, ...]:
        """Of an attribute; empty where it has none."""
        return tuple(int(part) for part in self.data.get(name, "").split(",") if part.strip())

    def whole(self, name: str, default: int = 0) -> int:
        return int(self.data.get(name, default))

    def number_of(self, name: str, default: float = 0.0) -> float:
        return float(self.data.get(name, default))

    def flag(self, name: str, *, default: bool = False) -> bool:
        return self.data.get(name, str(default)).casefold() in {"true", "1"}


@dataclass
class Network:
    layers: list[Layer]
    sources: dict[tuple[str, str], tuple[str, str]]
    """(layer, port) of an input → (layer, port) of the output that it reads."""


def is_openvino(start: bytes) -> bool:
    """Whether bytes may begin an IR of version 10 or 11."""
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    return text.startswith((b"<?xml", b"<net")) and _NET.search(text) is not None


def read_network(data: bytes) -> Network:
    """
    Raises:
        DamagedError: no XML, XML with entities, or layers that cannot be.
    """
    if len(data) > _MOST_BYTES:
        raise DamagedError(f"its text has {len(data):,} bytes")
    listener = _Listener()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = listener.start
    parser.EndElementHandler = listener.end
    parser.CharacterDataHandler = listener.text
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    parser.ExternalEntityRefHandler = _refuse
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, LookupError) as error:
        raise DamagedError(f"its text is no XML ({clean_text(str(error), 80)})") from error
    return Network(listener.layers, listener.sources)


def _refuse(*_: Any) -> int:
    raise DamagedError("it declares a document type, which no IR does")


class _Listener:
    """What lies within the bodies of loops and branches is not listened to."""

    def __init__(self) -> None:
        self.layers: list[Layer] = []
        self.sources: dict[tuple[str, str], tuple[str, str]] = {}
        self._path: list[str] = []
        self._ports: list[Port] | None = None
        self._port: dict[str, str] = {}
        self._dimensions: list[int] = []
        self._text = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._path.append(tag)
        if len(self._path) > _DEEPEST:
            raise DamagedError(f"its elements lie more than {_DEEPEST} deep in each other")
        if not _BODIES.isdisjoint(self._path):
            return
        match self._path:
            case ["net", "layers", "layer"]:
                kind = clean_text(attributes["type"], 60)
                self.layers.append(Layer(attributes["id"], attributes.get("name", ""), kind))
            case ["net", "layers", "layer", "data"]:
                self.layers[-1].data = attributes
            case ["net", "layers", "layer", "input" | "output" as side]:
                self._ports = self.layers[-1].inputs if side == "input" else self.layers[-1].outputs
            case ["net", "layers", "layer", _, "port"]:
                self._port, self._dimensions = attributes, []
            case ["net", "edges", "edge"]:
                target = attributes["to-layer"], attributes["to-port"]
                self.sources[target] = attributes["from-layer"], attributes["from-port"]
        self._text = ""

    def text(self, text: str) -> None:
        self._text += text[:40]

    def end(self, _: str) -> None:
        if _BODIES.isdisjoint(self._path):
            match self._path:
                case ["net", "layers", "layer", _, "port", "dim"]:
                    self._dimensions.append(_dimension(self._text))
                case ["net", "layers", "layer", "input" | "output", "port"] if self._ports is not None:
                    given = self._port
                    self._ports.append(
                        Port(
                            given["id"], tuple(self._dimensions), given.get("precision", "FP32"),
                            given.get("names", ""),
                        )
                    )  # fmt: skip
        self._path.pop()
        self._text = ""


def _dimension(text: str) -> int:
    size = int(text)
    if not -1 <= size < 1 << 62:
        raise DamagedError(f"a tensor has a dimension of {size}")
    return size
