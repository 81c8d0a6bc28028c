"""What is read by name out of the shipped coefficients is what the file holds."""

import json

import pytest

from edgewright.hardware_db import coefficients, figures
from edgewright.hardware_db.coefficients.flash import FlashFit, load_flash_fit
from edgewright.hardware_db.coefficients.offsets import Offsets, load_offsets
from edgewright.hardware_db.coefficients.stored import object_in


def test_nodes_and_their_evidence_are_those_of_the_file() -> None:
    stored = json.loads(figures.read(coefficients._FITTED))
    loaded = coefficients.load_coefficients()
    assert {name: list(log) for name, log in loaded.nodes.items()} == stored["nodes"]
    assert {name: of.model_dump() for name, of in loaded.evidence.items()} == stored["evidence"]


def test_the_shipped_coefficients_are_valid() -> None:
    whole = coefficients.Coefficients.model_validate_json(figures.read(coefficients._FITTED))
    assert coefficients.load_coefficients() == whole


@pytest.mark.parametrize("value", ["[1,2]", '{"rows":1}'])
def test_an_object_is_cut_out_of_its_document(value: str) -> None:
    document = f'{{"before":{{"x":[0]}},"many":{{"a:b":{value},"c":{value}}},"after":{{}}}}'
    found, rest = object_in(document.encode(), "many", json.loads)
    assert dict(found) == json.loads(document)["many"]
    assert json.loads(rest) == {"before": {"x": [0]}, "many": {}, "after": {}}
    assert "d" not in found
    with pytest.raises(KeyError):
        found["d"]


def test_what_else_ships_is_valid_though_a_start_does_not_validate_it() -> None:
    assert load_flash_fit() == FlashFit.model_validate_json(figures.read("coefficients/flash.json"))
    assert load_offsets() == Offsets.model_validate_json(figures.read("coefficients/offsets.json"))
