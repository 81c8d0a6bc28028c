"""Result of what a workload takes."""

from ..core.deployment import DeploymentRef
from ..core.quantity import Quantity, Result
from ..verdicts.verdict import Verdict


class WorkloadEstimate(Result):
    """How far a deployment carries a workload, and what that costs."""

    schema_version: str = "1.0"
    model: str = ""
    deployment: DeploymentRef
    verdict: Verdict
    """Whether the devices keep up with the rate, or end the job in its time; PASS where neither is asked."""
    statement: str
    latency_ms: Quantity
    """Time of one run, a batch at once."""
    inferences_per_second: Quantity
    """Of one device, one run after the other; where each takes one core of an accelerator, on all at once."""
    at_once: int = 1
    """Runs at once on one device, each on a core of its own; latency_ms is of each of them."""
    devices: int
    """That share the work of a site."""
    sites: int = 1
    """Each with devices and a load of its own; energy, money and what is in all are of all of them."""
    devices_in_all: Quantity = Quantity.unknown("")
    """At all sites: those that are named, else as many as are needed."""
    rate_hz: float | None
    """Events of each stream in a second; null for a job."""
    streams: int
    """At that rate."""
    per_event: int
    """Inferences that each event, or each piece of a job, takes."""
    demanded_per_second: Quantity
    """Inferences of all streams, or of the job over its time; unknown where neither is asked."""
    load: Quantity
    """Of what the devices can do, 1 where they just keep up."""
    devices_needed: Quantity
    """To keep up; its upper end is enough by the slow end of the estimate."""
    streams_served: Quantity
    """By each device, at that rate."""
    best_batch: int
    """In which a card does the rate on fewest devices within the wait, or a job nearly fastest."""
    longest_wait_ms: Quantity
    """At the rate, of the first of a batch until it is computed; unknown where it does not keep up."""
    items: float | None
    """Pieces of the job, or of the period at that rate; null where neither is asked."""
    duration_h: Quantity
    """Of the job, on all devices; unknown without one."""
    within_h: float | None
    """Time that there is for the job; null without one."""
    period_h: float | None
    """Time that energy and money are of, at the rate; null of a job, which takes its own time."""
    power_mw: Quantity
    """Of one device while it computes."""
    average_power_mw: Quantity
    """Of one device over the period, idle or asleep between the runs; of a job while it lasts."""
    power_in_all_mw: Quantity = Quantity.unknown("mW")
    """The same of all devices that run."""
    computing_in_all_mw: Quantity = Quantity.unknown("mW")
    """The part of that which computes, known too where no source tells what is drawn between the runs."""
    energy_wh: Quantity
    """Of the job, or of the period, on all devices that are needed."""
    computing_wh: Quantity = Quantity.unknown("Wh")
    """What of it computes, over the period."""
    cost_energy: Quantity
    """In the currency of its price; unknown without one, as are the other costs."""
    rent_per_hour: Quantity
    """Of one device, as the user pays or, in US dollars, as a cloud lists it; unknown without either."""
    rent_offer: str
    """Whose list price that is, of what and of which day; empty of the user's own."""
    cost_rent: Quantity
    """Of all devices, for the job or the period."""
    cost_devices: Quantity
    """Of buying the devices that run."""
    cost_in_all: Quantity = Quantity.unknown("")
    """Of buying and running them; unknown where either is."""
    cost_per_million: Quantity
    """What energy and rent of a million pieces cost."""
    per_currency: Quantity
    """Pieces for one unit of the currency."""
    pays_off_h: Quantity
    """Hours of renting one device that cost what buying it does, electricity counted where its price is."""
    missing: tuple[str, ...] = ()
    """What it takes to know what is unknown."""
    stands_on: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return self.statement
