"""Results of checking estimates against measurements."""

from enum import StrEnum
from typing import ClassVar

from pydantic import Field

from ...core.quantity import Result

ALL = "all"
"""The runtime of a row that sums up its class."""
WELL_KNOWN = "all, on 15 models or more"
LITTLE_KNOWN = "all, on fewer than 15"
"""Those that sum up the groups of microcontrollers' latencies, of one runtime, core and type each, by how
many models each was measured on."""
SUMS = (ALL, WELL_KNOWN, LITTLE_KNOWN)


class DeviceClass(StrEnum):
    MCU = "mcu"
    CPU = "cpu"
    GPU = "gpu"
    NPU = "npu"


class Measured(StrEnum):
    """What was measured."""

    LATENCY = "latency_ms"
    ENERGY = "energy_uj"
    ACTIVATIONS = "ram_activation_kib"
    FLASH = "flash"
    """KiB of model and code; of the whole program where that was measured."""
    WEIGHTS = "flash_weights"
    """KiB of flash that the model itself takes: its parameters, or its file where an interpreter reads it."""

    @property
    def column(self) -> str:
        """Of a table of measurements."""
        return {"flash": "flash_total_kib", "flash_weights": "flash_weights_kib"}.get(self.value, self.value)


class Scheme(StrEnum):
    """What the fit behind a prediction had not seen."""

    MODEL_OUT = "leave-one-model-out"
    BOARD_OUT = "leave-one-board-out"
    SOURCE_OUT = "leave-one-source-out"
    """Nothing of the repository that the figure was read in."""
    IN_SAMPLE = "in-sample"
    AGAINST = "against"
    """Measurements of the user's own, with the fit that the product ships."""


class ErrorGroup(Result):
    """Errors of one device class, runtime and quantity under one scheme."""

    device_class: DeviceClass = Field(serialization_alias="class")
    """mcu, cpu, gpu or npu."""
    runtime: str
    """Id of the runtime, or the word for a sum over several."""
    quantity: Measured
    """What was measured."""
    scheme: Scheme
    """What the fit behind the predictions had not seen."""
    n: int
    models: int
    """Distinct models among them."""
    boards: int
    """Distinct boards among them."""
    median_ape: float
    """Absolute percentage error as a share of the measurement: 0.1 is 10 %."""
    mean_ape: float
    """Mean of the same."""
    within_10: float
    """Share of predictions within 10 % of the measurement."""
    within_25: float
    """Share of predictions within 25 % of the measurement."""
    coverage: float | None
    """Share of measurements inside the 90 % interval of their prediction."""
    rank_correlation: float | None
    """Spearman's, of the boards that a model was measured on: mean over models with three boards or more."""


class LeftOut(Result):
    """Measurements that share a reason not to be compared."""

    reason: str
    n: int
    ids: tuple[str, ...]
    """The first of them."""


class ValidationReport(Result):
    """How far estimates are from measurements."""

    main_rows: ClassVar[str] = "groups"

    schema_version: str = "1.0"
    measurements: str
    """Where they are from."""
    groups: tuple[ErrorGroup, ...]
    """One row a class, runtime, quantity and scheme."""
    refused: tuple[LeftOut, ...]
    """Measurements that physics forbids."""
    unpredicted: tuple[LeftOut, ...]
    """Measurements that no prediction could be made for."""
    written: tuple[str, ...] = ()
    """Files that were asked for."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{len(self.groups)} groups of measurements, {self.measurements}"
