"""Figures that were kept go on judging after others are installed."""

from __future__ import annotations

import hashlib
import json
import math
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from edgewright.hardware_db import figures
from edgewright.hardware_db.coefficients import RELEASE
from edgewright.hardware_db.errors import InputError, UsageError
from edgewright.tools import Settings, check_constraints, deployment, keep_figures, read_budget
from edgewright.tools.verdicts.limits import pinned_figures
from edgewright.tools.verdicts.verdict import Verdict

FITTED = "coefficients/fitted.json"
PLACE = deployment("nrf52840", settings=Settings(measured_first=False))
LIMITS = {"latency_ms": 3_000}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return keep_figures(tmp_path_factory.mktemp("figures") / "kept.figures")


def rewritten(kept: Path, to: Path, change: Callable[[str], str], *, honest: bool = True) -> Path:
    """The same archive with other coefficients of latency, and with the hash of those where it is honest."""
    with zipfile.ZipFile(kept) as archive:
        texts = {name: archive.read(name) for name in archive.namelist()}
    texts[FITTED] = change(texts[FITTED].decode()).encode()
    contents = json.loads(texts["figures.json"])
    contents["release"] = json.loads(texts[FITTED])["release"]
    if honest:
        contents["sha256"][FITTED] = hashlib.sha256(texts[FITTED]).hexdigest()
    texts["figures.json"] = json.dumps(contents).encode()
    with zipfile.ZipFile(to, "w") as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
    return to


def a_thousand_times_slower(fitted: str) -> str:
    """The deviation of the board that everything shares is the last of a node's figures."""

    def slower(node: re.Match[str]) -> str:
        return f"{node[1]}{float(node[2]) + math.log(1000):.6f}]"

    slow = re.sub(r'("board:mcu/nrf52840":\[.*?)(-?[0-9.e-]+)\]', slower, fitted)
    assert slow != fitted
    return slow.replace(f'"release":"{RELEASE}"', '"release":"2026.11"')


def test_the_figures_that_ship_are_kept_and_judge_alike(kept: Path) -> None:
    assert kept.stat().st_size < 500_000
    by_kept = check_constraints("kws", PLACE, LIMITS, remedies=False, figures=kept)
    now = check_constraints("kws", PLACE, LIMITS, remedies=False)
    assert by_kept.checks == now.checks
    assert by_kept.figures == RELEASE
    assert "were kept" in by_kept.assumptions[-1]


def test_a_kept_release_judges_as_it_did_and_the_newer_one_says_what_turned(
    kept: Path, tmp_path: Path
) -> None:
    old = rewritten(kept, tmp_path / "2026.11.figures", a_thousand_times_slower)
    then = check_constraints("kws", PLACE, LIMITS, remedies=False, figures=old)
    assert (then.figures, then.verdict) == ("2026.11", Verdict.FAIL)
    former = tmp_path / "former.json"
    former.write_text(json.dumps({"result": then.to_dict()}), encoding="utf-8")
    now = check_constraints("kws", PLACE, LIMITS, remedies=False, former=former)
    assert now.verdict is Verdict.PASS
    assert now.changed is not None
    assert (now.changed.figures_before, now.changed.figures_after) == ("2026.11", RELEASE)
    assert [turned.name for turned in now.changed.turned] == ["latency"]


def test_a_budget_pins_kept_figures_by_a_path_from_its_own_folder(kept: Path, tmp_path: Path) -> None:
    rewritten(kept, tmp_path / "old.figures", a_thousand_times_slower)
    budget = tmp_path / "budget.yaml"
    budget.write_text("limits: {latency: 3s}\nfigures: old.figures\n", encoding="utf-8")
    assert pinned_figures(budget) == str(tmp_path / "old.figures")
    assert read_budget(budget, any_figures=True).latency_ms == 3_000
    with pytest.raises(UsageError, match="check"):
        read_budget(budget)


def test_damaged_or_foreign_figures_are_refused(kept: Path, tmp_path: Path) -> None:
    damaged = rewritten(
        kept, tmp_path / "damaged", lambda text: text.replace("2026.12", "2026.10"), honest=False
    )
    with pytest.raises(InputError, match="damaged"):
        check_constraints("kws", PLACE, LIMITS, figures=damaged)
    other = rewritten(kept, tmp_path / "other", lambda text: text.replace('"conv_3x3"', '"conv_9x9"'))
    with pytest.raises(InputError, match="other work"):
        check_constraints("kws", PLACE, LIMITS, figures=other)
    (tmp_path / "text").write_text("no archive", encoding="utf-8")
    with pytest.raises(InputError, match="no kept figures"):
        check_constraints("kws", PLACE, LIMITS, figures=tmp_path / "text")


def test_a_file_is_never_written_over(kept: Path) -> None:
    with pytest.raises(UsageError, match="there already"):
        keep_figures(kept)


def test_a_process_that_has_read_figures_takes_no_others(kept: Path) -> None:
    check_constraints("kws", PLACE, LIMITS, remedies=False)
    with pytest.raises(UsageError, match="process of its own"):
        figures.answer_by(figures.read_kept(kept))
