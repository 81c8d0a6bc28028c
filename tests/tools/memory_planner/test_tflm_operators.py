"""Operators with scratch buffers, state or subgraphs, held against TensorFlow Lite Micro's allocations."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from edgewright.tools.deployments import deployment
from edgewright.tools.graph import DType, ModelGraph, Op, OptionValue, Quantization, Subgraph, Tensor
from edgewright.tools.memory_planner import plan_memory
from edgewright.tools.model_parser import parse_model
from edgewright.tools.model_writer import write_tflite

SCALE = Quantization((0.5,), (0,))


def data(index: int, *shape: int, dtype: DType = DType.FLOAT32, **more: Any) -> Tensor:
    quantization = SCALE if dtype in (DType.INT8, DType.INT16, DType.INT4) else None
    return Tensor(index, f"t{index}", shape, dtype, **{"quantization": quantization, **more})


def constant(index: int, *shape: int, dtype: DType = DType.FLOAT32, **more: Any) -> Tensor:
    tensor = data(index, *shape, dtype=dtype, **more)
    return replace(tensor, stored_bytes=tensor.bytes or 0, is_constant=True)


def model(
    tensors: Sequence[Tensor], ops: Sequence[Op], inputs: Sequence[int], outputs: Sequence[int]
) -> Subgraph:
    return Subgraph("main", tuple(tensors), tuple(ops), tuple(inputs), tuple(outputs))


def graph(name: str, *subgraphs: Subgraph) -> ModelGraph:
    return ModelGraph(name, "architecture", "0", None, subgraphs)


def svdf(dtype: DType) -> ModelGraph:
    other, state = (DType.INT32, DType.INT16) if dtype is DType.INT8 else (dtype, dtype)
    unit = Quantization((1.0,), (0,))
    tensors = [
        data(0, 1, 10, dtype=dtype, quantization=unit),
        constant(1, 24, 10, dtype=dtype, quantization=unit),
        constant(2, 24, 5, dtype=state, quantization=unit),
        constant(3, 12, dtype=other, quantization=unit),
        data(4, 1, 120, dtype=state, is_variable=True, quantization=unit),
        data(5, 1, 12, dtype=dtype, quantization=unit),
    ]
    options = {"rank": 2, "fused_activation_function": "NONE"}
    return graph("svdf", model(tensors, [Op(0, "SVDF", (0, 1, 2, 3, 4), (5,), options=options)], [0], [5]))


def matrix_product(adj_x: bool, adj_y: bool) -> ModelGraph:
    left, right = ((1, 6, 4) if adj_x else (1, 4, 6)), ((1, 5, 6) if adj_y else (1, 6, 5))
    tensors = [data(0, *left), data(1, *right), data(2, 1, 4, 5)]
    options = {"adj_x": adj_x, "adj_y": adj_y, "asymmetric_quantize_inputs": False}
    op = Op(0, "BATCH_MATMUL", (0, 1), (2,), options=options)
    return graph("product", model(tensors, [op], [0, 1], [2]))


def branches() -> ModelGraph:
    """IF over two subgraphs, and tensors that nothing uses."""
    relu = model([data(0, 1, 40), data(1, 1, 40)], [Op(0, "RELU", (0,), (1,))], [0], [1])
    deeper = model(
        [data(0, 1, 40), data(1, 1, 40), data(2, 1, 40)],
        [Op(0, "LOGISTIC", (0,), (1,)), Op(1, "ADD", (0, 1), (2,), options={"fused_activation_function": "NONE"})],
        [0], [2],
    )  # fmt: skip
    main = model(
        [data(0, 1, dtype=DType.BOOL), data(1, 1, 40), data(2, 1, 40), data(3, 1, 7), data(4, 1, 40), data(5, 3, 11)],
        [
            Op(0, "LOGISTIC", (1,), (4,)),
            Op(1, "IF", (0, 4), (2,), options={"then_subgraph_index": 1, "else_subgraph_index": 2}),
        ],
        [0, 1, 3], [2],
    )  # fmt: skip
    return graph("branches", main, relu, deeper)


def loop() -> ModelGraph:
    condition = model(
        [data(0, 1), constant(1, 1), data(2, 1, dtype=DType.BOOL)], [Op(0, "LESS", (0, 1), (2,))], [0], [2]
    )
    body = model(
        [data(0, 1), data(1, 1)],
        [Op(0, "ADD", (0, 0), (1,), options={"fused_activation_function": "NONE"})],
        [0],
        [1],
    )
    main = model(
        [data(0, 1), data(1, 1)],
        [Op(0, "WHILE", (0,), (1,), options={"cond_subgraph_index": 1, "body_subgraph_index": 2})],
        [0], [1],
    )  # fmt: skip
    return graph("loop", main, condition, body)


def four_bit_weights() -> ModelGraph:
    tensors = [
        data(0, 1, 8, 8, 4, dtype=DType.INT8),
        constant(1, 6, 3, 3, 4, dtype=DType.INT4),
        constant(2, 6, dtype=DType.INT32, quantization=Quantization((0.25,), (0,))),
        data(3, 1, 8, 8, 6, dtype=DType.INT8),
    ]
    options = {
        "padding": "SAME", "stride_h": 1, "stride_w": 1, "dilation_h_factor": 1, "dilation_w_factor": 1,
        "fused_activation_function": "NONE",
    }  # fmt: skip
    return graph("int4", model(tensors, [Op(0, "CONV_2D", (0, 1, 2), (3,), options=options)], [0], [3]))


def lstm() -> ModelGraph:
    weights = [constant(i, 4, 3) for i in range(1, 5)] + [constant(i, 4, 4) for i in range(5, 9)]
    biases = [constant(i, 4) for i in range(9, 13)]
    state = [data(i, 1, 4, is_variable=True) for i in (13, 14)]
    absent = (-1, -1, -1)
    inputs = (*range(9), *absent, *range(9, 13), -1, -1, 13, 14, -1, *absent)
    options: dict[str, OptionValue] = {
        "fused_activation_function": "TANH", "cell_clip": 0.0, "proj_clip": 0.0,
        "time_major": False, "asymmetric_quantize_inputs": False, "diagonal_recurrent_tensors": False,
    }  # fmt: skip
    tensors = [data(0, 1, 5, 3), *weights, *biases, *state, data(15, 1, 5, 4)]
    op = Op(0, "UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, (15,), options=options)
    return graph("lstm", model(tensors, [op], [0], [15]))


def shared_variable() -> ModelGraph:
    """A variable that a subgraph called once allocates, and the main one reads and assigns."""
    named = {"container_untrusted": "", "shared_name_untrusted": "a"}
    handle = data(0, 1, dtype=DType.RESOURCE)
    main = model(
        [handle, data(1, 1, 20), data(2, 1, 20)],
        [
            Op(0, "CALL_ONCE", (), (), options={"init_subgraph_index": 1}),
            Op(1, "VAR_HANDLE", (), (0,), options=named),
            Op(2, "READ_VARIABLE", (0,), (2,)),
            Op(3, "ASSIGN_VARIABLE", (0, 1), ()),
        ],
        [1], [2],
    )  # fmt: skip
    first = model(
        [handle, constant(1, 1, 20)],
        [Op(0, "VAR_HANDLE", (), (0,), options=named), Op(1, "ASSIGN_VARIABLE", (0, 1), ())],
        [], [],
    )  # fmt: skip
    return graph("variable", main, first)


INT32 = DType.INT32
Made = Callable[[int], Tensor]


def given(*shape: int, dtype: DType = DType.FLOAT32) -> Made:
    return lambda index: data(index, *shape, dtype=dtype)


def fixed(*values: int, shape: tuple[int, ...] | None = None) -> Made:
    return lambda index: constant(index, *(shape or (len(values),)), dtype=INT32, values=values)


def weights(*shape: int) -> Made:
    return lambda index: constant(index, *shape)


def single(kind: str, inputs: Sequence[Made], output: Made, **options: OptionValue) -> ModelGraph:
    """One operator; what is not constant among its inputs is the model's."""
    tensors = [made(index) for index, made in enumerate((*inputs, output))]
    last = len(inputs)
    op = Op(0, kind, tuple(range(last)), (last,), options=options)
    return graph(kind, model(tensors, [op], [t.index for t in tensors[:last] if not t.is_constant], [last]))


