"""What was right of the user's labelled samples."""

from pydantic import Field

from ...core.quantity import Result


class MeasuredAccuracy(Result):
    """What was right of the user's labelled samples, run on this machine."""

    metric: str
    """top-1, or the user's own metric as MODULE:FUNCTION."""
    value: float
    """0 to 1 for top-1; whatever the metric gives otherwise."""
    low: float | None = Field(description="Lower end of the 90 % interval (Wilson); null for another metric.")
    high: float | None = Field(description="Upper end of the 90 % interval; null for another metric.")
    samples: int
    """Labelled samples that it was measured on."""

    def headline(self) -> str:
        return f"{self.metric} {self.value:.3g} on {self.samples} samples"
