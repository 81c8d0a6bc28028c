"""Of the page on errors: boards that nothing was measured on, which decide, and what was tried for them."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from edgewright.hardware_db import coefficients
from edgewright.hardware_db.coefficients.decode import DecodeNode, PrefillNode, load_decode_fit
from edgewright.tools.calibration.validation.board_scores import BoardScore, board_scores
from edgewright.tools.calibration.validation.samples import Sample
from edgewright.tools.calibration.validation.shipped import shipped_samples
from edgewright.tools.calibration.validation.validation_report import Measured, Scheme
from edgewright.tools.core.render.table import pipe_table

TRIED = Path(__file__).with_name("tried.tsv")
FIRST = Path(coefficients.__file__).with_name("scores_fccd1a1.csv")
"""Scores of the same script before anything of this was done."""
MOST = 6
GOAL = 2 / 3
SCORES = """\
Each board has one vote: the median over boards of each board's median error, and the mean of their shares
inside the 90 % interval, with the whole board left out. *Shared* are the rows that were there before others
were collected, by which a change is judged: at least a third below the first version is wanted."""
CULPRITS = """\
By rows the boards that were measured most decide. Those are, with how far they are off when left out; the
offset is predicted over measured, so × 2 is too slow by a factor of two."""
TRIALS = """\
Errors are medians with whole boards left out, one vote a board unless it says by rows. What is marked
*kept* is in the product; the rest is listed so that nobody tries it again unawares. Figures are of the day
in the last column; those of decode and prefill are by rows."""

SPEEDS = """\
Tokens a second by constants that have not seen the device, or the source; the median factor, every device and
every source with one vote. *Inside* is the share of the rows that the 90 % interval holds with their source
left out."""


def never_seen() -> Iterator[str]:
    """Sections in Markdown."""
    samples = shipped_samples(in_sample=True).samples
    yield "## Boards that were never measured"
    yield SCORES
    yield _votes(board_scores(samples))
    yield CULPRITS
    yield _culprits([s for s in samples if s.scheme is Scheme.BOARD_OUT and s.quantity is Measured.LATENCY])
    yield "## What was tried"
    yield TRIALS
    with TRIED.open(encoding="utf-8") as file:
        header, *lines = csv.reader(file, delimiter="\t")
    yield pipe_table(header, lines)
    yield "## Language models"
    yield SPEEDS
    yield _speeds()


def _votes(scores: Sequence[BoardScore]) -> str:
    with FIRST.open(newline="", encoding="utf-8") as file:
        first = {
            line["device_class"]: float(line["median_of_boards"])
            for line in csv.DictReader(file)
            if (line["quantity"], line["left_out"]) == ("latency_ms", "board")
        }
    header = ("class", "boards", "error", "in interval", "rank", "shared", "first version", "wanted")
    of = {(s.device_class.value, s.of): s for s in scores if _is_of_boards(s)}
    lines = []
    for name, before in first.items():
        every, shared = of[name, "all"], of[name, "shared"]
        rank = "-" if every.rank_correlation is None else f"{every.rank_correlation:.2f}"
        lines.append((
            name, f"{every.boards}", _percent(every.median_of_boards), _percent(every.coverage_of_boards),
            rank, _percent(shared.median_of_boards), _percent(before), _percent(before * GOAL),
        ))  # fmt: skip
    return pipe_table(header, lines)


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _is_of_boards(score: BoardScore) -> bool:
    return score.quantity is Measured.LATENCY and score.left_out == "board"


def _culprits(samples: Sequence[Sample]) -> str:
    boards: dict[tuple[str, str], list[Sample]] = defaultdict(list)
    rows: dict[str, int] = defaultdict(int)
    for sample in samples:
        boards[sample.device_class.value, sample.board].append(sample)
        rows[sample.device_class.value] += 1
    lines = []
    for name in sorted(rows):
        of_class = [(board, own) for (sort, board), own in boards.items() if sort == name]
        for board, own in sorted(of_class, key=lambda found: (-len(found[1]), found[0]))[:MOST]:
            off = np.array([sample.predicted / sample.measured for sample in own])
            lines.append((
                name, board, f"{len(own)} of {rows[name]}", _percent(float(np.median(np.abs(off - 1)))),
                f"× {float(np.median(off)):.2f}",
            ))  # fmt: skip
    return pipe_table(("class", "board", "rows", "median error", "offset"), lines)


def _speeds() -> str:
    header = ("of", "kind, runtime, backend", "devices", "sources", "rows", "device out", "source out",
              "interval", "inside")  # fmt: skip
    fit = load_decode_fit()
    parts: tuple[tuple[str, Mapping[str, DecodeNode | PrefillNode]], ...] = (
        ("decoding", fit.decode), ("prefill", fit.prefill),
    )  # fmt: skip
    lines = []
    for what, nodes in parts:
        for name, node in sorted(nodes.items()):
            devices, sources = node.left_out, node.sources_left_out
            lines.append((
                what, name, f"{devices.devices}", f"{sources.devices}", f"{devices.rows}",
                f"× {devices.median_factor:.2f}", f"× {sources.median_factor:.2f}",
                f"× {node.interval_factor:.2f}", _percent(sources.coverage),
            ))  # fmt: skip
    return pipe_table(header, lines)
