"""A workload in words and a table."""

from __future__ import annotations

from ..core.document import (
    Block,
    Document,
    Paragraph,
    Section,
    described,
    figures,
    joined,
    notes,
    place,
    text,
)
from .workload_estimate import WorkloadEstimate


@described.register
def workload(found: WorkloadEstimate) -> Document:
    rows = [
        ("Demanded", "{demanded_per_second:nothing}"),
        ("One device does", "{inferences_per_second~!}"),
        ("Load", "{load~!}"),
        ("Devices needed", "{devices_needed~!}"),
        *([("Devices in all", "{devices_in_all~!}")] if found.sites > 1 else []),
        *([("Best batch", "{best_batch}")] if found.best_batch != found.deployment.batch else []),
        *([("Longest wait of a result", "{longest_wait_ms~!}")] if found.deployment.batch > 1 else []),
        ("Streams that one serves", "{streams_served~!}"),
        ("Pieces", "{items:unknown}"),
        ("Time of the job", "{duration_h~!}"),
        ("Time of the period", "{period_h:unknown}"),
        ("Average power of one", "{average_power_mw~!}"),
        *([("Average power of all", "{power_in_all_mw~!}")] if _are_many(found) else []),
        ("Energy", "{energy_wh~!}"),
        *([] if found.energy_wh.known else [("Energy of computing alone", "{computing_wh~!}")]),
        ("Cost of energy", "{cost_energy~!}"),
        ("Rent of an hour", "{rent_per_hour~!}"),
        ("Cost of rent", "{cost_rent~!}"),
        ("Cost of a million", "{cost_per_million~!}"),
        ("Pieces for one of the currency", "{per_currency~!}"),
        ("Price of the devices", "{cost_devices~!}"),
        ("Buying and running", "{cost_in_all~!}"),
        ("Buying pays off after", "{pays_off_h~!}"),
    ]
    known = [row for row in rows if _is_known(found, row[1])]
    blocks: list[Block] = [figures("Workload", *known)]
    blocks += [Paragraph(text(f"To know more takes {{missing[#{at}]}}.")) for at in range(len(found.missing))]
    return Document(
        found, joined(text("{statement}, on "), place(found.deployment)), (Section("", tuple(blocks)),),
        verdict=text("{verdict}"), notes=notes(found, "stands_on"),
    )  # fmt: skip


def _are_many(found: WorkloadEstimate) -> bool:
    many = found.devices_in_all.value
    return many is not None and many > 1


def _is_known(found: WorkloadEstimate, cell: str) -> bool:
    value = getattr(found, cell.strip("{}").partition(":")[0].rstrip("~!"))
    return value is not None and getattr(value, "known", True)
