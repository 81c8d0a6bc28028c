"""Models whose arena depends on more than one operator: lifetimes, aliases, state, control flow, networks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from edgewright.tools.graph import DType, ModelGraph, Op, OptionValue, Quantization, Subgraph, Tensor
from edgewright.tools.graph.requantize import to_int8

from .tflm_networks import random_network, to_int16
from .tflm_parts import constant, graph, model, tensor

F, I8, I32, BOOL = DType.FLOAT32, DType.INT8, DType.INT32, DType.BOOL
ADD: dict[str, OptionValue] = {"fused_activation_function": "NONE"}


def rows(count: int, width: int = 40, dtype: DType = F) -> list[Tensor]:
    return [tensor(i, (1, width), dtype) for i in range(count)]


def relu(width: int = 40) -> Subgraph:
    return model(rows(2, width), [Op(0, "RELU", (0,), (1,))], [0], [1])


def logistic_and_add(width: int = 40) -> Subgraph:
    ops = [Op(0, "LOGISTIC", (0,), (1,)), Op(1, "ADD", (0, 1), (2,), options=ADD)]
    return model(rows(3, width), ops, [0], [2])


def through() -> Subgraph:
    """Nothing but its input."""
    return model(rows(1), [], [0], [0])


def choice(then: int, other: int, index: int = 0, ends: tuple[int, int, int] = (0, 1, 2)) -> Op:
    condition, given, made = ends
    return Op(
        index, "IF", (condition, given), (made,),
        options={"then_subgraph_index": then, "else_subgraph_index": other},
    )  # fmt: skip


def asked(*more: Tensor) -> list[Tensor]:
    """A condition, an input and an output."""
    return [tensor(0, (1,), BOOL), tensor(1, (1, 40), F), tensor(2, (1, 40), F), *more]


def condition() -> Subgraph:
    tensors = [tensor(0, (1,), F), constant(1, (1,), F), tensor(2, (1,), BOOL)]
    return model(tensors, [Op(0, "LESS", (0, 1), (2,))], [0], [2])


def body() -> Subgraph:
    return model(
        [tensor(0, (1,), F), tensor(1, (1,), F)], [Op(0, "ADD", (0, 0), (1,), options=ADD)], [0], [1]
    )


def loop(index: int = 0, ends: tuple[int, int] = (0, 1), first: int = 1) -> Op:
    options = {"cond_subgraph_index": first, "body_subgraph_index": first + 1}
    return Op(index, "WHILE", (ends[0],), (ends[1],), options=options)


def handle(index: int, name: str, made: int) -> Op:
    return Op(
        index, "VAR_HANDLE", (), (made,), options={"container_untrusted": "", "shared_name_untrusted": name}
    )


def control_flow() -> dict[str, ModelGraph]:
    busy = asked(*(tensor(i, (1, 40 + i), F) for i in range(3, 5)))
    one = [tensor(0, (1,), F), tensor(1, (1,), F)]
    looped = asked(tensor(3, (1,), F), tensor(4, (1,), F))
    return {
        "if": graph("", model(asked(), [choice(1, 2)], [0, 1], [2]), relu(), logistic_and_add()),
        "if, one branch for both": graph("", model(asked(), [choice(1, 1)], [0, 1], [2]), relu()),
        "if, an empty branch": graph("", model(asked(), [choice(1, 2)], [0, 1], [2]), through(), relu()),
        "if, between operators": graph(
            "",
            model(
                [*asked(), tensor(3, (1, 40), F), tensor(4, (1, 40), F)],
                [Op(0, "TANH", (1,), (3,)), choice(1, 2, 1, (0, 3, 2)), Op(2, "ADD", (2, 3), (4,), options=ADD)],
                [0, 1], [4],
            ),
            relu(), logistic_and_add(),
        ),
        "if, unused tensors beside": graph("", model(busy, [choice(1, 2)], [0, 1, 3], [2]), relu(), logistic_and_add()),
        "if within if": graph(
            "",
            model(asked(), [choice(1, 2)], [0, 1], [2]),
            model(
                [*rows(3), constant(3, (1,), BOOL)],
                [Op(0, "RELU", (0,), (1,)), choice(2, 3, 1, (3, 1, 2))], [0], [2],
            ),
            relu(), logistic_and_add(),
        ),
        "two ifs share their branches": graph(
            "",
            model(
                [*asked(), tensor(3, (1, 40), F)], [choice(1, 2), choice(2, 1, 1, (0, 2, 3))], [0, 1], [3]
            ),
            relu(), logistic_and_add(),
        ),
        "while": graph("", model(one, [loop()], [0], [1]), condition(), body()),
        "while beside if": graph(
            "",
            model(looped, [choice(3, 4), loop(1, (3, 4))], [0, 1, 3], [2, 4]),
            condition(), body(), relu(), logistic_and_add(),
        ),
        "while within while": graph(
            "",
            model(one, [loop()], [0], [1]),
            condition(),
            model([tensor(i, (1,), F) for i in range(3)],
                  [Op(0, "ADD", (0, 0), (1,), options=ADD), loop(1, (1, 2), 3)], [0], [2]),
            condition(), body(),
        ),
        "a subgraph that nothing calls": graph("", relu(), relu(333)),
        **variables(),
    }  # fmt: skip


def variables() -> dict[str, ModelGraph]:
    resource = tensor(0, (1,), DType.RESOURCE)
    other = tensor(3, (1,), DType.RESOURCE)
    first = model(
        [resource, constant(1, (1, 20), F)],
        [handle(0, "a", 0), Op(1, "ASSIGN_VARIABLE", (0, 1), ())],
        [], [],
    )  # fmt: skip
    once = Op(0, "CALL_ONCE", (), (), options={"init_subgraph_index": 1})
    read = [handle(1, "a", 0), Op(2, "READ_VARIABLE", (0,), (2,)), Op(3, "ASSIGN_VARIABLE", (0, 1), ())]
    plain = [resource, tensor(1, (1, 20), F), tensor(2, (1, 20), F)]
    both = [
        once, *read, handle(4, "b", 3), Op(5, "ASSIGN_VARIABLE", (3, 2), ()), Op(6, "READ_VARIABLE", (3,), (4,)),
    ]  # fmt: skip
    return {
        "a variable": graph("", model(plain, [once, *read], [1], [2]), first),
        "two variables": graph("", model([*plain, other, tensor(4, (1, 20), F)], both, [1], [4]), first),
        "a variable that is never assigned twice": graph(
            "", model([*plain[:1], replace(plain[2], index=1)], [once, handle(1, "a", 0), Op(2, "READ_VARIABLE", (0,), (1,))], [], [1]), first
        ),
    }  # fmt: skip


def aliases() -> dict[str, ModelGraph]:
    scales = Quantization((0.5, 0.25, 0.125), (0, 0, 0), 1)
    per_channel = [tensor(i, (1, 3), I8, quantization=scales) for i in range(2)]
    bare = [tensor(i, (1, 3), F, quantization=None) for i in range(2)]
    chain = [Op(i, "RELU", (i,), (i + 1,)) for i in range(64)]
    wide = [Op(i, "RELU", (0,), (i + 1,)) for i in range(9)]
    joined = Op(9, "CONCATENATION", tuple(range(10)), (10,), options={"axis": 1, **ADD})
    shared = [replace(constant(i, (1, 40), F), buffer=1) for i in (1, 2)]
    return {
        "one tensor twice": graph("", model(rows(2), [Op(0, "ADD", (0, 0), (1,), options=ADD)], [0], [1])),
        "an output that is used on": graph(
            "", model(rows(3), [Op(0, "RELU", (0,), (1,)), Op(1, "TANH", (1,), (2,))], [0], [1, 2])
        ),
        "an input that is an output": graph("", model(rows(2), [Op(0, "RELU", (0,), (1,))], [0], [0, 1])),
        "an input that nothing uses": graph("", model(rows(3), [Op(0, "RELU", (0,), (1,))], [0, 2], [1])),
        "an output listed twice": graph("", model(rows(2), [Op(0, "RELU", (0,), (1,))], [0], [1, 1])),
        "tensors that nothing uses": graph("", model([*rows(2), *(tensor(i, (1, 99 * i), F) for i in range(2, 6))],
                                                     [Op(0, "RELU", (0,), (1,))], [0], [1])),
        "an output that is a constant": graph(
            "", model([*rows(2), constant(2, (1, 8), F)], [Op(0, "RELU", (0,), (1,))], [0], [1, 2])
        ),
        "constants that share a buffer": graph(
            "", model([tensor(0, (1, 40), F), *shared, tensor(3, (1, 40), F), tensor(4, (1, 40), F)],
                      [Op(0, "ADD", (0, 1), (3,), options=ADD), Op(1, "ADD", (3, 2), (4,), options=ADD)], [0], [4])
        ),
        "a result that nothing uses": graph(
            "", model(rows(3), [Op(0, "RELU", (0,), (1,)), Op(1, "TANH", (0,), (2,))], [0], [2])
        ),
        "inputs quantised by channel": graph("", model(per_channel, [Op(0, "RELU", (0,), (1,))], [0], [1])),
        "no quantisation": graph("", model(bare, [Op(0, "RELU", (0,), (1,))], [0], [1])),
        "sixty-four in a chain": graph("", model(rows(65), chain, [0], [64])),
        "ten side by side": graph("", model([*rows(10), tensor(10, (1, 400), F)], [*wide, joined], [0], [10])),
        "nothing but scalars": graph("", model([tensor(i, (), F) for i in range(2)], [Op(0, "RELU", (0,), (1,))], [0], [1])),
        "weights that are computed": computed_weights(),
        "no input": graph("", model([constant(0, (1, 40), F), tensor(1, (1, 40), F)], [Op(0, "RELU", (0,), (1,))], [], [1])),
    }  # fmt: skip


def computed_weights() -> ModelGraph:
    tensors = [
        tensor(0, (1, 8, 8, 4), F),
        constant(1, (6, 3, 3, 4), I8),
        tensor(2, (6, 3, 3, 4), F),
        constant(3, (6,), F),
        tensor(4, (1, 8, 8, 6), F),
    ]
    options: dict[str, OptionValue] = {
        "padding": "SAME", "stride_h": 1, "stride_w": 1, "dilation_h_factor": 1, "dilation_w_factor": 1, **ADD,
    }  # fmt: skip
    ops = [Op(0, "DEQUANTIZE", (1,), (2,)), Op(1, "CONV_2D", (0, 2, 3), (4,), options=options)]
    return graph("", model(tensors, ops, [0], [4]))


def networks(seeds: Sequence[int]) -> dict[str, ModelGraph]:
    """Random networks, each in float32, int8, int8 between float32 ends, and int16."""
    made: dict[str, ModelGraph] = {}
    for seed in seeds:
        plain = random_network(seed)
        quantised = to_int8(plain)
        variants = {
            "float32": plain,
            "int8": quantised,
            "mixed": to_int8(plain, float_io=True),
            "int16": to_int16(quantised),
        }
        made |= {f"network {seed} {name}": built for name, built in variants.items()}
    return made


def graph_models() -> dict[str, ModelGraph]:
    return control_flow() | aliases()


def empty_result() -> ModelGraph:
    """The interpreter takes an empty tensor for a dynamic one."""
    tensors = [tensor(i, (0, 4), F) for i in range(2)]
    return graph("", model(tensors, [Op(0, "RELU", (0,), (1,))], [0], [1]))
