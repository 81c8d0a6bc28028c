"""`make calibrate`, at last: how far the fit is from what it had not seen, so that nobody waits for it.

`python -m edgewright.tools.calibration.fit.validated` writes `hardware_db/coefficients/validated.json`.
"""

from __future__ import annotations

from ..validation.stored import STORED, computed_report

if __name__ == "__main__":
    STORED.write_text(computed_report().model_dump_json(exclude={"written"}) + "\n", encoding="utf-8")
