"""What a question says: what it wants, and each name and figure with the role it plays."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import StrEnum

from ...hardware_db.index import TargetSummary, targets_by_id
from ...hardware_db.user_files import Directories
from ...tools.core.records import dataclass
from ..names import Name
from ..quantities import Figure
from .cast import Cast, Copied
from .want import Want


class Role(StrEnum):
    """What a name or figure is there for. A value is in the unit that the role ends with."""

    MODEL = "model"
    TARGET = "target"
    RUNTIME = "runtime"
    DTYPE = "dtype"
    TRACE = "trace"
    TARGET_CLASS = "target_class"
    BATCH = "batch"
    THREADS = "threads"
    NPU_CORES = "npu_cores"
    """Of the accelerator; each takes an inference of its own."""
    CLOCK_MHZ = "clock_mhz"
    SIDE = "input_size"
    WIDTH = "width"
    LATENCY_MS = "latency_ms"
    RATE_HZ = "rate_hz"
    """What is demanded, or how often it runs."""
    RAM_BYTES = "ram_bytes"
    FLASH_BYTES = "flash_bytes"
    BANDWIDTH = "bandwidth_gb_s"
    """Of the memory of the user's computer."""
    SELF_DISCHARGE = "self_discharge_per_month"
    EXTERNAL_BYTES = "own_external_ram_bytes"
    """PSRAM or SDRAM on the user's board."""
    ENERGY_UJ = "energy_uj"
    POWER_MW = "power_mw"
    PRICE_USD = "price_usd"
    TAKEN_BYTES = "reserve_bytes"
    """RAM that others take."""
    TAKEN_FLASH_BYTES = "taken_flash_bytes"
    ACTIVE_UA = "active_ua"
    ACTIVE_MW = "active_mw"
    SUPPLY_V = "supply_v"
    SLEEP_UA = "sleep_ua"
    WAKEUP_US = "wakeup_us"
    BATTERY = "battery"
    CHARGE_MAH = "battery_mah"
    BATTERY_V = "battery_v"
    SERIES = "series"
    CELLS = "cells"
    LIFE_MS = "life_ms"
    CLAIMED_MS = "claimed_ms"
    CLAIMED_HZ = "claimed_hz"
    CLAIMED_UJ = "claimed_uj"
    CLAIMED_MW = "claimed_mw"
    CLAIMED_BYTES = "claimed_bytes"
    CLAIMED_GOPS = "claimed_gops"
    CLAIMED_PERCENT = "claimed_percent"
    RUNS = "runs"
    VARIABLE = "variable"
    TECHNIQUE = "technique"
    GOAL = "goal"
    LAYER = "layer"
    CONTEXT = "context"
    """Tokens that a language model keeps."""
    PROMPT = "prompt"
    """Tokens that a language model is given."""
    WRITTEN = "written"
    """Tokens that a language model is to write."""
    WEIGHTS = "weights"
    """Format of the weights of a language model."""
    KV = "kv"
    ENGINE = "engine"
    """A runtime of language models."""
    FAMILY = "family"
    """What the ids of the language models begin with that are chosen from."""
    BILLIONS = "billions"
    """The least and the most parameters of those."""
    GPU_LAYERS = "gpu_layers"
    SEQUENCE = "sequence"
    """Tokens that a network takes at once."""
    SOUND_MS = "sound_ms"
    """How much sound is to be transcribed; its words say whether every day."""
    HEADROOM_PERCENT = "headroom_percent"
    """What is to stay free."""
    CLOCK_BEFORE_MHZ = "clock_before_mhz"
    """The clock that a change starts from."""
    CURRENT_UA = "current_ua"
    """A limit on the average current."""
    DUTY_PERCENT = "duty_percent"
    """The share of the time that it computes."""
    SLEEP_MW = "sleep_mw"
    BATTERY_WH = "battery_wh"
    HOURS_A_DAY = "hours_per_day"
    """That it is in use; several go together: 8 hours a day, 5 days a week."""
    SENSOR_UA = "sensor_ua"
    """What draws beside the chip while it is in use."""
    SENSOR_MW = "sensor_mw"
    TARIFF = "tariff"
    """What a kWh costs, in the user's currency."""
    RENT = "rent"
    """What an hour costs, in the user's currency."""
    HOST = "host"
    """The computer that an accelerator or a card is in, of which it is."""
    HOST_BYTES = "host_memory_bytes"
    """Memory of the computer that a card is in."""
    WITHOUT = "without"
    """A maker, target, kernel library or class that the user does not want."""
    WITHIN = "within"
    """The only maker or class whose hardware the user takes."""
    OWN_PRICE_USD = "own_price_usd"
    """What a board costs the user, as they say."""
    DEVICES = "devices"
    """How many cameras, streams or sessions."""
    PLACES = "places"
    """How many shops, buses or buildings there are, each with boards of its own."""
    PER_EVENT = "per_event"
    """How often one of several networks runs for each frame; `of` names it."""
    CARDS = "cards"
    """How many of the target that is named."""
    PIECES = "pieces"
    """How many boards are to be bought, each with a load of its own."""
    TAKEN_MS = "taken_ms"
    """Time that others take of the period, one after the other."""
    SHARE_PERCENT = "share_percent"
    """What is left of the processor for the network."""


