"""A graph as JSON, without weights, and the identity of a graph that has no file."""

import hashlib
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from ...hardware_db.errors import ModelFileError
from ..core.records import replace
from .model import SCHEMA_VERSION, ModelGraph, Op, Subgraph
from .tensor import Tensor

_WHERE_KNOWN = ("offline_plans", "zero_filters", "onnx_versions", "notes_untrusted")
"""Left out where empty: the identity of graphs without them does not change."""
_WITHOUT_ORIGIN = {"subgraphs": {"__all__": {"ops": {"__all__": {"origin"}}}}}
"""Likewise of operators that no ONNX file gave."""


class _Document(BaseModel):
    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, defer_build=True, ser_json_inf_nan="constants"
    )
    schema_version: Literal["1.0"] = "1.0"
    graph: ModelGraph


def graph_to_json(graph: ModelGraph) -> str:
    """The whole graph as one line of JSON; options are sorted, so that equal graphs give equal text."""
    canonical = replace(graph, subgraphs=tuple(_sorted_options(s) for s in graph.subgraphs))
    document = _Document(graph=canonical)
    empty: dict[str, Any] = {name: True for name in _WHERE_KNOWN if not getattr(graph, name)}
    if not any(op.origin for subgraph in graph.subgraphs for op in subgraph.ops):
        empty |= _WITHOUT_ORIGIN
    return document.model_dump_json(exclude={"graph": empty})


def graph_from_json(text: str | bytes) -> ModelGraph:
    """Read what `graph_to_json` wrote.

    Raises:
        ModelFileError: not JSON, another schema version, a field too many, missing or of the wrong
            type, or an index that leads nowhere.
    """
    try:
        graph = _Document.model_validate_json(text).graph
    except ValidationError as error:
        raise _not_a_graph(_first_problem(error)) from error
    for subgraph in graph.subgraphs:
        _check_indices(subgraph)
    if not graph.subgraphs:
        raise _not_a_graph("it holds no subgraph")
    if any(not 0 <= s.subgraph < len(graph.subgraphs) for s in graph.signatures):
        raise _not_a_graph("a signature names a subgraph that is not there")
    return graph


def graph_sha256(graph: ModelGraph) -> str:
    """Identity of a graph's content, in hexadecimal: its name, hash and file size do not enter."""
    content = replace(graph, name="", sha256="", file_bytes=None)
    return hashlib.sha256(graph_to_json(content).encode()).hexdigest()


def _sorted_options(subgraph: Subgraph) -> Subgraph:
    return replace(subgraph, ops=tuple([_in_order(op) for op in subgraph.ops]))


def _in_order(op: Op) -> Op:
    names = [*op.options]
    return op if names == sorted(names) else replace(op, options=dict(sorted(op.options.items())))


def _check_indices(subgraph: Subgraph) -> None:
    count = len(subgraph.tensors)
    used = [*subgraph.inputs, *subgraph.outputs]
    for op in subgraph.ops:
        used += (*(i for i in op.inputs if i != -1), *op.outputs, *op.intermediates)
    stray = next((i for i in used if not 0 <= i < count), None)
    if stray is not None:
        raise _not_a_graph(f"tensor {stray} is used but there are {count}")
    if not _numbered(subgraph.tensors) or not _numbered(subgraph.ops):
        raise _not_a_graph("tensors or operators are not numbered in order")


def _numbered(items: Sequence[Op | Tensor]) -> bool:
    return all(item.index == position for position, item in enumerate(items))


def _first_problem(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in problem["loc"])
    return f"{where}: {problem['msg']}" if where else problem["msg"]


def _not_a_graph(reason: str) -> ModelFileError:
    return ModelFileError(
        f"Not a graph document of schema {SCHEMA_VERSION}: {reason}.",
        hint="Write it again from the model.",
    )
