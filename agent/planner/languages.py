"""Questions in other languages than English: which one, and the sentence that says that English is spoken."""

from __future__ import annotations

import re

_WORDS = {
    "de": r"wie|welche[rs]?|passt|läuft|braucht|auf|dem|einem?|ist|und|oder|soll|kann|für|mit|nicht|warum",
    "fr": r"combien|quelle?|est-ce|sur|dans|avec|une|pour|temps|prend|peut|tient|pourquoi|cette|est|le|la",
    "es": r"cuánt[oa]s?|cuanto|qué|cuál|cabe|en|el|los|con|para|tarda|puede|necesita|por|del|una?",
    "it": r"quanto|quale|quanta|sul|nella|serve|gira|entra|con|per|che|sta|il|una",
    "pt": r"quanto|quanta|qual|roda|cabe|com|para|em|uma?|demora|preciso|não|o|no",
    "nl": r"hoe|welke|past|draait|heeft|op|een|het|en|voor|niet|waarom|snel",
}  # fmt: skip
_LETTERS = {
    "zh": r"[\u4e00-\u9fff]", "ja": r"[\u3040-\u30ff]", "ko": r"[\uac00-\ud7af]", "ru": r"[\u0400-\u04ff]",
}  # fmt: skip
_ENGLISH = re.compile(
    r"\b(?:the|is|are|does|do|how|what|which|will|can|fit|with|and|my|it|for|on|run|much|why|should)\b", re.I
)
_ENOUGH = 2
"""So many words of a language, and more than of English, show that a question is in it."""
ENGLISH_ONLY = {
    "de": "Ohne Sprachmodell verstehe ich nur Englisch; was ich an Namen und Zahlen erkannt habe, "
    "beantworte ich auf Englisch.",
    "fr": "Sans modèle de langue, je ne comprends que l'anglais ; voici en anglais ce que j'ai "
    "reconnu aux noms et aux chiffres.",
    "es": "Sin modelo de lenguaje solo entiendo inglés; respondo en inglés a los nombres y cifras "
    "que he reconocido.",
    "it": "Senza modello linguistico capisco solo l'inglese; rispondo in inglese ai nomi e alle "
    "cifre che ho riconosciuto.",
    "pt": "Sem modelo de linguagem só entendo inglês; respondo em inglês aos nomes e números que reconheci.",
    "nl": "Zonder taalmodel versta ik alleen Engels; op de namen en getallen die ik herken antwoord "
    "ik in het Engels.",
    "zh": "没有语言模型时我只懂英语；以下用英语回答我识别出的名称和数字。",
    "ja": "言語モデルなしでは英語しか分かりません。認識できた名前と数値について英語で答えます。",
    "ko": "언어 모델 없이는 영어만 이해합니다. 알아본 이름과 숫자에 대해 영어로 답합니다.",
    "ru": "Без языковой модели я понимаю только английский; отвечаю по-английски на распознанные "
    "имена и числа.",
}


def language_of(question: str) -> str:
    """The code of another language than English that a question is in; empty for English."""
    for code in ("ja", "zh", "ko", "ru"):
        if len(re.findall(_LETTERS[code], question)) >= _ENOUGH:
            return code
    english = len(_ENGLISH.findall(question))
    counts = {
        code: len(set(re.findall(rf"(?<!\w)(?:{words})(?!\w)", question.casefold())))
        for code, words in _WORDS.items()
    }
    best = max(counts, key=lambda code: counts[code])
    return best if counts[best] >= _ENOUGH and counts[best] > english else ""
