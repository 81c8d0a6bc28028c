"""What is asked where limits judge: apart, so that a check loads nothing else."""

from pathlib import Path

from ..spelling import arg
from . import Names, NewFile, Placed, PricedLimits, Text


class CheckArguments(Placed, PricedLimits):
    baseline: Text = arg(None, "--baseline", "The version before: tell what changed.")
    max_regression: Text = arg(
        None, "--max-regression", "How much more than the baseline any figure may take, such as 5%."
    )
    figures: Text = arg(
        None, "--figures", "Figures it must stand on: a release (2026.12), or a file of kept ones."
    )
    keep_figures: NewFile = arg(None, "--keep-figures", "Also write the figures that ship to this new file.")
    former: Path | None = arg(None, "--what-changed", "A former report (--json): which verdicts turned.")
    remedies: bool = arg(
        "whether to simulate what would close the gaps", "--remedies/--no-remedies",
        "Simulate what would close the gaps; without, it is sooner known.",
        default=True,
    )  # fmt: skip
    exclude: Names | None = arg(
        "no such remedies: retraining, redesign, a family such as resolution or pruning, or a name",
        "--exclude", "No such remedies: retraining, redesign, resolution, pruning, runtime, or by name.",
    )  # fmt: skip
