"""One random change to a file, that knows how such files are built; where one no longer can be read, to its bytes."""

from __future__ import annotations

import contextlib
import io
import json
import math
import pickle
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from datetime import date
from functools import lru_cache
from itertools import accumulate
from random import Random
from typing import Any

import yaml

from tests.fuzz.flat_sites import sites

Change = Callable[[bytes, Random], bytes]
EXTREMES = (0, 1, -1, 2, 3, 7, 8, 255, 256, 65_535, 65_536, 1 << 24, (1 << 31) - 1, -(1 << 31), 1 << 31,
            (1 << 32) - 1, 1 << 40, 1 << 62, (1 << 63) - 1, -(1 << 63), 10**400)  # fmt: skip
TEXTS = ("", " ", "\0", "\x1b[2J", "\u202e", "=cmd()", "nan", "-inf", "1e400", "-1", "0", "9" * 400, "../../etc/passwd",
         "<script>", "!!python/object/apply:os.system", "&a", "*a", "{" * 200, "[" * 2000, "a" * 10_000, "null", "50ms",
         "ä", "\ud800", "1,2,3", "kws", "int8", "%s{0}", "1/0", "- " * 400, "~nobody/x", "~", "a" * 300)  # fmt: skip
FLOATS = (0.0, -0.0, 1.0, -1.0, 1e-45, 1e308, -1e308, float("inf"), float("-inf"), float("nan"))


def of_bytes(content: bytes, draw: Random) -> bytes:
    """A bit, a number, a piece less, a piece twice."""
    data = bytearray(content or b"\0")
    at = draw.randrange(len(data))
    match draw.randrange(6):
        case 0:
            data[at] ^= 1 << draw.randrange(8)
        case 1:
            number = draw.choice(EXTREMES[:-1]) & ((1 << 64) - 1)
            width = draw.choice((1, 2, 4, 8))
            data[at : at + width] = struct.pack("<Q", number)[:width]
        case 2:
            del data[at : at + draw.randrange(1, 64)]
        case 3:
            data[at:at] = data[at : at + draw.randrange(1, 64)]
        case 4:
            del data[at:]
        case _:
            data[at : at + 1] = draw.randbytes(draw.randrange(1, 9))
    return bytes(data)


def of_rows(content: bytes, draw: Random) -> bytes:
    """As `of_text`, for tables of which every row is worked on for milliseconds."""
    return of_text(content, draw, most=20)


def of_text(content: bytes, draw: Random, most: int = 400) -> bytes:
    """A line less, twice or elsewhere; a word or a number that is another's, extreme or hostile."""
    lines = content.decode("utf-8", "replace").splitlines(keepends=True)
    if not lines or draw.random() < 0.05:
        return of_bytes(content, draw)
    at, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    match draw.randrange(8):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[other])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at : at + 1] = [lines[at]] * min(most, draw.choice((2, 50, 400)))
        case _:
            words = re.split(r"([^\s,;:=|()\[\]\"']+)", lines[at])
            spot = draw.randrange(len(words))
            words[spot] = draw.choice(
                (str(draw.choice(EXTREMES)), draw.choice(TEXTS), draw.choice(words), "", words[spot] * 3)
            )
            lines[at] = "".join(words)
    return "".join(lines).encode("utf-8", "surrogatepass")


def of_tree(tree: Any, draw: Random) -> Any:
    """The same data but for one place, at which something is missing, doubled, another's, extreme or hostile."""
    places = list(_places(tree))
    if not places:
        return draw.choice(([], {}, "", 0))
    within, key = draw.choice(places)
    match draw.randrange(7):
        case 0:
            del within[key]
        case 1 if isinstance(within, list):
            within.extend([within[key]] * draw.choice((1, 3, 300)))
        case 1:
            within[draw.choice(TEXTS)] = within[key]
        case 2:
            other, at = draw.choice(places)
            with contextlib.suppress(LookupError):
                within[key] = json.loads(json.dumps(other[at]))
        case 3:
            within[key] = draw.choice((*EXTREMES, *FLOATS))
        case 4:
            within[key] = draw.choice(TEXTS)
        case 5:
            within[key] = draw.choice(([within[key]], {"a": within[key]}, None, True, [], {}))
        case _ if isinstance(within[key], int | float):
            within[key] = within[key] * draw.choice((-1, 0, 2, 1e-9, 1e12))
        case _:
            within[key] = str(within[key]) * draw.choice((1, 2, 40))
    return tree


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    keys = list(tree) if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ()
    for key in keys:
        yield tree, key
        yield from _places(tree[key])


