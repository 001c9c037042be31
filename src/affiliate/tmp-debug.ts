import { understand, searchText } from './understand.ts'
import { askedOf } from './score/relevance.ts'
import { createWorld } from './judged/items.ts'
import { rank } from './result.ts'
const w = createWorld(6000)
for (const s of process.argv.slice(2)) {
  const u = understand(s)
  console.log(s, JSON.stringify({ k: u.keywords.map(x=>x.folded+'/'+x.role), must: u.must.map(x=>x.anyOf), not: u.must_not.map(x=>x.anyOf) }), askedOf(u))
  const max=u.budget?.max
  const items = w.search(searchText(u)||s, max==null?undefined:max*1.3)
  const r = rank(u, items, { pageSize: 6, buy: () => ({tool:null,arguments:{},purchase_url:null}) })
  console.log(items.length, r.relaxed, r.clarify)
  for (const i of r.items) console.log(i.score, i.score_parts.map(p=>p.name+p.points).join(' '), i.title, i.final_price, i.reasons.join(' '))
}
