/**
 * One search. Where the words name a kind of goods, all goods of the kind are looked at and those
 * that fit chosen from them; where they name none, goods are found whose titles have every word,
 * and for a need that names no goods some of several kinds.
 */
import { bandOf, BANDS_MAX, boundsOf, widened } from '../language/bounds.ts'
import { type Plan, planOf, unsoldNotes } from '../language/fit.ts'
import type { SlotKind } from '../language/slot.ts'
import { fold } from '../language/fold.ts'
import { isBare } from '../language/read/phrasing.ts'
import { type Say, sayFor } from '../language/answer-language.ts'
import type { Understanding } from '../language/understanding.ts'
import type { RedisClient } from '../redis/connect.ts'
import { shelf as keys } from '../redis/keys.ts'
import { type Candidate, indexesFor, type KindList, type ListQuery } from './candidates.ts'
import {
  type Choice, choose, inPlace, inRange, rankerFor, type Relaxed, type Result,
} from './choose.ts'
import {
  allOf, askIndex, OF_NO_KIND, ofKind, ofNoKind, orderOf, productIdOfKey, type QueryWord,
  queryWords, readIds, withFilter,
} from './query.ts'
import { turns } from './turns.ts'

export type { Relaxed, Result } from './choose.ts'

export interface Request extends Choice {
  readonly understood: Understanding
}

/** What is looked for, and where: an understanding that comes again has it. */
interface Sought {
  readonly plan: Plan
  readonly kindQueries: readonly Omit<ListQuery, 'index'>[]
}

const known = new WeakMap<Understanding, Sought>()

function soughtBy(understood: Understanding): Sought {
  let sought = known.get(understood)
  if (!sought) {
    const plan = planOf(understood)
    sought = { plan, kindQueries: kindQueriesOf(understood, plan) }
    known.set(understood, sought)
  }
  return sought
}

function kindQueriesOf({ keywords }: Understanding, { kinds }: Plan): Sought['kindQueries'] {
  const names = new Set(keywords.filter(({ role }) => role === 'kind')
    .map(({ folded }) => folded))
  return [
    ...[...kinds.keys()].map((kind) => ({ text: ofKind(kind), kind })),
    // Goods whose kind nobody knows are found by what their titles say.
    ...[...names].map((name) => ({ text: ofNoKind(queryWords(name)), among: OF_NO_KIND })),
  ]
}

/** Lists that a node may keep. */
type ReadList = (query: ListQuery) => Promise<KindList>

export async function searchShelf(
  shelf: RedisClient, readList: ReadList, request: Request,
): Promise<Result> {
  if (request.understood.sentence.trim() === '') return { total: 0, productIds: [] }
  const result = await searchGoods(shelf, readList, request)
  return result.relaxed && request.supply === 'own'
    ? await withMalls(result, shelf, request) : result
}

/** BP-162W is a model that malls alone have: who searches here is told where it is. */
async function withMalls(
  result: Result, shelf: RedisClient, { understood }: Request,
): Promise<Result> {
  const models = understood.keywords.filter(({ role, folded }) => role === 'model'
    && CODE.test(folded))
  const words = models.flatMap(({ folded }) => queryWords(folded))
  const [first] = models
  if (!first || words.length === 0 || !lacks(result, first.folded)) return result
  const { total } = readIds(await askIndex(shelf, keys.offersAlias, allOf(words),
    ['NOCONTENT', 'LIMIT', 0, 0]))
  const note = sayFor(understood)(
    `这里没有${first.text}，商城有${total}件：请用 cps_smart_search 或 shelf_search 查找。`,
    `Nothing of ${first.text} is sold here; malls have ${total}: `
    + 'find them by cps_smart_search or shelf_search.')
  return total === 0 ? result : { ...result, relaxed: {
    kind: 'none_here', dropped: [], ...result.relaxed,
    note: result.total > 0 ? `${note} ${result.relaxed?.note ?? ''}` : note,
  } }
}

/** Letters and digits that no word has. */
const CODE = /[a-z]+-?\d{2,}[a-z]*/
const lacks = ({ total, relaxed }: Result, model: string): boolean => total === 0
  || [model, model.replace(/[-_. ]/g, '')].some((one) => relaxed?.dropped.includes(one))

