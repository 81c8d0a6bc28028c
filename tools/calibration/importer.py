"""From a table of published measurements to the rows and networks that the product ships.

`python -m edgewright.tools.calibration.importer DATA` reads DATA/measurements.csv and the model files that it
points at, names runtimes, processors, types and targets as we do, and writes `rows.csv` and the networks in
`hardware_db/measurements/`. What the table leaves blank and its source states stands in `corrections.csv`.
Networks keep shapes, types and options; names of tensors and weights stay behind.
"""

from __future__ import annotations

import csv
import json
import lzma
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...hardware_db import measurements
from ...hardware_db.errors import EdgewrightError, ModelFileError
from ..core.records import replace
from ..graph import ModelGraph, Subgraph
from ..graph.serialize import graph_to_json
from ..model_formats.source import parse_model
from .mapping import COLUMNS, mapped_row
from .ncnn_param import parse_ncnn_param
from .network_names import architecture_of

FILES = (".tflite", ".param")
"""Endings of model files that we read."""
COLLECTED = "collected/"
"""Begins the keys of networks of other sources, which no table brings: they stay."""
LIKE = {
    "mcunet": "mobilenet_v2:0.35:144",
    "proxyless": "mobilenet_v2:0.35:144",
    "mbv2": "mobilenet_v2:0.35:144",
}
"""Word in a network's name → the architecture that its layers are like."""
UNPADDED = re.compile(r"^mlperf-inf-bert-99 .*(?:TensorRT|CUDA|Qualcomm)")
"""MLPerf's questions at their own lengths, as these makers' kernels leave out padding: 46 % of 384 tokens are
questions of SQuAD v1.1 (openreview.net/forum?id=3nzKUh9a4M, abstract; mlcommons/inference_results_v1.0
closed/NVIDIA/code/bert/tensorrt/README.md, Variable Sequence Lengths)."""


def main(data: Path, output: Path) -> None:
    networks = {key: graph for key, graph in measurements.networks().items() if key.startswith(COLLECTED)}
    corrected = _by_id(output / "corrections.csv")
    rows = []
    with (data / "measurements.csv").open(newline="", encoding="utf-8") as file:
        for line in csv.DictReader(file):
            raw = line | corrected.get(line["id"], {})
            row = mapped_row(raw, "")
            if row["hint"] != "exclude":
                rows.append(row | {"network": _network(raw, data, networks)})
    write_rows(output / "rows.csv", rows)
    write_networks(output / "networks.tsv.xz", networks)
    print(f"{_counts(rows)}, {len(networks)} networks")


def write_networks(file: Path, networks: Mapping[str, str]) -> None:
    text = "".join(f"{key}\t{networks[key]}\n" for key in sorted(networks))
    file.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def layers_of(graph: ModelGraph) -> str:
    """As JSON, without what its author named."""
    return json.dumps(json.loads(graph_to_json(anonymous(graph))), separators=(",", ":"))


def _by_id(file: Path) -> dict[str, dict[str, str]]:
    """Row → the fields that its source states and the table leaves blank."""
    found: dict[str, dict[str, str]] = {}
    with file.open(newline="", encoding="utf-8") as lines:
        for line in csv.DictReader(lines):
            found.setdefault(line["id"], {})[line["column"]] = line["value"]
    return found


def write_rows(file: Path, rows: Sequence[Mapping[str, str]]) -> None:
    """In our columns."""
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _counts(rows: Sequence[Mapping[str, str]]) -> str:
    named_rows = sum(bool(row["network"]) for row in rows)
    placed = sum(bool(row["target"]) for row in rows)
    return f"{len(rows)} rows, {named_rows} with a network, {placed} with a target"


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
        networks[key] = layers_of(graph)
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
    if UNPADDED.search(f"{raw['model_name']} {raw['runtime']}"):
        return "bert_large:177"
    return architecture_of(raw["model_name"], raw["input_shape"]) or _alike(raw)


def _alike(raw: Mapping[str, str]) -> str:
    """Mobile networks of which only the MACs are stated stand for one of their kind, scaled to them."""
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


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(measurements.__file__).parent)
