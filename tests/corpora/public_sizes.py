"""MACs, parameters and shapes beside those of other tools, for the model files that public repositories hold.

`python -m tests.corpora.public_sizes [--onnx-tool PYTHON] CLONE…` takes clones as `public_files` does, PYTHON being
that of an environment with onnx-tool; prints a row for each repository and figure, and a line for each file that
differs, with its class. Free dimensions of ONNX files are set to 1 for all.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from json import loads
from pathlib import Path
from typing import Any

import onnx

from edgewright.hardware_db.errors import EdgewrightError
from edgewright.tools import deployment, parse_model
from edgewright.tools.ethos_u.compiled import Compiled, Home
from edgewright.tools.ethos_u.process import VelaFailedError, compile_model
from edgewright.tools.ethos_u.system import system_of
from edgewright.tools.graph import DType, ModelGraph
from edgewright.tools.graph.summarize import summarize_model
from edgewright.tools.graph.summary import ModelSummary

from . import sizes_elsewhere
from .parameter_classes import class_of
from .public_files import files_of, repository_of

_ETHOS_U = "ethos-u55-128"
FIGURES = ("MACs", "parameters", "shapes")
OUTCOMES = ("equal", "different", "not comparable")


@dataclass(frozen=True)
class Compared:
    """One figure of one file: ours beside the other's, and the class of the difference or why there is none."""

    figure: str
    oracle: str
    outcome: str
    why: str = ""
    values: str = ""


def compared(figure: str, oracle: str, ours: Any, theirs: Any, why: str = "unexplained") -> Compared:
    if ours == theirs:
        return Compared(figure, oracle, "equal", "" if ours else "0 of both")
    return Compared(figure, oracle, "different", why, f"{ours} here, {theirs} there")


def incomparable(figure: str, oracle: str, why: str) -> Compared:
    return Compared(figure, oracle, "not comparable", why)


def main(arguments: list[str]) -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--onnx-tool", default=sys.executable)
    asked.add_argument("clones", nargs="+", type=Path)
    options = asked.parse_args(arguments)
    seen = set[bytes]()
    totals: dict[tuple[str, str], Counter[str]] = {}
    differ, classes = list[str](), Counter[str]()
    print(f"| repository | figure | oracle | {' | '.join(OUTCOMES)} |\n| --- | --- | --- |{' --: |' * 3}")
    for clone in options.clones:
        name, commit = repository_of(clone)
        found: dict[tuple[str, str], Counter[str]] = {}
        for path, each in judged(clone, options.onnx_tool, seen):
            found.setdefault((each.figure, each.oracle), Counter())[each.outcome] += 1
            if each.outcome != "equal":
                differ.append(
                    f"{name} {path} {each.figure}, {each.oracle}, {each.outcome}: {each.why}: {each.values}"
                )
            if each.outcome != "not comparable" and each.why:
                classes[f"{each.figure}, {each.oracle}, {each.outcome}: {each.why}"] += 1
        for key, counts in sorted(found.items()):
            totals.setdefault(key, Counter()).update(counts)
            print(_row(f"{name} {commit}", key, counts), flush=True)
    for key, counts in sorted(totals.items()):
        print(_row(f"all, {len(seen)} files", key, counts))
    print(*(f"{count:5} {each}" for each, count in classes.most_common()), sep="\n")
    print(*differ, sep="\n")


def judged(clone: Path, python: str, seen: set[bytes]) -> Iterator[tuple[str, Compared]]:
    """Every figure of every file that no earlier clone held."""
    with tempfile.TemporaryDirectory() as folder:
        files: dict[Path, str] = {}
        for path, content in files_of(clone):
            if (digest := hashlib.sha256(content).digest()) not in seen:
                seen.add(digest)
                ending = ".tflite" if path.endswith(".tflite") else ".onnx"
                files[written := Path(folder, f"{len(files)}{ending}")] = path
                written.write_bytes(content if ending == ".tflite" else at_one(content))
        onnx_files = [file for file in files if file.suffix == ".onnx"]
        tflite_files = [file for file in files if file.suffix == ".tflite"]
        counted = asked_of(python, "onnx", onnx_files)
        run = asked_of(sys.executable, "onnxruntime", onnx_files)
        for file, count, shapes in zip(onnx_files, counted, run, strict=True):
            yield from ((files[file], each) for each in of_onnx(file, count, shapes))
        for file, sizes in zip(tflite_files, asked_of(sys.executable, "tflite", tflite_files), strict=True):
            yield from ((files[file], each) for each in of_tflite(file, sizes))


def asked_of(python: str, tool: str, files: list[Path]) -> list[dict[str, Any]]:
    """What the tool says of each file."""
    asked = "".join(f"{file}\n" for file in files)
    worker = [python, str(sizes_elsewhere.__file__), tool]
    done = subprocess.run(worker, input=asked, capture_output=True, text=True, check=True)
    return [loads(line) for line in done.stdout.splitlines()]


def at_one(content: bytes) -> bytes:
    """The file with 1 for every free dimension of its inputs; what it says of shapes derived from them goes."""
    try:
        model = onnx.load_model_from_string(content)
    except Exception:
        return content
    free = False
    for value in model.graph.input:
        for dimension in value.type.tensor_type.shape.dim:
            if not dimension.HasField("dim_value") or dimension.dim_value < 1:
                dimension.dim_value, free = 1, True
    if not free:
        return content
    del model.graph.value_info[:]
    for value in model.graph.output:
        value.type.tensor_type.ClearField("shape")
    return bytes(model.SerializeToString())


