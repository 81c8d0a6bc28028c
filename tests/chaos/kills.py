"""Commands killed, or interrupted, at random moments: what is left is whole, and nothing is lost or doubled."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from edgewright.agent.sessions.reading import read_session
from edgewright.tools import parse_model
from edgewright.tools.core.calibrations import BoardCalibration
from edgewright.tools.core.records import dataclass
from edgewright.tools.model_formats.writer.tflite import write_tflite
from tests.hardening import Row

START = [sys.executable, "-c", "from edgewright.start import console; console()"]
HEEDING = [sys.executable, "-c", "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
           "from edgewright.start import console; console()"]  # fmt: skip
TARGETS = ("stm32h743zi", "nrf52840", "rp2040", "esp32-s3", "stm32f746zg")
QUESTIONS = [f"Does kws fit on the {target}?" for target in TARGETS]
PLAN = "models: [kws, ad]\ntargets: [stm32h743zi, nrf52840]\ntransforms: [none, int8, prune-25, prune-50]\n"


@dataclass(frozen=True)
class Victim:
    name: str
    words: tuple[str, ...]
    wrong: Callable[[Path, str], str]
    """What is wrong with the folder that a kill left, given what was printed; empty where nothing is."""
    typed: str = ""


def prepared(folder: Path) -> Path:
    (folder / "kws.tflite").write_bytes(_written("kws:float32"))
    (folder / "int8.tflite").write_bytes(_written("mobilenet_v2:0.35:96:int8"))
    (folder / "plan.yaml").write_text(PLAN)
    (folder / "mine.csv").write_text("model,target,latency_ms\nkws,stm32h743zi,19.2\nad,nrf52840,30\n")
    return folder


@cache
def _written(name: str) -> bytes:
    return write_tflite(parse_model(name))


def environment(folder: Path) -> dict[str, str]:
    (folder / "temporary").mkdir(exist_ok=True)
    own = {
        "EDGEWRIGHT_STATE_DIR": str(folder / "state"), "EDGEWRIGHT_CONFIG_DIR": str(folder / "config"),
        "TMPDIR": str(folder / "temporary"),
    }  # fmt: skip
    return {n: v for n, v in os.environ.items() if not n.endswith("_API_KEY")} | own


def run(folder: Path, words: tuple[str, ...], typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*START, *words], cwd=folder, env=environment(folder), input=typed, capture_output=True, text=True, check=False
    )  # fmt: skip


def _chat(folder: Path, shown: str) -> str:
    files = list((folder / "state" / "sessions").glob("*.db"))
    saved = read_session(files[0]) if files and files[0].stat().st_size else None
    asked = [turn.question for turn in saved.turns] if saved else []
    answered = [turn for turn in saved.turns if turn.answer] if saved else []
    if asked != QUESTIONS[: len(asked)]:
        return f"questions lost or doubled: {asked}"
    if saved and (saved.damaged or saved.unreadable):
        return "a session that cannot be read"
    return "an answer that was shown is lost" if shown.count("Assumed:") > len(answered) else ""


def _sweep(folder: Path, _: str) -> str:
    begun = (folder / "out" / "sweep.json").exists()
    again = ("sweep", "plan.yaml", "-o", "out", *(["--resume"] if begun else ["--force"]))
    done = run(folder, again)
    if done.returncode:
        return f"not resumed: {done.stderr[-200:]}"
    rows = (folder / "out" / "results.csv").read_text().splitlines()
    return "" if rows == WHOLE else f"{len(rows)} rows where {len(WHOLE)} are"


WHOLE: list[str] = []
"""Rows of the sweep that nothing disturbed."""


def _apply(folder: Path, _: str) -> str:
    out = folder / "out.tflite"
    if out.exists():
        parse_model(out)
    done = run(
        folder, ("optimize", "kws.tflite", "-t", "stm32h743zi", "--apply", "float16", "-o", "again.tflite")
    )
    return f"not applied again: {done.stderr[-200:]}" if done.returncode else ""


def _report(folder: Path, _: str) -> str:
    out = folder / "out.html"
    return "half a page" if out.exists() and not out.read_text().rstrip().endswith("</html>") else ""


def _calibrate(folder: Path, _: str) -> str:
    for file in (folder / "config").rglob("*.json"):
        BoardCalibration.model_validate_json(file.read_bytes())
    return ""


VICTIMS = [
    Victim("chat", ("chat", "--llm", "offline"), _chat, "".join(f"{q}\n" for q in QUESTIONS)),
    Victim("sweep", ("sweep", "plan.yaml", "-o", "out"), _sweep),
    Victim("report", ("report", "kws.tflite", "-t", "stm32h743zi", "-o", "out.html"), _report),
    Victim("calibrate", ("calibrate", "mine.csv"), _calibrate),
    *([Victim("apply", ("optimize", "kws.tflite", "-t", "stm32h743zi", "--apply", "float16", "-o", "out.tflite"),
              _apply)] if importlib.util.find_spec("ai_edge_quantizer") else []),
]  # fmt: skip

INTERRUPTED = [
    *VICTIMS,
    Victim("solver", ("memory", "int8.tflite", "-t", "stm32h743zi", "--best-order"), lambda *_: ""),
    *([Victim("vela", ("estimate", "int8.tflite", "-t", "ethos-u55-128"), lambda *_: "")]
      if importlib.util.find_spec("ethosu") else []),
]  # fmt: skip


def _signalled(
    victim: Victim, folder: Path, after_s: float, how: signal.Signals
) -> tuple[int, str, str, float]:
    """Exit status, both streams, and how long it lived on."""
    start = HEEDING if how is signal.SIGINT else START
    with (folder / "typed").open("w+") as typed:
        typed.write(victim.typed)
        typed.seek(0)
        process = subprocess.Popen(
            [*start, *victim.words], cwd=folder, env=environment(folder), stdin=typed, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        time.sleep(after_s)
        process.send_signal(how)
        sent = time.monotonic()
        out, err = process.communicate()
    (folder / "typed").unlink()
    return process.returncode, out, err, time.monotonic() - sent


def _parts(folder: Path) -> list[str]:
    """Of files that were being written, beside those that they were to become."""
    return [
        path.name for path in folder.rglob(".*") if path.name.endswith(".part") or "edgewright" in path.name
    ]


def _left_by_workers(folder: Path) -> list[str]:
    """A worker that ends takes its folder with it; another that begins, those of processes that are gone."""
    for _ in range(40):
        if not (left := [path.name for path in (folder / "temporary").iterdir()]):
            break
        time.sleep(0.05)
    return left


def _durations(victims: list[Victim]) -> dict[str, float]:
    """Of each command when nothing disturbs it; the sweep's rows are kept to compare with."""
    took = {}
    for victim in victims:
        with tempfile.TemporaryDirectory() as made:
            folder = prepared(Path(made))
            begun = time.monotonic()
            done = run(folder, victim.words, victim.typed)
            took[victim.name] = time.monotonic() - begun
            assert done.returncode == 0, (victim.name, done.stderr)
            if victim.name == "sweep":
                WHOLE[:] = (folder / "out" / "results.csv").read_text().splitlines()
    return took


