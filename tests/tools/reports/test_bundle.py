"""A bundle is made again to the byte, and two of them tell what changed."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from edgewright.tools import InputError, compare_bundles, deployment, write_report
from edgewright.tools.core.document import describe
from edgewright.tools.core.render.markdown import plain

PLACES = ["stm32l4r5zi", "nrf52840"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bundle") / "one.zip"
    write_report("kws", PLACES, file, {"latency_ms": 150}, transforms=["input-50"], charts=False)
    return file


def test_it_holds_page_tables_results_versions_and_a_hash_of_each(made: Path) -> None:
    with zipfile.ZipFile(made) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        for name, digest in manifest["files"].items():
            assert hashlib.sha256(archive.read(name)).hexdigest() == digest
        assert len(json.loads(archive.read("results.json"))) == 4
    assert {"page.html", "deployments.csv", "layers.csv", "results.json", "make_again.py"} <= set(
        manifest["files"]
    )
    assert manifest["limits"] == {"latency_ms": 150}


def test_its_script_makes_the_same_figures_again(made: Path) -> None:
    with zipfile.ZipFile(made) as archive:
        archive.extract("make_again.py", made.parent)
    subprocess.run(
        [sys.executable, "make_again.py"], cwd=made.parent, check=True, timeout=120, env=dict(os.environ)
    )
    diff = compare_bundles(made, made.parent / "again.zip")
    assert (diff.compared, diff.changed, diff.verdicts, diff.stands_on) == (4, (), (), ())


def test_two_tell_figures_verdicts_and_deployments_that_differ(made: Path) -> None:
    other = made.parent / "other.zip"
    slower = deployment("stm32l4r5zi").with_figures(active_mw=90)
    write_report("kws", [slower, "stm32h743zi"], other, {"latency_ms": 50}, charts=False)
    diff = compare_bundles(made, other)
    assert diff.compared == 1
    assert {row.figure for row in diff.changed} == {"energy", "power"}
    assert all(row.gain and row.gain > 0 and row.beyond_interval for row in diff.changed)
    assert diff.verdicts[0].endswith("FAIL now")
    assert diff.only_after == ("stm32h743zi/tflm-cmsis-nn at 480 MHz",)
    assert any(line.startswith("limits") for line in diff.stands_on)
    assert "Beyond the interval" in plain(describe(diff))


def test_what_is_no_bundle_is_refused(tmp_path: Path, made: Path) -> None:
    wrong = tmp_path / "a.zip"
    wrong.write_bytes(b"PK not")
    with pytest.raises(InputError, match="no archive of a report"):
        compare_bundles(made, wrong)
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("manifest.json", "{}")
    with pytest.raises(InputError, match="no archive of a report"):
        compare_bundles(made, tmp_path / "b.zip")
