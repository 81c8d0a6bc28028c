import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from edgewright.hardware_db.errors import ModelFileError
from edgewright.tools.graph import (
    DType,
    ModelGraph,
    Op,
    OptionValue,
    Quantization,
    Signature,
    Sparsity,
    Subgraph,
    Tensor,
)
from edgewright.tools.graph.serialize import graph_from_json, graph_sha256, graph_to_json


def graph(ops: int = 2, channels: int = 3) -> ModelGraph:
    per_channel = Quantization(tuple(0.1 / (c + 3) for c in range(channels)), (0,) * channels, axis=3)
    tensors = (
        Tensor(0, "in", (1, -1, 10, 1), DType.INT8, quantization=Quantization((0.5,), (-128,))),
        Tensor(1, "w", (3, 1, 1, 1), DType.INT8, 3, True, quantization=per_channel, buffer=7),
        Tensor(2, "axes", (2,), DType.INT32, 8, True, values=(1, 2)),
        Tensor(3, "out", (1, 4, 10, 3), DType.INT8, sparsity=Sparsity((0, 1), (), (True, False))),
    )
    options: dict[str, OptionValue] = {
        "padding": "SAME",
        "beta": 1.0,
        "stride_h": 2,
        "keep_dims": True,
        "f": (0.5,),
        "i": (1, 2),
        "n": (),
    }
    listed = tuple(Op(i, "CONV_2D", (0, 1, -1), (3,), 3, options) for i in range(ops))
    main = Subgraph("main", tensors, listed, (0,), (3,))
    return ModelGraph(
        name="m",
        format="tflite",
        sha256="ab",
        file_bytes=12,
        subgraphs=(main,),
        signatures=(Signature("serving_default", 0, (("x", 0),), (("y", 3),)),),
        metadata_untrusted=(("min_runtime_version", 16),),
        history=("int8",),
    )


def test_a_graph_survives_the_way_through_json_with_its_types() -> None:
    back = graph_from_json(graph_to_json(graph()))
    assert back == graph()
    options = back.ops[0].options
    assert [type(options[k]) for k in ("stride_h", "beta", "keep_dims", "f", "i")] == [
        int,
        float,
        bool,
        tuple,
        tuple,
    ]


def test_values_that_strict_json_lacks_survive() -> None:
    tensor = Tensor(0, "t", (), DType.FLOAT32, quantization=Quantization((float("inf"),), (0,)))
    bare = ModelGraph("m", "tflite", "", None, (Subgraph("", (tensor,), (), (), ()),))
    assert graph_from_json(graph_to_json(bare)) == bare


def test_the_document_names_its_schema_and_holds_no_weights() -> None:
    document = json.loads(graph_to_json(graph()))
    assert document["schema_version"] == "1.0"
    assert document["graph"]["subgraphs"][0]["tensors"][1]["values"] is None


def test_identity_is_content_and_not_name_or_file() -> None:
    same = replace(graph(), name="other", sha256="cd", file_bytes=None)
    assert graph_sha256(same) == graph_sha256(graph())
    assert len(graph_sha256(same)) == 64


def test_identity_does_not_depend_on_the_order_of_options() -> None:
    one = graph(ops=1)
    turned = replace(one.ops[0], options=dict(reversed(list(one.ops[0].options.items()))))
    other = replace(one, subgraphs=(replace(one.main, ops=(turned,)),))
    assert list(turned.options) != list(one.ops[0].options)
    assert graph_sha256(other) == graph_sha256(one)


def test_identity_changes_with_any_content() -> None:
    assert graph_sha256(graph(ops=3)) != graph_sha256(graph(ops=2))
    assert graph_sha256(graph(channels=4)) != graph_sha256(graph(channels=3))


def _main(document: dict[str, Any]) -> dict[str, Any]:
    main: dict[str, Any] = document["graph"]["subgraphs"][0]
    return main


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (lambda d: d.update(schema_version="2.0"), "schema_version"),
        (lambda d: d.update(extra=1), "extra"),
        (lambda d: _main(d).update(extra=1), "extra"),
        (lambda d: _main(d).pop("ops"), "ops"),
        (lambda d: _main(d)["tensors"][0].update(index="0"), "tensors.0.index"),
        (lambda d: _main(d)["tensors"][0].update(dtype="int9"), "dtype"),
        (lambda d: _main(d)["ops"][0].update(inputs=[0, 9]), "tensor 9"),
        (lambda d: _main(d)["ops"][0].update(inputs=[-2]), "tensor -2"),
        (lambda d: _main(d)["ops"][0].update(index=5), "numbered"),
        (lambda d: _main(d).update(outputs=[4]), "tensor 4"),
        (lambda d: d["graph"].update(subgraphs=[], signatures=[]), "no subgraph"),
        (lambda d: d["graph"]["signatures"][0].update(subgraph=1), "signature"),
    ],
)
def test_a_wrong_document_is_refused_by_the_name_of_what_is_wrong(
    damage: Callable[[dict[str, Any]], None], named: str
) -> None:
    document = json.loads(graph_to_json(graph()))
    damage(document)
    with pytest.raises(ModelFileError, match=named):
        graph_from_json(json.dumps(document))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\x00", b"\xff\xfe", "[" * 10_000])
def test_text_that_is_no_graph_is_refused(text: str | bytes) -> None:
    with pytest.raises(ModelFileError):
        graph_from_json(text)