async function searchGoods(
  shelf: RedisClient, readList: ReadList, request: Request,
): Promise<Result> {
  const { understood } = request
  const search: Search = {
    shelf, readList, say: sayFor(understood), request: withBudget(request),
    ...soughtBy(understood),
  }
  const { plan, say } = search
  if (plan.kinds.size > 0 && !understood.isOpen) {
    const found = await chooseFrom(search, plan, search.kindQueries)
    // Goods whose titles have every word that nobody knows are what was asked for.
    const isSaid = !found.relaxed && understood.keywords.some(({ role }) => role === 'word')
      && plan.slots.some(({ kind, isSoft }) => kind === 'word' && !isSoft)
    return told(found, search, isSaid ? [] : unsoldNotes(understood, plan, say))
  }
  const titled = await searchTitles(search)
  if (titled || !plan.isOpen || (plan.kinds.size === 0 && isNounAlone(understood))) {
    return told(titled ?? nothing(say, understood), search)
  }
  const near = unsoldNotes(understood, plan, say)
  const note = say('没有说是什么商品；这些可能合用。', 'No goods were named; these may suit.')
  const found = await chooseFrom(search, plan, search.kindQueries)
  return told(found, search, near.length > 0 ? near : [note])
}

/** 客货电动三轮车 names goods that nobody knows, and tells no need that others could answer. */
const isNounAlone = ({ sentence, keywords }: Understanding): boolean => isBare(fold(sentence))
  && keywords.some(({ role, folded }) => role !== 'brand' && /\p{Script=Han}{2}$/u.test(folded))

interface Search extends Sought {
  readonly shelf: RedisClient
  readonly readList: ReadList
  readonly request: Request
  readonly say: Say
}

/** A price that the words name; one that was given as a parameter stands for it. */
function withBudget(request: Request): Request {
  if (request.min !== undefined || request.max !== undefined) return request
  const { budget } = request.understood
  const bounds = boundsOf(request.understood)
  const { min, max } = widened(bounds, budget, BANDS_MAX)
  return {
    bandOf: (price) => bandOf(price, bounds, budget) ?? BANDS_MAX,
    ...(min > 0 && { min }), ...(Number.isFinite(max) && { max }), ...request,
  }
}

async function chooseFrom(
  { readList, request, say }: Search, plan: Plan,
  queries: readonly Omit<ListQuery, 'index'>[],
): Promise<Result> {
  const { categories, min, max, supply, sort } = request
  const narrowed = { sort, ...(categories && { categories }),
    ...(min !== undefined && { min }), ...(max !== undefined && { max }),
    ...(supply !== undefined && { supply }) }
  const lists = await Promise.all(queries.flatMap((query) =>
    indexesFor(supply).map(async (index) => {
      const list = await readList({ index, ...query })
      // Of more than are read, those that the caller may see: the cheapest, where asked for.
      return list.total > list.items.length ? await readList({ index, narrowed, ...query }) : list
    })))
  const items = together(lists)
  const rank = rankerFor(plan, request, say)
  await turns.each(items.filter((item) => inPlace(item, request) && inRange(item, request)), rank)
  const result = choose(plan, items, request, say, rank)
  const unread = lists.reduce((sum, { total, items }) => sum + total - items.length, 0)
  const isWhole = plan.slots.length + plan.refusals.length === 0
  return isWhole && unread > 0 ? { ...result, total: result.total + unread } : result
}

/** Each item once; in a single list each is. */
function together(lists: readonly KindList[]): readonly Candidate[] {
  const [first, ...others] = lists.filter(({ items }) => items.length > 0)
  if (!first || others.length === 0) return first?.items ?? []
  const all = [first, ...others].flatMap(({ items }) => items)
  return [...new Map(all.map((item) => [item.productId, item])).values()]
}

/** What the index has found by words is not asked of the items once more. */
const IN_INDEX: readonly SlotKind[] = ['word', 'brand', 'model']

async function searchTitles(search: Search): Promise<Result | undefined> {
  const { plan, request } = search
  const words = titleWords(request.understood)
  if (words.length === 0) return undefined
  // A noun that nobody knows is no goods whose descriptions mention it: 咖啡机 of a descaler.
  const isNoun = plan.isOpen || request.understood.keywords.some(({ role, folded }) =>
    (role === 'word' || role === 'kind') && /\p{Script=Han}$/u.test(folded))
  const text = isNoun ? ofNoKind(words) : allOf(words)
  const slots = plan.slots.filter(({ kind }) => !IN_INDEX.includes(kind))
  if (slots.length + plan.refusals.length + plan.prefer.length > 0) {
    const rest = { ...plan, slots, kinds: new Map(), mainKinds: new Set<string>(), isOpen: false }
    const found = await chooseFrom(search, rest, [{ text, ...isNoun && { among: OF_NO_KIND } }])
    return found.total > 0 || !plan.isOpen ? found : undefined
  }
  const found = await askTitles(search, text)
  return found.total > 0 ? found : undefined
}

