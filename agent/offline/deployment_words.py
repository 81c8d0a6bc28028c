"""The words that ask for a model on hardware: what it takes, what it brings, which hardware it needs."""

from __future__ import annotations

from .intent import Intent

_BOARD = (
    r"(?:"
    r"boards?|mcus?|chips?|devices?|targets?|hardware|microcontrollers?|processors?|socs?|npus?|gpus?|"
    r"platforms?"
    r")"
)
_MOST = (
    r"(?:"
    r"largest|biggest|smallest|highest|lowest|slowest|fastest|max(?:imum|imal)?|min(?:imum|imal)?|deepest|"
    r"widest"
    r")"
)
_CAN = r"(?:can|could|may|might|should|must)"
_CHANGE = (
    r"(?:"
    r"quanti[sz]\w*|prun\w+|drop\w*|lower\w*|rais\w+|halv\w+|doubl\w+|switch\w*|shrink\w*|cut|reduc\w+|"
    r"use[ds]?|using|clock\w*|run|ran|move[ds]?|port\w*|overclock\w*|underclock\w*|chang\w+|convert\w*|"
    r"batch\w*|replac\w+|go|went|increas\w+"
    r")"
)

ON_DEPLOYMENTS: dict[Intent, str] = {
    Intent.FIT: (
        r"\bfit(?:s|ted|ting)?\b|\bsqueez\w+|\b(?:big|large|fast|quick|small) enough\b|"
        r"\benter(?:s|ing)?\b|\benough (?:ram|flash|memory|room|space|storage|power|headroom)|"
        r"\bkeep(?:s|ing)? up\b|"
        r"\bfeasible\b|\bdeadline\b|\breal[- ]?time\b|\bmanage[s]?\b|\bsuffic\w+|"
        r"^\W*(?:run|deploy|put|port)\b|"
        r"\bmeets? (?:the |my |our |a |this |that )*(?:\w+ )?(?:deadline|requirement|limit|budget|"
        r"target|"
        r"spec)|\btoo (?:big|large|slow|heavy|much)\b|\bis it possible\b|\bpossible to\b|\bgo on\b|"
        r"\bget away with\b|"
        r"\b(?:can|could|will|would|does|do)\b.{0,60}\b(?:runs?|works?|execute|hold|handle)\b(?! ?time)|"
        r"\b(?:runs?|running|works?)\b(?! ?time).{0,30}\b(?:on|under|within|with|in)\b.{0,40}\?"
    ),
    Intent.LATENCY: (
        r"\bframe ?rates?\b|\b(?:running|prediction|classification|detection) time\b|\bcycle counts?\b|"
        r"\bhow (?:fast|quick(?:ly)?|slow(?:ly)?)\b|\blatency\b|\binference (?:time|speed)|"
        r"\bspeed\b(?! ?up)|"
        r"\bhow (?:long|much time)\b.{0,60}\b(?:take|takes|need|needs|inference|run|pass|forward|frame)|"
        r"\bthroughput\b|\bhow many (?:inferences|frames|fps|cycles|ms|milliseconds|images)\b|\bms per\b|"
        r"\b(?:execution|run|compute|processing|response) ?time\b|\bfps\b|\bframes? (?:per|a) second\b|"
        r"\btiming\b|\btime (?:per|for (?:one|a|an|each|every))\b|\bneeds? \d[\d.,]* ?m?s\b|\bms\?|"
        r"\btakes? (?:about |only |just )?\d"
    ),
    Intent.ENERGY: (
        r"\benerg\w+|\b\w*joules?\b|\bburns?\b|\b[uµμm]j\b|\bpower\b|\bconsum\w+|\bm?watts?\b|"
        r"\b\d+ ?m?w\b|\bdraws?\b"
    ),
    Intent.MEMORY: (
        r"\barena\b|k?tensor_?arena_?size|\bpeak (?:ram|memory|sram)|"
        r"\b(?:ram|memory|sram) (?:peak|use|usage|need)|"
        r"\bhow much (?:of the |of its |more |less )?(?:ram|memory|sram|flash|rom|space|storage|room)\b|"
        r"\bfootprint\b|\bhigh[- ]water\b|"
        r"\b(?:ram|memory|flash|arena) (?:split|divided|break ?down|layout)\b|\bpersistent\b|"
        r"\bscratch\b|\b(?:total|needed|required) (?:ram|flash|memory|sram)\b|"
        r"\b(?:tensors?|buffers?)\b.{0,20}\b(?:alive|live|peak)\b|"
        r"\b(?:needs?|takes?|uses?)\b.{0,20}\b(?:ram|memory|flash)\b|"
        r"\bflash (?:use|usage|size|need)|"
        r"\bhow (?:big|large)\b.{0,20}\b(?:arena|binary|image|buffer)|"
        r"\b(?:ram|sram|memory|flash)\b.{0,30}\b(?:does|do|will|would|need|needs|take|takes|require)"
    ),
    Intent.BOTTLENECK: (
        r"\bsaturat\w+|\b(?:limited|bounded|throttled|starved|constrained|dominated) by\b|\bdominat\w+|"
        r"\b(?:memory|bandwidth|compute) (?:wall|starv\w+|roof)|"
        r"\bwaiting (?:for|on) (?:the )?(?:memory|data)\b|"
        r"\b(?:compute|memory|bandwidth|arithmetic)\b.{0,25}\blimit(?:s|ed|ing)?\b|\bwhy (?:only|just)\b|"
        r"\b(?:compute|memory|bandwidth|cpu|io|overhead)[- ]?(?:bound|limited)\b|\bbottleneck\w*|"
        r"\broofline\b|\broofs?\b|\bfraction of (?:the )?peak\b|\bbound\b|"
        r"\blimited by (?:the )?(?:bandwidth|arithmetic|memory|compute)|"
        r"\bhold(?:s|ing)?\b.{0,20}\bback\b|\b(?:arithmetic|operational|compute) intensity\b|"
        r"\bridge\b|\blimiting factor\b|\bwhat(?:'s| is| are)?\b.{0,25}\blimit(?:s|ing|ed)?\b|"
        r"\bwhy\b.{0,40}\bslow|\bwhat slows\b|^\W*(?:and |but |so )?why\b|"
        r"\bwhich (?:layers?|ops?|operators?|parts?)\b.{0,50}\b(?:slow\w*|most|dominat\w+|time|heav\w+|"
        r"expensive|worst|cost\w*)|\butili[sz]ation\b|\bhot ?spots?\b|"
        r"\bwhere (?:does|do|is)\b.{0,20}\btime\b|\bwhat bounds\b|\bbound by\b"
    ),
    Intent.COMPATIBILITY: (
        r"\bsupport(?:s|ed|ing)?\b|\bcompat\w+|\bfall(?:s|en|ing)? ?back\b|\bunsupported\b|\bdelegat\w+|"
        r"\b(?:ops?|operators?|layers?|kernels?)\b.{0,40}\b(?:runs?(?! ?time)|end up|map|mapped|missing|"
        r"placed|land|execute)\b|"
        r"\b(?:run|runs|end up|land|accelerated) on (?:the )?(?:npu|dsp|gpu|cpu|accelerator)\b|"
        r"\bruns? natively\b|\baccelerat(?:ed|or|es?)\b|"
        r"\b(?:every|all the|all) (?:ops?|operators?|layers?)\b|\bchokes?\b|\bportable\b|\boffload\w*|"
        r"\b(?:ops?|operators?|layers?)\b.{0,50}\b(?:can't|cannot|can not|won't|doesn't|don't|not)\b|"
        r"\b(?:stays?|remains?|left|goes|lands?) (?:back )?on (?:the |its )?(?:cpu|host|core|cortex\S*)\b|"
        r"\btakes?\b.{0,20}\b(?:layers|ops|operators)\b|\bcan i use\b.{0,40}\bwith\b"
    ),
    Intent.OPTIMISE: (
        r"\bmake\b.{0,25}\b(?:twice|faster|quicker|smaller|half)\b|\btricks?\b|"
        r"\bhow (?:do|can|could|would|should|might) (?:i|we|you|one) "
        r"(?:make|get|bring|reach|achieve|manage)\b|"
        r"\boptimi[sz]\w+|\bhalve\b.{0,20}\b(?:latency|time|memory|ram|energy|arena|size)\b|"
        r"\bthings? (?:i|we|you) (?:can|could) do\b|\boptions\b|\bideas?\b|\btips?\b|\bfruit\b|"
        r"\bknobs?\b|\bwhich (?:change|technique|option)\b|\bget\b.{0,30}\bdown\b|\btwice as fast\b|"
        r"\bwhat can be done\b|"
        r"\bimprov\w+|\bspeed(?:ing)? (?:it |this |that )?up\b|"
        r"\b(?:run |go |make it )?faster\b|\blevers?\b|"
        r"\bwhat (?:should|would|could|can|do) (?:i|you|we|one) (?:change|do|try|tweak|improve)\b|"
        r"\bchange first\b|"
        r"\b(?:reduce|shrink|lower|cut|save|bring down|get down)\b.{0,30}\b(?:latency|memory|ram|flash|"
        r"energy|power|size|arena|time|it)\b|"
        r"\b(?:get|bring|make)\b.{0,50}\b(?:below|under|down to|fit|smaller)\b|\badvice\b|\bsuggest\w*|"
        r"\bwhat (?:would )?helps?\b"
    ),
    Intent.WHATIF: (
        rf"\bwhat (?:happens|changes|would happen|about if|if)\b|\b(?:if|when) (?:i|we|you) {_CHANGE}\b|"
        rf"\bwhat (?:do|would) (?:i|we) (?:gain|lose|save)|"
        rf"\bhow much\b.{{0,40}}\b(?:get back|gain|save|faster|less|smaller|would)\b|"
        rf"\bwould\b.{{0,40}}\b(?:help|be faster|save|halve)\b|"
        rf"^(?:and )?(?:at|with|using|if|after|when)\b.{{0,60}}\b(?:instead|then)\b|"
        rf"\bquanti[sz](?:e|ing)\b|\bprun(?:e|ed|ing)\b|\bsparsi\w+|\bpays? off\b|"
        rf"\bwhat (?:would|does|do)\b.{{0,50}}\bdo (?:to|for)\b|\bbenefits?\b|"
        rf"\b(?:effect|impact) of\b|\b(?:does|do|will|would|can)\b.{{0,40}}\b(?:give|bring) me\b|\bto int8\b|"
        rf"\bint8 (?:gives?|saves?|brings?|version|instead)\b|\bgain from\b"
    ),
    Intent.COMPARE: (
        r"\bagainst\b|\bpros and cons\b|\bbetter (?:pick|fit|option|one)\b|"
        r"\bwhich (?:one|of (?:them|those|these|the \w+))\b|\bany (?:faster|quicker|better|slower)\b|"
        r"\bvs\b|\bversus\b|\bcompar\w+|\bdifference between\b|"
        r"\bwhich (?:one )?is (?:the )?(?:better|best|faster|fastest|more|most|cheaper)|"
        r"\bbetter (?:on|with|than|choice)\b|\bfaster (?:on|with|than)\b|"
        r"\bor\b.{0,60}\b(?:which|matter|better|faster|quicker|cheaper|slower)\b|\bside by side\b|"
        r"\b(?:quicker|slower|more efficient|more frugal) (?:on|with|than|of)\b|\bwho wins\b|\bwhich wins\b|"
        r"\bor (?:on |with |rather )?(?:the |an? )?[\w][\w .-]{2,40}\?\W*$"
    ),
    Intent.BATTERY: (
        r"\bbatter(?:y|ies)\b|\bcr ?\d{4}\b|\bcoin cell\b|\ba{2,3} cells?\b|\bli-?(?:po|ion)\b|\bmah\b|"
        r"\b18650\b|\bsolar\b|\b(?:last|lasts|live|survive)\b.{0,40}\b(?:days|weeks|months|years|on)\b|"
        r"\bweeks, months or years\b"
    ),
    Intent.CLOCK: (
        r"\b(?:what|which|lowest|slowest|minim(?:um|al)|best|optimal|ideal|(?:most )?efficient) (?:core )?"
        r"(?:clock|frequency)\b(?!.{0,30}\b(?:have|has|expect|takes?|uses?)\b)|"
        r"\bhow (?:slow|low|slowly) (?:can|could|may|might) (?:\w+ ){0,2}?(?:under)?(?:clock|frequency)\b|"
        r"\b(?:sweep\w*|vary\w*|scan\w*) (?:over )?(?:the )?(?:clock|frequenc\w+)|"
        r"\b(?:clock|frequency) sweep\b|\benergy[- ]delay\b"
    ),
    Intent.INVERSE: (
        rf"\b{_MOST} (?:\w+ ){{0,2}}?(?:s?ram|memory|arena|clock|rate|fps|throughput)\b.{{0,40}}"
        rf"\b(?:that|which|where|before)\b|\bat most\W*$|\bpossible at (?:the )?most\b|"
        rf"\b{_MOST}\b.{{0,30}}\b(?:width|input|batch|resolution|image)\b|"
        rf"\b{_MOST}\b.{{0,60}}\b{_CAN}\b|\b{_MOST}\b.{{0,70}}\bstill\b|"
        rf"\bwhat(?:'s| is) the {_MOST}\b.{{0,70}}\b(?:that|which|where|before|with which|without)\b|"
        rf"\bhow (?:slow|low|small|large|big|high|far|wide|deep|much slower|"
        rf"many more) (?:\w+ ){{0,4}}?(?:can|could|may|might)\b|\bat least do (?:i|we) need\b|"
        rf"\bhow (?:slow|low|small|large|big|high|far) (?:a |an )?\w+ (?:can|could|may|would still)\b|"
        rf"\bwhat clock (?:do|would|is) |"
        rf"\b(?:which|what) (?:batch(?: size)?|clock|frequency|input(?: size)?|width|"
        rf"resolution) (?:\w+ ){{0,4}}?"
        rf"(?:does|do|would|will|becomes?|needed)\b(?!.{{0,20}}\b(?:have|expect|take|use)\b)|"
        rf"\bmax(?:imum|imal)? (?:batch|input|width|resolution)\b"
    ),
    Intent.RECOMMEND: (
        rf"\b(?:i|we) (?:need|want|would like|am looking for|are looking for) (?:an?|some|the) "
        rf"(?:\w+ ){{0,2}}?{_BOARD}\b|\b(?:looking|searching) for (?:an?|some) (?:\w+ ){{0,2}}?{_BOARD}\b|"
        rf"\b(?:which|what|any|some|cheapest|best|smallest) (?:\w+ ){{0,3}}?{_BOARD}\b(?! (?:do you know|"
        rf"are (?:there|known)|"
        rf"can you))|\b(?:recommend\w*|suggest|rank|choose|pick|find)\b.{{0,40}}\b{_BOARD}|"
        rf"\bis there (?:an?|any) {_BOARD}\b|\bwhat should i buy\b|"
        rf"\bwhere (?:can|could) i run\b|\bqualif(?:y|ies)\b"
    ),
}
