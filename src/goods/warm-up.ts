/**
 * What a node does once it serves: searches as callers make them, so that the first of these wait
 * for little code that is not compiled yet. Compiled on demand, it takes three times as long.
 */
import { monotonicMs, sleepUnless } from '../contract/time.ts'
import type { Goods } from './goods.ts'
import { type Kind, taxonomy, valuesOf } from './taxonomy.ts'

/** Each reads a kind that is kept: 150 save the first calls more, and take 40 MB. */
const SEARCHES = 30
/** Steps of it come to every category, whose kinds stand together. */
const STEP = 67
const PAUSE_MS_MIN = 2

/**
 * Rests as long as each search takes, which is longer where callers or other processes are at
 * work. Ends when it is done, when `signal` says so, or with the first failure.
 */
export async function warmUp(search: Goods['search'], signal: AbortSignal): Promise<void> {
  const kinds = [...taxonomy().kinds.values()]
  for (let at = 0; at < SEARCHES && !signal.aborted; at += 1) {
    const start = monotonicMs()
    try {
      await search({ q: wordsFor(kinds[at * STEP % kinds.length] as Kind, at), page_size: 1 })
    } catch {
      // Callers have the same trouble, and are told of it.
      return
    }
    await sleepUnless(signal, Math.max(PAUSE_MS_MIN, monotonicMs() - start))
  }
}

/** In other words each time: with a value, a price, in English, with a refusal. */
function wordsFor(kind: Kind, at: number): string {
  const { name_zh, name_en, aliases, attributes, features, scenes, price } = kind
  const attribute = attributes[at % attributes.length]
  const values = attribute ? valuesOf(attribute) : []
  const value = `${values[at % values.length] ?? ''}${attribute?.unit ?? ''}`
  const feature = features[at % features.length]
  const yuan = Math.ceil(price.max / 100)
  const ways = [
    `${value} ${name_zh}`, `${feature} ${value} ${name_zh}`,
    `${scenes[at % scenes.length]} ${feature} ${name_zh}`,
    `${yuan}元以内的${aliases[at % aliases.length]}`, `${name_en} under ${yuan} yuan`,
    `想买${name_zh}，要${feature}的，不要${value}`,
  ]
  return ways[at % ways.length] as string
}