LIMITS = (
    Role.LATENCY_MS, Role.RATE_HZ, Role.RAM_BYTES, Role.FLASH_BYTES, Role.ENERGY_UJ, Role.POWER_MW,
    Role.PRICE_USD,
)  # fmt: skip


CELLS = (Role.BATTERY, Role.CHARGE_MAH, Role.BATTERY_WH)
"""Without one of these no life is known."""
IN_USE = (Role.HOURS_A_DAY, Role.SENSOR_UA, Role.SENSOR_MW)
"""How long a day it is in use, and what draws beside it then."""


@dataclass(frozen=True)
class Slot(Copied):
    """One thing that a question said."""

    role: Role
    value: float | str
    text: str = ""
    """The words; empty where no words of a question stand for it."""
    inherited: bool = False
    """From a question before, or pinned."""
    chance: float = 1.0
    """That a figure plays this role."""
    of: str = ""
    """Words of the one target, or the kernels, that it is of, where each of several has its own."""
    label: str = ""
    """What the user calls it, where its value goes by another name: the NPU, the 7 W mode."""
    field: str = ""
    """Path of a list price, in US dollars, in a record; empty for what the question said."""

    def __post_init__(self) -> None:
        if isinstance(self.value, int):
            object.__setattr__(self, "value", float(self.value))

    @property
    def number(self) -> float:
        return float(self.value)


@dataclass(frozen=True)
class Row(Copied):
    """A row of a table that was shown: what it is of, and its figures by the heads of their columns."""

    slots: tuple[Slot, ...]
    figures: Mapping[str, float] = field(default_factory=dict)

    def text(self, role: Role) -> str:
        """What it is of; empty where it does not say."""
        return next((str(slot.value) for slot in self.slots if slot.role is role), "")


_KINDS = {
    "retraining": "retraining", "without any changes": "retraining", "resolution": "resolution",
    "pruning": "pruning", "quantisation": "precision",
}  # fmt: skip
"""What is excluded in words, and the kind of change that the tools call so."""