def of_onnx(file: Path, count: dict[str, Any], run: dict[str, Any]) -> Iterator[Compared]:
    ours = _ours(file)
    if isinstance(ours, str):
        oracles = ("onnx-tool", "onnx-tool", "ONNX Runtime")
        yield from (incomparable(*pair, ours) for pair in zip(FIGURES, oracles, strict=True))
        return
    if "refused" in count:
        yield incomparable("MACs", "onnx-tool", f"onnx-tool: {count['refused']}")
        yield incomparable("parameters", "onnx-tool", f"onnx-tool: {count['refused']}")
    else:
        yield onnx_macs(ours[1], count)
        mine, theirs = ours[1].parameter_count, count["parameters"]
        yield compared(
            "parameters", "onnx-tool", mine, theirs, class_of(onnx.load_model(file), mine - theirs)
        )
    yield shapes(ours[1], "ONNX Runtime", run)


def onnx_macs(ours: ModelSummary, count: dict[str, Any]) -> Compared:
    if ours.not_counted:
        kinds = ", ".join(sorted({each.op for each in ours.not_counted}))
        return incomparable("MACs", "onnx-tool", f"not counted here: {kinds}")
    kinds = ", ".join(sorted(count["others"]))
    if "ConvTranspose" in count["others"]:
        why = "transposed convolution counted from its output"
    elif ours.macs == count["products"]:
        why = (
            "biases and elements"
            if count["biases"] and kinds
            else "biases"
            if count["biases"]
            else "elements"
        )
    else:
        why = f"unexplained, {count['products']:.0f} in products, {kinds}"
    return compared("MACs", "onnx-tool", ours.macs, int(count["macs"]), why)


def of_tflite(file: Path, found: dict[str, Any]) -> Iterator[Compared]:
    ours = _ours(file)
    if isinstance(ours, str) or "refused" in found:
        why = ours if isinstance(ours, str) else f"LiteRT: {found['refused']}"
        oracles = ("formulas", "LiteRT", "LiteRT")
        yield from (incomparable(*pair, why) for pair in zip(FIGURES, oracles, strict=True))
        return
    graph, summary = ours
    yield compared("parameters", "LiteRT", summary.parameter_bytes, found["constant_bytes"])
    yield shapes(summary, "LiteRT", found)
    yield by_vela(graph, summary, file.read_bytes()) or by_formula(summary, found)


def by_formula(ours: ModelSummary, found: dict[str, Any]) -> Compared:
    if ours.not_counted or "uncounted" in found:
        kinds = {each.op for each in ours.not_counted} | {found.get("uncounted", "")} - {""}
        return incomparable("MACs", "formulas", f"not counted: {', '.join(sorted(kinds))}")
    return compared("MACs", "formulas", ours.macs, found["macs"])


def by_vela(graph: ModelGraph, ours: ModelSummary, content: bytes) -> Compared | None:
    """None where Vela leaves an operator with MACs to the CPU, or the file is not in 8 bits."""
    system = system_of(deployment(_ETHOS_U))
    if graph.dtype not in {DType.INT8, DType.UINT8} or not ours.macs or system is None:
        return None
    try:
        compiled = compile_model(graph, content, system)
    except VelaFailedError:
        return None
    return vela_compared(ours, compiled)


def vela_compared(ours: ModelSummary, compiled: Compiled) -> Compared | None:
    pairs = [
        (layer.op, layer.macs, operator)
        for layer, operator in zip(ours.layers, compiled.operators, strict=True)
        if layer.macs
    ]
    if any(operator.home is not Home.NPU for _, _, operator in pairs):
        return None
    mine, theirs = sum(macs for _, macs, _ in pairs), sum(each.macs for _, _, each in pairs)
    kinds = sorted({kind for kind, macs, each in pairs if macs != each.macs})
    return compared("MACs", "Vela", mine, theirs, ", ".join(kinds))


def shapes(ours: ModelSummary, oracle: str, found: dict[str, Any]) -> Compared:
    if "refused" in found:
        return incomparable("shapes", oracle, f"{oracle}: {found['refused']}")
    mine, theirs = [list(each.shape) for each in ours.outputs], found["outputs"]
    if None in theirs:
        return incomparable("shapes", oracle, "an output is a sequence or a map")
    known = [d >= 0 for shape in (*mine, *theirs) for d in shape]
    if not all(known):
        return incomparable("shapes", oracle, f"decided at run time: {mine} here, {theirs} there")
    odd = {_shape_class(here, there) for here, there in zip(mine, theirs, strict=True) if here != there}
    return compared("shapes", oracle, mine, theirs, ", ".join(sorted(odd)))


def _shape_class(here: list[int], there: list[int]) -> str:
    if len(there) > 2 and here in ([there[0], *there[2:], there[1]], [there[0], 1, *there[2:], there[1]]):
        return "channels last"
    if not here:
        return "no shape in the file"
    return "a scalar as [1]" if (here, there) == ([1], []) else "unexplained"


def _ours(file: Path) -> tuple[ModelGraph, ModelSummary] | str:
    try:
        graph = parse_model(file)
        return graph, summarize_model(graph)
    except EdgewrightError as refused:
        return f"refused here: {str(refused)[:160]}"


def _row(name: str, key: tuple[str, str], counts: Counter[str]) -> str:
    return f"| {name} | {key[0]} | {key[1]} | {' | '.join(str(counts[each]) for each in OUTCOMES)} |"


if __name__ == "__main__":
    main(sys.argv[1:])
