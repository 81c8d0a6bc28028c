"""The words that names are made of, from `name_words.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ..hardware_db.kept import toml_in
from ..tools.model_formats.recognised import MODEL_SUFFIXES
from .patterns import compiled

_DATA = toml_in(Path(__file__).with_suffix(".toml"))


def _whole(patterns: list[str]) -> re.Pattern[str]:
    """Any of the patterns, at the borders of words."""
    return compiled(rf"(?<![\w.])(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)


ORDINARY: frozenset[str] = frozenset(_DATA["ordinary"].split())
SMALL_WORDS: frozenset[str] = frozenset(_DATA["small_words"].split())
FORMATS: frozenset[str] = frozenset(_DATA["formats"])
HARDWARE_BRANDS, MODEL_BRANDS = ("|".join(_DATA[name]) for name in ("hardware_brands", "model_brands"))
_BITS = r" \d[ -]?(?:(?:vs\.?|or|and|versus|against|to) \d[ -]?)?bits?\b"
_AMOUNT = (
    r" \d+(?:[.,]\d+)? ?(?:times|hours?|hrs?|minutes?|mins?|seconds?|days?|weeks?|months?|years?|users?|"
    r"sessions?|people|persons?|agents?|requests?|req|streams?|cams?|cameras?|cards?|gpus?|boards?|threads?|cores?|"
    r"images?|frames?|fps|tokens?|tok|watts?|w|ms|s|gb|gib|mb|euros?|eur|usd|dollars?|units|devices|pcs|pieces)\b"
)
"""What a number behind a name counts."""
BRANDED = compiled(
    rf"(?<![\w-])(?:(?P<hardware>{HARDWARE_BRANDS})|(?P<model>{MODEL_BRANDS}))"
    rf"(?P<rest>(?:(?!{_BITS}|{_AMOUNT})(?:[- ]?v?(?!\d+x\d)\d[\w.+-]*\w|[- ]?v?(?!\d+x\d)\d\w*)|"
    r"-[A-Za-z]\w+(?:(?<=\d)\.\d+)?|"
    r"(?<=\w) (?:uno|yun|mega|nano|leonardo|micro|zero|pro|ultra|max|air|se|mini|fold|large|small|tiny|"
    r"plus(?! (?:an?|the|my|one|[a-z]{3,})\b)|medium|base|turbo|lite|diffusion|xl|xxl|black|every)\b|"
    r"(?(hardware)[- ](?![vq]\d)[A-Za-z]{1,2}\d\w*|[- ](?:lite-?|[bdkr])\d{1,2}(?:\.\d+)?\b)|[A-Za-z]?\d\w*)"
    r"{0,4})(?!\w)",
    re.I,
)
"""What begins with a brand and goes on with a number, or a word that makes another of it."""
BRANDS_ALONE, NOT_PARTS = (_whole(_DATA[name]) for name in ("brands_alone", "no_parts"))
CARD: re.Pattern[str] = compiled(
    rf"(?<![\w.,$€-]){_DATA['card_numbers']}(?!\w|[.,]\d|\s*(?:{_DATA['units_behind']}))", re.IGNORECASE
)
"""A graphics card by its number alone."""
CARD_BRAND: str = _DATA["card_brand"]
STRANGE_RUNTIMES = _whole(_DATA["strange_runtimes"])
QUALIFIERS: dict[str, frozenset[str]] = {
    kind: frozenset(each.split()) for kind, each in _DATA["qualifiers"].items()
}
"""Words that make another thing of a name that they stand behind, by its kind."""
MODEL_WORDS: dict[str, str] = _DATA["model_words"]
"""Words of networks' names → what the names themselves have for them."""
VARIANT = compiled(r"\d{1,2}(?:\+|b)?(?![ -]?w(?:atts?)?\b)|(?<=zero )\dw|\d{1,3}gb|(?<=-)[a-z]\d", re.I)
NUMBER_OF_A_BRAND = compiled(
    r"(?:(?:ultra|ai|bronze|silver|gold|platinum|hx|pro|i?\d)[ -]){0,3}[a-z]?\d{3,5}[a-z]{0,2}\d?|"
    rf"\d[a-z]?\+? gen \d|{VARIANT.pattern}",
    re.I,
)
"""What tells one member of a brand: a Core Ultra 7 265K, a Xeon Gold 6226R, a Snapdragon 8s Gen 3."""
UNITS_BEHIND = compiled(
    r"\s*(?:fps|ms|mhz|ghz|[kmg]i?b|hz|mw|w\b|v\b|%|x\b|times|threads?|cores?|images?|frames?|layers?|s\b|µ|u[ajs]\b|"
    r"m[ajs]|mah|inference|hours?|days?|seconds?|minutes?|classes|epochs|boards?|batch)",
    re.I,
)
BATTERIES = {"": _whole(_DATA["batteries"])}
NO_NAMES = compiled(
    rf"(?<![\w./\\-])(?:{'|'.join(_DATA['instruments'])})(?![\w/\\-]|\.\w)|(?<=\d)\s?V(?=\s\d)|(?<![\w.])24/7(?![\w.])"
    r"|(?<![\w.-])\d{3,5}(?=\s?(?:us\$|\$|usd|dollars?|bucks|€|£|euros?|eur|pounds?|chf|francs?)(?!\w))",
    re.IGNORECASE,
)
"""Instruments, not within the name of a file; volts between two figures: 24 V 100 Wh names no V100; 24/7;
prices: 1600 dollars name no processor."""
A_SUM = compiled(r"\bplus(?=\s+(?:the|an?|one|my|our|its)\b)", re.IGNORECASE)
"""Adds one thing to another: Pi 5 plus the AI Kit names no Pi 5 Plus."""
TASKS, DTYPES = ({name: _whole(each) for name, each in _DATA[key].items()} for key in ("tasks", "dtypes"))
"""Network, or type, and what it is called."""
MISSPELT_TASKS: dict[str, str] = {
    words: network for network, each in _DATA["tasks_in_full"].items() for words in each
}
"""What a task is called in full, to know it again where it is misspelt → the network."""
USUAL_NETWORKS = tuple(
    (network, compiled(rf"(?<![\w./:-])(?:{family})s?(?![\w/:]|[-. ]v?\d|-\w)", re.IGNORECASE))
    for family, network in _DATA["usual_networks"].items()
)
"""Each network with the name of its family, alone."""

