"""How units are spelt, and what each spelling can mean."""

from __future__ import annotations

from collections.abc import Mapping

from .families import Family, Reading

_ALONE = {"": 1.0}
_SMALL = {"": 1.0, "m": 1e-3, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "n": 1e-9}
_SMALL_WORDS = {"": 1.0, "milli": 1e-3, "micro": 1e-6, "nano": 1e-9, "kilo": 1e3}
_LARGE = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_DECIMAL = {"k": 1e3, "K": 1e3, "M": 1e6, "m": 1e6, "G": 1e9, "g": 1e9, "T": 1e12}
_BINARY = {"k": 2.0**10, "K": 2.0**10, "M": 2.0**20, "m": 2.0**20, "G": 2.0**30, "g": 2.0**30, "T": 2.0**40}
_IEC = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40}
_BINARY_WORDS = {"kilo": 2.0**10, "mega": 2.0**20, "giga": 2.0**30}
_DECIMAL_WORDS = {"kilo": 1e3, "mega": 1e6, "giga": 1e9}

_RUNS = ("inferences", "inference", "frames", "times", "runs", "windows", "samples", "images", "detections")
_EACH_SECOND = (" per second", " a second", " each second", "/s", "/second", " /s")
_PER_SECOND = "|".join(run + each for run in _RUNS for each in _EACH_SECOND)

_EACH_OTHERWISE = "|".join(
    f"{run} {each}"
    for run, each in (
        ("Bilder", "pro Sekunde"), ("Inferenzen", "pro Sekunde"), ("images", "par seconde"),
        ("inférences", "par seconde"), ("inferences", "par seconde"), ("imágenes", "por segundo"),
        ("cuadros", "por segundo"), ("inferencias", "por segundo"), ("Durchläufe", "pro Sekunde"),
    )
)  # fmt: skip

