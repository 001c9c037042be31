/** The looks of the reference page: system fonts, two themes, one column on a phone, and paper. */
export const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--wash:#f6f7f7;--ink:#1b2224;--soft:#5a6669;
--line:#dfe4e4;--accent:#0f766e;--tint:#e6f2f0;--code:#f4f6f6;--name:#0b5e58;--warn:#8a4b08;
--post:#1d4ed8;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
@media(prefers-color-scheme:dark){:root{--paper:#14191a;--wash:#101415;--ink:#e4e9e9;--soft:#9fabad;
--line:#2b3335;--accent:#5fc9bc;--tint:#16302d;--code:#1b2123;--name:#7fd6cb;--warn:#e5b072;
--post:#93b4ff}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:76px;-webkit-text-size-adjust:100%}
@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,-apple-system,
"Segoe UI",Roboto,"Noto Sans","PingFang SC","Noto Sans CJK SC","Microsoft YaHei",sans-serif;
overflow-wrap:break-word}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:3px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
main:focus{outline:none}
[hidden]{display:none!important}
.skip{position:absolute;left:-999px;top:8px;z-index:3;background:var(--paper);padding:8px 14px}
.skip:focus{left:8px}
header{position:sticky;top:0;z-index:2;display:flex;align-items:center;gap:16px;min-height:56px;
padding:8px max(24px,calc(50vw - 576px));background:var(--paper);
border-bottom:1px solid var(--line)}
.brand{font-weight:700;font-size:18px;letter-spacing:-.01em;color:var(--ink);text-decoration:none}
.version{color:var(--soft);font-size:14px;margin-right:auto;white-space:nowrap}
.filter span{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
.filter input{font:inherit;font-size:15px;width:290px;max-width:100%;padding:6px 12px;color:inherit;
border:1px solid var(--line);border-radius:8px;background:var(--wash)}
.layout{display:grid;grid-template-columns:272px minmax(0,1fr);max-width:1200px;margin:0 auto}
.side{position:sticky;top:56px;align-self:start;max-height:calc(100vh - 56px);overflow:auto;
padding:20px 8px 40px 24px;font-size:14.5px;border-right:1px solid var(--line)}
nav p{margin:18px 0 4px;font-weight:600;font-size:13px;color:var(--soft)}
nav p:first-child{margin-top:0}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:block;padding:4px 10px;margin-left:-10px;border-radius:6px;color:var(--ink);
text-decoration:none}
nav a:hover{background:var(--tint)}
.menu{display:none}
main{min-width:0;padding:8px 40px 120px 48px;max-width:900px}
h1{font-size:36px;line-height:1.2;letter-spacing:-.02em;margin:32px 0 8px}
h2{font-size:26px;line-height:1.3;letter-spacing:-.01em;margin:72px 0 12px}
h3{font-size:20px;line-height:1.35;margin:0 0 8px}
h4{font-size:15px;margin:24px 0 4px;color:var(--soft);font-weight:600}
.anchor{margin-left:8px;text-decoration:none;font-weight:400;opacity:0}
:is(h2,h3):hover .anchor,.anchor:focus{opacity:1}
p{margin:10px 0}.lead{font-size:18px;color:var(--soft)}.quiet{color:var(--soft)}
.addresses{display:grid;gap:4px;margin:24px 0 0;padding:16px 20px;border-radius:12px;
background:var(--wash);border:1px solid var(--line)}
.addresses div{display:flex;gap:16px}.addresses dt{width:72px;flex:none;color:var(--soft)}
.addresses dd{margin:0;min-width:0;overflow-wrap:anywhere}
.addresses code{background:none;padding:0}
code{font:.875em/1.5 var(--mono);background:var(--code);border-radius:5px;padding:.12em .35em;
overflow-wrap:anywhere}
a code{color:inherit}:is(a,dd,td) code{background:none;padding:0}
.code{margin:16px 0;border:1px solid var(--line);border-radius:10px;overflow:hidden;
background:var(--code)}
.code figcaption{display:flex;align-items:center;justify-content:space-between;min-height:38px;
padding:4px 8px 4px 14px;font-size:13.5px;color:var(--soft);border-bottom:1px solid var(--line);
background:var(--wash)}
.code button{font:inherit;color:var(--accent);background:none;border:0;border-radius:6px;
padding:4px 10px;cursor:pointer}
.code button:hover{background:var(--tint)}
pre{margin:0;padding:14px;overflow:auto;max-height:420px}
pre:focus-visible{outline-offset:-2px}
pre code{display:block;width:max-content;min-width:100%;padding:0;background:none;font-size:13.5px;
line-height:1.6;overflow-wrap:normal}
pre b{font-weight:400;color:var(--name)}
.steps{padding-left:0;list-style:none;counter-reset:step}
.steps>li{position:relative;padding-left:44px;margin:22px 0;counter-increment:step}
.steps>li::before{content:counter(step);position:absolute;left:0;top:0;width:28px;height:28px;
border-radius:50%;background:var(--tint);color:var(--accent);font-weight:600;font-size:14px;
display:grid;place-items:center}
.steps>li>p:first-child{margin-top:0}
.operation{margin-top:56px;padding-top:28px;border-top:1px solid var(--line)}
.error{margin-top:32px;padding-top:20px;border-top:1px solid var(--line)}
.error h3 code{background:none;padding:0;font-size:18px}
.status{color:var(--soft);font-weight:400;font-size:15px;margin-left:6px;white-space:nowrap}
.route{font-size:16px;margin:4px 0 10px}.route code{background:none;padding:0}
.method{font:600 12.5px/1 var(--mono);padding:4px 7px;border-radius:5px;background:var(--tint);
color:var(--accent);margin-right:4px}
.method.post{color:var(--post);background:color-mix(in srgb,var(--post) 12%,transparent)}
.facts{display:flex;flex-wrap:wrap;gap:6px;margin:10px 0 14px}
.badge{font-size:13.5px;line-height:1.5;padding:1px 10px;border-radius:99px;color:var(--soft);
border:1px solid var(--line)}
.badge code{background:none;padding:0}
.badge.open{color:var(--accent)}.badge.key,.badge.later{color:var(--warn)}
.fields{margin:4px 0 20px}
.fields div{display:grid;grid-template-columns:minmax(190px,5fr) 8fr;gap:2px 24px;padding:8px 0;
border-top:1px solid var(--line)}
.fields div:first-child{border-top:0}
.fields dt{min-width:0}.fields dd{margin:0;color:var(--soft);font-size:15px;min-width:0}
.fields dt code{background:none;padding:0;font-weight:600}
.type{color:var(--soft);font-size:14px}.required{color:var(--warn);font-size:14px}
details{margin:14px 0}
summary{cursor:pointer;color:var(--accent);padding:4px 0;width:fit-content}
.errors{list-style:none;display:flex;flex-wrap:wrap;gap:6px;padding:0;margin:6px 0}
.errors a{display:block;font:13.5px/1.5 var(--mono);text-decoration:none;color:var(--ink);
border:1px solid var(--line);border-radius:7px;padding:2px 9px}
.errors a:hover{border-color:var(--accent)}.errors span{color:var(--soft)}
.scroll{overflow-x:auto;margin:16px 0;border:1px solid var(--line);border-radius:10px}
table{border-collapse:collapse;width:100%;font-size:15px}
th,td{text-align:left;vertical-align:top;padding:8px 14px;border-top:1px solid var(--line)}
th{color:var(--soft);font-weight:600;font-size:14px;border-top:0;background:var(--wash)}
td code{overflow-wrap:normal;white-space:nowrap}
main.filtered :is(.intro,.chapter:not(:has([data-find]))){display:none}
@media(max-width:860px){
html{scroll-padding-top:16px}
header{position:static;flex-wrap:wrap;gap:4px 12px;padding:8px 16px}
.filter{order:3;width:100%}.filter input{width:100%}
.layout{display:block}.side{display:none}
.menu{display:block;margin:0;padding:10px 16px;border-bottom:1px solid var(--line);
background:var(--wash)}
.menu nav{padding:12px 0 8px;columns:2;column-gap:24px}
.menu nav ul{break-inside:avoid-column}.menu nav p{break-after:avoid}
.menu a{padding:7px 10px}
main{padding:0 16px 80px}
h1{font-size:30px;margin-top:24px}h2{font-size:23px;margin-top:56px}.lead{font-size:17px}
.steps>li{padding-left:0}.steps>li>p:first-child{padding-left:40px;min-height:28px}
.fields div{grid-template-columns:1fr}
pre code{font-size:13px}
th,td{padding:8px 12px}}
@media(max-width:480px){.menu nav{columns:1}.addresses div{display:block}}
@media print{header,.side,.menu,.skip,.anchor,.code button{display:none!important}
.layout{display:block}main{padding:0;max-width:none}
body{font-size:11pt}pre{max-height:none;overflow:visible}
pre code{width:auto;white-space:pre-wrap;overflow-wrap:anywhere}
.code,.fields div,tr{break-inside:avoid}h2,h3,h4{break-after:avoid}
a{color:inherit}}
`
