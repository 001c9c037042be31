/** Style and scripts of the pages for developers; without scripts everything is there as well. */
import { PALETTE } from '../../site/page.ts'

/** Two themes, one column on a phone, and paper. */
export const STYLE = `${PALETTE}
html{scroll-padding-top:76px}
body{background:var(--card)}
a:hover{text-decoration-thickness:2px}
main:focus{outline:none}
.skip{position:absolute;left:-999px;top:8px;z-index:3;background:var(--card);padding:8px 14px}
.skip:focus{left:8px}
.site{position:sticky;top:0;z-index:2;display:flex;align-items:center;gap:6px 20px;min-height:56px;
padding:8px max(24px,calc(50vw - 576px));background:var(--card);border-bottom:1px solid var(--line)}
.places{display:flex;gap:4px;margin-right:auto}
.site :is(.places a,.switch){padding:5px 10px;border-radius:7px;color:var(--soft);font-size:15px;
text-decoration:none;white-space:nowrap}
.site :is(.places a,.switch):hover{background:var(--sunken);color:var(--ink)}
.site .places [aria-current]{color:var(--accent);font-weight:600}
.filter span{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
.filter input{font:inherit;font-size:15px;width:280px;max-width:100%;padding:6px 12px;color:inherit;
border:1px solid var(--control);border-radius:8px;background:var(--sunken)}
.layout{display:grid;grid-template-columns:272px minmax(0,1fr);max-width:1200px;margin:0 auto}
.side{position:sticky;top:56px;align-self:start;max-height:calc(100vh - 56px);overflow:auto;
padding:20px 8px 40px 24px;font-size:14.5px;border-right:1px solid var(--line)}
.contents p{margin:18px 0 4px;font-weight:600;font-size:13px;color:var(--soft)}
.contents p:first-child{margin-top:0}
.contents ul{list-style:none;margin:0;padding:0}
.contents a{display:block;padding:4px 10px;margin-left:-10px;border-radius:6px;color:var(--ink);
text-decoration:none}
.contents a:hover{background:var(--tint)}
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
background:var(--sunken);border:1px solid var(--line)}
.addresses div{display:flex;gap:16px}.addresses dt{width:92px;flex:none;color:var(--soft)}
.addresses dd{margin:0;min-width:0;overflow-wrap:anywhere}
.addresses code{background:none;padding:0}
code{font:.875em/1.5 var(--mono);background:var(--sunken);border-radius:5px;padding:.12em .35em;
overflow-wrap:anywhere}
a code{color:inherit}:is(a,dd,td) code{background:none;padding:0}
.code{margin:16px 0;border:1px solid var(--line);border-radius:10px;overflow:hidden;
background:var(--sunken)}
.code figcaption{display:flex;align-items:center;justify-content:space-between;min-height:38px;
padding:4px 8px 4px 14px;font-size:13.5px;color:var(--soft);border-bottom:1px solid var(--line);
background:var(--sunken)}
.code button{font:inherit;color:var(--accent);background:none;border:0;border-radius:6px;
padding:4px 10px;cursor:pointer}
.code button:hover{background:var(--tint)}
pre{margin:0;padding:14px;overflow:auto;max-height:420px}
pre:focus-visible{outline-offset:-2px}
pre code{display:block;width:max-content;min-width:100%;padding:0;background:none;font-size:13.5px;
line-height:1.6;overflow-wrap:normal}
pre b{font-weight:400;color:var(--accent-strong)}
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
.method.post{color:var(--line-2);background:color-mix(in srgb,var(--line-2) 12%,transparent)}
.facts{display:flex;flex-wrap:wrap;gap:6px;margin:10px 0 14px}
.badge{font-size:13.5px;line-height:1.5;padding:1px 10px;border-radius:99px;color:var(--soft);
border:1px solid var(--line)}
.badge code{background:none;padding:0}
.badge.open{color:var(--accent)}.badge.key{color:var(--busy)}
.fields{margin:4px 0 20px}
.fields div{display:grid;grid-template-columns:minmax(190px,5fr) 8fr;gap:2px 24px;padding:8px 0;
border-top:1px solid var(--line)}
.fields div:first-child{border-top:0}
.fields dt{min-width:0}.fields dd{margin:0;color:var(--soft);font-size:15px;min-width:0}
.fields dt code{background:none;padding:0;font-weight:600}
.type{color:var(--soft);font-size:14px}.required{color:var(--busy);font-size:14px}
details{margin:14px 0}
summary{cursor:pointer;color:var(--accent);padding:4px 0;width:fit-content}
.errors{list-style:none;display:flex;flex-wrap:wrap;gap:6px;padding:0;margin:6px 0}
.errors a{display:block;font:13.5px/1.5 var(--mono);text-decoration:none;color:var(--ink);
border:1px solid var(--line);border-radius:7px;padding:2px 9px}
.errors a:hover{border-color:var(--accent)}.errors span{color:var(--soft)}
.scroll{overflow-x:auto;margin:16px 0;border:1px solid var(--line);border-radius:10px}
table{border-collapse:collapse;width:100%;font-size:15px}
th,td{text-align:left;vertical-align:top;padding:8px 14px;border-top:1px solid var(--line)}
th{color:var(--soft);font-weight:600;font-size:14px;border-top:0;background:var(--sunken)}
td code{overflow-wrap:normal;white-space:nowrap}
main.filtered :is(.intro,.group>.lead){display:none}
main.filtered{min-height:100vh}main.filtered h2{margin-top:32px}
.choices{display:none;gap:2px;margin-left:auto}.choosing .choices{display:flex}
.code .choices [aria-pressed=true]{background:var(--tint);font-weight:600}
.choosing .choices+.copy{margin-left:8px}
.samples pre+pre{border-top:1px solid var(--line)}.choosing .samples pre+pre{border-top:0}
@media(scripting:enabled){body:not(.choosing) [data-sample]:not([data-sample=curl]){display:none}}
main.plain{max-width:820px;margin:0 auto;padding:24px 24px 96px}
.plain h2{font-size:21px;margin-top:44px}
.cards{list-style:none;padding:0;margin:28px 0;display:grid;gap:14px;
grid-template-columns:repeat(auto-fit,minmax(220px,1fr))}
.cards li{position:relative;padding:18px 20px;border:1px solid var(--line);border-radius:12px;
background:var(--sunken)}
.cards li:hover{border-color:var(--accent)}
.cards a{font-weight:600;font-size:18px;text-decoration:none}
.cards a::after{content:"";position:absolute;inset:0;border-radius:12px}
.cards p{margin:6px 0 0;color:var(--soft);font-size:15px}
.files{display:flex;flex-wrap:wrap;gap:4px 20px}
@media(max-width:860px){
html{scroll-padding-top:16px}
.site{position:static;flex-wrap:wrap;padding:8px 16px}
.site .switch{margin-right:-10px}
.places{order:2;width:100%;margin:0 0 0 -10px}.switch{margin-left:auto}
.filter{order:3;width:100%}.filter input{width:100%}
.layout{display:block}.side{display:none}
.menu{display:block;margin:0;padding:10px 16px;border-bottom:1px solid var(--line);
background:var(--sunken)}
.menu nav{padding:12px 0 8px;columns:2;column-gap:24px}
.menu nav ul{break-inside:avoid-column}.menu .contents p{break-after:avoid}
.menu a{padding:7px 10px}
main,main.plain{padding:0 16px 80px}
h1{font-size:30px;margin-top:24px}h2{font-size:23px;margin-top:56px}.lead{font-size:17px}
.steps>li{padding-left:0}.steps>li>p:first-child{padding-left:40px;min-height:28px}
.fields div{grid-template-columns:1fr}
pre code{font-size:13px}
th,td{padding:8px 12px}}
@media(max-width:480px){.menu nav{columns:1}.addresses div{display:block}}
@media print{.site,.side,.menu,.skip,.anchor,.code button{display:none!important}
.layout{display:block}main{padding:0;max-width:none}
body{font-size:11pt}pre{max-height:none;overflow:visible}
pre code{width:auto;white-space:pre-wrap;overflow-wrap:anywhere}
.code,.fields div,tr{break-inside:avoid}h2,h3,h4{break-after:avoid}
a{color:inherit}}
`

