/**
 * Several sorted sets as one list by score: a page of it, or all of it in parts. What an index
 * cannot answer is looked for among the first so many, so that no question costs more than that.
 */
import { Refusal } from '../contract/errors.ts'
import type { RedisClient } from './connect.ts'
import { type Scored, scoredOf } from './replies.ts'
import { type KeyCommand, runMany } from './send.ts'

export interface Listed extends Scored {
  /** The set that it stands in. */
  readonly key: string
}

export interface Listing<T> {
  readonly keys: readonly string[]
  /** Scores, both included; without an end on that side where absent. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly isOldestFirst: boolean
  /** What members stand for, in their order; undefined of what is gone. */
  read(found: readonly Listed[]): Promise<readonly (T | undefined)[]>
  /** Absent where each one matches: then nothing is read but what is shown. */
  matches?: ((one: T) => boolean) | undefined
  /** Absent where the order of the scores is the one to show. */
  compare?: ((one: T, other: T) => number) | undefined
}

export interface ListPage<T> {
  readonly items: T[]
  /** The page asked for; the last one where there are fewer. */
  readonly page: number
  /** Matches among those looked through. */
  readonly total: number
  readonly looked_through: number
  /** All between `from` and `to`, matching or not. */
  readonly in_range: number
}

/** One sorted set: members that were read and not given yet, and how many are behind them. */
interface Queue {
  readonly key: string
  rank: number
  left: number
  held: Listed[]
}

type Range = Pick<Listing<unknown>, 'keys' | 'from' | 'to' | 'isOldestFirst'>

/** Members that are looked through for one page. */
export const WINDOW = 2000
const PART = 500
/** Scores are times in milliseconds. */
const CURSOR = /^(\d{13}) (.+)$/s

export async function readPage<T>(
  client: RedisClient, listing: Listing<T>, { page, limit }: { page: number, limit: number },
): Promise<ListPage<T>> {
  const { matches, compare } = listing
  const queues = await openQueues(client, listing)
  const inRange = queues.reduce((sum, { left }) => sum + left, 0)
  const lookedThrough = Math.min(inRange, WINDOW)
  const isIndexed = matches === undefined && compare === undefined
  const shownOf = (total: number) => {
    const last = Math.max(1, Math.ceil(total / limit))
    const shown = Math.min(page, last)
    return { shown, range: [(shown - 1) * limit, shown * limit] as const }
  }
  const facts = { looked_through: lookedThrough, in_range: inRange }
  if (isIndexed) {
    const { shown, range } = shownOf(lookedThrough)
    const end = Math.min(range[1], lookedThrough)
    const found = (await collect(partsOf(client, listing, queues, end))).slice(range[0], end)
    return { items: await readAll(listing, found), page: shown, total: lookedThrough, ...facts }
  }
  const all = await collect(readParts(client, listing, queues, WINDOW))
  const sorted = compare ? all.toSorted(compare) : all
  const { shown, range } = shownOf(sorted.length)
  return { items: sorted.slice(...range), page: shown, total: sorted.length, ...facts }
}

/** Matches in the order of the scores, of the first `max` that are looked through. */
export async function* readMatches<T>(
  client: RedisClient, listing: Listing<T>, max: number,
): AsyncGenerator<T[]> {
  yield* readParts(client, listing, await openQueues(client, listing), max)
}

async function* readParts<T>(
  client: RedisClient, listing: Listing<T>, queues: Queue[], max: number,
): AsyncGenerator<T[]> {
  for await (const found of partsOf(client, listing, queues, max)) {
    const read = await readAll(listing, found)
    yield listing.matches ? read.filter(listing.matches) : read
  }
}

const readAll = async <T>(listing: Listing<T>, found: readonly Listed[]): Promise<T[]> =>
  (found.length === 0 ? [] : await listing.read(found)).filter((one) => one !== undefined)

async function collect<T>(parts: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = []
  for await (const part of parts) all.push(...part)
  return all
}

async function openQueues(
  client: RedisClient, { keys, from, to, isOldestFirst }: Range,
): Promise<Queue[]> {
  const [low, high] = [from ?? '-inf', to ?? '+inf']
  const counts = await runMany(client, keys.flatMap((key): KeyCommand[] => [
    ['zcount', key, low, high],
    isOldestFirst ? ['zcount', key, '-inf', `(${low}`] : ['zcount', key, `(${high}`, '+inf'],
  ])) as number[]
  return keys.map((key, index) =>
    ({ key, left: counts[2 * index] ?? 0, rank: counts[2 * index + 1] ?? 0, held: [] }))
}

/** Together at most `max`, each part as far as all sets have been read. */
async function* partsOf(
  client: RedisClient, { isOldestFirst }: Range, queues: Queue[], max: number,
): AsyncGenerator<Listed[]> {
  const compare = isOldestFirst ? byScore : (one: Listed, other: Listed) => byScore(other, one)
  for (let given = 0; given < max;) {
    await refill(client, queues, isOldestFirst, Math.min(PART, max - given))
    const part = takeReady(queues, compare).slice(0, max - given)
    if (part.length === 0) return
    given += part.length
    yield part
  }
}

async function refill(
  client: RedisClient, queues: readonly Queue[], isOldestFirst: boolean, size: number,
): Promise<void> {
  const dry = queues.filter(({ held, left }) => held.length === 0 && left > 0)
  const found = await runMany(client, dry.map(({ key, rank, left }) => [
    isOldestFirst ? 'zrange' : 'zrevrange', key, rank, rank + Math.min(size, left) - 1,
    'WITHSCORES',
  ] as const)) as string[][]
  for (const [index, queue] of dry.entries()) {
    queue.held = scoredOf(found[index] ?? []).map((one) => ({ ...one, key: queue.key }))
    queue.rank += queue.held.length
    // Members may have been taken out since they were counted.
    queue.left = queue.held.length === 0 ? 0 : queue.left - queue.held.length
  }
}

/** Everything up to the first set that has more behind what is held of it. */
function takeReady(
  queues: readonly Queue[], compare: (one: Listed, other: Listed) => number,
): Listed[] {
  const [edge] = queues.filter(({ left }) => left > 0)
    .flatMap(({ held }) => held.at(-1) ?? []).toSorted(compare)
  const isReady = (one: Listed): boolean => edge === undefined || compare(one, edge) <= 0
  const ready = queues.flatMap(({ held }) => held.filter(isReady)).toSorted(compare)
  for (const queue of queues) queue.held = queue.held.filter((one) => !isReady(one))
  return ready
}

/** Of the same score by name, as Redis has them, so that the order is always the same. */
const byScore = (one: Listed, other: Listed): number =>
  one.score - other.score || compareText(one.member, other.member)
    || compareText(one.key, other.key)

const compareText = (one: string, other: string): number =>
  (one === other ? 0 : one < other ? -1 : 1)

export const cursorOf = ({ score, member }: Scored): string =>
  Buffer.from(`${score} ${member}`).toString('base64url')

/** Refuses what no page has given; `member` says which members there can be. */
export function readCursor(cursor: string, member: RegExp): Scored {
  const [, score, name = ''] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (score === undefined || !member.test(name)) throw wrongCursor()
  return { score: Number(score), member: name }
}

export const wrongCursor = (): Refusal => new Refusal('invalid_request', {
  fields: [{ path: 'cursor', problem: 'must be the next_cursor of an earlier page' }],
})