def of_json(content: bytes, draw: Random) -> bytes:
    try:
        return json.dumps(of_tree(json.loads(content), draw)).encode()
    except (ValueError, TypeError, OverflowError, RecursionError):
        return of_text(content, draw)


def of_yaml(content: bytes, draw: Random) -> bytes:
    """Its data, or one time in three its lines."""
    if draw.random() < 1 / 3 or _nests_deep(content):
        return of_text(content, draw)
    try:
        tree = of_tree(pickle.loads(_loaded(content)), draw)
        return "".join(_block(tree, "")).encode("utf-8", "surrogatepass")
    except (ValueError, TypeError, OverflowError, RecursionError, yaml.YAMLError):
        return of_text(content, draw)


def _nests_deep(content: bytes) -> bool:
    """What the C loader, which calls itself for each level, would overflow the stack with."""
    if re.search(rb"(?:[-?:][ \t]){200}", content):
        return True
    return (
        content.count(b"[") + content.count(b"{") > 500
        and max(accumulate([(each in b"[{") - (each in b"]}") for each in content])) > 200
    )


@lru_cache(maxsize=64)
def _loaded(content: bytes) -> bytes:
    """A copy is made from it faster than it is read."""
    return pickle.dumps(yaml.load(content, Loader=yaml.CSafeLoader))


def _block(tree: Any, indent: str) -> Iterator[str]:
    """YAML of it, ten times as fast as the package writes it in Python."""
    match tree:
        case dict() if tree:
            for key, value in tree.items():
                yield f"{indent}{_scalar(key)}:"
                yield from _beneath(value, indent)
        case list() if tree:
            for value in tree:
                yield f"{indent}-"
                yield from _beneath(value, indent)
        case _:
            yield f"{indent}{_scalar(tree)}\n"


def _beneath(value: Any, indent: str) -> Iterator[str]:
    if isinstance(value, dict | list) and value:
        yield "\n"
        yield from _block(value, indent + "  ")
    else:
        yield f" {_scalar(value)}\n"


_MEANT_OTHERWISE = frozenset({"yes", "no", "on", "off", "true", "false", "null", "y", "n", "inf", "nan"})


def _scalar(value: Any) -> str:
    match value:
        case str() if value.replace("-", "").isidentifier() and value.lower() not in _MEANT_OTHERWISE:
            return value
        case date():
            return value.isoformat()
        case float() if not math.isfinite(value):
            return {"inf": ".inf", "-inf": "-.inf"}.get(str(value), ".nan")
        case _:
            return json.dumps(value)


def of_safetensors(content: bytes, draw: Random) -> bytes:
    """The header's data under its right length; rarely the length itself."""
    size = int.from_bytes(content[:8], "little")
    if draw.random() < 0.2 or not 0 < size <= len(content):
        return of_bytes(content[:size] or b"\0", draw) + content[size:]
    header = of_json(content[8 : 8 + size], draw)
    return len(header).to_bytes(8, "little") + header + content[8 + size :]


def of_gguf(content: bytes, draw: Random) -> bytes:
    """Bytes, of which the header's are worth the most."""
    head = content[: draw.choice((64, 512, 4096))]
    return of_bytes(head, draw) + content[len(head) :]


