/**
 * The search indexes over the shelf's documents: one of our own goods, one of the offers of malls.
 * Most searches ask one of them, which is over twice as fast as a filter on one index of all; a
 * search of everything asks both. Searches go through aliases, so that a new index can take an
 * old one's place without a gap.
 */
import { createHash, randomBytes } from 'node:crypto'
import { monotonicMs, sleep } from '../contract/time.ts'
import type { RedisClient } from '../redis/connect.ts'
import { shelf as keys } from '../redis/keys.ts'
import { TOKENS_VERSION } from './document.ts'
import { TEXTS_VERSION } from './item-text.ts'

/** Tokens come in any order and are never highlighted, so no places in the text are kept. */
const OPTIONS = ['NOOFFSETS', 'NOHL', 'STOPWORDS', '0', 'SCORE_FIELD', 'weight'] as const

const FIELDS = [
  'title', 'TEXT', 'WEIGHT', '4', 'NOSTEM',
  'text', 'TEXT', 'NOSTEM',
  'supply', 'TAG', 'CASESENSITIVE',
  'category', 'TAG', 'CASESENSITIVE',
  'bucket', 'TAG', 'SEPARATOR', ',', 'CASESENSITIVE',
  'group', 'TAG', 'CASESENSITIVE',
  'price', 'NUMERIC', 'SORTABLE',
] as const

const INDEXES = [
  { alias: keys.ownAlias, name: keys.ownIndex, prefix: keys.ownPrefix },
  { alias: keys.offersAlias, name: keys.offersIndex, prefix: keys.offerPrefix },
] as const

/** Changes with all above, the tokens and the texts, so that a new index has another name. */
const SCHEMA = createHash('sha256')
  .update(JSON.stringify([OPTIONS, FIELDS, INDEXES, TOKENS_VERSION, TEXTS_VERSION]))
  .digest('hex').slice(0, 8)

const POLL_MS = 50
/** Longest without a further document in an index that is filled. */
const STALLED_MS_MAX = 120_000

/** False when one is missing, or was made for other fields or other tokens. */
export async function indexesAreCurrent(shelf: RedisClient): Promise<boolean> {
  const present = await Promise.all(INDEXES.map(({ alias }) => indexOf(shelf, alias)))
  return INDEXES.every(({ name }, at) => present[at]?.startsWith(name(SCHEMA)))
}

/** Makes the indexes that are missing or have an older schema; returns when they are complete. */
export async function ensureIndexes(shelf: RedisClient): Promise<void> {
  for (const index of INDEXES) {
    const present = await indexOf(shelf, index.alias)
    if (!present?.startsWith(index.name(SCHEMA))) await replace(shelf, index, present)
  }
  await indexReady(shelf)
}

/**
 * Builds both anew from the documents, beside the old ones, and lets searches use them. `alive` is
 * called while they are filled.
 */
export async function renewIndexes(
  shelf: RedisClient, alive: () => Promise<void>,
): Promise<void> {
  for (const index of INDEXES) await replace(shelf, index, await indexOf(shelf, index.alias), alive)
  await dropOrphans(shelf)
}

/** Returns when both are complete: results are partial while an index is filled. */
export async function indexReady(shelf: RedisClient): Promise<void> {
  for (const { alias } of INDEXES) await untilComplete(shelf, alias)
}

/** How far each index is; one that is missing is not complete. */
export const indexStates = (
  shelf: RedisClient,
): Promise<{ documents: number, isComplete: boolean }[]> =>
  Promise.all(INDEXES.map(async ({ alias }) => {
    const facts = await info(shelf, alias)
    return {
      documents: Number(facts?.get('num_docs') ?? 0), isComplete: facts?.get('indexing') === '0',
    }
  }))

/** Whether searches find everything just now. */
export async function indexesComplete(shelf: RedisClient): Promise<boolean> {
  const complete = await Promise.all(INDEXES.map(({ alias }) => isComplete(shelf, alias)))
  return complete.every(Boolean)
}

type Index = (typeof INDEXES)[number]

async function replace(
  shelf: RedisClient, index: Index, old?: string, alive?: () => Promise<void>,
): Promise<void> {
  const name = `${index.name(SCHEMA)}:${randomBytes(4).toString('hex')}`
  await shelf.call('FT.CREATE', name, 'ON', 'HASH', 'PREFIX', '1', index.prefix,
    ...OPTIONS, 'SCHEMA', ...FIELDS)
  await untilComplete(shelf, name, alive)
  await shelf.call('FT.ALIASUPDATE', index.alias, name)
  // Without DD: the documents stay.
  if (old) await shelf.call('FT.DROPINDEX', old).catch(ignoreMissing)
}

/** Filling one takes longer the more goods there are, so only one that stands still is late. */
async function untilComplete(
  shelf: RedisClient, index: string, alive?: () => Promise<void>,
): Promise<void> {
  let filled: string | undefined
  let end = 0
  for (;;) {
    const facts = await info(shelf, index)
    if (facts?.get('indexing') === '0') return
    if (end === 0 || facts?.get('percent_indexed') !== filled) {
      filled = facts?.get('percent_indexed')
      end = monotonicMs() + STALLED_MS_MAX
    }
    if (monotonicMs() > end) throw new Error('The goods index is not complete in time.')
    await alive?.()
    await sleep(POLL_MS)
  }
}

/** What a rebuild that was cut off left behind, which would cost memory and every write. */
async function dropOrphans(shelf: RedisClient): Promise<void> {
  const inUse = await Promise.all(INDEXES.map(({ alias }) => indexOf(shelf, alias)))
  const all = await shelf.call('FT._LIST') as string[]
  for (const name of all) {
    const isOurs = INDEXES.some((index) => name.startsWith(index.name('')))
    if (isOurs && !inUse.includes(name)) {
      await shelf.call('FT.DROPINDEX', name).catch(ignoreMissing)
    }
  }
}

async function indexOf(shelf: RedisClient, alias: string): Promise<string | undefined> {
  return (await info(shelf, alias))?.get('index_name')
}

async function isComplete(shelf: RedisClient, index: string): Promise<boolean> {
  return (await info(shelf, index))?.get('indexing') === '0'
}

async function info(shelf: RedisClient, index: string): Promise<Map<string, string> | undefined> {
  try {
    const reply = await shelf.call('FT.INFO', index) as unknown[]
    const entries = new Map<string, string>()
    for (let at = 0; at + 1 < reply.length; at += 2) {
      entries.set(String(reply[at]), String(reply[at + 1]))
    }
    return entries
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** The words differ between versions. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && /no such index|unknown index|not found|does not exist/i
    .test(error.message)

function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error
}
