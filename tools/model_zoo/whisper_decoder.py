"""One step of Whisper's decoder (Radford et al., 2022), with the keys and values of the 199 tokens before.

Those of the 1500 audio frames come from the encoder.
"""

from __future__ import annotations

from functools import partial

from ..graph import DType
from ..graph.builder import GraphBuilder
from ..graph.model import OptionValue
from .shape import InputShape
from .transformer import attended, gelu, heads_first, layer_norm, norm, rows_again
from .vit import mlp
from .yolo_blocks import sliced

WORDS, MOST_TOKENS, TOKENS, FRAMES, DEPTH = 51_865, 448, 200, 1500, 64


def whisper_decoder(width: int, depth: int, b: GraphBuilder, shape: InputShape) -> tuple[int, ...]:
    """Scores of the next word, and each layer's keys and values without the oldest."""
    batch, heads = shape.batch, width // DEPTH
    word = b.input((batch, 1), DType.INT32, "word")
    place = b.input((batch, 1), DType.INT32, "place")
    mask = b.input((batch, 1, 1, TOKENS), name="mask")
    table = b.constant("words", (WORDS, width))
    places = b.constant("positions", (MOST_TOKENS, width))
    x = b.reshape(b.add(_row(b, table, word), _row(b, places, place)), (batch, width))
    kept = []
    for _ in range(depth):
        past = [b.input((batch, heads, TOKENS - 1, DEPTH), name="past") for _ in range(2)]
        audio = [b.input((batch, heads, FRAMES, DEPTH), name="audio") for _ in range(2)]
        y = norm(b, x)
        query, *new = (heads_first(b, b.fully_connected(y, width), batch, heads) for _ in range(3))
        key, value = (b.concat(pair, 2) for pair in zip(past, new, strict=True))
        kept += [sliced(b, whole, 2, 1, TOKENS - 1) for whole in (key, value)]
        y = rows_again(b, attended(b, query, key, value, bias=mask))
        x = b.add(x, b.fully_connected(y, width))
        query = heads_first(b, b.fully_connected(norm(b, x), width), batch, heads)
        x = b.add(x, b.fully_connected(rows_again(b, attended(b, query, *audio)), width))
        x = b.add(x, mlp(b, norm(b, x), gelu))
    options: dict[str, OptionValue] = {
        "fused_activation_function": "NONE",
        "weights_format": "DEFAULT",
        "keep_num_dims": False,
    }
    scores = b.op("FULLY_CONNECTED", (layer_norm(b, x), table, -1), (batch, WORDS), options)
    return (scores, *kept)


def _row(b: GraphBuilder, table: int, index: int) -> int:
    shape = (*b.shape(index), b.shape(table)[1])
    return b.op("GATHER", (table, index), shape, {"axis": 0, "batch_dims": 0}, dtype=DType.FLOAT32)


WHISPER_DECODERS = {
    "whisper_tiny_decoder": partial(whisper_decoder, 384, 4),
    "whisper_base_decoder": partial(whisper_decoder, 512, 6),
    "whisper_small_decoder": partial(whisper_decoder, 768, 12),
}