PLAIN = {"fused_activation_function": "NONE"}
ROW = given(1, 6)
OPERATORS: tuple[ModelGraph, ...] = (
    svdf(DType.FLOAT32),
    svdf(DType.INT8),
    matrix_product(False, False),
    matrix_product(True, True),
    branches(),
    loop(),
    four_bit_weights(),
    lstm(),
    shared_variable(),
    single("MIRROR_PAD", [given(1, 4, 4), fixed(0, 0, 1, 1, 1, 1, shape=(3, 2))], given(1, 6, 6), mode="REFLECT"),
    single("ADD_N", [given(1, 8), given(1, 8), given(1, 8)], given(1, 8)),
    single("GATHER", [given(6, 4), fixed(0, 1, 2)], given(3, 4), axis=0, batch_dims=0),
    single("GATHER_ND", [given(6, 4), fixed(0, 1, 2, shape=(3, 1))], given(3, 4)),
    single("REDUCE_MAX", [given(1, 6, 4), fixed(1)], given(1, 4), keep_dims=False),
    single("SUM", [given(1, 6, 4), fixed(1)], given(1, 4), keep_dims=False),
    single("EMBEDDING_LOOKUP", [given(3, dtype=INT32), weights(6, 4)], given(3, 4)),
    single("CUMSUM", [ROW, fixed(1)], ROW, exclusive=False, reverse=False),
    single("LOG_SOFTMAX", [ROW], ROW),
    single("PRELU", [ROW, weights(6)], ROW),
    single("LEAKY_RELU", [ROW], ROW, alpha=0.5),
    single("ELU", [ROW], ROW),
    single("RSQRT", [ROW], ROW),
    single("DIV", [ROW, ROW], ROW, **PLAIN),
    single("SQUARED_DIFFERENCE", [ROW, ROW], ROW),
    single("SELECT_V2", [given(1, 6, dtype=DType.BOOL), ROW, ROW], ROW),
    single("DEPTH_TO_SPACE", [given(1, 2, 2, 4)], given(1, 4, 4, 1), block_size=2),
    single("SPACE_TO_DEPTH", [given(1, 4, 4, 1)], given(1, 2, 2, 4), block_size=2),
    single(
        "L2_POOL_2D", [given(1, 4, 4, 2)], given(1, 2, 2, 2),
        padding="VALID", stride_w=2, stride_h=2, filter_width=2, filter_height=2, **PLAIN,
    ),
    single("L2_NORMALIZATION", [ROW], ROW, **PLAIN),
    single("HARD_SWISH", [ROW], ROW),
    single("SQUEEZE", [ROW], given(6), squeeze_dims=(0,)),
)  # fmt: skip


def test_the_arena_equals_tflms_with_state_scratch_and_control_flow(
    tmp_path: Path, tflm_allocations: Callable[[Sequence[Path]], Mapping[Path, Any]]
) -> None:
    paths = []
    for number, made in enumerate(OPERATORS):
        paths.append(tmp_path / f"{number} {made.name}.tflite")
        paths[-1].write_bytes(write_tflite(made))
    told = tflm_allocations(paths)
    host = deployment("host-x86-64", "tflm-reference")
    plans = {path: plan_memory(parse_model(path), host) for path in paths}
    ours = {p.name: (m.arena_nonpersistent_bytes, m.arena_persistent_bytes) for p, m in plans.items()}
    theirs = {path.name: (said.head, said.tail) for path, said in told.items()}
    assert ours == theirs
