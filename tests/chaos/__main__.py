"""`python -m tests.chaos [--only kills,clients] [--share 0.1] [--seed 1] [--write]`: everything, or a share of it."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))  # where the stubs are

from tests.chaos import bombs, crowds, kills, lengths  # noqa: E402
from tests.hardening import Row, renew, table  # noqa: E402

PARTS: dict[str, Callable[[float, int], list[Row]]] = {
    "asks": lambda share, _: crowds.asks(max(150, int(1_000 * share))),
    "growth": lambda *_: lengths.growth(),
    "bombs": lambda *_: bombs.bombs(),
    "endpoint": lambda *_: crowds.endpoint(),
    "clients": lambda share, _: crowds.clients(max(2, int(50 * share)), 20),
    "large": lambda share, _: bombs.large(max(400, int(20_000 * share))),
    "kills": lambda share, seed: kills.killed(max(5, int(200 * share)), seed),
    "interrupts": lambda share, seed: kills.interrupted(max(5, int(100 * share)), seed),
}
"""The first measures this process, before others make it larger."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--only", default="", help=", ".join(PARTS))
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="into docs/security.md")
    given = parser.parse_args()
    rows = []
    for name in given.only.split(",") if given.only else PARTS:
        rows += PARTS[name](given.share, given.seed)
        print(f"{rows[-1].tried}: {rows[-1].done}, {len(rows[-1].wrong)} wrong", flush=True)
        for told, times in Counter(rows[-1].wrong).most_common(12):
            print(f"  {times} x {told}")
    print(table(rows))
    if given.write:
        renew(rows)
    return int(any(row.wrong for row in rows))


if __name__ == "__main__":
    sys.exit(main())
