"""`doctor --repair`: what is damaged of what is kept is found, copied aside, mended or set apart, and named."""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from edgewright.agent.doctor import Finding, Grade, diagnose
from edgewright.agent.sessions.reading import read_session
from edgewright.agent.sessions.store import delete_session, find_session
from edgewright.agent.sessions.transcript import Transcript
from edgewright.hardware_db import user_files
from edgewright.hardware_db.errors import UsageError
from edgewright.tools import run_sweep
from edgewright.tools.core.calibrations import BoardCalibration, Learned, Standing, keep, read_calibrations
from edgewright.tools.reports.page import library

ROW = Learned(
    model="kws", signature="s", model_sha256="0" * 64, runtime="tflm-cmsis-nn", processor="cm7", dtype="int8",
    clock_mhz=480, latency_ms=19.2, estimated_ms=15, standing=Standing.NEW,
)  # fmt: skip
BOARD = BoardCalibration(
    target="stm32h743zi", figures="2026.12", date=datetime.date(2026, 11, 23), measurements=(ROW, ROW)
)


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    for name, variable in (("config", "EDGEWRIGHT_CONFIG_DIR"), ("state", "EDGEWRIGHT_STATE_DIR"),
                           ("cache", "XDG_CACHE_HOME")):  # fmt: skip
        monkeypatch.setenv(variable, str(tmp_path / name))
    monkeypatch.delenv("EDGEWRIGHT_HARDWARE_DIR", raising=False)
    user_files._configured.cache_clear()
    yield SimpleNamespace(
        sessions=tmp_path / "state" / "sessions", calibrations=tmp_path / "config" / "calibrations",
        converters=tmp_path / "config" / "converters", cache=tmp_path / "cache" / "edgewright",
    )  # fmt: skip
    user_files._configured.cache_clear()


def state(**given: Any) -> list[Finding]:
    return [each for each in diagnose(**given).findings if each.area == "state"]


def talk(name: str, count: int = 1) -> Path:
    kept = Transcript(session=name)
    for number in range(count):
        kept.write("question", text=f"Question {number}?", padding="x" * 3_000)
        kept.write("answer", answer=f"Answer {number}.")
    kept.close()
    assert kept.path is not None
    return kept.path


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def old(path: Path) -> Path:
    os.utime(path, (time.time() - 3_600,) * 2)
    return path


def test_where_nothing_is_damaged_one_line_says_so() -> None:
    talk("whole")
    (found,) = state(repair=True)
    assert found.grade is Grade.OK
    assert found.found == "nothing is damaged: sessions, calibrations, caches, converters"


def test_a_session_with_damage_in_its_middle_keeps_what_is_before_and_behind_it(
    place: SimpleNamespace,
) -> None:
    path = talk("torn", 20)
    whole = path.read_bytes()
    middle = len(whole) // 2 // 4096 * 4096
    torn = whole[:middle] + b"\xff" * 8192 + whole[middle + 8192 :]
    path.write_bytes(torn)
    before = everything(place.sessions)
    (told,) = state()
    assert told.grade is Grade.PROBLEM
    assert "edgewright doctor --repair" in told.next_step
    assert everything(place.sessions) == before
    (mended,) = state(repair=True)
    assert mended.grade is Grade.NOTE
    assert "events, is kept; the damaged file lies at" in mended.found
    said = read_session(path)
    asked = [turn.question for turn in said.turns]
    assert not said.damaged
    assert len(asked) >= 10
    assert (asked[0], asked[-1]) == ("Question 0?", "Question 19?")
    assert path.with_name("torn.db.damaged").read_bytes() == torn
    assert [each.grade for each in state()] == [Grade.OK]
    delete_session(find_session("torn"))
    assert [*place.sessions.iterdir()] == []


def test_what_was_written_ahead_of_a_damaged_session_is_kept_with_it(place: SimpleNamespace) -> None:
    """The last answers lie there alone until SQLite brings them over."""
    path = talk("ahead", 20)
    live = Transcript(path)
    live.write("question", text="The last?")
    ahead = path.with_name("ahead.db-wal")
    main, late = path.read_bytes(), ahead.read_bytes()
    live.close()
    middle = len(main) // 2 // 4096 * 4096
    path.write_bytes(main[:middle] + b"\xff" * 8192 + main[middle + 8192 :])
    ahead.write_bytes(late)
    (mended,) = state(repair=True)
    assert "is kept; the damaged file lies at" in mended.found
    assert read_session(path).turns[-1].question == "The last?"
    assert read_session(place.sessions / "ahead.db.damaged").turns[-1].question == "The last?"


def test_what_is_no_session_is_set_aside_under_its_name(place: SimpleNamespace) -> None:
    place.sessions.mkdir(parents=True)
    (place.sessions / "noise.db").write_bytes(b"\x00\xff" * 5_000)
    (place.sessions / "gone.db-wal").write_bytes(b"ahead")
    old(place.sessions / "gone.db-wal")
    found = state(repair=True)
    assert len(found) == 2
    assert all("set aside as" in each.found for each in found)
    assert (place.sessions / "noise.db.damaged").read_bytes() == b"\x00\xff" * 5_000
    assert (place.sessions / "gone.db-wal.damaged").read_bytes() == b"ahead"
    (place.sessions / "noise.db").write_bytes(b"again")
    state(repair=True)
    assert (place.sessions / "noise.db.damaged.2").read_bytes() == b"again"


