"""The streams of cameras that a target decodes."""

from __future__ import annotations

import math

from ...hardware_db.video import Decoder, decoders_of, load_video
from ..core.quantity import Basis, Quantity, Result


class VideoDecoder(Result):
    """What a target, or the board under an accelerator, decodes of one kind of video."""

    name: str
    """H.264 or H.265."""
    streams: Quantity
    """Of 1080p at 30 pictures a second, whole ones; of 4K a quarter of them."""
    takes_cpu: bool
    """Whether the processor does it, all of which that many streams take; else a decoder of its own."""
    source: str
    """Where it was read."""


_NAMES = {"h264": "H.264", "h265": "H.265"}


def decoders(target: str) -> tuple[VideoDecoder, ...]:
    return tuple(_decoder(each) for each in decoders_of(target))


def _decoder(known: Decoder) -> VideoDecoder:
    streams = [math.floor(each) for each in known.streams]
    source = load_video().sources[known.fps_1080p.source]
    return VideoDecoder(
        name=_NAMES[known.codec],
        streams=Quantity(
            value=streams[0], low=min(streams), high=max(streams), unit="", basis=Basis.PUBLISHED
        ),
        takes_cpu=known.cpu_share is not None,
        source=f"{source.title} ({source.where}): {known.fps_1080p.locator}",
    )