/** A button at each block of code, in the page's language; it copies what is shown. */
const COPY = `
  const isChinese = document.documentElement.lang.startsWith('zh')
  const [copy, copied, selected] = isChinese ? ['复制', '已复制', '已选中']
    : ['Copy', 'Copied', 'Selected']
  for (const figure of document.querySelectorAll('figure.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = copy
    button.addEventListener('click', async () => {
      const code = [...figure.querySelectorAll('pre:not([hidden]) code')][0]
      try {
        await navigator.clipboard.writeText(code.textContent)
        button.textContent = copied
      } catch {
        getSelection().selectAllChildren(code)
        button.textContent = selected
      }
      setTimeout(() => { button.textContent = copy }, 1500)
    })
    figure.querySelector('figcaption').append(button)
  }`

export const COPY_SCRIPT = `{ ${COPY} }`

/** One choice for all samples, kept for the next visit. */
const SAMPLES = `
  const samples = [...document.querySelectorAll('[data-sample]')]
  const choices = [...document.querySelectorAll('[data-choose]')]
  const choose = (language) => {
    for (const one of samples) one.hidden = one.dataset.sample !== language
    for (const one of choices) {
      one.setAttribute('aria-pressed', String(one.dataset.choose === language))
    }
  }
  const NAME = 'agentmall.samples'
  let chosen = null
  try { chosen = localStorage.getItem(NAME) } catch {}
  choose(choices.some((one) => one.dataset.choose === chosen) ? chosen : 'curl')
  document.body.classList.add('choosing')
  for (const one of choices) {
    one.addEventListener('click', () => {
      // What was pressed stays where it is, although samples above it change their height.
      const before = one.getBoundingClientRect().top
      choose(one.dataset.choose)
      scrollBy({ top: one.getBoundingClientRect().top - before, behavior: 'instant' })
      try { localStorage.setItem(NAME, one.dataset.choose) } catch {}
    })
  }`

