"""The style sheet: light and dark, screen and paper; it loads nothing."""

from __future__ import annotations

STYLE = """
:root{color-scheme:light dark;--page:#fff;--ink:#1c2430;--quiet:#5b6675;--line:#d9dee5;--soft:#f4f6f9;
--compute:#0072b2;--memory:#e69f00;--overhead:#8a94a3;--unknown:#b0b0b0;--pass:#0a7d3f;--marginal:#9a6700;
--fail:#b3261e;--roof:#1c2430}
@media (prefers-color-scheme:dark){:root{--page:#12161c;--ink:#e6eaf0;--quiet:#9aa5b4;--line:#303844;
--soft:#1b212a;--compute:#56b4e9;--memory:#f0b93a;--overhead:#8994a5;--unknown:#6b7480;--pass:#4cc98a;
--marginal:#e3b341;--fail:#ff7b72;--roof:#e6eaf0}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:64rem;padding:1.5rem 1.25rem 3rem;background:var(--page);color:var(--ink);
font:15px/1.5 system-ui,"Segoe UI",Roboto,sans-serif}
h1{font-size:1.6rem;margin:0;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:2.2rem 0 .6rem;
padding-top:.6rem;border-top:1px solid var(--line)}
p{margin:.5rem 0}.place,.caption,footer{color:var(--quiet)}.caption,footer{font-size:.85rem}
header .top{display:flex;gap:.8rem;align-items:center;flex-wrap:wrap}
.verdict{font-weight:700;color:var(--page);border-radius:.35rem;padding:.1rem .6rem;background:var(--quiet)}
.verdict.PASS{background:var(--pass)}.verdict.MARGINAL{background:var(--marginal)}
.verdict.FAIL{background:var(--fail)}
td.PASS{color:var(--pass)}td.MARGINAL{color:var(--marginal)}td.FAIL{color:var(--fail)}
td.PASS,td.MARGINAL,td.FAIL,td.UNKNOWN{font-weight:700}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.7rem;margin:1rem 0}
.figure{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.6rem .8rem}
.figure b{display:block;font-size:1.3rem;font-variant-numeric:tabular-nums}.figure span{display:block;
color:var(--quiet);font-size:.82rem}
.scroll{overflow-x:auto;margin:.6rem 0}
table{border-collapse:collapse;font-size:.86rem;min-width:50%}
th,td{text-align:left;vertical-align:top;padding:.28rem .9rem .28rem 0;border-bottom:1px solid var(--line);
overflow-wrap:break-word;max-width:26rem}
th{color:var(--quiet);font-weight:600}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;
overflow-wrap:normal;white-space:nowrap}
ul{margin:.4rem 0;padding-left:1.2rem}li{overflow-wrap:anywhere}
pre{background:var(--soft);border:1px solid var(--line);border-radius:.4rem;padding:.6rem;overflow-x:auto;
font-size:.82rem;white-space:pre-wrap;overflow-wrap:anywhere}
details{margin:.6rem 0}summary{cursor:pointer;color:var(--quiet)}
figure{margin:.8rem 0}svg{width:100%;height:auto;display:block}
svg text{fill:var(--ink);font:12px system-ui,"Segoe UI",Roboto,sans-serif}
.grid{stroke:var(--line);fill:none}.roof{stroke:var(--roof);stroke-width:2;fill:none}
.ridge{stroke:var(--quiet);stroke-dasharray:4 4;fill:none}.lead{stroke:var(--quiet);fill:none}
svg text.name{paint-order:stroke;stroke:var(--page);stroke-width:3px}
svg text.roof-name{fill:var(--quiet)}
.dot{fill-opacity:.75;stroke:var(--page)}.compute{fill:var(--compute)}.memory{fill:var(--memory)}
.overhead{fill:var(--overhead)}.unknown{fill:var(--unknown)}
.model{fill:var(--fail);stroke:var(--page)}.whisker{stroke:var(--fail);stroke-width:2}
.free{fill:var(--soft);stroke:var(--line)}.used{fill:var(--compute)}.over{fill:var(--fail)}
.timeline svg rect[fill="#fff"]{fill:transparent}.timeline svg path[stroke="#ddd"]{stroke:var(--line)}
@media (prefers-color-scheme:dark){.timeline svg g rect{fill-opacity:1}}
.timeline svg>text{font-size:15px}.timeline svg g text{fill:#10151c}
.timeline svg rect[stroke="#fff"]{stroke:var(--page)}
@media print{:root{color-scheme:light;--page:#fff;--ink:#000;--quiet:#444;--line:#ccc;--soft:#f6f6f6;
--compute:#0072b2;--memory:#e69f00;--overhead:#8a94a3;--roof:#000;--pass:#0a7d3f;--marginal:#9a6700;
--fail:#b3261e}
body{max-width:none;padding:0;font-size:10pt}.scroll{overflow:visible}h2{break-after:avoid}
figure,.figure,tr{break-inside:avoid}details::details-content{content-visibility:visible;height:auto}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
@page{margin:14mm}
""".replace("\n", "")
