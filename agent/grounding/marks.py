"""What a text must speak of before it may tell a figure that only holds of a part, a case or a comparison."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .facts import Fact, Form, Kind
from .families import Family

_B, _T, _R, _P, _E = Family.BYTES, Family.TIME, Family.RATIO, Family.POWER, Family.ENERGY
_EVERY = tuple(Family)

_MARKS: tuple[tuple[str, tuple[Family, ...], str], ...] = (
    ("sleep", _EVERY, r"sleep|asleep|standby|idle|schlaf|veille|reposo"),
    ("average", (_P,), r"average|mean|avg|overall|rate|per second|every|duty|once|durchschnitt|im mittel|"
                       r"moyenne|media|promedio"),
    ("static", (_P, _E), r"static|leak|statisch|statique|estátic"),
    ("dynamic", (_P, _E), r"dynamic|dynamisch|dynamique"),
    ("begins", (_T,), r"begin|start|into|after|offset|beginnt|commence|empieza"),
    ("wakeup", _EVERY, r"wak"),
    ("transfer", (_T,), r"transfer|copy|copi|mov"),
    ("code", (_B,), r"code|kernel|runtime|program|firmware|librar|text|interpreter"),
    ("parameter", (_B,), r"weights?|parameter|gewichte|poids|pesos"),
    ("persistent", (_B,), r"persist|interpret|perman"),
    ("reserve", _EVERY, r"reserve"),
    ("baseline", _EVERY, r"from|before|→|->|instead|than|today|now|current|baseline|origin|down|bring|"
                         r"cut|was|"
                         r"were|f[ea]ll|drop|rise|grow|sav|less|more|shrink|reduc|lower|without|faster|against|"
                         r"vs|compar|of|von|statt|de|des|avant|antes"),
    ("beyond", _EVERY, r"miss|fail|exceed|no longer|not|n't|over|above|below|already|too|beyond|next|under"),
    ("overhead", (_R, _T), r"overhead|mehraufwand"),
    ("error", (_R,), r"error|deviat|off|accura|within|ape|typical|wrong|measure"),
    ("coverage", (_R,), r"cover|interval|contain|within|fall|inside|in it|of the measur|band|range"),
    ("active", (_R,), r"active|comput|busy|awake|duty|of the time|running|rechnet|arbeitet|works|calcul"),
    ("utilization", (_R,), r"peak|utili|uses?|using|reach|achiev|bandwidth|capacity|offers|arithmetic|"
                           r"throughput|nutzt|saturat|potential|maximum|possible"),
    ("fallback", (_R, Family.OPERATORS), r"fall|cpu|back|unsupported|not (?:run|accelerat)|zurück"),
    ("leaveoneboardout", (_R,), r"boards?|chips?|targets?|devices?|hardware|mcus?|silicon"),
    ("leaveonemodelout", (_R,), r"models?|networks?|nets?|fit"),
    ("memory", (_R, _T), r"memory|[gt]b/s|bandwidth|traffic|data|ram|speicher|mémoire|memoria|transfer"),
    ("within10", (_R,), r"10|ten"),
    ("within25", (_R,), r"25|quarter|twenty"),
    ("failing", _EVERY, r"fail|not|don['’]t|doesn|won['’]t|can['’]t|can not|miss|too|exceed|reject|rule|"
                        r"outside|drop|scheiter|fall"),
    ("passing", _EVERY, r"pass|meet|work|fit|satisf|fulfil|hold|qualif|candidate|suffice|under|within|"
                        r"make|keep|"
                        r"can|manage|left|remain|suit|bestehen|schaffen"),
    ("unknown", _EVERY, r"unknown|can't|cannot|unclear|told|undecided|open|no verdict|unsure|undetermin|"
                        r"unbekannt"),
    ("charge", (Family.CHARGE,), r"day|per|takes?|draws?|drain|uses?|consum|needs?|out of|costs?|spend|"
                                 r"Tag|jour|día"),
    ("headroom", _EVERY, r"headroom|reserve|margin"),
    ("placements", _EVERY, r"plac|put|copi|copy|mov|relocat|shift|weights|arena in|if|instead|keep"),
    ("nearest", _EVERY, r"measure|publish|nearest|similar|alike|reported|closest|stand|"
                        r"evidence|networks|took"),
    ("remedies", _EVERY, r"replac|swap|instead|use|if|with|retrain|rewrit|switch|would|remedy|chang|"
                         r"once|writ|convert|simulat"),
    ("period", _EVERY, r"every|each|period|between|once|interval|to the next|per|second|when"),
    ("compute", (_T,), r"comput|arithmetic|maths?|calcul|mac"),
    ("added", _EVERY, r"add|extra|more|less|cost|differ|mov|slow|fast|plac|copi"),
    ("accelerated", (Family.OPERATORS, Family.BARE), r"accelerat|optimi|kernel|npu|tpu|special|fast|run|all"),
    ("optimized", (Family.OPERATORS,), r"accelerat|optimi|kernel|npu|tpu|special|written|run|fast"),
    ("oncpu", (_R, Family.OPERATORS), r"cpu|cortex|core|fall|back|remain|rest|others?|processor|left"),
    ("latency", (_R,), r"laten|time|fast|slow|speed|quick|long|short|infer|fps|ms|s(?!\w)|µs|takes|laufzeit|"
                       r"schnell|langsam|rapid|lent|tarda|dauert|braucht|saves?|sav|cut|limit|gain|halv|doubl|less|more"),
    ("energy", (_R,), r"energ|énerg|[mµ]?J(?!\w)|joule|battery|less|more|cost|consum"),
    ("ram", (_R,), r"s?ram|arena|memor|dtcm|itcm|buffer|region|bank|arbeitsspeicher|mémoire|arène|KiB|"
                   r"MiB|kB"),
    ("flash", (_R,), r"flash|rom|storage|binary|code|weights|KiB|MiB|kB"),
    ("macs", (_R,), r"macs?|operation|work|comput|flops?|multipl"),
    ("clock", (_R,), r"clock|frequen|mhz|ghz|takt|hertz|speed"),
    ("nonstop", (_T,), r"non-?stop|continu|back to back|without|constantly|all the time|run"),
)  # fmt: skip
"""What must be spoken of where a fact is told that only holds of a part or a case."""

_MARK_WORDS = {
    tag: (frozenset(families), re.compile(rf"(?<!\w)(?:{words})", re.IGNORECASE))
    for tag, families, words in _MARKS
}
_LEFT_OUT = frozenset(("leaveoneboardout", "leaveonemodelout"))
"""What an estimate had not seen."""
_COMPARED = frozenset(("latency", "energy", "ram", "flash", "macs"))
"""Of the error of an estimate it is said once what was estimated."""
_TOLD_IN_TEXTS = frozenset(("fallback", "beyond", "latency", "energy", "ram", "flash", "macs"))
_DIFFERENCE = re.compile(
    r"(?<!\w)(?:less|lower|fewer|small|short|cheap|light|below|under|spare|headroom|left|free|remain|reduc|"
    r"sav|decreas|drop|more|high|large|bigg|long|great|over|above|beyond|too|missing|increas|gain|cost|add|"
    r"fast|quick|slow|exceed|miss|lack|shrink|grow|differ|gap|cut|by|margin|extra|room|leav|fall|lose|loss|"
    r"within|inside|only|still|stay|avail|unused|wenig|mehr|zu |fehl|übrig|frei|spar|schnell|langsam|sinkt|"
    r"kürz|größ|klein|moins|plus|reste|libre|menos|más|sobra|queda|falta|marge|margen|slack|apart|worth|delta|penalt|dépass|supera|baja|"
    r"raises|rises|sooner|away|ahead|behind|spart|bleib|läng|unter|über)",
    re.IGNORECASE,
)


def names_another(fact: Fact, text: str) -> bool:
    """Of an error: whether the text speaks of what else is estimated, and not of this."""
    if "groups" not in fact.tags:
        return False
    for alternatives in (_COMPARED, _LEFT_OUT):
        spoken = {tag for tag in alternatives if _MARK_WORDS[tag][1].search(text)}
        if spoken and spoken.isdisjoint(fact.tags):
            return True
    return False


def marked(fact: Fact) -> Iterator[re.Pattern[str]]:
    """What the text must speak of before it may tell this fact."""
    if fact.kind is Kind.USER:
        return
    if fact.form is Form.DIFFERENCE:
        yield _DIFFERENCE
    tags = fact.tags & (_TOLD_IN_TEXTS if fact.kind is Kind.TEXT else _MARK_WORDS.keys())
    for tag in tags - _COMPARED - _LEFT_OUT if "groups" in fact.tags else tags:
        families, pattern = _MARK_WORDS[tag]
        if fact.family in families:
            yield pattern
