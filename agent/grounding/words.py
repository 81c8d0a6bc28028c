"""Words beside numbers, in English, German, French and Spanish; as alternatives of regular expressions."""

from __future__ import annotations

FASTER = (
    r"faster|quicker|speed-?up|schneller|beschleunigung|plus (?:rapide|vite)s?|más (?:rápid[oa]s?|veloz)|"
    r"sooner"
)
SLOWER = (
    r"slower|slow-?down|too slow|too long|langsamer|zu (?:langsam|lang)|plus lente?s?|trop (?:lente?|long)|"
    r"más lent[oa]s?|"
    r"demasiado (?:lent[oa]|largo)"
)
LESS = (
    r"(?:below|under) (?:the|your|its)|less|lower|fewer|smaller|shorter|cheaper|lighter|"
    r"(?:below|under) (?:the |your |its )?(?:limit|budget|bound|deadline)|to spare|spare|of headroom|"
    r"headroom|left|"
    r"free|remaining?|reduction|savings?|decrease|drop|"
    r"weniger|kleiner|kürzer|niedriger|geringer|sparsamer|übrig|frei|luft|reserve|ersparnis|"
    r"de moins|moins|plus (?:petite?|court|bas|basse|faible)|de marge|libres?|restante?s?|inférieure?|"
    r"de réduction|"
    r"menos|menor|más (?:pequeñ[oa]|cort[oa]|baj[oa])|de margen|de sobra|de reducción|por debajo"
)
MORE = (
    r"(?:over|above|beyond|past) (?:the|your|its)|more|higher|larger|bigger|longer|greater|"
    r"(?:over|above|beyond) (?:the |your |its )?(?:limit|budget|bound|deadline)|"
    r"too (?:much|many|large|big|high)|missing|short|"
    r"increase|mehr|größer|länger|höher|zu (?:viel|groß|hoch)|fehlen|"
    r"de plus|plus (?:grande?|long|longue|haut|élevée?)|de trop|plus|supérieure?|manquants?|"
    r"más (?:grande|larg[oa]|alt[oa])|más|mayor|de más|demasiado|de exceso|por encima"
)
LESS_BEFORE = (
    r"sav(?:es?|ed|ing)|cuts?|cutting|reduc(?:es?|ed|ing)|lower(?:s|ed)?|shrinks?|shrank|drops?|falls?|"
    r"fell|"
    r"trim(?:s|med)?|decreases?|shortens?|leav(?:es?|ing)|spares?|headroom|shaves?|"
    r"spart|senkt|sinkt|verringert|reduziert|verkürzt|bleiben|bleibt|"
    r"économise|réduit|baisse|diminue|reste(?:nt)?|ahorra|reduce|baja|disminuye|quedan?|sobran?"
)
MORE_BEFORE = (
    r"exceed(?:s|ed|ing)?|overshoots?|overruns?|rais(?:es?|ed|ing)|increas(?:es?|ed|ing)|grows?|grew|"
    r"rises?|"
    r"miss(?:es|ed)|lacks?|überschreitet|übersteigt|erhöht|steigt|verfehlt|fehlen|wächst|"
    r"dépasse|augmente|manque(?:nt)?|supera|excede|aumenta|sube|faltan?"
)
BY = r"by|um|por|en un|de"
TO = r"to|auf|à|a|hasta(?: el)?|al|down to|up to"
AS_FAST = r"as (?:fast|quick(?:ly)?)|the speed|so schnell|aussi (?:vite|rapide)|(?:tan|igual de) rápid[oa]"
AS_MUCH = (
    r"as (?:long|slow|much|many|large|big|high)|that of|those of|"
    r"(?:the|its|their|your|that) (?:time|latency|energy|size|limit|budget|bound|cycles|arena|s?ram|"
    r"flash|memory|"
    r"power|clock|rate|throughput|bandwidth|macs|capacity|amount|number)|"
    r"so (?:lang|viel|groß|hoch)|"
    r"aussi (?:long|lente?|grande?)|(?:la|le) (?:limite|temps)|el límite|das Limit|die Grenze"
)
OF = r"of|der|des|von|vom|du|de|del|d['’]"
AT_MOST = (
    r"at most|up to|no more than|not more than|at worst|in the worst case|worst case|the worst case is|"
    r"upper bound(?: of| is)?|"
    r"maximum|upper end(?: of| is)?|höchstens|maximal|bis zu|schlimmstenfalls|im schlimmsten Fall|"
    r"au plus|au pire|jusqu['’]à|"
    r"como máximo|a lo sumo|en el peor (?:de los )?casos?"
)
AT_LEAST = (
    r"at least|no less than|not less than|at best|in the best case|best case|lower bound(?: of| is)?|"
    r"minimum|lower end(?: of| is)?|mindestens|wenigstens|bestenfalls|im besten Fall|au moins|au mieux|"
    r"al menos|como mínimo|en el mejor (?:de los )?casos?"
)
WORST = (
    r"(?:in the )?worst[ -]case|at worst|schlimmstenfalls|im schlimmsten Fall|au pire|dans le pire des cas|"
    r"en el peor (?:de los )?casos?"
)
BEST = (
    r"(?:in the )?best[ -]case|at best|bestenfalls|im besten Fall|au mieux|dans le meilleur des cas|"
    r"en el mejor (?:de los )?casos?"
)
FREE = (
    r"free|left|to spare|spare|spared|of headroom|headroom|unused|remaining|remains?|left over|over for|"
    r"übrig|frei|luft|reserve|de marge|libres?|restantes?|de margen|de sobra"
)
LIMIT = r"limit|budget|bound|deadline|grenze|frist|limite|límite|plazo"
LEAVES = r"leav(?:es?|ing)|remain(?:s|ing)?|bleiben|bleibt|restent?|quedan?"
LEFT = r"leav(?:es?|ing)|remain(?:s|ing)?|keeps?|bleiben|bleibt|lässt|laisse|restent?|quedan?|deja"
THAN = (
    r"than(?: on| with| for)?|unlike|instead of|rather than|compared (?:to|with)|relative to|as|"
    r"that of|those of|beats|outperforms|"
    r"als(?: auf| mit)?|gegenüber|verglichen mit|im Vergleich zu[mr]?|statt|que(?: sur| en| avec| con)?|"
    r"par rapport (?:à|au)|comparé (?:à|au)|comparado con|frente a|wie|over"
)
AT = (
    r"on|for|with|at|in|under|using|auf|mit|für|bei|im|beim|unter|sur|avec|pour|chez|dans|en|con|para|"
    r"sobre|"
    r"of|by|von|de|du"
)
ARTICLES = r"the|an?|its|de[mnr]|das|die|eine[mnr]?|le|la|les|l['’]|un|une|el|los|las"
ABOUT = (
    r"about|around|roughly|approximately|approx\.?|nearly|almost|some|ca\.|circa|close to|≈|~|"
    r"etwa|rund|ungefähr|knapp|gut|fast|environ|à peu près|près de|presque|unos|unas|aproximadamente|"
    r"alrededor de|casi|cerca de|just (?:under|over)|a little (?:under|over)"
)
PRONOUNS = (
    r"It|Its|This|There|That|Here|Er|Sie|Es|Dort|Darauf|Damit|Il|Elle|Cela|Ça|Este|Esta|Eso|Allí|Ahí|Lo"
)
LAYER_WORDS = (
    r"layers?|operators?|ops?|nodes?|kernels?|convolutions?|poolings?|tensors?|buffers?|peak|alive|"
    r"heaviest|slowest|costliest|largest|biggest|bottleneck|most of|schicht(?:en)?|operator(?:en)?|spitze|"
    r"langsamste[rn]?|couches?|opérateurs?|pic|capas?|operador(?:es)?|pico|timeline|begins?|starts?"
)
CHANGE_WORDS = frozenset(
    ("chan", "opti", "tech", "toge", "comb", "leve", "step", "zusa", "ände", "maßn", "ense", "junt", "camb")
)
"""First letters of words that speak of changes to a model."""
TECHNIQUE_WORDS = {
    "inpu": ("imag", "reso", "eing", "bild", "auflö", "entr", "réso"),
    "prun": ("chan", "kanä", "kana", "cana", "élag", "poda", "besc"),
    "sepa": ("dept", "conv", "falt"),
    "runt": ("kern", "libr", "bibl"),
    "cloc": ("freq", "takt", "fréq", "frec"),
    "int8": ("quan", "cuan"),
    "floa": ("prec", "half"),
    "rank": ("fact", "deco"),
}
AGAINST = (
    r"against|versus|vs\.?|gegen|gegenüber|contre|frente a|instead of|rather than|statt|au lieu de|"
    r"en vez de"
)
LIMIT_WORDS = frozenset(
    (
        "limi",
        "budg",
        "dead",
        "allo",
        "boun",
        "exce",
        "dema",
        "head",
        "gren",
        "fris",
        "erla",
        "lími",
        "plaz",
        "dépa",
    )
)
FOREIGN = (
    r"der|das|und|ist|auf|braucht|dauert|hat|für|mit|bei|dem|sur|est|prend|une|avec|occupe|pour|soit|el|"
    r"los|"
    r"las|con|tarda|para|necesita|del|gasta|baja|von|sind|ein|eine"
)
"""Words of languages that write a comma before the fraction."""