async function askTitles({ shelf, request }: Search, text: string): Promise<Result> {
  const { offset, count, sort, supply } = request
  const [index = '', ...others] = indexesFor(supply)
  const query = withFilter(text, request)
  return others.length > 0 ? await searchIndexes(shelf, request, query)
    : readIds(await askIndex(shelf, index, query,
      [...orderOf(sort), 'NOCONTENT', 'LIMIT', offset, count]))
}

/** What goods are called by; what is wished of them where nothing calls them anything. */
function titleWords({ sentence, keywords, must, prefer, isOpen }: Understanding): QueryWord[] {
  const said = keywords.length > 0 || isOpen ? keywords
    : [...must, ...prefer].map((wish) => ({ ...wish, folded: wish.anyOf[0] ?? '' }))
  return said.flatMap(({ start, end, folded }) => queryWords(folded,
    fold(sentence.slice(Math.max(0, start - 2), start)), fold(sentence.slice(end, end + 2))))
}

/** Where no goods are asked for at all, what was read says why. */
const nothing = (say: Say, { keywords, notes }: Understanding): Result => ({
  total: 0, productIds: [],
  relaxed: {
    kind: 'none_here', dropped: [],
    note: keywords.length === 0 && notes.length > 0 ? notes.join(' ')
      : say('这里没有这样的商品；请换一个名称或去掉一些条件。',
        'No such goods here; name them otherwise, or give up a condition.'),
  },
})

/** With what was read otherwise than it was written, and brands that nobody sells here. */
function told(
  result: Result, { request, plan, say }: Search, first: readonly string[] = [],
): Result {
  const { corrections } = request.understood
  const notes = [
    ...corrections.length > 0 ? [say(
      `按“${corrections.map(({ to }) => to).join('、')}”查找。`,
      `Read as ${corrections.map(({ to }) => `"${to}"`).join(', ')}.`)] : [],
    ...first,
    ...plan.missingBrands.length > 0 ? [brandNote(plan, result.total > 0, say)] : [],
    ...result.relaxed ? [result.relaxed.note] : [],
  ]
  if (notes.length === 0) return result
  const kind: Relaxed['kind'] = result.relaxed?.kind
    ?? (plan.missingBrands.length + first.length > 0 ? 'most_words' : 'typo')
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

interface Ranked {
  readonly productId: number
  /** Score or price, so that a higher one comes first. */
  readonly rank: number
}

/** Both indexes are asked for what could be on the page, and merged. */
async function searchIndexes(
  shelf: RedisClient, request: Request, query: string,
): Promise<{ total: number, productIds: number[] }> {
  const { offset, count } = request
  const [own, offers] = await Promise.all(
    [keys.ownAlias, keys.offersAlias].map((index) => rank(shelf, request, index, query)))
  if (!own || !offers) return { total: 0, productIds: [] }
  const page = merge(own.ranked, offers.ranked).slice(offset, offset + count)
  return {
    total: own.total + offers.total, productIds: page.map(({ productId }) => productId),
  }
}

/**
 * The first `offset + count` of one index. Scores of the two indexes are
 * comparable, not equal: how rare a word is is counted in each by itself.
 */
async function rank(
  shelf: RedisClient, { sort, offset, count }: Request, index: string, query: string,
): Promise<{ total: number, ranked: Ranked[] }> {
  const isScored = sort === 'relevance'
  const what = isScored ? ['WITHSCORES', 'NOCONTENT'] : ['RETURN', 1, 'price']
  const reply = await askIndex(shelf, index, query,
    [...orderOf(sort), ...what, 'LIMIT', 0, offset + count])
  const ranked: Ranked[] = []
  for (let at = 1; at + 1 < reply.length; at += 2) {
    const value = isScored ? reply[at + 1] : (reply[at + 1] as Buffer[] | null)?.[1]
    const number = Number(String(value))
    ranked.push({
      productId: productIdOfKey(reply[at]), rank: sort === 'price_asc' ? -number : number,
    })
  }
  return { total: Number(reply[0]), ranked }
}

/** Keeps the order within each list. */
function merge(one: readonly Ranked[], other: readonly Ranked[]): Ranked[] {
  const merged: Ranked[] = []
  let [a, b] = [0, 0]
  while (a < one.length || b < other.length) {
    const [left, right] = [one[a], other[b]]
    if (left && (!right || left.rank >= right.rank)) {
      merged.push(left)
      a += 1
    } else if (right) {
      merged.push(right)
      b += 1
    }
  }
  return merged
}