def killed(count: int, seed: int) -> list[Row]:
    draw, took, wrong = Random(seed), _durations(VICTIMS), list[str]()
    for number in range(count):
        victim = VICTIMS[number % len(VICTIMS)]
        with tempfile.TemporaryDirectory() as made:
            folder = prepared(Path(made))
            after = draw.uniform(0.05, took[victim.name])
            _, out, _, _ = _signalled(victim, folder, after, signal.SIGKILL)
            hidden = _parts(folder)
            try:
                problem = victim.wrong(folder, out)
            except Exception as error:
                problem = f"{type(error).__name__}: {error}"
            hidden += _left_by_workers(folder)
            if problem or hidden:
                wrong.append(f"{victim.name} after {after:.2f} s: {problem} {hidden}")
    names = ", ".join(victim.name for victim in VICTIMS)
    return [Row("kill -9 at a random moment", "200; nothing lost, doubled, unreadable or hidden",
                f"{count} kills of {names}", tuple(wrong))]  # fmt: skip


def interrupted(count: int, seed: int) -> list[Row]:
    draw, took, wrong, slowest = Random(seed), _durations(INTERRUPTED), list[str](), 0.0
    for number in range(count):
        victim = INTERRUPTED[number % len(INTERRUPTED)]
        with tempfile.TemporaryDirectory() as made:
            folder = prepared(Path(made))
            after = draw.uniform(0.1, took[victim.name] * 0.9)
            status, _, err, lived = _signalled(victim, folder, after, signal.SIGINT)
            slowest = max(slowest, lived)
            left = [path.name for path in folder.glob("out.*")] if status else []
            if (
                "Traceback" in err
                or status not in (0, 130)
                or left
                or _parts(folder)
                or _left_by_workers(folder)
            ):
                wrong.append(f"{victim.name} after {after:.2f} s: exit {status}, left {left}, {err[-160:]!r}")
    names = ", ".join(victim.name for victim in INTERRUPTED)
    return [Row("Ctrl-C at a random moment", "ended within 0.3 s; nothing partial, no traceback",
                f"{count} times in {names}; the longest wait {slowest:.2f} s", tuple(wrong))]  # fmt: skip
