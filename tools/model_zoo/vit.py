"""Vision transformers: ViT (Dosovitskiy et al., 2020), DeiT, CLIP's and SigLIP's image encoders, BEiT."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..core.records import dataclass
from ..graph.builder import GraphBuilder
from .shape import InputShape
from .transformer import first_token, gelu, layer_norm, norm, quick_gelu, self_attention

Activation = Callable[[GraphBuilder, int], int]


@dataclass(frozen=True)
class Encoder:
    width: int
    depth: int
    heads: int
    patch: int
    units: int = 1000
    """Of the last layer: classes, or the width of the embedding."""


def vit(encoder: Encoder, b: GraphBuilder, shape: InputShape) -> int:
    """As timm publishes it: pre-norm blocks, the class token is classified."""
    x = _embedded(b, shape, encoder)
    for _ in range(encoder.depth):
        x = block(b, x, shape.batch, encoder.heads, gelu)
    return b.fully_connected(norm(b, first_token(b, x, shape.batch)), encoder.units)


def clip_image(encoder: Encoder, b: GraphBuilder, shape: InputShape) -> int:
    """CLIP's (Radford et al., 2021): normalised before the blocks too, a sigmoid for the GELU, projected."""
    x = layer_norm(b, _embedded(b, shape, encoder))
    for _ in range(encoder.depth):
        x = block(b, x, shape.batch, encoder.heads, quick_gelu)
    return b.fully_connected(norm(b, first_token(b, x, shape.batch)), encoder.units)


def dino(encoder: Encoder, b: GraphBuilder, shape: InputShape) -> int:
    """DINOv2 (Oquab et al., 2023): the class token is the result; layer scale is folded."""
    x = _embedded(b, shape, encoder)
    for _ in range(encoder.depth):
        x = block(b, x, shape.batch, encoder.heads, gelu)
    return layer_norm(b, first_token(b, x, shape.batch))


def beit(encoder: Encoder, b: GraphBuilder, shape: InputShape) -> int:
    """BEiT (Bao et al., 2021): relative positions, layer scale (folded), the mean of the patches."""
    x = _embedded(b, shape, encoder, positions=False)
    for _ in range(encoder.depth):
        y = self_attention(b, norm(b, x), shape.batch, encoder.heads, biased=True)
        x = b.add(x, y)
        x = b.add(x, mlp(b, norm(b, x), gelu))
    x = b.mean(b.reshape(x, (shape.batch, -1, encoder.width)), (1,))
    return b.fully_connected(norm(b, x), encoder.units)


def block(b: GraphBuilder, x: int, batch: int, heads: int, activation: Activation) -> int:
    x = b.add(x, self_attention(b, norm(b, x), batch, heads))
    return b.add(x, mlp(b, norm(b, x), activation))


def mlp(b: GraphBuilder, x: int, activation: Activation, ratio: int = 4) -> int:
    width = b.shape(x)[-1]
    return b.fully_connected(activation(b, b.fully_connected(x, ratio * width)), width)


def _embedded(b: GraphBuilder, shape: InputShape, encoder: Encoder, *, positions: bool = True) -> int:
    """Patches and a class token; its value is one with its position's, as constant folding leaves it."""
    x = b.input((shape.batch, shape.side, shape.side, 3))
    x = b.conv2d(x, encoder.width, encoder.patch, stride=encoder.patch, padding="VALID")
    x = b.pad(b.reshape(x, (shape.batch, -1, encoder.width)), ((0, 0), (1, 0), (0, 0)))
    tokens = b.shape(x)[1] if positions else 1
    place = b.constant("positions", (1, tokens, encoder.width))
    if not positions:
        place = b.pad(place, ((0, 0), (0, b.shape(x)[1] - 1), (0, 0)))
    return b.reshape(b.add(x, place), (-1, encoder.width))


TINY, SMALL, BASE, LARGE = (192, 12, 3), (384, 12, 6), (768, 12, 12), (1024, 24, 16)
"""(width, depth, heads)."""

VITS = {
    "vit_tiny_patch16": partial(vit, Encoder(*TINY, 16)),
    "vit_small_patch16": partial(vit, Encoder(*SMALL, 16)),
    "vit_base_patch16": partial(vit, Encoder(*BASE, 16)),
    "vit_large_patch16": partial(vit, Encoder(*LARGE, 16)),
    "vit_base_patch32": partial(vit, Encoder(*BASE, 32)),
    "dinov2_small": partial(dino, Encoder(*SMALL, 14)),
    "dinov2_base": partial(dino, Encoder(*BASE, 14)),
    "dinov2_large": partial(dino, Encoder(*LARGE, 14)),
    "beit_base_patch16": partial(beit, Encoder(*BASE, 16)),
    "clip_vit_base_patch32_image": partial(clip_image, Encoder(*BASE, 32, 512)),
    "clip_vit_base_patch16_image": partial(clip_image, Encoder(*BASE, 16, 512)),
    "clip_vit_large_patch14_image": partial(clip_image, Encoder(*LARGE, 14, 768)),
}
