#include "controller/app/status_style.h"

namespace sconverge {

std::string_view status_style() {
  return R"css(
:root{color-scheme:light dark;--ground:#f7f7f5;--card:#fff;--ink:#22262b;--soft:#667079;
--line:#e3e4e0;--link:#2a5f8f;--good:#3f8a5b;--run:#2f7fa8;--wait:#b58a1f;--bad:#b8453c;--off:#9aa1a8}
@media(prefers-color-scheme:dark){:root{--ground:#16191c;--card:#1e2226;--ink:#dde1e4;--soft:#98a2aa;
--line:#2e343a;--link:#86b8e0;--good:#69b587;--run:#6ab3d9;--wait:#d6b25a;--bad:#e08078;--off:#737c84}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main,header,footer{max-width:76rem;margin:0 auto;padding:0 1.25rem}
header{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 1rem;padding-top:1.5rem}
h1{font-size:1.35rem;font-weight:600;margin:0}
h2{font-size:1rem;font-weight:600;margin:2rem 0 .6rem}
a{color:var(--link);text-decoration:none}
a:hover{text-decoration:underline}
code{font:.88em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--ground);
border:1px solid var(--line);border-radius:4px;padding:.05em .35em;overflow-wrap:anywhere}
.soft,dt{color:var(--soft)}
.wide{margin-bottom:2rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px}
.cards{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr))}
.cards .card{padding:.9rem 1.1rem}
h3{font-size:1rem;font-weight:600;margin:0 0 .5rem;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:6.5rem 1fr;gap:.15rem .75rem;margin:0}
dd{margin:0;overflow-wrap:anywhere}
.dot{display:inline-block;width:.6rem;height:.6rem;border-radius:50%;margin-right:.5rem;
background:var(--off)}
.good .dot,.dot.good{background:var(--good)}.run .dot,.dot.run{background:var(--run)}
.wait .dot,.dot.wait{background:var(--wait)}.bad .dot,.dot.bad{background:var(--bad)}
ul.notes{list-style:none;margin:0;padding:0}
ul.notes li{padding:.6rem 1.1rem;border-left:3px solid var(--wait);overflow-wrap:anywhere}
ul.notes li+li{border-top:1px solid var(--line)}
ul.notes.files li{border-left-color:var(--bad);font-size:.93em}
svg{display:block;width:100%;height:.6rem;border-radius:4px;margin:0 0 .8rem}
rect.good{fill:var(--good)}rect.run{fill:var(--run)}rect.wait{fill:var(--wait)}
rect.bad{fill:var(--bad)}rect.off{fill:var(--off)}
nav{display:flex;flex-wrap:wrap;gap:.4rem}
nav+nav{margin-top:.5rem}
nav+.wide{margin-top:1.2rem}
nav a{background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:.1rem .75rem;
color:var(--ink)}
nav a.on{border-color:var(--link);box-shadow:inset 0 0 0 1px var(--link)}
nav b{font-weight:600;margin-left:.35rem}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%}
caption{text-align:left;padding:.6rem 1.1rem;color:var(--soft)}
th{text-align:left;font-weight:500;color:var(--soft);font-size:.87em}
th,td{padding:.45rem .6rem;border-top:1px solid var(--line);vertical-align:top}
th:first-child,td:first-child{padding-left:1.1rem}
th:last-child,td:last-child{padding-right:1.1rem}
td.name{overflow-wrap:anywhere;min-width:9rem}
td.phase,td.job,td.since{white-space:nowrap}
td.message{min-width:16rem;overflow-wrap:anywhere}
td.job,td.since{font-variant-numeric:tabular-nums}
footer{padding-top:1.5rem;padding-bottom:2.5rem;color:var(--soft)}
@media(max-width:42rem){
main,header,footer{padding-left:.8rem;padding-right:.8rem}
dl{grid-template-columns:5.5rem 1fr}
table,tbody,caption{display:block}thead{display:none}
tr{display:flex;flex-wrap:wrap;gap:.1rem .75rem;padding:.6rem .9rem;border-top:1px solid var(--line)}
td,td:first-child,td:last-child{border:0;padding:0;min-width:0}
td.name,td.message{flex:1 0 100%}
td.name{font-weight:600}
td.cluster{order:2;color:var(--soft)}
td.message{order:1}
td.job{order:2}td.since{order:3;margin-left:auto}
td.job:not(:empty):before{content:"job "}
td.reason,td.job,td.since{color:var(--soft)}
}
)css";
}

}  // namespace sconverge
