"""The streams of cameras that hosts decode."""

from __future__ import annotations

import pytest

from edgewright.hardware_db.video import load_video
from edgewright.tools import get_target, list_targets


@pytest.mark.parametrize(
    ("target", "streams"),
    [
        ("raspberry-pi-5", {"H.265": 8, "H.264": 3}),
        ("raspberry-pi-5-hailo-8l", {"H.265": 8, "H.264": 3}),
        ("raspberry-pi-4b", {"H.265": 8, "H.264": 2}),
        ("jetson-orin-nano-8gb", {"H.265": 11}),
        ("jetson-orin-nx-16gb", {"H.265": 18}),
        ("rk3588", {"H.265": 32, "H.264": 16}),
        ("coral-dev-board-mini", {}),
        ("hailo-8", {}),
    ],
)
def test_a_host_decodes_so_many_streams_of_1080p30(target: str, streams: dict[str, int]) -> None:
    assert {each.name: each.streams.value for each in get_target(target).video} == streams


def test_what_has_no_decoder_takes_the_processor() -> None:
    by_cpu = {each.name: each.takes_cpu for each in get_target("raspberry-pi-5").video}
    assert by_cpu == {"H.265": False, "H.264": True}


def test_each_host_is_one_that_targets_begin_with() -> None:
    targets = [each.id for each in list_targets().targets]
    for host in load_video().hosts:
        assert any(name == host.id or name.startswith(f"{host.id}-") for name in targets), host.id
        for decoder in host.decoders:
            assert decoder.fps_1080p.source in load_video().sources
