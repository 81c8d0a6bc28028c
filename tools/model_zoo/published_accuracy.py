"""Published accuracies of networks that are named, and how they compare where they can be."""

from __future__ import annotations

from typing import ClassVar

from ..core.quantity import Quantity, Result


class AccuracyRow(Result):
    """An accuracy as its source prints it."""

    model: str
    """The network by name, with the width, side and type that were asked of it."""
    weights: str
    """As the source calls what it measured."""
    dataset: str
    """What it was measured on."""
    metric: str
    """top-1, mAP 50-95, AUC, WER …"""
    accuracy: float
    """As published, 0 to 1; of error rates (WER, LER) less is better."""
    precision: str
    """Type that it was measured in."""
    publisher: str
    """Who published it."""
    source: str
    """Where it was read."""


class ComparedAccuracy(AccuracyRow):
    """The accuracy of one of several networks that were measured alike."""

    behind: Quantity
    """How far it is behind the best of them, in percentage points; 0 of the best."""


class PublishedAccuracy(Result):
    """What others measured of the accuracy of networks; nothing here is estimated."""

    main_rows: ClassVar[str] = "rows"

    schema_version: str = "1.0"
    models: tuple[str, ...]
    """What was asked for, as it is called here."""
    rows: tuple[AccuracyRow, ...]
    """Every accuracy that was read, network by network; those in the type that was named, where there are
    some."""
    compared: tuple[ComparedAccuracy, ...]
    """One accuracy each on the same dataset and metric, the best first; in one type, of one publisher
    and trained by one recipe where there is such a choice. Empty where fewer than two can be compared."""
    apart: tuple[str, ...]
    """Networks that were measured on another dataset or by another metric than those compared."""
    unknown: tuple[str, ...]
    """Networks of which no accuracy was read."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        known = len(self.models) - len(self.unknown)
        return f"{len(self.rows)} published accuracies of {known} of {len(self.models)} networks"