_TABLE: tuple[tuple[Family, float, str, Mapping[str, float]], ...] = (
    (Family.TIME, 1, "s|sec|secs", _SMALL),
    (Family.TIME, 1, "second|seconds", _SMALL_WORDS),
    (Family.TIME, 1, "Sekunde|Sekunden|segundo|segundos|sekunde|sekunden", _SMALL_WORDS),
    (Family.TIME, 1, "seconde|secondes", _SMALL_WORDS),
    (Family.TIME, 1e-3, "Millisekunde|Millisekunden|milisegundo|milisegundos", _ALONE),
    (Family.TIME, 1e-6, "Mikrosekunde|Mikrosekunden|microsegundo|microsegundos", _ALONE),
    (Family.TIME, 60, "Minute|Minuten|minutos|minuto", _ALONE),
    (Family.TIME, 3600, "Stunde|Stunden|heure|heures|hora|horas", _ALONE),
    (Family.TIME, 86400, "Tag|Tage|Tagen|jour|jours|día|días|dia|dias", _ALONE),
    (Family.TIME, 7 * 86400, "Woche|Wochen|semaine|semaines|semana|semanas", _ALONE),
    (Family.TIME, 365.25 / 12 * 86400, "Monat|Monate|Monaten|mois|mes|meses", _ALONE),
    (Family.TIME, 365.25 * 86400, "Jahr|Jahre|Jahren|an|ans|année|années|año|años", _ALONE),
    (Family.RATE, 1, _EACH_OTHERWISE, _ALONE),
    (Family.BYTES, 1, "Byte|Bytes|octet|octets", _ALONE),
    (Family.BYTES, 1, "o", _IEC),
    (Family.BYTES, 1, "o", {prefix: _BINARY[prefix] for prefix in "kKMG"}),
    (Family.BYTES, 1, "o", {prefix: _DECIMAL[prefix] for prefix in "kKMG"}),
    (Family.PARAMETERS, 1, "Parameter|Parametern|paramètres|parámetros", _ALONE),
    (Family.OPERATORS, 1, "Operatoren|opérateurs|operadores|Schichten|couches|capas", _ALONE),
    (Family.CYCLES, 1, "Takte|Takten|Zyklen|ciclos", _ALONE),
    (Family.RATIO, 0.01, "Prozent|pour cent|por ciento|pct", _ALONE),
    (Family.RATIO, 1, "mal|fois|veces|fach|fold", _ALONE),
    (Family.TIME, 60, "min|mins|minute|minutes", _ALONE),
    (Family.TIME, 3600, "h|hrs|hour|hours", _ALONE),
    (Family.TIME, 86400, "day|days", _ALONE),
    (Family.TIME, 7 * 86400, "week|weeks", _ALONE),
    (Family.TIME, 365.25 / 12 * 86400, "month|months", _ALONE),
    (Family.TIME, 365.25 * 86400, "year|years", _ALONE),
    (Family.FREQUENCY, 1, "Hz|hz", _LARGE),
    (Family.FREQUENCY, 1, "hertz|Hertz", {**_ALONE, **_DECIMAL_WORDS}),
    (Family.RATE, 1, "Hz|hz", _LARGE),
    (Family.RATE, 1, "hertz|Hertz", _ALONE),
    (Family.RATE, 1, f"fps|FPS|ips|IPS|/s|1/s|per second|a second|per sec|{_PER_SECOND}", _ALONE),
    (Family.RATE, 1 / 60, "|".join(f"{run} {each} minute" for run in _RUNS for each in ("per", "a")), _ALONE),
    (
        Family.RATE,
        1 / 3600,
        "|".join(f"{run} {each} hour" for run in _RUNS for each in ("per", "an")),
        _ALONE,
    ),
    (Family.BYTES, 1, "B|byte|bytes", _ALONE),
    (Family.BYTES, 1, "B", _IEC),
    (Family.BYTES, 1, "B|b", _BINARY),
    (Family.BYTES, 1, "B|b", _DECIMAL),
    (Family.BYTES, 1, "byte|bytes", _BINARY_WORDS),
    (Family.BYTES, 1, "byte|bytes", _DECIMAL_WORDS),
    (Family.BYTES, 1, "Byte|Bytes", _BINARY),
    (Family.BYTES, 2.0**20, "meg|megs", _ALONE),
    (Family.BYTES, 2.0**30, "gig|gigs", _ALONE),
    (Family.BYTES, 1 / 8, "bit|bits", _BINARY),
    (Family.BYTES, 1 / 8, "bit|bits", _BINARY_WORDS),
    (Family.BYTES, 1 / 8, "bit|bits", _DECIMAL),
    (Family.BANDWIDTH, 1, "B/s|B per second", _DECIMAL),
    (Family.BANDWIDTH, 1, "B/s", _IEC),
    (Family.BYTES_PER_CYCLE, 1, "B/cycle|byte/cycle|bytes/cycle|bytes per cycle", _ALONE),
    (Family.ENERGY, 1, "J", {**_SMALL, "k": 1e3}),
    (Family.ENERGY, 1, "joule|joules", _SMALL_WORDS),
    (Family.ENERGY, 1, "Ws", _SMALL),
    (Family.ENERGY, 1, "watt second|watt-second|watt seconds|watt-seconds", _SMALL_WORDS),
    (Family.ENERGY, 3600, "Wh", _SMALL),
    (Family.ENERGY, 3600, "watt hour|watt-hour|watt hours|watt-hours", _SMALL_WORDS),
    (Family.POWER, 1, "W", {**_SMALL, "k": 1e3}),
    (Family.POWER, 1, "watt|watts", _SMALL_WORDS),
    (Family.CURRENT, 1, "A", _SMALL),
    (Family.CURRENT, 1, "amp|amps|ampere|amperes", _SMALL_WORDS),
    (Family.CURRENT_PER_CLOCK, 1e-6, "A/MHz", _SMALL),
    (Family.CHARGE, 1, "Ah", _SMALL),
    (Family.CHARGE, 1, "amp hour|amp-hour|amp hours|amp-hours|ampere hours|ampere-hours", _SMALL_WORDS),
    (Family.VOLTAGE, 1, "V", _SMALL),
    (Family.VOLTAGE, 1, "volt|volts", _SMALL_WORDS),
    (Family.MONEY, 1, "USD|US$|dollar|dollars|bucks", _ALONE),
    (Family.MACS, 1, "MAC|MACs|MACS|mac|macs", _LARGE),
    (Family.MACS, 1 / 2, "FLOP|FLOPs|FLOPS|flop|flops|OPs", _LARGE),
    (Family.THROUGHPUT, 1, "FLOPS|FLOP/s|OP/s|OPs/s|op/s|ops/s|OPS|OPs", _LARGE),
    (Family.THROUGHPUT, 2, "MAC/s|MACs/s", _LARGE),
    (Family.INTENSITY, 1, "FLOP/byte|FLOPs/byte|FLOP/B|FLOPs/B|flop/byte|flops/byte|FLOP/Byte", _ALONE),
    (Family.INTENSITY, 1, "OP/byte|op/byte|ops/byte|OPs/byte|FLOP per byte|FLOPs per byte", _ALONE),
    (Family.INTENSITY, 2, "MAC/byte|MACs/byte|MAC/B|MACs/B|MAC per byte|MACs per byte", _ALONE),
    (Family.MACS_PER_CYCLE, 1, "MAC/cycle|MACs/cycle|MAC per cycle|MACs per cycle", _ALONE),
    (Family.PARAMETERS, 1, "parameter|parameters|params|param|weights", _ALONE),
    (Family.OPERATORS, 1, "operator|operators|op|ops|layer|layers|node|nodes", _ALONE),
    (Family.CYCLES, 1, "cycle|cycles", _ALONE),
    (Family.OPERATORS, 1, "operations", _ALONE),
    (Family.MACS, 1 / 2, "operations", _ALONE),
    (Family.PIECES, 1, "core|cores|thread|threads|region|regions|target|targets|runtime|runtimes", _ALONE),
    (Family.PIECES, 1, "check|checks|limit|limits|options|inputs|outputs|tensors|candidates", _ALONE),
    (Family.DECIBEL, 1, "dB", _ALONE),
    (Family.RATIO, 0.01, "%|percent|per cent", _ALONE),
    (Family.RATIO, 1, "×|x|times", _ALONE),
    (Family.BARE, 1, "point|points", _ALONE),
)
"""Family, base units, spellings and the prefixes that they take. KB is 1024 bytes, then 1000; of what may
also be a rate, FLOPS, the count comes first."""


def _spelt() -> dict[str, tuple[Reading, ...]]:
    found: dict[str, tuple[Reading, ...]] = {}
    for family, size, spellings, prefixes in _TABLE:
        for spelling in spellings.split("|"):
            for prefix, factor in prefixes.items():
                reading = Reading(family, size * factor)
                found[prefix + spelling] = (*found.get(prefix + spelling, ()), reading)
    return found


UNITS = _spelt()
"""Spelling → its readings."""
