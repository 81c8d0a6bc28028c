"""Which model a question speaks of: a file, a named network, or the one that is pinned."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from operator import or_
from pathlib import PurePath

from ...tools.model_zoo.named import architecture_aliases, architecture_names

_FILE = re.compile(r"[\w.@~+/\\-]*\w\.(?:tflite|lite|onnx|pt2?|pth|keras|h5|pb)\b", re.IGNORECASE)
_MISSPELT_FILE = re.compile(
    r"([\w./\\-]*\w)\.(?:tfilte|tfltie|tlfite|tflit|tflie|tfite|ftlite|tfliet)\b", re.IGNORECASE
)
_NICKNAMES = {
    "kws": r"keyword[- ]?(?:spotting|spotter|detect\w+|model|net\w*|one)|spot\w* (?:a |the )?keywords?|"
    r"keywords?|wake[- ]?word (?:net\w*|model|spotter|detector)|"
    r"speech[- ]?(?:commands?|net\w*|model)|ds[-_ ]?cnn",
    "vww": r"visual wake ?words?|person[- ]?(?:detect\w*|model|net\w*|presence|spotter|finder|recogni\w+)|"
    r"(?:find|detect|spot|recogni[sz])\w* (?:a |the )?(?:persons?|people|humans?)|wake[- ]?vision",
    "ic": r"cifar(?:[- ]?10)?|(?:image|picture)[- ]?classif\w+|resnet[-_ ]?8\b|pretrained ?resnet",
    "ad": r"anomaly[- ]?(?:detect\w*|model|net\w*)|toy ?car|auto-?encoder|toyadmos|"
    r"(?:machine|pump|motor|bearing)[- ]noise (?:detector|net\w*|model)",
}
"""What people call the MLPerf Tiny networks, beside the names that the builder knows."""

_OTHER_NETWORKS = re.compile(
    r"\b(?:yolo[\w-]*(?: ?v?\d+\w*)?|efficient(?:net|det)[\w-]*|mobilenet[-_ ]?(?:v?[134]\w*|"
    r"edge\w*|ssd)|squeezenet[\w.]*|vgg-?\d+|"
    r"inception[\w-]*|densenet[\w-]*|(?:distil|tiny|mobile)?bert[\w-]*|gpt-?[\w.]*|whisper[\w.-]*|"
    r"llama[\w.-]*|u-?net\b|ssd[\w-]*|nasnet\w*|"
    r"shufflenet[\w.]*|mnasnet\w*|alexnet|lenet[\w-]*|deeplab\w*|vit[-_]\w+|swin[\w-]*|"
    r"resnet[-_ ]?(?:18|34|101|152)|fomo|mcunet[\w-]*|phi-?\d[\w.-]*|"
    r"gemma[\w.-]*|qwen[\w.-]*|mistral[\w.-]*|conformer|posenet|movenet|blazeface|segformer|"
    r"convnext[\w-]*|regnet\w*|stable diffusion|smollm\w*)\b",
    re.IGNORECASE,
)
_TASK_WORDS = {
    "keyword": "kws", "keyword net": "kws", "keyword model": "kws", "keyword spotting": "kws",
    "keyword spotter": "kws", "keyword detection": "kws", "speech commands": "kws",
    "visual wake words": "vww", "person detection": "vww", "person detector": "vww", "person net": "vww",
    "person model": "vww", "image classification": "ic", "image classifier": "ic", "anomaly detection": "ad",
    "anomaly detector": "ad", "anomaly net": "ad", "anomaly model": "ad", "autoencoder": "ad",
}  # fmt: skip
"""Names by task as they may be misspelt."""
_ARTICLE_BEFORE = re.compile(r"\b(?:an?|the|this|that|my|your|each|every|online|tv)\s+$", re.IGNORECASE)
_NO_NAME = re.compile(
    r"[.,;?!:]|\b(?:not|and|or|the|is|in|on|a|an|of|to|for|with|one|ones|int)\b", re.IGNORECASE
)
"""No name runs over punctuation or a small word."""
_LIKENESS = 0.85
_SEPARATORS = re.compile(r"[-_ /]")
_ALSO_ASCII = {0x130: "i", 0x131: "i", 0x17F: "s", 0x212A: "k"}
"""Letters that an ASCII letter also matches where case does not count."""
_SHORT = {"ic", "ad"}
"""Names that also mean other things: they count in lower case, where a model is meant."""


@dataclass(frozen=True)
class ModelMention:
    """What names a model. `argument` is what the tools take."""

    text: str
    start: int
    argument: str
    task: str = ""
    """The MLPerf Tiny network that the words name by its task: it may also mean a file of it."""
    corrected: bool = False


def model_mentions(question: str) -> list[ModelMention]:
    """Models in the order in which a question names them; a stretch of text names one at most."""
    return list(_mentions(question))


@lru_cache(maxsize=64)
def _mentions(question: str) -> tuple[ModelMention, ...]:
    """Kept: with every turn the planner reads the turns before it again."""
    found: list[ModelMention] = []
    taken = [False] * len(question)
    for mention in (*_files(question), *_known(question), *_others(question), *_misspelt(question)):
        span = slice(mention.start, mention.start + len(mention.text))
        if not any(taken[span]):
            taken[span] = [True] * len(mention.text)
            found.append(mention)
    unique: dict[str, ModelMention] = {}
    for mention in sorted(found, key=lambda m: m.start):
        unique.setdefault(mention.argument, mention)
    return tuple(unique.values())


def task_of(name: str) -> str:
    """The MLPerf Tiny network that a file's name speaks of; empty where it speaks of none."""
    words = re.sub(r"[_\W]+", " ", PurePath(name).stem)
    return next((mention.task for mention in _known(words) if mention.task), "")


