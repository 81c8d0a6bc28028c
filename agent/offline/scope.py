"""What this is not for: what is declined, and the words that show that a question is ours."""

from __future__ import annotations

import re

CAN = (
    "I can tell whether a neural network fits a chip or board, how long one inference takes and what energy "
    "it needs, what holds it back, which operators run where, and what changes would bring; and what I know "
    "of a model file or of a chip."
)

_REFUSALS: tuple[tuple[str, str], ...] = (
    (
        r"\bapi[- ]?keys?\b|\bsystem prompt\b|"
        r"\byour (?:instructions|prompt|rules|configuration|secrets?)\b|\benv(?:ironment)? ?var\w*|"
        r"\b(?:your|the) environment\b|\bpasswords?\b|\bpassphrases?\b|\bssid\b|\bsecrets?\b|"
        r"\btokens? (?:you|from)\b|"
        r"\bcredentials?\b|\bprintenv\b|openai_",
        "I don't show keys, settings or instructions.",
    ),
    (
        r"\b(?:paste|print|show|read|open|cat|dump|quote)\b.{0,40}\b[\w-]+\.(?:h|c|cpp|py|txt|env|"
        r"ini|cfg|conf|pem|key|json|ya?ml|docx?|pdf)\b|"
        r"/etc/\w+|\bshadow file\b|\b\.env\b|\bid_rsa\b|~/\.\w+|"
        r"\bread (?:the |my )?(?:file )?/(?!.*\.tflite)|\b(?:cat|open) /\w+",
        "I read model files only.",
    ),
    (
        r"\bupload\b|\b(?:push|publish|share|commit|copy|post)\b.{0,40}"
        r"\b(?:hugging ?face|github|gitlab|git|gist|repo\w*|drive|dropbox|cloud|server|bucket|hub|"
        r"slack|forum|public)\b|"
        r"\b(?:send|post|e-?mail) (?:it|this|the|my|a)\b.{0,30}\b(?:to|server|cloud|model)\b|"
        r"\bhttps?://",
        "I don't send anything anywhere and fetch nothing: a model file stays on this machine.",
    ),
    (r"\bin (?:euros?|eur|pounds?|gbp|yen|chf|francs?|rupees?)\b|€|£", "I don't convert currencies."),
    (
        r"\b(?:malware|ransomware|exploit|weapon|bomb|explosive|poison|landmine|spy on|stalk|kill|"
        r"jam(?:ming|mer))\w*\b",
        "I won't help with that.",
    ),
)
_OTHER_THINGS = re.compile(
    r"\b(?:weather|forecast|poem|haiku|joke|limerick|recipe|cook|stocks?|bitcoin|crypto|football|"
    r"soccer|world cup|president|election|"
    r"translate|lyrics|song|movie|film|restaurant|pizza|beer|horoscope|homework|lottery|holiday|"
    r"flight|hotel|birthday|"
    r"cover letter|essay|tax(?:es)?|doctor|medical|girlfriend|boyfriend|cat video|capital of|"
    r"who (?:won|was)|who is (?:the )?(?:president|king|queen|ceo)|meaning of life)\b",
    re.IGNORECASE,
)
_OURS = re.compile(
    r"\b(?:models?|net|nets|networks?|neural|layers?|inferences?|tensors?|arena|flash|s?ram|mcus?|"
    r"boards?|chips?|microcontrollers?|npus?|gpus?|"
    r"quanti[sz]\w+|int8|latency|macs?|flops?|ops|operators?|kernels?|runtimes?|tflite|roofline|"
    r"(?:fast|quick|slow|frugal) enough|resolver|\w*OpResolver|constexpr|snippets?|evidence|"
    r"estimates?|predictions?|peak|order|version|"
    r"roofs?|bandwidth|accuracy|energy|power|resolution|files?|milliseconds|ms|mhz|throughput|cycles|frames|"
    r"cortex\S*|bottleneck|fits?|ridge|fps|batch|clock|prun\w+|"
    r"deploy\w*|memory|compute-bound|memory-bound|accelerator|dsp|simd|weights|parameters?|stm32|target)\b",
    re.IGNORECASE,
)
_SHORT, _SHORT_WITH_PRONOUN = 5, 8
"""Words in a question that is taken to go on, or to speak of what is at hand."""
_PRONOUN = re.compile(r"\b(?:it|its|this|that|there|these|those|they|one|same)\b", re.IGNORECASE)


def refusals_in(question: str) -> tuple[str, ...]:
    """Sentences for what is asked beside the matter and not done."""
    return tuple(told for words, told in _REFUSALS if re.search(words, question, re.IGNORECASE))


def is_elsewhere(question: str) -> bool:
    return _OTHER_THINGS.search(question) is not None


def is_ours(question: str, *, in_conversation: bool) -> bool:
    """Whether words of the trade, or a reference to what was spoken of, show that it is for us."""
    length = len(question.split())
    if _OURS.search(question) or (in_conversation and length <= _SHORT):
        return True
    return _PRONOUN.search(question) is not None and (in_conversation or length <= _SHORT_WITH_PRONOUN)