def of_words(content: bytes, draw: Random) -> bytes:
    """A number of four bytes where a FlatBuffer has them: an extreme one, a near one, or that of another place."""
    if draw.random() < 0.2 or len(content) < 8:
        return of_bytes(content, draw)
    at, other = (4 * draw.randrange(len(content) // 4) for _ in range(2))
    old, twin = (int.from_bytes(content[place : place + 4], "little") for place in (at, other))
    new = draw.choice(
        (twin, old + draw.choice((-4, -1, 1, 4)), 2 * old, draw.choice(EXTREMES[:-1]), draw.randrange(16))
    )
    return content[:at] + (new & 0xFFFFFFFF).to_bytes(4, "little") + content[at + 4 :]


def of_archived_json(content: bytes, draw: Random) -> bytes:
    """The data of one of the members that are JSON."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            members = {each.filename: file.read(each) for each in file.infolist()}
    except (ValueError, OSError, EOFError, NotImplementedError, zipfile.BadZipFile, zlib.error):
        members = {}
    described = [name for name in members if name.endswith(".json")]
    if draw.random() < 0.1 or not described:
        return of_bytes(content, draw)
    chosen = draw.choice(described)
    members[chosen] = of_json(members[chosen], draw)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, held in members.items():
            file.writestr(name, held)
    return out.getvalue()


def of_flat(content: bytes, draw: Random) -> bytes:
    """A number, an index, an offset or a length of a .tflite file: an extreme one, or that of another place."""
    found = sites(content) if draw.random() < 0.9 else {}
    if not found:
        return of_bytes(content, draw)
    role = draw.choice(sorted(found))
    at, code = draw.choice(found[role])
    other, its_code = draw.choice(found[role])
    old, twin = (struct.unpack_from("<" + c, content, a)[0] for a, c in ((at, code), (other, its_code)))
    width = struct.calcsize(code)
    data = bytearray(content)
    if role.startswith("offset"):
        new = other + twin - at
    elif code in "fd":
        data[at : at + width] = struct.pack("<" + code, draw.choice((*FLOATS[:5], *FLOATS[7:])))
        return bytes(data)
    else:
        new = draw.choice(
            (twin, old + draw.choice((-1, 1, 2, old)), draw.choice(EXTREMES[:-1]), draw.randrange(16))
        )
    data[at : at + width] = (new & ((1 << 8 * width) - 1)).to_bytes(width, "little")
    return bytes(data)


def of_onnx(content: bytes, draw: Random) -> bytes:
    """A field of any message in it: dims, names, attributes, whole nodes."""
    import onnx
    from google.protobuf.message import DecodeError

    try:
        model = onnx.ModelProto.FromString(content) if draw.random() < 0.95 else None
    except DecodeError:
        model = None
    places = [] if model is None else list(_fields(model))
    if not places:
        return of_bytes(content, draw)
    for _ in range(8):
        message, field, value = draw.choice(places)
        with contextlib.suppress(ValueError, TypeError, OverflowError, AttributeError):
            _change_field(message, field, value, draw, [each for _, name, each in places if name == field])
            break
    return bytes(model.SerializeToString())


def _fields(message: Any, depth: int = 0) -> Iterator[tuple[Any, str, Any]]:
    for field, value in message.ListFields():
        yield message, field.name, value
        if field.message_type is not None and depth < 20:
            for each in value if hasattr(value, "append") or hasattr(value, "add") else (value,):
                yield from _fields(each, depth + 1)


def _change_field(message: Any, field: str, value: Any, draw: Random, twins: list[Any]) -> None:
    match value:
        case bool() | int():
            twin = draw.choice(twins)
            setattr(
                message, field, draw.choice((draw.choice(EXTREMES[:-1]), value + 1, draw.randrange(24), twin))
            )
        case float():
            setattr(message, field, draw.choice(FLOATS))
        case str():
            setattr(message, field, draw.choice((draw.choice(TEXTS[:20]), draw.choice(twins))))
        case bytes():
            setattr(message, field, draw.choice((b"", value[:-1], value * 2, draw.choice(twins))))
        case _ if hasattr(value, "append"):
            _change_repeated(message, field, value, draw)
        case _:
            message.ClearField(field)


def _change_repeated(message: Any, field: str, value: Any, draw: Random) -> None:
    at, other = draw.randrange(len(value)), draw.randrange(len(value))
    match draw.randrange(4):
        case 0:
            del value[at]
        case 1:
            value.append(value[other])
        case 2 if hasattr(value, "add"):
            value[at].CopyFrom(value[other])
        case 2 if isinstance(value[at], int):
            value[at] = draw.choice(EXTREMES[:-1])
        case 2:
            value[at] = value[other]
        case _ if isinstance(value[at], int):
            value[at] = draw.choice((value[at] + 1, value[at] * 2, value[other], draw.randrange(16)))
        case _:
            message.ClearField(field)
