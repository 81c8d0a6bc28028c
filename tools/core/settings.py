"""What of a user's own environment answers depend on, as one value that is passed in."""

import os
from enum import StrEnum
from pathlib import Path

from pydantic import field_validator

from ...hardware_db import user_files
from .calibrations import BoardCalibration, read_calibrations
from .quantity import Basis, Result

REDACT_VARIABLE = "EDGEWRIGHT_REDACT_NAMES"
VELA_VARIABLE = "EDGEWRIGHT_VELA"
_NO = frozenset({"off", "0", "no", "false"})


class Vela(StrEnum):
    """Who says what an Ethos-U NPU makes of a model."""

    COMPILER = "compiler"
    """Vela itself, where it is installed and there is a file to compile; else its published rules."""
    OFF = "off"
    """The rules: the user wants no compiler to be run."""
    RULES = "rules"
    """The rules: a model is compared with changed ones, of which there are no files."""


class Carried(Result):
    """What a measurement of a model makes of the estimates of changed ones: all keep in proportion."""

    target: str
    """Id of the target that it holds for."""
    log_ratio: float
    """Logarithm of the measured over the estimated latency."""
    interval_factor: float
    """By which estimates are divided and multiplied for their interval."""
    basis: Basis
    note: str
    """Which measurement, in one sentence."""


class Settings(Result):
    """Equal arguments and equal settings give equal results; nothing else of the environment counts.

    They enter with `deployment(…, settings=…)` and `parse_model(…, settings=…)`.
    """

    redact_names: bool = False
    """Put t0, op0 … in place of every name out of a model file."""
    hardware_directories: tuple[Path, ...] = ()
    """Of the user's own targets and runtimes, which go before the shipped ones."""
    vela: Vela = Vela.COMPILER
    """Who says what an Ethos-U NPU makes of a model."""
    measured_first: bool = True
    """Start from measurements of the model where there are any; scores are made without."""
    calibrations: tuple[BoardCalibration, ...] = ()
    """What the user has measured on boards of their own."""
    carried: Carried | None = None
    """Of the unchanged model, where changed ones are compared with it."""

    @field_validator("hardware_directories")
    @classmethod
    def _readable(cls, directories: tuple[Path, ...]) -> tuple[Path, ...]:
        return user_files.checked(directories)

    @classmethod
    def from_environment(cls) -> "Settings":
        """What `settings=None` stands for: the environment, the configuration, and a program's own options.

        Raises:
            UsageError: a configuration that cannot be read, or a directory that does not exist.
        """
        asked = os.environ.get(REDACT_VARIABLE, "") not in ("", "0")
        own = user_files.directories()
        off = os.environ.get(VELA_VARIABLE, "").casefold() in _NO
        return cls(
            redact_names=asked if _Default.redact_names is None else _Default.redact_names,
            hardware_directories=own,
            calibrations=read_calibrations(own),
            vela=Vela.OFF if off else Vela.COMPILER,
        )


def hardware_of(settings: Settings | None) -> tuple[Path, ...]:
    """The user's own hardware directories; None reads the environment."""
    return (Settings.from_environment() if settings is None else settings).hardware_directories


class _Default:
    redact_names: bool | None = None


def set_default_redaction(on: bool | None) -> None:
    """What stands for `redact_names` where no settings are given; None leaves it to the environment.

    For the start of a program, such as a command line's. The like of directories is
    `hardware_db.user_files.set_default`.
    """
    _Default.redact_names = on
