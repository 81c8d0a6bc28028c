from statistics import median

import pytest

from edgewright.tools.calibration.validation.gains import Gain, gain_groups, shipped_gains, stem
from edgewright.tools.calibration.validation.validation_report import Scheme


@pytest.fixture(scope="module")
def gains() -> dict[Scheme, tuple[Gain, ...]]:
    return {scheme: shipped_gains(scheme) for scheme in (Scheme.IN_SAMPLE, Scheme.MODEL_OUT)}


def test_a_network_is_found_again_in_the_other_type() -> None:
    assert stem("ncnn/resnet18_int8.param") == stem("ncnn/resnet18.param")
    assert stem("edgemark_reconstructed/CNN_1__basic.tflite") == stem(
        "edgemark_reconstructed/CNN_1__q_full_int_only.tflite"
    )
    assert stem("google-coral_test_data/mobilenet_v1_0.25_128_quant.tflite") == "mobilenet_v1:0.25:128"
    assert stem("mobilenet_v1:0.25") != stem("mobilenet_v1:0.5")


def test_hundreds_of_measured_pairs_are_compared(gains: dict[Scheme, tuple[Gain, ...]]) -> None:
    found = gains[Scheme.IN_SAMPLE]
    assert len(found) > 800
    assert {"Black3rror/EdgeMark", "Tencent/ncnn"} <= {gain.repository for gain in found}
    assert all(gain.measured > 0 for gain in found)


def test_the_shipped_fit_foretells_direction_and_size_of_the_gain(
    gains: dict[Scheme, tuple[Gain, ...]],
) -> None:
    whole = next(g for g in gain_groups(gains[Scheme.IN_SAMPLE]) if g.repository == "all")
    assert whole.right >= 0.94
    assert whole.median_error <= 0.15


def test_networks_that_no_fit_has_seen_are_foretold_too(gains: dict[Scheme, tuple[Gain, ...]]) -> None:
    found = gains[Scheme.MODEL_OUT]
    assert median(abs(gain.error) for gain in found) <= 0.15
    clear = [gain for gain in found if not 0.9 < gain.measured < 1.1]
    assert sum(gain.right for gain in clear) / len(clear) >= 0.9
