"""Logs of compilers for accelerators: which operators it took, and into how many contexts a network was cut.

Edge TPU: what `edgetpu_compiler -s` prints, versions 15.0 and 16.0 (coral.ai/docs/edgetpu/compiler). Hailo:
lines of its Dataflow Compiler that say into how many contexts a partition cuts the network, as logs in public
repositories show them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...core.quantity import Basis
from ...core.sanitize import clean_text
from ..recording import CompiledCost, Recording

_TPU = re.compile(r"^Edge TPU Compiler version (\S{1,40})")
_FACT = re.compile(r"^(Input (?:model|size)|Output (?:model|size)|On-chip memory [a-z ]{4,60}|"
                   r"Off-chip memory [a-z ]{4,60}|Number of Edge TPU subgraphs|Total number of operations|"
                   r"Number of operations that will run on \w[\w ]{2,8}):\s*(\S.{0,99}?)\s*$")  # fmt: skip
_ALL = "total number of operations"
_MAPPED = "mapped to edge tpu"
_ROW = re.compile(r"^([A-Z][A-Z0-9_]{1,60})\s+(\d{1,7})\s+([A-Z][\w ,.'()/-]{3,160}?)\s*$")
_HAILO = re.compile(r"(?:Found valid|Applying selected) partition to (\d{1,4}) contexts?")
_HAILO_FACTS = (
    ("single context", re.compile(r"Single context flow failed: (.{1,120})")),
    ("flow", re.compile(r"Using (Multi-context|Single-context) flow")),
    ("optimization level", re.compile(r"Using default optimization level of (\d)")),
    ("limits", re.compile(r"Resources optimization params: (.{1,300})")),
    ("mapping", re.compile(r"Successful Mapping \(allocation time: (.{1,40})\)")),
    ("compilation", re.compile(r"Successful Compilation \(compilation time: (.{1,40})\)")),
    ("model", re.compile(r"Translation completed on \w+ model (\S{1,120})")),
)

_NO_END = "the log comes to no successful mapping: it is cut off, or the compilation failed"


def read_edge_tpu(lines: Sequence[str]) -> Recording | None:
    version = next((found[1] for line in lines[:200] if (found := _TPU.match(line.strip()))), "")
    if not version:
        return None
    facts = {"tool": clean_text(f"Edge TPU Compiler {version}")}
    facts |= {
        clean_text(found[1]).lower(): clean_text(found[2], 120)
        for line in lines
        if (found := _FACT.match(line))
    }
    layers = tuple(_operators(lines))
    return Recording(
        "log of the Edge TPU compiler", compiled=layers, facts=facts, basis=Basis.DERIVED,
        written_by="edgetpu", lines=len(lines), warnings=_not_all(layers, facts),
    )  # fmt: skip


def _not_all(layers: Sequence[CompiledCost], facts: Mapping[str, str]) -> tuple[str, ...]:
    """The table of operators is printed with `-s` alone."""
    said, found = facts.get(_ALL, ""), sum(layer.times for layer in layers)
    if not said.isdigit() or not found or found == int(said):
        return ()
    return (f"the table has {found} of {said} operators: the log is cut off, or mixed with another",)


def _operators(lines: Sequence[str]) -> Iterator[CompiledCost]:
    for line in lines:
        if (row := _ROW.match(line)) is None:
            continue
        taken = row[3].casefold() == _MAPPED
        engine, why = ("Edge TPU", "") if taken else ("CPU", clean_text(row[3], 160))
        name = clean_text(row[1])
        yield CompiledCost(name, name, None, {}, None, None, engine, int(row[2]), why)


def read_hailo(lines: Sequence[str]) -> Recording | None:
    """The last partition that was found is the one that is kept."""
    found = [int(row[1]) for line in lines if (row := _HAILO.search(line)) is not None]
    if not found:
        return None
    facts = {
        "tool": "Hailo Dataflow Compiler",
        "contexts": str(found[-1]),
        "partitions tried": str(len(found)),
    }
    for name, pattern in _HAILO_FACTS:
        said = next((row[1] for line in lines if (row := pattern.search(line)) is not None), "")
        facts |= {name: clean_text(said, 160)} if said else {}
    note = "a network of several contexts is swapped into the chip part by part, at each inference"
    return Recording(
        "log of Hailo's compiler", facts=facts, basis=Basis.DERIVED, written_by="hailo",
        notes=(note,) if found[-1] > 1 else (), lines=len(lines),
        warnings=() if "mapping" in facts or "compilation" in facts else (_NO_END,),
    )  # fmt: skip
