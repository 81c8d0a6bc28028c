"""What kind of thing a number measures: by the path of its field, and by the words that stand beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from .facts import Fact
from .families import Family

_TOKEN = re.compile(r"[^\W_]+")
_THRESHOLD = re.compile(r"within_(\d+)")
_NO_TAGS = frozenset(
    ("result", "value", "low", "high", "ms", "us", "s", "uj", "mj", "mw", "w", "ua", "mah", "hz", "mhz", "v",
     "usd", "db", "figures", "layers", "count", "point", "unit")
)  # fmt: skip
"""Parts of a path that tell a unit or a place in it, not what is measured."""

_ALIASES = {
    "peaks": "peak", "parameters": "parameter", "tensors": "tensor", "buffers": "tensor", "ape": "error",
    "interpreter": "persistent", "nonpersistent": "activations",
    "scratch": "activations", "live": "activations", "weights": "parameter",
    "arithmetic": "intensity", "dtcm": "ram", "sram": "ram", "itcm": "ram", "regions": "region",
    "falls": "fallback", "fall": "fallback", "kernel": "code", "kernels": "code", "rom": "flash",
}  # fmt: skip


@lru_cache(maxsize=4096)
def tags_of(text: str) -> frozenset[str]:
    """Of a key or a label: `sleep_current_ua` is about sleep and a current."""
    text = _THRESHOLD.sub(r"within within\1", text.casefold())
    found = {token for token in _TOKEN.findall(text) if token not in _NO_TAGS}
    return frozenset(found | {_ALIASES[token] for token in found if token in _ALIASES})


@lru_cache(maxsize=8192)
def with_tags(tags: frozenset[str], text: str) -> frozenset[str]:
    return tags | tags_of(text)


class Word(NamedTuple):
    """A word that names a quantity, and which facts are of that quantity."""

    name: str
    families: frozenset[Family]
    """Of these, every fact must suit."""
    tags: frozenset[str]
    """One of these a fact must have."""
    of: frozenset[Family] = frozenset()
    """A ratio may instead compare two of these."""

    def suits(self, fact: Fact) -> bool:
        if fact.family not in self.families:
            return True
        if fact.family is Family.RATIO and fact.of in self.of and not self.tags_decide(fact):
            return True
        return not self.tags.isdisjoint(fact.tags)

    def tags_decide(self, fact: Fact) -> bool:
        """Two memories compare in the same unit."""
        return fact.of is Family.BYTES


_B, _T, _R, _P, _E = Family.BYTES, Family.TIME, Family.RATIO, Family.POWER, Family.ENERGY
_BARE = Family.BARE
_SPEED = (Family.TIME, Family.RATE, Family.CYCLES, Family.FREQUENCY)
_EVERY = tuple(Family)
_COUNTED = (Family.BARE, Family.PIECES)
_COUNTS = (*_COUNTED, Family.OPERATORS, Family.CYCLES, Family.MACS)

_TABLE: tuple[tuple[str, str, tuple[Family, ...], str, tuple[Family, ...]], ...] = (
    (
        "best_energy",
        r"(?:least|lowest|minimal|minimum|smallest|best) energy|most (?:energy[- ])?efficient|"
        r"energy[- ]optimal|energy optimum",
        (Family.FREQUENCY,),
        "best ranking deployment deployments max",
        (),
    ),
    ("arena", r"arenas?|arène", (_B, _R), "arena ram", (_B,)),
    (
        "ram",
        r"s?ram|main memory|arbeitsspeicher|mémoire vive|dtcm|itcm",
        (_B, _R),
        "arena ram activations tensor largest region input output",
        (_B,),
    ),
    ("flash", r"flash|rom|mémoire flash|flash-?speicher", (_B, _R), "flash code model parameter file", (_B,)),
    ("code", r"code", (_B,), "code", ()),
    ("file", r"(?:model )?files?(?: size)?", (_B,), "file model", ()),
    ("model", r"(?<=\()model(?=\))|model (?:data|weights)", (_B,), "model file parameter", ()),
    ("output", r"outputs?(?!-)", (_B,), "output outputs tensor activations", ()),
    ("input", r"inputs?(?!-)", (_B,), "input inputs tensor activations", ()),
    ("nonstop", r"non-?stop|without (?:any )?(?:pauses?|sleep|breaks?)|continuous(?:ly)?", (_T,),
     "nonstop latency", ()),
    ("weights", r"weights|parameters", (_B,), "parameter model", ()),
    ("activations", r"activations?|scratch", (_B,), "activations tensor peak", ()),
    ("persistent", r"persistent|interpreter(?:['’]s)?", (_B,), "persistent", ()),
    ("contiguous", r"contiguous|(?:largest|biggest) (?:single )?(?:ram |memory )?(?:region|block|bank)|"
     r"no (?:single )?(?:one|bank|region|block)", (_B,), "largest bound", ()),
    ("cache", r"caches?|[ld]1|l2", (_B,), "cache", ()),
    ("latency", r"latency|latenz|latence|latencia|inference time|run ?time|execution time", (_R,),
     "latency share slower cycles", (_T, Family.RATE, Family.CYCLES)),
    ("speed", r"faster|slower|quicker|speed-?up|as fast|as slow|schneller|langsamer", (_R,),
     "latency slower cycles clock share", _SPEED),
    ("energy", r"energy|energie\w*|énergie|energía", (_R,), "energy", (_E,)),
    ("power", r"power|leistung", (_R,), "power sleep", (_P,)),
    ("clock", r"clocks?|clock (?:speed|rate|frequency)|frequency", (_R,), "clock", (Family.FREQUENCY,)),
    ("macs", r"macs?|flops?|multiply-accumulates?", (_R,), "macs mac", (Family.MACS,)),
    ("cycles", r"cycles", (_R,), "cycles", (Family.CYCLES,)),
    ("overhead", r"(?:per-layer |dispatch )?overhead", (_R, _T), "overhead", ()),
    (
        "memory",
        r"memory(?: traffic| accesses| access| time| bandwidth| transfers)?|data movement",
        (_R, _T),
        "memory ram arena bandwidth",
        (_B,),
    ),
    ("compute", r"compute|computing|computation|arithmetic|maths?", (_R, _T), "compute active", ()),
    ("utilization", r"utili[sz]ation|utili[sz]ed", (_R,), "utilization used", ()),
    ("peak", r"peak(?:s|ed)?", (_R, Family.INDEX), "utilization peak", ()),
    ("bandwidth", r"bandwidth", (_R,), "bandwidth memory", (Family.BANDWIDTH,)),
    ("error", r"errors?|deviat\w+|mape|ape", (_R,), "error", ()),
    ("coverage", r"coverage|cover(?:s|ed)?", (_R,), "coverage", ()),
    ("within", r"within|inside", (_R,), "within coverage bound gap", (_B, _T, _E, _P)),
    ("accuracy", r"accuracy|accurate|top-?[15]|f1|map|auc|genauigkeit|précision|exactitud", _EVERY,
     "accuracy risk lost agreement error", ()),
    ("sleep", r"sleep\w*|standby|idle|idling|schlaf\w*|veille", (_P, Family.CURRENT, _E), "sleep", ()),
    ("asleep", r"asleep", (_T, _P, Family.CURRENT, _E), "sleep", ()),
    ("average", r"average|averaged|mean|avg", (_P,), "average compute", ()),
    ("static", r"static|leakage", (_P, _E), "static", ()),
    ("dynamic", r"dynamic", (_P, _E), "dynamic", ()),
    ("begins", r"begins?|starts? (?:at|after)", (_T,), "begins", ()),
    ("wakeup", r"wake-?up|waking", (_T, _E), "wakeup", ()),
    ("transfer", r"transfers?", (_T,), "transfer transfers", ()),
    ("lowest", r"(?:lowest|slowest|minimum|minimal)(?= of\b| (?:[\w-]+ )?(?:clock|frequency|speed))",
     (Family.FREQUENCY, Family.RATE), "lowest", ()),
    ("score", r"scores?", (Family.BARE,), "score", ()),
    ("capacity", r"capacity|holds?|stores?", (Family.CHARGE,), "capacity", ()),
    ("slowest layer", r"(?:the )?(?:slowest|heaviest|costliest|most expensive) (?:single )?(?:layer|"
                      r"operator)",
     (Family.INDEX, _T), "slowest", ()),
    ("slowest", r"the (?:single )?(?:slowest|heaviest|costliest|most expensive|biggest cost)"
     r"(?! (?:layers|operators|ones|are|of))", (Family.INDEX,), "slowest", ()),
    ("pass", r"(?:[^\W\d]+ ){0,2}(?:meet|pass|satisfy|fulfil)(?:e?s)?", _COUNTED, "passing n checks", ()),
    ("fail", r"(?:[^\W\d]+ ){0,2}(?:fail|miss)(?:e?s)?", _COUNTED, "failing fails n checks", ()),
    ("int8", r"int8", (Family.THROUGHPUT,), "int8", ()),
    ("int16", r"int16", (Family.THROUGHPUT,), "int16", ()),
    ("float32", r"float32|fp32", (Family.THROUGHPUT,), "float32", ()),
    ("float16", r"float16|fp16", (Family.THROUGHPUT,), "float16", ()),
    ("measurements", r"measurements?", _COUNTS, "measurements measurement n", ()),
    ("networks", r"networks", _COUNTS, "networks network models model n", ()),
    ("network", r"network", _COUNTED, "networks network models model n", ()),
    ("boards", r"boards", _COUNTS, "boards board ranking deployments targets", ()),
    ("models", r"models(?! and)", _COUNTS, "models model networks network n", ()),
    ("wait states", r"wait[- ]states?", _COUNTED, "wait states", ()),
    ("deployments", r"deployments?|candidates?|combinations?|configurations?", _COUNTED,
     "passing failing unknown tried ranking deployments deployment possible estimated n candidates", ()),
    ("ridge", r"ridge(?: point)?", (Family.INTENSITY,), "ridge", ()),
    ("intensity", r"intensity", (Family.INTENSITY,), "intensity", ()),
)  # fmt: skip

_WORDS = tuple(
    Word(name, frozenset(families), frozenset(tags.split()), frozenset(of))
    for name, _, families, tags, of in _TABLE
)
_ANY = re.compile(
    "|".join(rf"(?P<w{at}>(?<![\w-])(?:{row[1]})(?![\w]))" for at, row in enumerate(_TABLE)), re.IGNORECASE
)


class Hit(NamedTuple):
    start: int
    end: int
    word: Word


def words_in(text: str) -> list[Hit]:
    """Words of a text that name a quantity, in order."""
    return [
        Hit(match.start(), match.end(), _WORDS[int(str(match.lastgroup)[1:])])
        for match in _ANY.finditer(text)
    ]


def suits_all(words: Iterable[Word], fact: Fact) -> bool:
    return all(word.suits(fact) for word in words)
