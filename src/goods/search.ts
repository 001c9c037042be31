/**
 * One search. Where the words name a kind of goods, all goods of the kind are looked at and the
 * wishes chosen from them; where they name none, goods are found whose texts have every word.
 */
import { planOf, type Plan } from '../language/fit.ts'
import { boundsOf } from '../language/bounds.ts'
import { sayFor, type Say } from '../language/say.ts'
import type { Understanding } from '../language/understanding.ts'
import type { RedisClient } from '../redis/connect.ts'
import { shelf as keys } from '../redis/keys.ts'
import { askIndex, orderOf, readIds } from './ask.ts'
import { searchBoth } from './both.ts'
import type { Candidate, KindList } from './candidates.ts'
import { choose, type Choice, type Relaxed, type Result } from './choose.ts'
import { kindToken, NO_KIND } from './kinds.ts'
import { allOf, withFilter, type GoodsFilter } from './query.ts'
import { indexTokens, type QueryWord } from './tokenize.ts'

export type { Relaxed, Result } from './choose.ts'

export interface Request extends Choice {
  readonly understood: Understanding
  readonly words: readonly QueryWord[]
}

/** Lists that a node may keep. `text` is in the query language. */
export type ReadList = (text: string, kind: string | undefined) => Promise<KindList>

export async function searchShelf(
  shelf: RedisClient, readList: ReadList, request: Request,
): Promise<Result> {
  const { understood } = request
  if (understood.sentence.trim() === '') return { total: 0, productIds: [] }
  const say = sayFor(understood)
  const plan = planOf(understood)
  const budgeted = withBudget(request)
  if (plan.kinds.size === 0) return told(await searchTexts(shelf, budgeted, say), request, plan, say)
  const items = await candidatesOf(plan, understood, readList)
  return told(choose(plan, items, budgeted, say), request, plan, say)
}

/** A price that the words name counts like the parameters, which win. */
function withBudget(request: Request): Request {
  const said = boundsOf(request.understood)
  // A price that was given as a parameter stands for what the words say of it.
  if (request.min !== undefined || request.max !== undefined) return request
  return {
    ...request, ...(said.min > 0 && { min: said.min }),
    ...(Number.isFinite(said.max) && { max: said.max }),
  }
}

async function candidatesOf(
  plan: Plan, { keywords }: Understanding, readList: ReadList,
): Promise<readonly Candidate[]> {
  const names = new Set(keywords.filter(({ role }) => role === 'kind').map(({ folded }) => folded))
  const lists = await Promise.all([
    ...[...plan.kinds.keys()].map((kind) => readList(`@title:(${kindToken(kind)})`, kind)),
    // Goods whose kind nobody knows are found by what their titles say.
    ...[...names].map((name) => readList(
      `@title:(${[kindToken(NO_KIND), ...indexTokens([name], { ends: false })].join(' ')})`,
      undefined)),
  ])
  return lists.flatMap(({ items }) => items)
}

async function searchTexts(shelf: RedisClient, request: Request, say: Say): Promise<Result> {
  const { words, offset, count, sort, understood } = request
  const texts = words.map(({ kinds: _kinds, alike: _alike, within: _within, ...word }) => word)
  if (texts.length === 0) return nothing(say)
  const [index = '', ...others] = indexesFor(request)
  // A noun that nobody knows is no goods whose descriptions mention it: 咖啡机 of a descaler.
  const isNoun = understood.keywords.some(({ role, folded }) =>
    role === 'word' && /\p{Script=Han}$/u.test(folded))
  const query = withFilter([
    ...isNoun ? [`@title:(${kindToken(NO_KIND)})`] : [], allOf(texts)].join(' '), request)
  const found = others.length > 0 ? await searchBoth(shelf, request, query)
    : readIds(await askIndex(shelf, index, query,
      [...orderOf(sort), 'NOCONTENT', 'LIMIT', offset, count]))
  return found.total > 0 ? found : nothing(say)
}

const nothing = (say: Say): Result => ({
  total: 0, productIds: [],
  relaxed: {
    kind: 'none_here', dropped: [],
    note: say('这里没有这样的商品；请换一个名称或去掉一些条件。',
      'No such goods here; name them otherwise, or give up a condition.'),
  },
})

/** With what was read otherwise than it was written, and brands that nobody sells here. */
function told(result: Result, { understood }: Request, plan: Plan, say: Say): Result {
  const { corrections } = understood
  const notes = [
    ...corrections.length > 0 ? [say(
      `按“${corrections.map(({ to }) => to).join('、')}”查找。`,
      `Read as ${corrections.map(({ to }) => `"${to}"`).join(', ')}.`)] : [],
    ...understood.isOpen ? [say('没有说是什么商品；这些可能合用。',
      'No goods were named; these may suit.')] : [],
    ...plan.missingBrands.length > 0 ? [brandNote(plan, result.total > 0, say)] : [],
    ...result.relaxed ? [result.relaxed.note] : [],
  ]
  if (notes.length === 0) return result
  const kind: Relaxed['kind'] = result.relaxed?.kind
    ?? (plan.missingBrands.length > 0 || understood.isOpen ? 'most_words' : 'typo')
  return { ...result, relaxed: {
    kind, note: notes.join(' '),
    dropped: [...plan.missingBrands, ...result.relaxed?.dropped ?? []].slice(0, 12),
  } }
}

const brandNote = ({ missingBrands }: Plan, isOthers: boolean, say: Say): string => {
  const names = missingBrands.join('、')
  return isOthers ? say(`这里没有${names}的商品；以下是其他品牌。`,
    `Nothing of ${names} is sold here; these are other brands.`)
    : say(`这里没有${names}的商品。`, `Nothing of ${names} is sold here.`)
}

/** Own goods and offers have an index each; without a supply both are asked. */
const indexesFor = ({ supply }: GoodsFilter): string[] => {
  if (supply === undefined) return [keys.ownAlias, keys.offersAlias]
  return [supply === 'own' ? keys.ownAlias : keys.offersAlias]
}
