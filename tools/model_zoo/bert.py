"""Transformers over text and speech: BERT (Devlin et al., 2018), CLIP's text encoder, Whisper's encoder.

The side of the input shape is the number of tokens; Whisper's is the number of spectrogram frames.
"""

from __future__ import annotations

from functools import partial

from ..graph import DType
from ..graph.builder import GraphBuilder
from .shape import InputShape
from .transformer import first_token, gelu, heads_first, layer_norm, norm, quick_gelu, self_attention
from .vit import block, mlp

BERT_WORDS, BERT_POSITIONS = 30522, 512
CLIP_WORDS = 49408
MEL_BANDS = 80


def bert(width: int, depth: int, heads: int, b: GraphBuilder, shape: InputShape, *, segments: int = 2) -> int:
    """With the head for answering questions (SQuAD): a start and an end score for each token."""
    x = _encoded(b, shape, (width, depth, heads), BERT_WORDS, segments)
    return b.reshape(b.fully_connected(x, 2), (shape.batch, -1, 2))


def sentence(
    width: int, depth: int, heads: int, b: GraphBuilder, shape: InputShape, *, words: int = BERT_WORDS
) -> int:
    """The mean of the tokens, which stands for the sentence (Reimers and Gurevych, 2019)."""
    x = _encoded(b, shape, (width, depth, heads), words, 2 if words == BERT_WORDS else 1)
    return b.mean(b.reshape(x, (shape.batch, -1, width)), (1,))


def _encoded(
    b: GraphBuilder, shape: InputShape, sizes: tuple[int, int, int], words: int, segments: int
) -> int:
    """Rows of tokens; no table of segments where all are of one (DistilBERT, Sanh et al., 2019)."""
    width, depth, heads = sizes
    x = _looked_up(b, shape, "words", words, width)
    if segments > 1:
        x = b.add(x, _looked_up(b, shape, "segments", segments, width))
    x = layer_norm(b, b.add(x, _positions(b, BERT_POSITIONS, width, shape)))
    x = b.reshape(x, (-1, width))
    for _ in range(depth):
        x = layer_norm(b, b.add(x, self_attention(b, x, shape.batch, heads)))
        x = layer_norm(b, b.add(x, mlp(b, x, gelu)))
    return x


def clip_text(width: int, depth: int, heads: int, b: GraphBuilder, shape: InputShape) -> int:
    """The token that ends the text is taken as the first: which it is depends on the text."""
    x = b.add(_looked_up(b, shape, "words", CLIP_WORDS, width), _positions(b, 77, width, shape))
    x = b.reshape(x, (-1, width))
    for _ in range(depth):
        x = block(b, x, shape.batch, heads, quick_gelu)
    return b.fully_connected(norm(b, first_token(b, x, shape.batch)), width)


def whisper_encoder(
    width: int,
    depth: int,
    heads: int,
    b: GraphBuilder,
    shape: InputShape,
    *,
    bands: int = MEL_BANDS,
    decoder_depth: int = 0,
) -> tuple[int, ...]:
    """Whisper (Radford et al., 2022) on frames of 10 ms, with its decoder's keys and values.

    Two convolutions over time, the second of stride 2, then the blocks. The decoder has as many layers, where
    no other depth is given.
    """
    x = b.input((shape.batch, 1, shape.side, bands))
    x = gelu(b, b.conv2d(x, width, (1, 3)))
    x = gelu(b, b.conv2d(x, width, (1, 3), stride=(1, 2)))
    x = b.reshape(x, (shape.batch, -1, width))
    x = b.reshape(b.add(x, b.constant("positions", (1, b.shape(x)[1], width))), (-1, width))
    for _ in range(depth):
        x = block(b, x, shape.batch, heads, gelu)
    x = norm(b, x)
    halves = range(2 * (decoder_depth or depth))
    return tuple(heads_first(b, b.fully_connected(x, width), shape.batch, heads) for _ in halves)


def _looked_up(b: GraphBuilder, shape: InputShape, name: str, rows: int, width: int) -> int:
    tokens = b.input((shape.batch, shape.side), DType.INT32, name)
    table = b.constant(f"{name}/table", (rows, width))
    made = (shape.batch, shape.side, width)
    return b.op("GATHER", (table, tokens), made, {"axis": 0, "batch_dims": 0}, dtype=DType.FLOAT32)


def _positions(b: GraphBuilder, most: int, width: int, shape: InputShape) -> int:
    """The first rows of the table, as many as there are tokens."""
    table = b.constant("positions", (1, max(most, shape.side), width))
    begin, size = (
        b.integers("positions/begin", (0, 0, 0)),
        b.integers("positions/size", (1, shape.side, width)),
    )
    return b.op("SLICE", (table, begin, size), (1, shape.side, width))


BERTS = {
    "bert_base": partial(bert, 768, 12, 12),
    "bert_large": partial(bert, 1024, 24, 16),
    "distilbert_base": partial(bert, 768, 6, 12, segments=1),
}
SENTENCES = {
    "minilm_l6": partial(sentence, 384, 6, 12),
    "bge_small": partial(sentence, 384, 12, 12),
    "roberta_base": partial(sentence, 768, 12, 12, words=50265),
}
CLIP_TEXTS = {"clip_vit_base_text": partial(clip_text, 512, 12, 8)}
WHISPERS = {
    "whisper_tiny_encoder": partial(whisper_encoder, 384, 4, 6),
    "whisper_base_encoder": partial(whisper_encoder, 512, 6, 8),
    "whisper_small_encoder": partial(whisper_encoder, 768, 12, 12),
    "whisper_medium_encoder": partial(whisper_encoder, 1024, 24, 16),
    "whisper_large_v3_encoder": partial(whisper_encoder, 1280, 32, 20, bands=128),
    "whisper_large_v3_turbo_encoder": partial(whisper_encoder, 1280, 32, 20, bands=128, decoder_depth=4),
}