def test_a_session_that_another_process_has_open_is_left_alone(place: SimpleNamespace) -> None:
    path = talk("busy")
    path.write_bytes(b"\xff" * 9_000)
    code = (
        "import sys; from pathlib import Path; from edgewright.agent.sessions.lock import SessionLock\n"
        "lock = SessionLock(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path.with_suffix(".lock"))], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:  # fmt: skip
        assert other.stdout is not None
        assert other.stdout.readline().strip() == b"held"
        assert [each.grade for each in state(repair=True)] == [Grade.OK]
        other.communicate()
    assert path.read_bytes() == b"\xff" * 9_000
    assert "set aside" in state(repair=True)[0].found


def test_measurements_that_are_whole_survive_others_that_are_not(place: SimpleNamespace) -> None:
    file = keep(BOARD, place.calibrations)
    document = json.loads(file.read_text())
    document["measurements"].insert(1, {"model": "vww", "latency_ms": "fast"})
    document["colour"] = "blue"
    damaged = json.dumps(document)
    file.write_text(damaged)
    with pytest.raises(UsageError, match=r"doctor --repair"):
        read_calibrations(())
    (found,) = state(repair=True)
    assert "2 measurements kept; the damaged file lies at" in found.found
    assert read_calibrations(())[0].measurements == (ROW, ROW)
    assert file.with_name(f"{file.name}.damaged").read_text() == damaged


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"measurements": []}', b"\xff\xfe", b"[" * 100_000])
def test_a_calibration_that_holds_nothing_is_set_aside_and_stops_no_answer(
    content: bytes, place: SimpleNamespace
) -> None:
    place.calibrations.mkdir(parents=True)
    (place.calibrations / "rp2040.json").write_bytes(content)
    (found,) = state(repair=True)
    assert "set aside as" in found.found
    assert (place.calibrations / "rp2040.json.damaged").read_bytes() == content
    assert read_calibrations(()) == ()


def test_a_calibration_of_the_first_version_is_read_as_it_is(place: SimpleNamespace) -> None:
    """Batch, threads and the runtime's release came later."""
    file = keep(BOARD, place.calibrations)
    document = json.loads(file.read_text())
    for row in document["measurements"]:
        for later in ("batch", "threads", "release"):
            del row[later]
    file.write_text(json.dumps(document))
    assert read_calibrations(())[0].measurements == (ROW, ROW)


def test_a_calibration_of_a_newer_version_is_refused_and_left_as_it_is(place: SimpleNamespace) -> None:
    file = keep(BOARD, place.calibrations)
    newer = json.dumps(json.loads(file.read_text()) | {"schema_version": "2.0", "more": 1})
    file.write_text(newer)
    with pytest.raises(UsageError, match="newer version"):
        read_calibrations(())
    assert [each.grade for each in state(repair=True)] == [Grade.OK]
    assert file.read_text() == newer


def test_caches_and_converters_that_are_not_whole_are_made_again_later(place: SimpleNamespace) -> None:
    place.cache.mkdir(parents=True)
    short = place.cache / "vega-1.0.js"
    short.write_text("no library")
    (place.cache / "vega-2.0.js").write_text("x" * library._LEAST_BYTES)
    (place.converters / "pytorch" / "bin").mkdir(parents=True)
    found = state(repair=True)
    assert [(each.about, each.grade) for each in found] == [
        ("caches", Grade.NOTE),
        ("converters", Grade.NOTE),
    ]
    assert not short.exists()
    assert (place.cache / "vega-2.0.js").exists()
    assert not (place.converters / "pytorch").exists()


def test_what_a_killed_process_was_writing_goes_and_what_is_being_written_stays(
    place: SimpleNamespace,
) -> None:
    for folder, name in (
        (place.sessions, "talk.part"), (place.calibrations, ".rp2040.json.123.part"),
        (place.cache, ".vega-1.js.9.part"),
    ):  # fmt: skip
        folder.mkdir(parents=True)
        old(folder / name) if (folder / name).write_text("half") and name != "talk.part" else None
    assert len(state(repair=True)) == 2
    assert (place.sessions / "talk.part").exists()
    assert not (place.cache / ".vega-1.js.9.part").exists()


def test_a_sweep_that_was_damaged_is_resumed_to_the_same_results(tmp_path: Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text("models: [kws, ad]\ntargets: [nrf52840, rp2040]\n")
    run_sweep(plan, tmp_path / "whole")
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        run_sweep(plan, out, progress=_stop_after_one)
    (part,) = (out / "journal").glob("[0-9]*.part")
    part.write_bytes(b"rubbish")
    (found,) = state(repair=True, sweeps=[out])
    assert found.about == f"sweep {out}"
    assert "evaluations that cannot be read; set aside as" in found.found
    assert run_sweep(plan, out, resume=True).evaluations == 36
    assert (out / "results.csv").read_bytes() == (tmp_path / "whole" / "results.csv").read_bytes()
    assert sorted(path.name for path in out.iterdir()) == sorted(
        path.name for path in (tmp_path / "whole").iterdir()
    )
    (out / "summary.json").write_text("{")
    assert "set aside" in state(repair=True, sweeps=[out])[0].found
    (broken,) = state(repair=True, sweeps=[tmp_path])
    assert broken.found.startswith("There is no sweep in")


def _stop_after_one(done: int, of: int) -> None:
    if 0 < done < of:
        raise KeyboardInterrupt


def test_two_processes_do_not_sweep_into_one_folder(tmp_path: Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text("models: [kws, ad]\ntargets: [nrf52840, rp2040]\n")
    refused = []

    def meanwhile(done: int, of: int) -> None:
        for more in ({"resume": True}, {"force": True}):
            with pytest.raises(UsageError, match="Another process sweeps") as raised:
                run_sweep(plan, tmp_path / "out", **more)  # type: ignore[arg-type]
            refused.append(raised)

    assert run_sweep(plan, tmp_path / "out", progress=meanwhile).evaluations == 36
    assert len(refused) >= 4
    assert not (tmp_path / "out" / "journal").exists()
