"""Recurrent layers of a Core ML network: one vector a step, its weights gate by gate."""

from __future__ import annotations

from collections.abc import Sequence

from .layered import Layer, Net, Rule
from .wire import Message

_GATES = {"simpleRecurrent": 1, "gru": 3, "uniDirectionalLSTM": 4, "biDirectionalLSTM": 4}
_KINDS = {1: "RNN", 3: "GRU", 4: "LSTM"}
_WEIGHTS = {
    "simpleRecurrent": ((30,), (31,), (32,)),
    "gru": ((30, 31, 32), (50, 51, 52), (70, 71, 72)),
    "lstm": ((1, 2, 3, 4), (20, 21, 22, 23), (40, 41, 42, 43)),
}
"""Fields of the matrices for inputs, for the state, and of biases."""
_PEEPHOLES = (60, 61, 62)


def _recurrent(net: Net, layer: Layer) -> None:
    given, gates = layer.given, _GATES[layer.kind]
    depth, cells = given.whole(1), given.whole(2)
    is_lstm = gates == 4
    holders = list(given.each(20)) if is_lstm else [given]
    fields = _WEIGHTS["lstm" if is_lstm else layer.kind]
    settings = given.one(15) if is_lstm else given
    directions = len(holders)
    if directions != (2 if layer.kind == "biDirectionalLSTM" else 1):
        raise KeyError("directions")
    w = net.held((directions, gates * cells, depth), *_parts(holders, fields[0]))
    r = net.held((directions, gates * cells, cells), *_parts(holders, fields[1]))
    more = ["", "", "", "", _peepholes(net, holders, cells)] if is_lstm and settings.whole(40) else []
    if settings.whole(20):
        more = [net.held((directions, gates * cells), *_parts(holders, fields[2])), *more[1:]]
    x = net.then("Reshape", [layer.inputs[0], net.integers((0, 0 if net.is_exact else 1, depth))])
    made = [f"{layer.outputs[0]}/{end}" for end in ("every", "state", "cells")[: 3 if is_lstm else 2]]
    direction = "bidirectional" if directions == 2 else "reverse" if given.whole(100) else "forward"
    net.put(_KINDS[gates], [x, w, r, *more], made, hidden_size=cells, direction=direction)
    _ends(net, layer, made, directions * cells, bool(settings.whole(10 if is_lstm else 15)))


def _ends(net: Net, layer: Layer, made: Sequence[str], width: int, every: bool) -> None:
    """[steps, directions, batch, cells] as the steps of a sequence, and the states as one step each."""
    turned = net.then("Transpose", [made[0] if every else made[1]], perm=(0, 2, 1, 3) if every else (1, 0, 2))
    shape: tuple[int, ...] = (0, 0, width, 1, 1) if every else (1, -1, width, 1, 1)
    net.put("Reshape", [turned, net.integers(shape if net.is_exact else (-1, width, 1, 1))], layer.outputs[0])
    tail = (1, -1, width // (len(layer.outputs) // 2 or 1), 1, 1)
    for number, name in enumerate(layer.outputs[1:]):
        held = made[1 + number % (len(made) - 1)]
        if len(layer.outputs) > 3:
            bounds = [net.integers((v,)) for v in (number // 2, number // 2 + 1, 0)]
            held = net.then("Slice", [held, *bounds])
        net.put("Reshape", [held, net.integers(tail if net.is_exact else tail[1:])], name)


def _parts(holders: Sequence[Message], numbers: Sequence[int]) -> list[Message]:
    return [holder.one(number) for holder in holders for number in numbers]


def _peepholes(net: Net, holders: Sequence[Message], cells: int) -> str:
    return net.held((len(holders), 3 * cells), *_parts(holders, _PEEPHOLES))


RECURRENT: dict[str, Rule] = dict.fromkeys(_GATES, _recurrent)
