"""From a table of published measurements to the rows and networks that the product ships.

`python -m edgewright.tools.calibration.importer DATA` reads DATA/measurements.csv and the model files that it
points at, names runtimes, processors, types and targets as we do, and writes `hardware_db/measurements/`.
Networks keep shapes, types and options; names of tensors and weights stay behind.
"""

from __future__ import annotations

import csv
import functools
import io
import json
import lzma
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ...hardware_db import Target, resolve_target
from ...hardware_db.errors import EdgewrightError, ModelFileError
from ..graph import ModelGraph, Subgraph
from ..graph.serialize import graph_to_json
from ..model_formats.source import parse_model
from .names import CORES, DTYPES, RUNTIMES, UNITS, named
from .ncnn_param import parse_ncnn_param
from .network_names import architecture_of

COLUMNS = (
    "id", "repository", "path", "commit", "network", "dtype", "batch", "target", "device", "kind",
    "processor", "threads", "clock_mhz", "runtime", "runtime_version", "latency_ms", "energy_uj", "supply_mv",
    "ram_activation_kib", "ram_runtime_kib", "ram_total_kib", "flash_weights_kib", "flash_code_kib",
    "flash_total_kib", "flag", "hint",
)  # fmt: skip
KEPT = {
    "repository": "source_repo", "path": "source_path", "commit": "source_commit", "flag": "flag",
    "hint": "use_hint", "device": "device",
}  # fmt: skip
SAME = (
    "id", "batch", "runtime_version", "latency_ms", "energy_uj", "supply_mv", "ram_activation_kib",
    "ram_runtime_kib", "ram_total_kib", "flash_weights_kib", "flash_code_kib", "flash_total_kib",
)  # fmt: skip
FILES = (".tflite", ".param")
"""Endings of model files that we read."""
LIKE = {
    "mcunet": "mobilenet_v2:0.35:144",
    "proxyless": "mobilenet_v2:0.35:144",
    "mbv2": "mobilenet_v2:0.35:144",
}
"""Word in a network's name → the architecture that its layers are like."""
CLOCKS_ELSEWHERE = {"Renesas RX65N": "120"}
"""Clocks that another source of the same table states for the board."""


def main(data: Path, output: Path) -> None:
    networks: dict[str, str] = {}
    rows = []
    with (data / "measurements.csv").open(newline="", encoding="utf-8") as file:
        for raw in csv.DictReader(file):
            if raw["use_hint"] != "exclude":
                rows.append(mapped_row(raw, _network(raw, data, networks)))
    with (output / "rows.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    text = "".join(f"{key}\t{networks[key]}\n" for key in sorted(networks))
    (output / "networks.tsv.xz").write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    named_rows = sum(bool(row["network"]) for row in rows)
    placed = sum(bool(row["target"]) for row in rows)
    print(f"{len(rows)} rows, {named_rows} with a network, {placed} with a target, {len(networks)} networks")


def mapped_row(raw: Mapping[str, str], network: str) -> dict[str, str]:
    """A row of a table of published measurements, in our columns and by our names."""
    target = _target(raw["device"]) or _target(raw["board"])
    runtime = named(raw["runtime"], RUNTIMES) or _slug(raw["runtime"])
    unit = named(f"{raw['accelerator']} {raw['runtime']}", UNITS) if _on_unit(raw, runtime) else ""
    core = named(raw["core"], CORES) or _slug(raw["core"].partition(" x")[0])
    threads = re.search(r" x(\d+)$", raw["core"])
    return {
        **{name: raw[name] for name in SAME},
        **{name: raw[column] for name, column in KEPT.items()},
        "network": network,
        "dtype": named(raw["dtype"], DTYPES),
        "target": target.id if target else "",
        "kind": "unit" if unit else "core",
        "processor": unit or core or _usual_core(target),
        "threads": threads.group(1) if threads and not unit else "",
        "clock_mhz": raw["clock_mhz"] or CLOCKS_ELSEWHERE.get(raw["device"], ""),
        "runtime": runtime,
    }


def _on_unit(raw: Mapping[str, str], runtime: str) -> bool:
    return bool(raw["accelerator"]) or runtime in (
        "hailort",
        "rknn",
        "tensorrt",
        "edgetpu",
        "ncnn-vulkan",
        "gapflow",
    )


@functools.cache
def _target(device: str) -> Target | None:
    try:
        return resolve_target(device) if device else None
    except EdgewrightError:
        return None


def _usual_core(target: Target | None) -> str:
    return target.cores[0].isa.value if target and target.cores else ""


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _network(raw: dict[str, str], data: Path, networks: dict[str, str]) -> str:
    """Key of the row's network: that of its file, else the architecture that its name means."""
    local = raw["local_model"]
    if not local.endswith(FILES):
        return named_network(raw)
    key = local.removeprefix("models/")
    if key not in networks:
        try:
            graph = read_network(data / local)
        except EdgewrightError as error:
            print(f"{key}: {error}", file=sys.stderr)
            return ""
        networks[key] = json.dumps(json.loads(graph_to_json(anonymous(graph))), separators=(",", ":"))
    return key


def read_network(path: Path) -> ModelGraph:
    """The graph in a model file or in ncnn's parameters.

    Raises:
        EdgewrightError: the file is missing or cannot be read.
    """
    if path.suffix != ".param":
        return parse_model(path)
    try:
        return parse_ncnn_param(path.read_text(encoding="utf-8"), path.stem)
    except OSError:
        raise ModelFileError(f"{str(path)!r} cannot be read.", hint="Check that it is there.") from None
    except (ValueError, KeyError, IndexError, ZeroDivisionError):
        raise ModelFileError(f"{str(path)!r} is damaged.") from None


def named_network(raw: Mapping[str, str]) -> str:
    """Spec of the architecture that a row's names mean; empty where they mean none that we can build."""
    return architecture_of(raw["model_name"], raw["input_shape"]) or _alike(raw)


def _alike(raw: Mapping[str, str]) -> str:
    """Mobile networks of which only the MACs are told stand for one of their kind, scaled to them."""
    like = next((spec for word, spec in LIKE.items() if word in raw["model_name"].lower()), "")
    return f"{like}*{raw['macs_reported']}" if like and raw["macs_reported"] else ""


def anonymous(graph: ModelGraph) -> ModelGraph:
    """The graph without the strings that its author chose."""
    return replace(
        graph,
        name="network",
        subgraphs=tuple(_plain(sub) for sub in graph.subgraphs),
        signatures=(),
        metadata_untrusted=(),
        description_untrusted="",
    )


def _plain(sub: Subgraph) -> Subgraph:
    return replace(
        sub,
        name_untrusted="",
        tensors=tuple(
            replace(t, name_untrusted=f"t{t.index}", quantization=None, sparsity=None) for t in sub.tensors
        ),
    )


def read_networks(packed: bytes) -> Iterator[tuple[str, str]]:
    """(key, graph as JSON) of every network in the file that `main` writes."""
    for line in io.TextIOWrapper(io.BytesIO(lzma.decompress(packed)), encoding="utf-8"):
        key, _, text = line.partition("\t")
        yield key, text


if __name__ == "__main__":
    from ...hardware_db import measurements

    main(Path(sys.argv[1]), Path(measurements.__file__).parent)
