"""How many days a battery is counted on, whatever it is drawn from."""

from __future__ import annotations

YEAR_DAYS = 365.25
AGED_DAYS = 10 * YEAR_DAYS
"""Beyond it a battery fails of age, where no source tells its shelf life."""
