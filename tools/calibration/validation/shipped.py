"""The measurements that the product ships, predicted by fits that had not seen them."""

from __future__ import annotations

import functools

from ....hardware_db.measurements import rows
from ..flash_records import read_flash_records
from ..records import sifted_records
from .activations import activation_samples
from .by_source import source_samples
from .energies import energy_samples
from .flashes import flash_samples
from .latencies import latency_samples
from .samples import Collected
from .validation_report import Scheme

PLANNED = "activation RAM is planned, not fitted network by network: leaving a model out changes nothing"
COUNTED = "what is kept of a model is counted, not fitted: leaving a model out changes nothing"
POWER_LEFT_OUT = (
    "energy: latency times power, both without the model; without the board, power is the data sheet's"
)


@functools.cache
def shipped_samples(*, in_sample: bool) -> Collected:
    """Every quantity that was published, predicted without its model and without its board."""
    records, refused = sifted_records()
    collected = Collected(refused=list(refused.items()), assumptions=(PLANNED, COUNTED, POWER_LEFT_OUT))
    for scheme in (Scheme.MODEL_OUT, Scheme.BOARD_OUT, *([Scheme.IN_SAMPLE] if in_sample else [])):
        latencies = latency_samples(records, scheme, collected)
        energy_samples(records, scheme, latencies, collected)
    source_samples(records, collected)
    activation_samples(rows(), collected)
    flash_samples(read_flash_records(), rows(), collected)
    return collected