def _files(question: str) -> Iterator[ModelMention]:
    for match in _FILE.finditer(question):
        yield ModelMention(match[0], match.start(), match[0])
    for match in _MISSPELT_FILE.finditer(question):
        yield ModelMention(match[0], match.start(), f"{match[1]}.tflite", corrected=True)


def _known(question: str) -> Iterator[ModelMention]:
    said = _SEPARATORS.sub("", question.translate(_ALSO_ASCII).lower())
    for name, letters, words in _spellings():
        for match in _pattern(words).finditer(question) if letters in said else ():
            if match[0].casefold() in _SHORT and not _stands_for_a_model(question, match):
                continue
            task = name if name in _NICKNAMES else ""
            yield ModelMention(match[0], match.start(), name, task)


def _stands_for_a_model(question: str, match: re.Match[str]) -> bool:
    """An ad and the IC mean something else."""
    return match[0].islower() and _ARTICLE_BEFORE.search(question[: match.start()]) is None


@cache
def _spellings() -> tuple[tuple[str, str, str], ...]:
    """Name, letters without which it is not meant, and pattern: the longest spelling first."""
    spelt = {**architecture_aliases(), **{name: name for name in architecture_names()}}
    longest_first = sorted(spelt, key=len, reverse=True)
    nicknames = [(name, "", words) for name, words in _NICKNAMES.items()]
    names = [(spelt[words], "".join(_parts(words)).lower(), _loosely(words)) for words in longest_first]
    return (*nicknames, *names)


@cache
def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.])(?:{words})(?![\w])", re.IGNORECASE)


def _loosely(spelling: str) -> str:
    """Anything or nothing between its letters, digits and words."""
    return r"[-_ /]?".join(map(re.escape, _parts(spelling)))


def _parts(spelling: str) -> list[str]:
    return re.findall(r"[A-Za-z]+|[\d.]+", spelling)


def _others(question: str) -> Iterator[ModelMention]:
    for match in _OTHER_NETWORKS.finditer(question):
        yield ModelMention(match[0], match.start(), match[0])


def _misspelt(question: str) -> Iterator[ModelMention]:
    """One or two words within a letter or two of a long name, with the same digits."""
    known = _long_names()
    words = list(re.finditer(r"[A-Za-z][\w-]*|v?\d+", question))
    near: list[tuple[float, ModelMention]] = []
    for first, last in ((i, i + size) for size in (1, 2, 3) for i in range(len(words) - size + 1)):
        start, text = words[first].start(), question[words[first].start() : words[last - 1].end()]
        key = _squeezed(text)
        for name in _nearest(key) if len(key) >= 6 else ():
            if _digits(name) == _digits(key) and not _NO_NAME.search(text):
                task = known[name] if known[name] in _NICKNAMES else ""
                likeness = difflib.SequenceMatcher(None, key, name).ratio()
                near.append((likeness, ModelMention(text, start, known[name], task, corrected=key != name)))
    yield from (mention for _, mention in sorted(near, key=lambda pair: -pair[0] * len(pair[1].text)))


@cache
def _long_names() -> dict[str, str]:
    known = {_squeezed(name): name for name in architecture_names()}
    known |= {_squeezed(alias): name for alias, name in architecture_aliases().items() if len(alias) >= 6}
    return known | {_squeezed(words): name for words, name in _TASK_WORDS.items()}


def _nearest(key: str) -> list[str]:
    """The nearest long name; one that lacks too many of the letters can be none, and is not compared."""
    own, size = _letters(key), len(key)
    near = [
        name
        for name, letters in _letters_of_names()
        if 2
        * min(len(name) - (letters & ~own).bit_count(), size - (own & ~letters).bit_count())
        / (len(name) + size)
        >= _LIKENESS
    ]
    return difflib.get_close_matches(key, near, n=1, cutoff=_LIKENESS)


@cache
def _letters_of_names() -> tuple[tuple[str, int], ...]:
    return tuple((name, _letters(name)) for name in _long_names())


def _letters(text: str) -> int:
    """A bit for each character that occurs; two may share one."""
    return reduce(or_, (1 << (ord(character) & 63) for character in text), 0)


def _squeezed(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())