/** Names and titles first; where none fits, what the sections say. */
const SEARCH = `
  const label = document.querySelector('.filter')
  const input = label.querySelector('input')
  const main = document.querySelector('main')
  const found = [...main.querySelectorAll('[data-find]')]
  const links = [...document.querySelectorAll('.contents a')]
  const none = main.querySelector('.none span')
  const setHidden = (elements, isHidden) => {
    for (const one of elements) one.hidden = isHidden(one)
  }
  const targetOf = (link) => document.getElementById(link.hash.slice(1))
  const isGone = (target) => target?.closest('[hidden]') !== null
  const hits = () => found.filter((one) => !one.hidden)
  const show = () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean)
    const isSearch = words.length > 0
    const fits = (text) => words.every((word) => text.includes(word))
    const byName = found.filter((one) => fits(one.dataset.find))
    const byText = () => found.filter((one) => fits(one.textContent.toLowerCase()))
    const fitting = new Set(byName.length > 0 ? byName : byText())
    main.classList.toggle('filtered', isSearch)
    setHidden(found, (one) => !fitting.has(one))
    setHidden(main.querySelectorAll('.group'),
      (group) => group.querySelector('[data-find]:not([hidden])') === null)
    setHidden(links, (link) => isSearch && isGone(targetOf(link)))
    for (const list of document.querySelectorAll('.contents ul')) {
      list.hidden = list.querySelector('a:not([hidden])') === null
      list.previousElementSibling.hidden = list.hidden
    }
    none.hidden = fitting.size > 0
    if (isSearch) scrollTo({ top: 0, behavior: 'instant' })
  }
  const clear = () => { input.value = ''; show() }
  input.addEventListener('input', show)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') clear()
    // On to the first hit, whose heading the keyboard goes on from.
    if (event.key === 'Enter') hits()[0]?.querySelector('.anchor').focus()
  })
  label.hidden = false
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input')) return
    event.preventDefault()
    input.focus()
  })
  // A link into what the search hides must lead somewhere.
  addEventListener('hashchange', () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (target && isGone(target)) {
      clear()
      target.scrollIntoView()
    }
  })`

/** The reference page also has samples to choose, a search, and a menu that closes. */
export const SCRIPT = `
(() => {
  ${COPY}
  ${SAMPLES}
  const menu = document.querySelector('.menu')
  menu.addEventListener('click', (event) => { if (event.target.closest('a')) menu.open = false })
  ${SEARCH}
})()
`
