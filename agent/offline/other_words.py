"""The words that ask for a model, hardware or a runtime itself, for code, versions and grounds."""

from __future__ import annotations

from .intent import Intent

_BOARD = (
    r"(?:"
    r"boards?|mcus?|chips?|devices?|targets?|hardware|microcontrollers?|processors?|socs?|npus?|gpus?|"
    r"platforms?"
    r")"
)

OF_THE_REST: dict[Intent, str] = {
    Intent.IMPORT: (
        r"\b[\w.-]+\.(?:csv|log|etdump|prof)\b|\bmicro ?profiler\b|"
        r"\bi (?:logged|traced|profiled|measured)\b|\bmy (?:\w+ )?(?:trace|log|profile)\b"
    ),
    Intent.TIMELINE: (
        r"\btime-?lines?\b|\bover time\b|\b(?:operator|op|layer)[- ](?:by|after)[- ](?:operator|op|layer)\b|"
        r"\bmemory (?:profile|curve|trace|history)\b|"
        r"\b(?:lower|reduc\w+|cut|bring|get|shrink|flatten)\w*\b.{0,30}\bpeak\b|"
        r"\bpeak\b.{0,30}\b(?:down|lower|reduc\w+|smaller|flatter|come from)\b"
    ),
    Intent.ORDER: (
        r"\bre-?(?:order|arrang|schedul)\w*|\b(?:operators?|ops?|execution|layers?|schedul\w+) orders?\b|"
        r"\border (?:of|in which) (?:the )?(?:ops|operators|layers|execution|nodes)\b|"
        r"\b(?:better|best|different|other|another|optimal|smarter) (?:\w+ ){0,2}(?:order|schedule)\b"
    ),
    Intent.CODE: (
        r"\bhow (?:do|can|would|should|to) (?:i |we )?(?:call|invoke|integrate|embed|link)\b|\bfrom c\b|"
        r"(?<!incl\. )(?<!including )(?<!plus )(?<!model and )(?<!weights and )"
        r"\bcode\b(?! size| and (?:data|model))|\b(?:generate|write|give|make|create)\b.{0,20}\bfirmware\b|"
        r"\b(?:op|ops|operator)s?[- ]?resolver\b|\b\w*opresolver\b|\bsnippets?\b|\bc\+\+|"
        r"\bboiler-?plate\b|\bconstexpr\b|\bto paste\b|\bfirmware (?:skeleton|stub|files?)\b|"
        r"\b(?:arduino )?sketch\b|\b(?:do|must|should|to) (?:i |we )?register\b|\bheader file\b|"
        r"\b(?:vela|compile|compiler|convert\w*) command|\bcommand(?: line)? (?:for|to compile)\b"
    ),
    Intent.DIFF: (
        r"\bwhat(?:'s| has| is)? (?:changed?s?|different|new|got better|got worse)\b|\bchanges? between\b|"
        r"\bdiff\w*|\bregress\w*|\b(?:old|new|newer|previous|earlier) (?:version|model|file|net\w*)\b|"
        r"\bversions\b"
    ),
    Intent.EVIDENCE: (
        r"\b(?:what|which \w+) (?:stands?|lies?|is|are) (?:behind|backing)\b|\bevidence\b|"
        r"\bback(?:s|ed|ing)?(?: up)?\b.{0,40}\b(?:numbers?|figures?|estimates?|claims?)\b|"
        r"\bhow (?:sure|certain|confident|trustworthy|solid|reliable) (?:is|are)\b|"
        r"\bhow (?:sure|certain|confident)\b|\b(?:can|could|should|do) (?:i|we|you) (?:really )?trust\b|"
        r"\bmeasured\b.{0,40}\b(?:guess\w*|estimat\w+|comput\w+|predict\w+)|"
        r"\bwhere (?:does|do|did) (?:th\w+|your) (?:\w+ )?(?:numbers?|figures?|estimates?)\b|"
        r"\bhow do you know\b|\b(?:is|are) (?:this|that|it|these|those) (?:really )?(?:measured|estimated|"
        r"guess\w*|a guess|a measurement)\b|\bhave you (?:ever |really )?measured\b|"
        r"\b(?:which|what|any|published) measurements?\b|\bstands? behind\b"
    ),
    Intent.VALIDATE: (
        r"\bhow (?:good|accurate|precise|reliable|exact|close|far off|trustworthy|well)\b.{0,60}"
        r"\b(?:estimates?|predictions?|predict|estimator|forecasts?)\b|"
        r"\b(?:errors?|accuracy|precision|quality) of (?:your|the) (?:\w+ ){0,3}"
        r"(?:estimates?|predictions?|figures)\b|"
        r"\byour (?:\w+ )?(?:errors?|accuracy|track record|validation)\b|\bvalidat(?:e|ed|ion)\b|"
        r"\bmedian error\b|\bhow (?:far|much) (?:are|do) (?:you|your estimates) (?:off|err|wrong)\b|"
        r"\bhow wrong\b"
    ),
    Intent.HARDWARE: (
        r"\b(?:what|which|max\w*|highest|top|core) (?:frequency|clock)\b|\b(?:clock|frequency) of\b|"
        r"\bhow (?:much|many|big|large|fast)\b.{0,60}\b(?:have|has|got|offer|come with|there (?:on|in))\b|"
        r"\bdata ?sheet\b|\bspecs?\b|"
        r"\b(?:memory (?:map|regions?|bandwidth)|regions?|caches?|clock speed|max(?:imum)? clock|"
        r"(?:peak )?(?:tops|tflops|gflops|gops)\b)|\bridge (?:point|line)\b|\bwhat do you know about\b|"
        r"\btell me about\b|\bfpu\b|"
        r"\b(?:does|has|have)\b.{0,40}\b(?:an? )?(?:npu|dsp|simd|helium|mve|neon|cache)\b|"
        r"\b(?:price[sd]?|pricing)\b|"
        r"\bhow much\b.{0,60}\bcosts?\b|\bhow much (?:is|are) (?:an?|the|one)\b|\bcosts? in\b|\bper reel\b|"
        r"\b(?:has|have|got|comes? with)\b.{0,30}\b(?:s?ram|flash|memory|clock|cores?)\b|"
        r"\bin one piece\b|\bmacs? per cycle\b|\bbandwidth\b|\bdual[- ]core\b|\bdtcm\b|"
        r"\bpeak\b(?! (?:ram|memory|sram|of the arena))|\bsleep current\b|"
        r"\bruntimes?\b.{0,20}\b(?:works?|runs?|exists?|are there|for|on)\b|\bhow many cores\b"
    ),
    Intent.MODEL: (
        r"\bhow many (?:\w+ )?(?:macs?|m-?adds?|param\w*|weights|layers|ops|operators|nodes|flops?|tensors|"
        r"inputs|outputs)\b|\b(?:param\w*|macs?|flops?|layers?|op|operator)[- ]count\b|"
        r"\bnumber of (?:param\w*|macs?|layers|ops|operators|weights|flops?)|"
        r"\b(?:what(?:'s| is)|which \w+ (?:is|are)) (?:in|inside) (?:this|the|my|that|it)\b|"
        r"\b(?:input|output)s? (?:shape|size|type|dtype|tensor|dim)|"
        r"\b(?:what|which) (?:data ?type|dtype|precision|quanti[sz]ation|shape|input|architecture|"
        r"(?:operators|ops|layers) (?:does|do|are in|has|is in))\b|\bfile size\b|\b[gm]?(?:macs?|"
        r"flops?|param\w*) (?:of|in|for)\b|\bsha-?256\b|\bhash\b|"
        r"\bwhat (?:input|output)s?\b|"
        r"\b(?:is|are) (?:it|this|that|the|my)\b.{0,30}\b(?:already )?(?:quanti[sz]ed|int8|float(?:32|16)?|"
        r"8[- ]bit)\b|\bsummar\w+|\bdescribe\b|\binspect\b|"
        r"\bhow (?:big|large|heavy) is (?:the|this|that|my|it)\b|\bmodel size\b|"
        r"\bmillions? of (?:macs|operations)\b"
    ),
    Intent.RUNTIME: (
        r"\b(?:what (?:can|do) you (?:say|know|tell(?: me)?) (?:about|of)|tell me|describe|explain|facts)\b|"
        r"\b(?:ops|operators|layers|types?|dtypes?)\b.{0,40}\b(?:implement|offer|cover|provide|handle)\w*|"
        r"\b(?:which|what) (?:ops|operators|layers|types?|dtypes?)\b.{0,40}\b(?:support|run|know|"
        r"accelerat)\w*|\bwhat is (?:tflm|cmsis|x-?cube|tensorrt|xnnpack|litert)"
    ),
    Intent.LIST_TARGETS: (
        rf"\b(?:which|what|list|show|all)\b.{{0,30}}\b{_BOARD}\b.{{0,20}}\b(?:do you (?:know|support|have)|"
        rf"are (?:there|known|supported|available)|can you|known)\b|"
        rf"^(?:please )?(?:list|show)(?: me)?(?: all| the| your| known| supported)* {_BOARD}\b"
    ),
    Intent.LIST_RUNTIMES: (
        r"\b(?:which|what|list|show)\b.{0,30}\b(?:runtimes?|kernel librar\w+|inference engines?)\b"
    ),
    Intent.ACCURACY: (
        r"\baccura(?:cy|te)\b|\btop-?[15]\b|\bm?ap\b(?=\?| drop)|\bprecision (?:loss|drop)\b|"
        r"\bprecision do i lose\b"
    ),
    Intent.HELP: (
        r"^(?:hi|hello|hey|help|what can you do|how does this work|who are you|"
        r"what are you)\b[^?]{0,20}[?!.]*$|\bwhat can you (?:do|answer|help)|\bwhich (?:models|"
        r"architectures|networks) do you know"
    ),
}
