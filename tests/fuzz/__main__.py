"""`python -m tests.fuzz [--seconds 60] [--only tflite,onnx] [--folder .build/fuzz] [--write]`.

Goes on where the last run stopped, with the format that is furthest behind, and ends when the time is over.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))  # where the stubs are

from edgewright.tools import parse_model  # noqa: E402
from tests.fuzz.formats import FORMATS, case  # noqa: E402
from tests.fuzz.graphs import CALLS, board_of  # noqa: E402
from tests.fuzz.ledger import Ledger, Tally  # noqa: E402
from tests.fuzz.trial import run, warm  # noqa: E402
from tests.hardening import Row, renew, table  # noqa: E402

CHUNK_S = 10.0
MOST_AT_ONCE = 500


def wanted(part: str) -> int:
    name, stage = part.split("/")
    return FORMATS[name].parse_wanted if stage == "parse" else FORMATS[name].ask_wanted


def campaign(ledger: Ledger, seconds: float, only: set[str]) -> None:
    """Raises nothing of what is found: it stands in the ledger."""
    end = time.monotonic() + seconds
    parts = [name for name in ledger.tallies if not only or {name, name.split("/")[0]} & only]
    warmed = set[str]()
    while (now := time.monotonic()) < end:
        part = min(parts, key=lambda each: ledger.tallies[each].next / wanted(each))
        name, stage = part.split("/")
        if part not in warmed:
            warm(name, stage)
            warmed.add(part)
            now = time.monotonic()
        first = ledger.tallies[part].next
        for outcome in run(
            [case(name, stage, first + n) for n in range(MOST_AT_ONCE)], min(end, now + CHUNK_S)
        ):
            ledger.take(outcome)
        if ledger.tallies[part].next == first:
            return  # the time was over before the first
        ledger.save()


def rows(ledger: Ledger) -> list[Row]:
    found = []
    for stage, words in (("parse", "read"), ("ask", "through every tool")):
        for part, tally in ledger.tallies.items():
            if part.endswith(f"/{stage}") and tally.next:
                found.append(_row(part, words, tally))
    return found


def _row(part: str, words: str, tally: Tally) -> Row:
    of = f"{tally.next:,} files, {tally.taken:,} of them read"
    more = f", {tally.calls:,} calls" if part.endswith("/ask") else ""
    return Row(
        f"damaged files, {words}: {part.split('/', maxsplit=1)[0]}",
        f"{wanted(part):,}, 0 found",
        of + more,
        tuple(tally.found),
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", default="", help="formats or stages, such as tflite,onnx/parse")
    parser.add_argument("--folder", type=Path, default=ROOT / ".build" / "fuzz")
    parser.add_argument("--write", action="store_true", help="into docs/security.md")
    given = parser.parse_args()
    ledger = Ledger(given.folder)
    for name in ("check", "optimize"):  # what is loaded once is no case's cost
        CALLS[name](parse_model("kws"), board_of(0))
    open_still = ledger.replay()
    campaign(ledger, given.seconds, set(filter(None, given.only.split(","))))
    ledger.save()
    print(table(rows(ledger)))
    for name, tally in ledger.tallies.items():
        for label, file in tally.found.items():
            print(f"{name}: {label} ({given.folder / 'found' / file})")
    print(f"{len(open_still)} known before, {sum(t.mended for t in ledger.tallies.values())} mended since.")
    if given.write:
        renew(rows(ledger))
    return int(any(tally.found for tally in ledger.tallies.values()))


if __name__ == "__main__":
    sys.exit(main())
