"""Questions in other languages: the words that carry meaning, in English."""

from __future__ import annotations

import re

NOTE = "I read English best: I took the words of the trade, the names and the figures of your question."

_TOO_SHORT = 2
"""So many words of a language show that a question is in it."""
_MARKERS = re.compile(
    r"\b(?:wie|welche[sr]?|passt|läuft|braucht|auf|dem|einen?|ist|und|oder|soll|kann|für|mit|nicht|warum|"
    r"combien|quelle?|est-ce|sur|dans|avec|le|la|les|une|pour|temps|prend|peut|tient|pourquoi|cette?|du|des|"
    r"cuánt[oa]s?|cuanto|qué|cuál|cabe|en|el|los|con|para|tarda|puede|necesita|por|del|¿|"
    r"quanto|quale|quanta|sul|nella?|serve|gira|entra|com|para|roda|cabe)\b|[äöüßéèêàçñ¿¡]",
    re.IGNORECASE,
)
_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_WORDS: tuple[tuple[str, str], ...] = (
    # German
    (r"\bwie lange\b(?=.{0,40}\b(?:hält|reicht|batterie|akku))", "how long will the battery last"),
    (r"\bwie lange (?:dauert|braucht)\b|\bwie lange\b", "how long does inference take"),
    (r"\bwie schnell\b", "how fast is"),
    (r"\bwie viele? (?:ram|arbeitsspeicher|speicher)\b", "how much RAM memory"),
    (r"\bwie viele? (?:energie|strom)\b", "how much energy"),
    (r"\bwie viele?\b", "how many"),
    (r"\bwelche[snrm]? (?=(?:board|chip|mikrocontroller|hardware|prozessor|gerät))", "which "),
    (r"\bmikrocontroller\b", "microcontroller"),
    (r"\b(?:passt|passen)\b", "fits"),
    (r"\b(?:läuft|laufen)\b", "will it run"),
    (r"\barbeitsspeicher\b|\bspeicher\b", "memory"),
    (r"\bbatterie\w*|\bakku\w*", "battery"),
    (r"\bwarum\b.{0,30}\blangsam\b|\bengpass\b|\bflaschenhals\b", "what is the bottleneck"),
    (r"\bschneller\b", "faster"),
    (r"\bverbesser\w+|\boptimier\w+|\bbeschleunig\w+", "optimise"),
    (r"\bvergleich\w*", "compare"),
    (r"\bquantisier\w+", "quantise"),
    (r"\bunter\b|\bhöchstens\b|\bweniger als\b|\bmaximal\b", "under"),
    (r"\bmillisekunden\b", "ms"),
    (r"\bsekunden?\b", "s"),
    (r"\bbilder pro sekunde\b", "fps"),
    (r"\bwetter\b", "weather"),
    # French
    (r"\bcombien de temps\b", "how long does inference take"),
    (r"\bcombien de (?:ram|mémoire)\b|\bquelle quantité de (?:ram|mémoire)\b", "how much RAM memory"),
    (r"\bcombien d['’]énergie\b", "how much energy"),
    (r"\bquelle (?:carte|puce)\b|\bquel (?:microcontrôleur|processeur)\b", "which board"),
    (r"\b(?:tient|rentre|entre)(?:-t-(?:il|elle))?\b", "fits"),
    (r"\bmémoire\b", "memory"),
    (r"\bénergie\b", "energy"),
    (r"\bvitesse\b|\brapide\w*\b", "how fast"),
    (r"\bgoulot\w*(?: d['’]étranglement)?", "bottleneck"),
    (r"\bmoins de\b", "under"),
    (r"\bpile\b|\bbatterie\b", "battery"),
    (r"\boptimiser\b|\baccélérer\b", "optimise"),
    (r"(?<=\d) ?[kK]o\b", " KB"),
    (r"(?<=\d) ?Mo\b", " MB"),
    (r"\bmillisecondes?\b", "ms"),
    (r"\bimages par seconde\b", "fps"),
    (r"\bsecondes?\b", "s"),
    (r"\bmétéo\b", "weather"),
    # Spanish, Italian and Portuguese
    (
        r"\bcuánto (?:tiempo )?(?:tarda|tardaría)\b|\bquanto (?:tempo|ci mette|demora)\b",
        "how long does inference take",
    ),
    (
        r"\b(?:cuánta|quanta) (?:memoria|memória)(?: ram)?\b|\bcuánta ram\b|\bquanta ram\b",
        "how much RAM memory",
    ),
    (r"\b(?:cuánta|quanta) energ[íi]a\b", "how much energy"),
    (r"\bqué (?:placa|chip|microcontrolador)\b|\bquale (?:scheda|chip)\b|\bqual placa\b", "which board"),
    (r"\b(?:cabe|entra|caben)\b", "fits"),
    (r"\b(?:memoria|memória)\b", "memory"),
    (r"\benerg[íi]a\b", "energy"),
    (r"\bcuello de botella\b|\bcollo di bottiglia\b", "bottleneck"),
    (r"\bmenos de\b|\bmeno di\b", "under"),
    (r"\b(?:batería|pila|batteria|bateria)\b", "battery"),
    (r"\b(?:milisegundos|millisecondi)\b", "ms"),
    (r"\b(?:segundos?|secondi)\b", "s"),
    (r"\b(?:tiempo|clima) mañana\b", "weather tomorrow"),
    # Chinese and Japanese
    (r"毫秒|ミリ秒", " ms "),
    (
        r"多少时间|多长时间|多久|多快|速度|延迟|推理时间|レイテンシ|推論時間|どのくらい",
        " how long does inference take ",
    ),
    (r"能(?=.{0,40}(?:运行|跑))|可以(?=.{0,40}运行)|跑得动|動きますか|動作", " will it run "),
    (r"放得下|装得下|能放|入りますか|収まりますか", " fits "),
    (r"内存|メモリ", " how much RAM memory "),
    (r"功耗|能耗|能量|消費電力", " energy "),
    (r"瓶颈|ボトルネック", " bottleneck "),
    (r"哪(?:个|款|块)(?:板|开发板|芯片|单片机)|どのボード", " which board "),
    (r"优化|加速|最適化", " optimise "),
    (r"比较|对比|比較", " compare "),
    (r"天气|天気", " weather "),
    (r"秒", " s "),
    (r"推理|推論", " inference "),
)


def in_english(question: str) -> tuple[str, bool]:
    """The question with what matters of it in English, and whether it was in another language."""
    foreign = _CJK.search(question) is not None or len(set(_markers(question))) >= _TOO_SHORT
    if not foreign:
        return question, False
    told = question
    for words, english in _WORDS:
        told = re.sub(words, english, told, flags=re.IGNORECASE)
    return told, told != question


def _markers(question: str) -> list[str]:
    return [match.casefold() for match in _MARKERS.findall(question)]
