from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from edgewright.hardware_db import load_target
from edgewright.hardware_db.coefficients.decode import load_decode_fit
from edgewright.hardware_db.measurements.decode import decode_rows, encode_rows
from edgewright.tools.calibration.fit.by_device import interval
from edgewright.tools.calibration.fit.decode_fit import fit_decode, fit_on
from edgewright.tools.calibration.fit.decode_rows import read_speeds
from edgewright.tools.cost_model.decode import encode_seconds
from edgewright.tools.cost_model.decode_place import decode_place
from edgewright.tools.model_zoo.language_model import language_model

ROOT = Path(__file__).parents[3]


def test_the_shipped_constants_are_those_that_the_rows_give() -> None:
    assert fit_decode() == load_decode_fit()


def test_rows_come_from_six_sources_or_more_none_of_them_above_two_fifths() -> None:
    rows = decode_rows()
    sources = Counter(row.repository for row in rows)
    assert len(rows) >= 120
    assert len(sources) >= 6
    assert max(sources.values()) <= 0.4 * len(rows)


def test_every_row_says_where_it_was_read_and_where_its_bandwidth_was() -> None:
    for row in decode_rows():
        assert row.repository.count("/") == 1, row.id
        assert row.path, row.id
        assert row.commit, row.id
        assert row.line or row.path.startswith("issues/"), row.id
        assert bool(row.bandwidth_gb_per_s) == bool(row.bandwidth_source), row.id
        assert row.target or row.bandwidth_gb_per_s, row.id
        assert row.weights_source or row.runtime != "ollama", row.id
        assert row.source, row.id
        assert row.decode_tokens_per_s or row.prefill_tokens_per_s, row.id


def test_every_target_of_a_row_exists_and_every_row_has_a_bandwidth() -> None:
    for target in {row.target for row in decode_rows()} - {""}:
        load_target(target)
    assert len(read_speeds()) == len(decode_rows())


def test_no_row_is_faster_than_its_bytes_at_the_full_bandwidth() -> None:
    """But for a tenth, to which the bits of a format are known."""
    for speed in read_speeds():
        if speed.step_s is not None:
            assert speed.ideal_s < 1.1 * speed.step_s, speed.row.id


def test_two_hundred_speeds_of_gpus_are_met_within_an_eighth_by_constants_of_other_devices() -> None:
    told = load_decode_fit().decode["gpu"].left_out
    assert told.devices >= 50
    assert told.rows >= 200
    assert told.median_factor <= 1.125
    assert told.coverage >= 0.9


def test_and_within_three_twentieths_by_those_of_other_sources_more_than_five_of_six_inside() -> None:
    told = load_decode_fit().decode["gpu"].sources_left_out
    assert told.devices >= 20
    assert told.median_factor <= 1.15
    assert told.coverage >= 0.85


def test_prompts_are_met_within_two_fifths_by_constants_of_other_devices_and_of_other_sources() -> None:
    for kind, told in load_decode_fit().prefill.items():
        if kind in ("gpu", "npu", "cpu"):
            assert told.left_out.median_factor <= 1.4, kind
            assert told.sources_left_out.median_factor <= 1.4, kind


def test_cores_are_met_within_a_third_by_constants_of_other_devices() -> None:
    told = load_decode_fit().decode["cpu"]
    assert told.left_out.median_factor <= 1.3
    assert told.sources_left_out.median_factor <= 1.3


def test_a_card_behind_a_slow_board_is_in_no_fit() -> None:
    speeds = read_speeds()
    behind = [speed for speed in speeds if speed.is_behind_slow_host]
    assert {speed.row.host for speed in behind} >= {"raspberry-pi-5"}
    assert fit_on(speeds) == fit_on([speed for speed in speeds if not speed.is_behind_slow_host])


def test_one_row_that_is_far_off_moves_the_constants_hardly() -> None:
    speeds = [s for s in read_speeds() if s.kind == "gpu" and s.step_s is not None]
    odd = next(s for s in speeds if s.device == "RTX 3070 8GB")
    off = [replace(odd, row=odd.row._replace(decode_tokens_per_s=rate)) for rate in (7.0, 0.07)]
    far, farther = (
        fit_on([other if s is odd else s for s in speeds]).decode["gpu"].seconds_per_ideal_second
        for other in off
    )
    assert far == pytest.approx(farther, rel=0.01)


def test_whole_requests_of_many_sessions_are_met_by_the_constants_of_one() -> None:
    assert load_decode_fit().sessions.median_factor <= 1.25


def test_the_page_about_decoding_states_the_errors_of_the_constants_that_ship() -> None:
    page = (ROOT / "docs/concepts/llm-decoding.md").read_text(encoding="utf-8")
    fit = load_decode_fit()
    for kind in ("gpu", "cpu", "npu"):
        node, prefill = fit.decode[kind], fit.prefill[kind]
        told, sources = node.left_out, node.sources_left_out
        factors = f"×{told.median_factor:.2f} | ×{sources.median_factor:.2f} | ×{node.interval_factor:.1f}"
        prompts = f"×{prefill.left_out.median_factor:.2f} | ×{prefill.sources_left_out.median_factor:.2f}"
        assert f"| {told.devices} | {told.rows} | {factors} | {prompts} |" in page, kind
    assert f"×{fit.sessions.median_factor:.2f}" in page


def test_a_device_with_many_rows_has_no_more_say_than_one_with_few() -> None:
    speeds = [s for s in read_speeds() if s.kind == "gpu" and s.step_s is not None]
    again = [*speeds, *[s for s in speeds if s.device == "Tesla P40"] * 5]
    once, more = (fit_on(rows).decode["gpu"] for rows in (speeds, again))
    assert once.seconds_per_ideal_second == more.seconds_per_ideal_second
    assert once.seconds_per_layer == more.seconds_per_layer


def test_a_runtime_with_one_device_stays_near_its_kind() -> None:
    speeds = list(read_speeds())
    odd = next(s for s in speeds if s.device == "RTX 3070 8GB")
    slow = replace(odd, row=odd.row._replace(runtime="odd", device="odd", decode_tokens_per_s=7.0))
    fit = fit_on([*speeds, slow])
    share = fit.decode["gpu/odd"].seconds_per_ideal_second / fit.decode["gpu"].seconds_per_ideal_second
    assert 1.2 < share < 6


def test_an_interval_holds_nine_devices_of_ten_and_one_more_that_nothing_holds() -> None:
    errors = [(f"device {at}", 0.01 * at) for at in range(1, 20)]
    factor, told = interval(errors)
    assert factor == pytest.approx(1.197, abs=0.001)  # e^0.18: 18 of 20
    assert told.devices == 19


def test_of_few_devices_the_interval_is_wider_than_the_widest_error() -> None:
    factor, _ = interval([("one", 0.1), ("other", -0.3)])
    assert factor > 1.36  # above e^0.3


def test_encoders_of_sound_are_met_by_the_interval_of_other_devices() -> None:
    rows = encode_rows()
    assert {row.kind for row in rows} == set(load_decode_fit().encode)
    for row in rows:
        place = decode_place(load_target(row.target), row.kind, row.runtime, "F16")
        seconds = encode_seconds(language_model(row.model), place)
        assert float(seconds.low or 0) < row.encode_ms / 1e3 < float(seconds.high or 0), row.id
