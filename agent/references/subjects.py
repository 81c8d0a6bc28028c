"""What a reference is of: the target, the model, the layer, the clock that its result states."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...hardware_db.errors import InputError
from ...hardware_db.user_files import Directories
from ...tools.core.paths import steps, trail
from ..names import Kind, find_names
from .filling import Hole

Subjects = Mapping[str, frozenset[str]]
"""target, runtime, model, layer … → the ids that a reference or a mention may be of."""
_OF_A_ROW = (
    "target", "runtime", "clock_mhz", "batch", "threads", "dtype", "region", "technique", "weights", "kv",
    "context", "prompt_tokens",
)  # fmt: skip
_KEYED = {"layers": "layer", "ops": "layer", "timeline": "layer", "checks": "check", "options": "technique"}
_OTHERS = frozenset({"network", "device", "stands_on"})
"""Fields of a row that is of another case, such as a measurement that stands behind an estimate."""
_CHANGED = frozenset({"dtype", "runtime", "clock_mhz", "batch", "threads"})
"""What a change of the model or of the deployment may change."""


def subjects_of(
    hole: Hole, records: Mapping[str, Mapping[str, Any]], own: Directories | None = None
) -> Subjects:
    """Of all paths of a reference together."""
    each = [_of_path(path, records, own) for path in hole.amount.paths]
    kinds = dict.fromkeys(kind for one in each for kind in one)
    return {kind: frozenset().union(*(one.get(kind, ()) for one in each)) for kind in kinds}


def _of_path(path: str, records: Mapping[str, Mapping[str, Any]], own: Directories | None) -> Subjects:
    record, _, inside = path.partition(".")
    called = records[record]
    result, arguments = called.get("result") or {}, called.get("arguments") or {}
    found: dict[str, frozenset[str]] = {}
    for name in ("model", "dtype"):
        named = [
            value for value in (arguments.get(name), result.get(name)) if isinstance(value, str) and value
        ]
        if named:
            found[name] = frozenset(map(folded, named))
    if "target" in arguments and isinstance(result.get("id"), str):
        found["target"] = frozenset({result["id"]})
    try:
        nodes = trail(re.sub(r"\[([^\[\],]*),[^\[\]]*\]", r"[\1]", inside), result)
    except InputError:
        return found
    found |= _of_node(result)
    for step, node, owner in zip(steps(inside), nodes[1:], (None, *steps(inside)), strict=False):
        found |= _of_node(node)
        kind = _KEYED.get(owner.name) if owner is not None and step.is_row else None
        if kind is not None and isinstance(node, Mapping):
            its_name = node.get("index") if kind == "layer" else node.get("technique", node.get("name"))
            found[kind] = frozenset({str(step.name.removeprefix("#") if its_name is None else its_name)})
        if step.is_row and kind is None and isinstance(node, Mapping) and not _of_node(node):
            found["row"] = frozenset({str(node.get("model") or node.get("name") or step.name)})
        if isinstance(node, Mapping) and _OTHERS & node.keys():
            found = {name: ids for name, ids in found.items() if name in node} | _of_a_case(node, own)
        if step.name in ("before", "after"):
            found["state"] = frozenset({step.name})
    if "technique" in found or "state" in found:
        found = {name: ids for name, ids in found.items() if name not in _CHANGED}
    return found


def _of_node(node: Any) -> dict[str, frozenset[str]]:
    if not isinstance(node, Mapping):
        return {}
    place = node.get("deployment")
    fields = {**(place if isinstance(place, Mapping) else {}), **node}
    return {
        name: frozenset({f"{value:g}" if isinstance(value, int | float) else value})
        for name in _OF_A_ROW
        if isinstance(value := fields.get(name), str | int | float)
        and value != ""
        and not isinstance(value, bool)
    }


def _of_a_case(row: Mapping[str, Any], own: Directories | None) -> dict[str, frozenset[str]]:
    """Of a row that is of another case: the device and the network that it names."""
    found: dict[str, frozenset[str]] = {}
    device, network = row.get("device"), row.get("network")
    if isinstance(device, str):
        ids = [
            identifier
            for name in find_names(device, own)
            if name.kind is Kind.TARGET
            for identifier in name.ids
        ]
        found |= {"target": frozenset(ids)} if ids else {}
    if isinstance(network, str):
        found["model"] = frozenset({folded(network)})
    return found


def known_id(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name) else folded(name)


def folded(name: str) -> str:
    """A model by the last part of its path, without what goes on behind a colon."""
    return name.replace("\\", "/").rpartition("/")[2].lower()


FAMILY = frozenset({"tflm-"})
"""What the ids of TFLite Micro's kernel libraries begin with."""


def agree(kind: str, own: frozenset[str], ids: frozenset[str]) -> bool:
    if kind == "target":
        return any(_is_part_of(a, b) or _is_part_of(b, a) for a in own for b in ids)
    if kind == "runtime" and ids >= FAMILY and any(each.startswith(tuple(FAMILY)) for each in own):
        return True
    if kind != "model":
        return bool(own & ids)
    return any(_same_model(a, b) for a in own for b in ids)


def _is_part_of(one: str, other: str) -> bool:
    """A Hailo-8 of a Raspberry Pi 5 with a Hailo-8."""
    return one == other or other.endswith(f"-{one}")


def _same_model(one: str, other: str) -> bool:
    """`mobilenet_v1:0.25` is a mobilenet_v1, and `kws_ref_model.tflite` may be the kws."""
    short, long = sorted((re.sub(r"[^a-z0-9]", "", one), re.sub(r"[^a-z0-9]", "", other)), key=len)
    if long.startswith(short) or short in long:
        return True
    return _is_file(one) != _is_file(other)


def _is_file(name: str) -> bool:
    return re.search(r"\.[a-z]\w*$", name) is not None
