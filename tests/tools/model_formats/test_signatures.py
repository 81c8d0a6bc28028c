"""Files with several entry points, and what they say of themselves."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from edgewright.agent.names import find_names
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db.errors import UsageError
from edgewright.tools import Settings, parse_model, plan_memory, summarize_model

Tree = dict[int, Any]
SUBGRAPHS, BUFFERS, METADATA, SIGNATURES = 2, 4, 6, 7
TENSORS, OPERATORS = 0, 3


@pytest.fixture
def two(tree: Tree) -> Tree:
    """`small` runs the first subgraph; `large` the third, which calls the second."""
    first = tree[SUBGRAPHS][0]
    larger, called = copy.deepcopy(first), copy.deepcopy(first)
    for at in (0, 3):
        larger[TENSORS][at][0] = ("i", [1, 16, 16, 1 if at == 0 else 2])
    condition = {0: ("i", [1]), 1: ("b", 6), 2: ("I", 0), 3: "condition"}
    larger[TENSORS] += [condition, {0: ("i", [1, 16, 16, 2]), 1: ("b", 9), 2: ("I", 0), 3: "chosen"}]
    branch = {0: ("I", 1), 1: ("i", [4, 0]), 2: ("i", [5]), 3: ("B", 92), 4: {0: ("i", 1), 1: ("i", 1)}}
    larger[OPERATORS].append(branch)
    larger[1], larger[2] = ("i", [0, 4]), ("i", [5])
    tree[1].append({0: ("b", 118), 2: ("i", 1), 3: ("i", 118)})
    tree[SUBGRAPHS] += [called, larger]
    tree[SIGNATURES] = [
        {0: [{0: "x", 1: ("I", 0)}], 1: [{0: "y", 1: ("I", 3)}], 2: name, 4: ("I", subgraph)}
        for name, subgraph in (("small", 0), ("large", 2))
    ]
    return tree


@pytest.fixture
def file(two: Tree, encode: Callable[[Any], bytes], tmp_path: Path) -> Path:
    (tmp_path / "two.tflite").write_bytes(encode(two))
    return tmp_path / "two.tflite"


def test_without_a_name_the_first_subgraph_is_the_model(file: Path) -> None:
    assert parse_model(file).inputs[0].shape == parse_model(f"{file}#small").inputs[0].shape == (1, 8, 8, 1)


def test_a_signature_brings_its_subgraph_and_those_that_it_calls(file: Path) -> None:
    large = parse_model(f"{file}#large")
    assert (large.name, large.inputs[0].shape) == ("two.tflite#large", (1, 16, 16, 1))
    assert len(large.subgraphs) == 2
    assert large.ops[1].options["then_subgraph_index"] == large.ops[1].options["else_subgraph_index"] == 1
    assert large.sha256 != parse_model(file).sha256


def test_a_signature_is_named_in_python_too_of_files_and_of_bytes(file: Path) -> None:
    named = [parse_model(source, signature="large") for source in (file, str(file), file.read_bytes())]
    assert {graph.sha256 for graph in named} == {parse_model(f"{file}#large").sha256}
    assert plan_memory(f"{file}#small", "stm32h743zi").arena_bytes


@pytest.mark.parametrize("source", ["{}#lage", "kws#large", "{}"])
def test_a_signature_that_is_not_there_is_answered_with_those_that_are(file: Path, source: str) -> None:
    named = None if "#" in source else "lage"
    with pytest.raises(UsageError, match=r"no signature 'lage'.*It has large|kws names no signatures"):
        parse_model(source.format(file), signature=named)


def test_a_file_whose_own_name_has_the_mark_is_that_file(file: Path) -> None:
    odd = file.rename(file.with_name("two#large"))
    assert parse_model(str(odd)).name == "two#large"


def test_inspect_lists_signatures_and_metadata(
    two: Tree, encode: Callable[[Any], bytes], tmp_path: Path
) -> None:
    described = encode({0: "Sorter", 2: "v3", 4: "A. Author"})
    described = described[:4] + b"M001" + described[8:]
    two[BUFFERS] += [{0: ("B", list(b"1.14.0\0\0"))}, {0: ("B", list(described))}]
    two[METADATA] = [{0: "min_runtime_version", 1: ("I", 3)}, {0: "TFLITE_METADATA", 1: ("I", 4)}]
    summary = summarize_model(parse_model(encode(two)))
    assert [(s.name_untrusted, s.op_count) for s in summary.signatures] == [("small", 1), ("large", 2)]
    assert {m.name_untrusted: m.text_untrusted or m.bytes for m in summary.metadata} == {
        "made by": "a test model", "name": "Sorter", "version": "v3", "author": "A. Author",
        "oldest runtime": "1.14.0", "min_runtime_version": 8, "TFLITE_METADATA": len(described),
    }  # fmt: skip
    hidden = summarize_model(parse_model(encode(two), settings=Settings(redact_names=True)))
    assert "Sorter" not in hidden.model_dump_json()
    assert "small" not in hidden.model_dump_json()


def test_the_chat_takes_a_signature_where_the_file_may_be_read(file: Path, tmp_path: Path) -> None:
    (name,) = [n for n in find_names(f"how fast is {file}#large on it?") if n.text.endswith("large")]
    assert name.text == f"{file}#large"
    workspace = Workspace(directory=tmp_path)
    assert workspace.model_source("two.tflite#large") == f"{file}#large"
    elsewhere = Workspace(directory=tmp_path.parent / "elsewhere")
    with pytest.raises(Exception, match="lies outside"):
        elsewhere.model_source(f"{file}#large")
    elsewhere.note(f"what of {file}#large")
    assert elsewhere.model_source(f"{file}#large") == f"{file}#large"
