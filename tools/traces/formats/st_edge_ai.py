"""What ST Edge AI Core made of a model, as its `*_c_info.json` tells: epochs, and where they run.

As in github.com/AlexGraefe/STM32N6Example st_ai_output/network_c_info.json (commit 8becbb2, of ST Edge AI
Core 3.0.0, json_schema_version 2.0): `graphs[].nodes` are epochs with a mapping, `power_estimates` their
cycles of compute and at most, `memory_accesses` the cycles of each pool, by the node's id.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....hardware_db.errors import InputError
from ...core.quantity import Basis
from ...core.sanitize import clean_text
from ..recording import CompiledCost, Recording

_HEAD = ('"json_schema_version"', '"memory_footprint"', '"buffers"')
_ENGINES = {"NODE_HW": "NPU", "NODE_SW": "CPU", "NODE_SW_INTEGER": "CPU", "NODE_SW_FLOAT": "CPU",
            "NODE_HYBRID": "NPU and CPU", "NODE_EC": "NPU"}  # fmt: skip
_MOST_BYTES = 32 << 20
_EXPECTED = "the cycles are what ST's compiler expects: nothing in this file was measured"


def read(lines: Sequence[str]) -> Recording | None:
    """
    Raises:
        InputError: JSON that is broken, or cut off.
    """
    first = next((line.strip() for line in lines[:3] if line.strip()), "")
    if not first.startswith("{") or not _is_one(lines):
        return None
    document = _parsed(lines)
    graphs, environment = document.get("graphs"), document.get("environment")
    if not isinstance(graphs, list) or not isinstance(environment, dict):
        return None
    layers = tuple(_layers(document))
    return Recording(
        "compiled network of ST Edge AI", compiled=layers, facts=dict(_facts(document, layers)),
        basis=Basis.SIMULATED, written_by="x-cube-ai", lines=len(layers),
        notes=(_EXPECTED,) if any(layer.cycles for layer in layers) else (),
    )  # fmt: skip


def _is_one(lines: Sequence[str]) -> bool:
    wanted = set(_HEAD)
    for line in lines:
        wanted -= {key for key in wanted if key in line}
        if not wanted:
            return True
    return False


def _parsed(lines: Sequence[str]) -> Mapping[str, Any]:
    text = "\n".join(lines)
    if len(text) > _MOST_BYTES:
        raise InputError("The JSON is too large for one network's.", hint="Give the *_c_info.json of one.")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0)
        raise InputError(
            f"Line {line}: the JSON ends there or is broken.",
            hint="Take the file as ST Edge AI wrote it; nothing of it was imported.",
        ) from error
    return found if isinstance(found, dict) else {}


def _layers(document: Mapping[str, Any]) -> Iterator[CompiledCost]:
    pools = {row.get("id"): clean_text(str(row.get("name", ""))) for row in _rows(document, "memory_pools")}
    waits: dict[Any, dict[str, float]] = defaultdict(dict)
    for row in _rows(document, "memory_accesses"):
        cycles = max(_number(row, "read_cycles"), _number(row, "write_cycles"))
        if cycles and row.get("mpool_id") in pools:
            waits[row.get("node_id")][pools[row.get("mpool_id")]] = cycles
    power = {row.get("node_id"): row for row in _rows(document, "power_estimates")}
    for graph in _rows(document, "graphs"):
        for node in _rows(graph, "nodes"):
            engine = _ENGINES.get(str(node.get("mapping")), "")
            if not engine:
                continue
            row = power.get(node.get("id"), {})
            compute, most = _number(row, "compute_cycles"), _number(row, "max_cycles")
            parts = {engine: compute, **waits.get(node.get("id"), {})}
            macs = _number(node, "macc") or None
            yield CompiledCost(
                clean_text(str(node.get("name", ""))), _does(node), most or None, parts, macs, None, engine
            )


def _does(node: Mapping[str, Any]) -> str:
    """Operators of an epoch, `Conv + Add`; of a node without parts its own type."""
    kinds = [clean_text(str(part.get("type", "")), 40) for part in _rows(node, "subgraph_nodes")]
    return " + ".join(filter(None, dict.fromkeys(kinds))) or clean_text(str(node.get("type", "")), 40)


def _facts(document: Mapping[str, Any], layers: Sequence[CompiledCost]) -> Iterator[tuple[str, str]]:
    tools = _rows(document.get("environment", {}), "tools")
    for at, tool in enumerate(tools[:2]):
        yield ("tool", "compiler")[at], clean_text(f"{tool.get('name', '')} {tool.get('version', '')}", 80)
    if tools and tools[0].get("arguments"):
        yield "arguments", clean_text(str(tools[0]["arguments"]), 160)
    engines = Counter(layer.engine for layer in layers)
    if engines:
        yield "epochs", ", ".join(f"{count} on {engine}" for engine, count in engines.most_common())
    memory = document.get("memory_footprint")
    for name in ("weights", "activations"):
        if isinstance(memory, dict) and isinstance(memory.get(name), int):
            yield name, f"{memory[name]:,} B"
    for pool in _rows(document, "memory_pools"):
        used, size = _number(pool, "used_size_bytes"), _number(pool, "size_bytes")
        if used and not pool.get("subpools"):
            yield f"in {clean_text(str(pool.get('name', '')), 40)}", f"{used:,.0f} of {size:,.0f} B"


def _rows(holder: Any, name: str) -> list[Mapping[str, Any]]:
    found = holder.get(name) if isinstance(holder, dict) else None
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def _number(row: Mapping[str, Any], name: str) -> float:
    value = row.get(name)
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 2**53
    return float(value) if good and value is not None else 0.0
