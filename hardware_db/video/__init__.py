"""What the hosts of cameras decode of video, each figure with its source."""

import functools
from pathlib import Path
from typing import Literal

from ..cited import Closed, Leaf, Source
from ..kept import yaml_in

FILE = Path(__file__).parent / "video.yaml"
STREAM_FPS = 30
"""Of the stream of 1080p that decoders are counted in."""
Codec = Literal["h264", "h265"]


class Decoder(Closed):
    codec: Codec
    fps_1080p: Leaf[float]
    """Pictures of 1920x1080 in a second, of all streams together; of other sizes as many as their pixels."""
    cpu_share: Leaf[float] | None = None
    """Of the whole processor that this takes, 0 to 1; null where a decoder of its own does it."""

    @property
    def streams(self) -> tuple[float, ...]:
        """Streams of 1080p30 that the decoder or the whole processor carries, by each claim."""
        share = self.cpu_share
        shares = [1.0] if share is None else [each.value for each in (share, *share.others)]
        return tuple(self.fps_1080p.value / each / STREAM_FPS for each in shares)


class Host(Closed):
    id: str
    """Of a chip or board, as the ids of its targets begin: with an accelerator on it, it decodes the same."""
    decoders: tuple[Decoder, ...]


class Hosts(Closed):
    sources: dict[str, Source]
    hosts: tuple[Host, ...]


@functools.cache
def load_video() -> Hosts:
    return Hosts.model_validate(yaml_in(FILE))


def decoders_of(target: str) -> tuple[Decoder, ...]:
    """Empty where no source was read."""
    known = [host for host in load_video().hosts if target == host.id or target.startswith(f"{host.id}-")]
    return max(known, key=lambda host: len(host.id)).decoders if known else ()
