"""The metadata of a Common Trace Format 1.8 trace: how its packets and events are laid out.

A parser of the part of TSDL that firmware writes (diamon.org/ctf, version 1.8.3): integers, floats, strings,
enumerations, structures, arrays and sequences, with their sizes, alignments and byte orders; variants, which
LTTng's compact event headers need, are refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ....hardware_db.errors import InputError
from ...core.records import dataclass
from ...core.sanitize import clean_text

MAGIC = "/* CTF 1.8"
_TOKEN = re.compile(
    r"\s+|/\*.*?\*/|//[^\n]*|(?P<text>\"(?:[^\"\\\n]|\\.){0,2000}\")|(?P<word>[A-Za-z_][\w.]{0,200})"
    r"|(?P<number>[-+]?(?:0[xX][0-9a-fA-F]{1,16}|\d{1,19}))|(?P<mark>:=|\.\.\.|[{}\[\]();:=,<>])",
    re.DOTALL,
)
_MOST_TOKENS, _MOST_DEPTH, _MOST_BITS, _MOST_ELEMENTS = 200_000, 16, 64, 1 << 16
_BLOCKS = ("trace", "stream", "event", "clock", "env", "callsite")
_TRUE = ("true", "TRUE", "1")


class Int(NamedTuple):
    bits: int
    align: int = 1
    signed: bool = False
    big: bool = False
    is_text: bool = False
    """Of one byte with an encoding: an array of them is a string."""
    clock: str = ""
    """That it maps to."""


class Real(NamedTuple):
    bits: int
    align: int
    big: bool


class Text(NamedTuple):
    """Ends with a zero byte."""

    align: int = 8


class Struct(NamedTuple):
    fields: tuple[tuple[str, Type], ...]
    align: int


class Array(NamedTuple):
    element: Type
    length: int | str
    """Elements, or the field before it that counts them."""

    @property
    def align(self) -> int:
        return self.element.align


Type = Int | Real | Text | Struct | Array
NOTHING = Struct((), 1)


@dataclass(frozen=True)
class EventLayout:
    name: str
    context: Struct
    fields: Struct


@dataclass(frozen=True)
class StreamLayout:
    packet_context: Struct
    header: Struct
    context: Struct
    events: Mapping[int, EventLayout]


@dataclass(frozen=True)
class Metadata:
    big: bool
    packet_header: Struct
    streams: Mapping[int, StreamLayout]
    clocks: Mapping[str, int]
    """Name of a clock → ticks a second."""


def parsed(text: str) -> Metadata:
    """
    Raises:
        InputError: a text that is no such metadata, with its line.
    """
    return _Parser(text).metadata()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens: list[tuple[str, int]] = []
        self._at = 0
        self._aliases: dict[str, Type] = {}
        self._big = "byte_order = be" in re.sub(r"\s+", " ", text)
        place = 0
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None or len(self._tokens) > _MOST_TOKENS:
                raise self._wrong(place, "cannot be read")
            if found.lastgroup is not None:
                self._tokens.append((found[0], place))
            place = found.end()

    def _wrong(self, place: int, why: str) -> InputError:
        line = self._text.count("\n", 0, place) + 1
        return InputError(
            f"Line {line} of the CTF metadata {why}: {clean_text(self._text[place : place + 30], 30)!r}.",
            hint="I read CTF 1.8 as firmware writes it; babeltrace2 reads all of it. Nothing was imported.",
        )

    def _refuse(self, why: str) -> InputError:
        place = self._tokens[self._at - 1][1] if self._tokens else 0
        return self._wrong(place, why)

    def _peek(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        if not token:
            raise self._wrong(max(0, len(self._text) - 1), "ends amid a declaration")
        self._at += 1
        return token

    def _expect(self, token: str) -> None:
        if self._next() != token:
            raise self._refuse(f"has no {token!r} where one belongs")

    def _number(self) -> int:
        token = self._next()
        try:
            return int(token, 0)
        except ValueError:
            raise self._refuse("has no number where one belongs") from None

    def metadata(self) -> Metadata:
        blocks: list[tuple[str, dict[str, str | Type]]] = []
        while self._peek():
            word = self._next()
            if word in _BLOCKS:
                blocks.append((word, self._block()))
            elif word != ";":
                self._at -= 1
                self._declaration()
        return self._joined(blocks)

    def _declaration(self) -> None:
        """A type that is given a name, which counts from here on."""
        if self._peek() == "typealias":
            self._next()
            kind = self._type(0)
            self._expect(":=")
            self._aliases[self._words()] = kind
        elif self._peek() in ("struct", "enum", "variant"):
            self._type(0)
        else:
            self._next()
            raise self._refuse("begins nothing that I know")
        self._expect(";")

    def _words(self) -> str:
        words = [self._next()]
        while re.match(r"[A-Za-z_]", self._peek()):
            words.append(self._next())
        return " ".join(words)

    def _block(self) -> dict[str, str | Type]:
        found: dict[str, str | Type] = {}
        self._expect("{")
        while self._peek() != "}":
            if self._peek() in ("typealias", "struct", "enum"):
                self._declaration()
                continue
            key = self._next()
            if (mark := self._next()) == "=":
                found[key] = self._next().strip('"')
            elif mark == ":=":
                found[key] = self._type(0)
            else:
                raise self._refuse("gives no value")
            self._expect(";")
        self._expect("}")
        return found

    def _type(self, depth: int) -> Type:
        if depth > _MOST_DEPTH:
            raise self._refuse("nests too deeply")
        match self._peek():
            case "integer":
                return self._integer()
            case "floating_point":
                given = self._given()
                bits = int(given.get("exp_dig", "8"), 0) + int(given.get("mant_dig", "24"), 0)
                if bits not in (32, 64):
                    raise self._refuse("has a number that is neither of 32 nor of 64 bits")
                return Real(bits, self._align(given, 8), self._order(given))
            case "string":
                self._given()
                return Text()
            case "struct":
                return self._struct(depth)
            case "enum":
                return self._enum(depth)
            case "variant":
                self._next()
                raise self._refuse("is of a kind that I do not read (variant)")
        name = self._words()
        return self._named(name)

    def _named(self, name: str) -> Type:
        if name not in self._aliases:
            raise self._refuse(f"names the unknown type {clean_text(name, 40)}")
        return self._aliases[name]

    def _given(self) -> dict[str, str]:
        """`{ size = 8; align = 8; }`, which a string may go without."""
        self._next()
        if self._peek() != "{":
            return {}
        return {key: value for key, value in self._block().items() if isinstance(value, str)}

    def _align(self, given: Mapping[str, str], usual: int) -> int:
        text = given.get("align", str(usual))
        bits = int(text) if text.isdigit() and len(text) < 4 else 0
        if bits not in (1, 2, 4, 8, 16, 32, 64):
            raise self._refuse(f"aligns to {clean_text(text, 20)} bits")
        return bits

    def _order(self, given: Mapping[str, str]) -> bool:
        word = given.get("byte_order", "native")
        return self._big if word == "native" else word in ("be", "network")

    def _integer(self) -> Int:
        given = self._given()
        text = given.get("size", "")
        bits = int(text) if text.isdigit() and len(text) < 4 else 0
        if not 0 < bits <= _MOST_BITS:
            raise self._refuse(f"has an integer of {clean_text(text, 20) or 'no'} bits")
        is_text = bits == 8 and given.get("encoding", "none") not in ("none", "")
        clock = given.get("map", "").removeprefix("clock.").removesuffix(".value")
        align = self._align(given, 8 if bits % 8 == 0 else 1)
        return Int(bits, align, given.get("signed", "") in _TRUE, self._order(given), is_text, clock)

    def _enum(self, depth: int) -> Type:
        """As the integer that it is; what its labels are called is not needed."""
        self._next()
        name = self._next() if re.match(r"[A-Za-z_]", self._peek()) else ""
        kind: Type = self._aliases.get("int", Int(32, 8, signed=True, big=self._big))
        if self._peek() == ":":
            self._next()
            kind = self._type(depth + 1)
        elif self._peek() != "{":
            return self._named(f"enum {name}")
        self._expect("{")
        while self._next() != "}":
            pass
        if name:
            self._aliases[f"enum {name}"] = kind
        return kind

    def _struct(self, depth: int) -> Struct:
        self._next()
        name = self._next() if re.match(r"[A-Za-z_]", self._peek()) else ""
        if self._peek() != "{":
            kind = self._named(f"struct {name}")
            return kind if isinstance(kind, Struct) else NOTHING
        self._expect("{")
        fields: list[tuple[str, Type]] = []
        while self._peek() != "}":
            fields.append(self._field(depth))
        self._expect("}")
        align = max((kind.align for _, kind in fields), default=1)
        if self._peek() == "align":
            self._next()
            self._expect("(")
            align = max(align, self._align({"align": self._next()}, 1))
            self._expect(")")
        made = Struct(tuple(fields), align)
        if name:
            self._aliases[f"struct {name}"] = made
        return made

    def _field(self, depth: int) -> tuple[str, Type]:
        if self._peek() in ("integer", "floating_point", "string", "struct", "enum", "variant"):
            kind, name = self._type(depth + 1), self._next()
        else:
            words = self._words().split(" ")
            kind, name = self._named(" ".join(words[:-1])), words[-1]
        lengths: list[int | str] = []
        while self._peek() == "[":
            self._next()
            counted = bool(re.match(r"[A-Za-z_]", self._peek()))
            lengths.append(self._next() if counted else self._number())
            self._expect("]")
        self._expect(";")
        for length in reversed(lengths):
            if isinstance(length, int) and not 0 <= length <= _MOST_ELEMENTS:
                raise self._refuse(f"has an array of {length:,} elements")
            kind = Array(kind, length)
        return name.removeprefix("_"), kind

    def _joined(self, blocks: list[tuple[str, dict[str, str | Type]]]) -> Metadata:
        trace = next((block for word, block in blocks if word == "trace"), {})
        clocks = {
            str(block.get("name", "")): _whole(block.get("freq"), 1_000_000_000)
            for word, block in blocks
            if word == "clock"
        }
        streams: dict[int, StreamLayout] = {}
        for word, block in blocks:
            if word == "stream":
                number = _whole(block.get("id"), 0)
                events = {
                    _whole(event.get("id"), 0): EventLayout(
                        clean_text(str(event.get("name", ""))), _of(event, "context"), _of(event, "fields")
                    )
                    for kind, event in blocks
                    if kind == "event" and _whole(event.get("stream_id"), 0) == number
                }
                streams[number] = StreamLayout(
                    _of(block, "packet.context"), _of(block, "event.header"), _of(block, "event.context"),
                    events,
                )  # fmt: skip
        if not streams or not any(stream.events for stream in streams.values()):
            raise InputError("The CTF metadata declares no event.", hint="Give the trace's own metadata.")
        return Metadata(self._big, _of(trace, "packet.header"), streams, clocks)


def _of(block: Mapping[str, str | Type], key: str) -> Struct:
    kind = block.get(key, NOTHING)
    return kind if isinstance(kind, Struct) else NOTHING


def _whole(text: str | Type | None, usual: int) -> int:
    if not isinstance(text, str):
        return usual
    try:
        return int(text, 0)
    except ValueError:
        return usual