_ENDINGS = "|".join(sorted((name[1:] for name in MODEL_SUFFIXES - {".mlir"} | {".lite"}), reverse=True))
_TRACE_PB = r"[\w.@~+/\\:-]*(?:trace|perfetto|profil|timeline|runtime|annotated)[\w.-]*\.pb\b"
"""Perfetto's end as TensorFlow's networks do."""
MODEL_FILE = compiled(
    rf"(?<![\w.@~+/\\:-])(?!{_TRACE_PB})[\w.@~+/\\:-]*\w\.(?:{_ENDINGS})\b(?:#\w[\w.-]*\b)?", re.IGNORECASE
)
"""With the signature that may be named behind it."""
OTHER_FILE = compiled(
    r"(?<![\w.@~+/\\-])[\w.@~+/\\-]*\w\.(?:csv|log|txt|json|prof|tsv|pb|xlsx|etdp|pftrace|ctf|tef|elf|axf|map|mlir|ya?ml|html|md|py|cc?|h)\b"
)

SIZE_TAG = compiled(
    r"(?<=[a-z\d]):(?=(?:(?:\d{1,3}x)?\d{1,3}(?:\.\d+)?b|\d{3}m|scout|maverick|micro|mini|medium)\b)", re.I
)
"""Between a language model and its size, as Ollama writes it: llama3.1:8b, smollm:135m, llama4:scout."""
NUMBERED = compiled(
    r"\b(?:the|an?|my|our|his|her|for|on|or|vs\.?|versus|than|used|hand|single|dual|an? (?:old|new|cheap))\s+"
    r"(?P<number>\d{4,5})(?![\w.]|\s*(?:mah|m?w|k|ms|times|images|hz)\b)",
    re.I,
)

_MAC = r"(?-i:(?!MAC))(?:apple|i?mac(?:book)?|ipad)(?:[ -](?:mini|studio|air|pro))?"
_APPLE = compiled(
    rf"(?<!cortex[ -])\b(?P<before>{_MAC}(?:[ -]| with (?:an? )?(?:apple )?| \())?"
    r"(?P<chip>M[1-9](?:[ -]?(?:pro|max|ultra))?|(?(before)A\d\d?(?: (?:bionic|pro))?|(?!)))"
    rf"(?(before)|(?=[ -]{_MAC}\b))(?:[ -]{_MAC})?(?!\w)",
    re.I,
)
_A_MAC = compiled(rf"\b(?:{_MAC}|core ?ml|neural engine|mlx)\b", re.I)
_CHIP_OF_A_MAC = compiled(r"(?<![\w-])(?P<chip>M[1-9](?:[ -]?(?:pro|max|ultra))?)(?![\w-])", re.I)


def apple_chips(text: str) -> Iterator[re.Match[str]]:
    """Beside a word for a Mac; anywhere in a text that has one, where none stands beside it."""
    beside = list(_APPLE.finditer(text))
    return iter(beside) if beside or not _A_MAC.search(text) else _CHIP_OF_A_MAC.finditer(text)