@dataclass(frozen=True)
class Query(Copied):
    """A question as the planner understands it; a follow-up has the slots of the one before under its own."""

    question: str
    words: tuple[str, ...] = ()
    """Those of the question, a stand-in for each name and figure."""
    figures: tuple[Figure, ...] = ()
    """All that the question states; the 5 of a Pi 5 is none."""
    wants: tuple[Want, ...] = ()
    """What is to be answered, the main one first."""
    slots: tuple[Slot, ...] = ()
    asks: frozenset[str] = frozenset()
    """Aspects that it speaks of, by the names of `words.toml`: layers, price, placement, …"""
    excluded: frozenset[str] = frozenset()
    """What must not be done: retraining, …"""
    no_goals: frozenset[str] = frozenset()
    """Goals that do not count, as it says: energy, price, latency, …"""
    left_out: frozenset[str] = frozenset()
    """Ids of what is named to be left out."""
    unknown: tuple[Name, ...] = ()
    unread: tuple[str, ...] = ()
    """Figures without a role."""
    likely: tuple[tuple[Want, float], ...] = ()
    """What it may want, the likeliest first, each with its chance; empty where it asks for the same again."""
    notes: tuple[str, ...] = ()
    """How names were taken that could be read otherwise."""
    page_before: str = ""
    """The question before, where a page answered it."""
    topic: tuple[Want, ...] = ()
    """What was last calculated: `the same` means this."""
    picked: tuple[Slot, ...] = ()
    """The language model that an answer picked for a target, and its format."""
    cast: Cast = Cast()
    """What the conversation is about, and who brought it in."""
    kernels: Mapping[str, str] = field(default_factory=dict)
    """Target → the kernels that it was ranked with, where several are meant."""
    shown: tuple[Row, ...] = ()
    """The table that was shown last."""
    among: tuple[str, ...] = ()
    """Targets of a family of which one is to be chosen: which STM32."""
    picks: bool = False
    """Whether it takes a row of it."""
    written_out: bool = False
    """Whether it is a turn as it stands by itself, so that nothing of it is in doubt."""
    aside: bool = False
    """Whether the conversation goes on as before it."""
    established: tuple[Query, ...] = ()
    """What was asked and answered before, each without those before it."""
    settings_before: tuple[Slot, ...] = ()
    """Names and settings of the question before."""
    own: Directories | None = None
    """Directories of the user's own hardware; None reads the environment."""

    @property
    def targets(self) -> Mapping[str, TargetSummary]:
        """All that names are looked up among, by id."""
        return targets_by_id(self.own)

    @property
    def ruled_out(self) -> tuple[str, ...]:
        """Kinds of changes that the user does not want, as the tools call them."""
        return tuple(dict.fromkeys(kind for said, kind in _KINDS.items() if said in self.excluded))

    @property
    def spoken_of(self) -> tuple[str, ...]:
        """Targets of the conversation, the latest last."""
        return self.cast.names(Role.TARGET)

    def barred(self, out: Iterable[str]) -> set[str]:
        """What is out, with the targets of the conversation that are of a maker or a class that is."""
        found, spoken = (
            {*out},
            {*self.spoken_of, *self.all(Role.TARGET), *(r.text(Role.TARGET) for r in self.shown)},
        )
        known = ((name, self.targets[name]) for name in spoken if name in self.targets)
        return found | {name for name, one in known if found & {one.vendor, one.target_class}}

    def all(self, role: Role) -> tuple[str, ...]:
        return tuple(str(slot.value) for slot in self.slots if slot.role is role)

    def numbers(self, role: Role) -> tuple[float, ...]:
        return tuple(slot.number for slot in self.slots if slot.role is role)

    def text(self, role: Role) -> str:
        """The value of the first such slot; empty without one."""
        return next(iter(self.all(role)), "")

    def number(self, role: Role) -> float | None:
        return next(iter(self.numbers(role)), None)

    def total(self, role: Role) -> float:
        """Of what adds up: what each of several others takes."""
        return sum(self.numbers(role))

    @property
    def hours_a_day(self) -> float | None:
        """That it is in use, of all that is said of it: 8 hours a day, 5 days a week."""
        shares = [hours / 24 for hours in self.numbers(Role.HOURS_A_DAY)]
        return 24 * math.prod(shares) if shares else None

    def has(self, *roles: Role) -> bool:
        return any(slot.role in roles for slot in self.slots)

    def says(self, *roles: Role) -> bool:
        """Whether this very question has a slot of such a role."""
        return any(slot.role in roles and not slot.inherited for slot in self.slots)

    def put(self, role: Role, *values: float | str, text: str = "") -> Query:
        """The query with these values for a role, in place of any other."""
        kept = tuple(slot for slot in self.slots if slot.role is not role)
        new = tuple(Slot(role=role, value=value, text=text) for value in values)
        return self.model_copy(update={"slots": kept + new})

    def without_words(self, words: str) -> Query:
        """Without the figures whose words are among these: `million` of `per million tokens` is no batch."""
        spoken = words.split()
        slots = (s for s in self.slots if not (isinstance(s.value, float) and s.text and s.text in spoken))
        return self.model_copy(update={"slots": tuple(slots)})

    def without(self, roles: Iterable[Role]) -> Query:
        left_out = frozenset(roles)
        slots = tuple(slot for slot in self.slots if slot.role not in left_out)
        return self.model_copy(update={"slots": slots})
