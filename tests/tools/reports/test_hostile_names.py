"""File names and users' own words come out harmless in every format."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from edgewright.tools import (
    InputError,
    calibrate_target,
    check_constraints,
    deployment,
    parse_model,
    validate,
)
from edgewright.tools.core.document import Document
from edgewright.tools.core.render.csv_lines import csv_lines
from edgewright.tools.core.render.markdown import markdown, plain
from edgewright.tools.core.render.page import fragment
from edgewright.tools.core.sanitize import harmless
from edgewright.tools.reports.gate import FORMATS, writer

HOSTILE = "a\x1b[31m\x07\u202egnp.tflite"


def is_harmless(text: str) -> bool:
    return harmless(text) == text


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_a_gate_shows_no_control_out_of_a_file_name(form: str) -> None:
    report = check_constraints(parse_model("kws"), deployment("nrf52840"), {"ram_bytes": 10_000})
    written = writer(form, HOSTILE)(report)
    assert isinstance(written, str)
    assert is_harmless(written)
    if form == "junit":
        ET.fromstring(written)


def test_every_rendering_of_a_document_is_harmless() -> None:
    document = Document({"source": HOSTILE}, f"Model {HOSTILE}", (), summary=(f"source: {HOSTILE}",))
    for rendered in (markdown(document), plain(document), fragment(document)):
        assert is_harmless(rendered)


def test_a_spreadsheet_computes_nothing_out_of_a_name_and_still_reads_numbers() -> None:
    line = csv_lines([["=cmd()", "@x", "+a", "-12.5", "+1e-7", "-", "kws", HOSTILE]])
    assert line == "'=cmd(),'@x,'+a,-12.5,+1e-7,'-,kws," + harmless(HOSTILE) + "\n"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
@pytest.mark.parametrize("reads", [validate, calibrate_target])
def test_a_table_that_has_no_end_is_refused(reads: object) -> None:
    assert callable(reads)
    with pytest.raises(InputError, match="no regular file"):
        reads("/dev/zero")


def test_a_long_name_is_cut_in_reports() -> None:
    report = check_constraints(parse_model("kws"), deployment("nrf52840"), {"ram_bytes": 10_000})
    assert len(str(writer("markdown", "x" * 10_000)(report))) < 5_000
