"""How far estimates are from measurements, and whether an estimate keeps to physics."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..calibration.validation.against import samples_against, write_predictions
from ..calibration.validation.plot import write_plot
from ..calibration.validation.samples import grouped_reasons
from ..calibration.validation.scores import error_groups
from ..calibration.validation.shipped import shipped_samples
from ..calibration.validation.stored import check_known, narrowed, stored_report
from ..calibration.validation.validation_report import ValidationReport
from ..core.files import regular_file
from ..core.records import replace
from ..core.settings import Settings, hardware_of

if TYPE_CHECKING:
    from os import PathLike

    from ..calibration.validation.samples import Sample


def validate(
    against: str | PathLike[str] | None = None,
    *,
    device_class: str | None = None,
    runtime: str | None = None,
    in_sample: bool = False,
    plot: str | PathLike[str] | None = None,
    output: str | PathLike[str] | None = None,
    settings: Settings | None = None,
) -> ValidationReport:
    """Errors of estimates per device class, runtime and quantity.

    Args:
        against: a CSV of measurements; None takes the shipped ones, each predicted by a fit that had not
            seen its model, and by one that had not seen its board.
        device_class: mcu, cpu, gpu or npu; None takes all.
        runtime: id of a runtime; None takes all.
        in_sample: also the errors of the shipped fit on what it was fitted to.
        plot: .svg or .html file for predicted against measured.
        output: .csv file for the predictions.
        settings: whose hardware the table may name; None reads the environment.

    Raises:
        EdgewrightError: a table that cannot be read, a class or runtime that nothing was measured with,
            or a file that cannot be written.

    Example:
        >>> head = "device,runtime,dtype,clock_mhz,local_model,latency_ms"
        >>> _ = Path("mine.csv").write_text(head + "\\nstm32h743zi,tflm-cmsis-nn,int8,480,kws.tflite,15")
        >>> report = validate("mine.csv")
        >>> [(group.runtime, group.n) for group in report.groups]
        [('all', 1), ('tflm-cmsis-nn', 1)]
    """
    if against is None and not in_sample and plot is None and output is None:
        return narrowed(stored_report(), device_class, runtime)
    if against is None:
        found = shipped_samples(in_sample=in_sample)
    else:
        found = samples_against(regular_file(against), hardware_of(settings))
    collected = replace(found, samples=_chosen(found.samples, device_class, runtime))
    written = []
    if output is not None:
        write_predictions(collected, Path(output))
        written.append(str(output))
    if plot is not None:
        write_plot(collected.samples, Path(plot))
        written.append(str(plot))
    return ValidationReport(
        measurements="shipped with the product" if against is None else str(against),
        groups=error_groups(collected.samples),
        refused=grouped_reasons(collected.refused),
        unpredicted=grouped_reasons(collected.reasons),
        written=tuple(written),
        assumptions=collected.assumptions,
    )


def _chosen(samples: list[Sample], device_class: str | None, runtime: str | None) -> list[Sample]:
    check_known("device class", device_class, {sample.device_class.value for sample in samples})
    check_known("runtime", runtime, {sample.runtime for sample in samples})
    return [s for s in samples if device_class in (None, s.device_class) and runtime in (None, s.runtime)]
