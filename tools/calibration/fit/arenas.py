"""The part of `make calibrate` that plans the arenas whose size was published."""

from __future__ import annotations

from pathlib import Path

from ....hardware_db import coefficients
from ....hardware_db.measurements import rows
from ..arenas import write_arenas
from ..validation.activations import activation_cases, planned_arena

if __name__ == "__main__":
    write_arenas(Path(coefficients.__file__).parent, activation_cases(rows()), planned_arena)
