/** What a node does for its first callers before they come. */
import { expect, test } from 'vitest'
import type { GoodsQuery } from './goods.ts'
import { taxonomy } from './taxonomy.ts'
import { warmUp } from './warm-up.ts'

/** A search that keeps what it was asked, and may do something at each question. */
function askedSearch(at: (asked: number) => void = () => undefined) {
  const queries: GoodsQuery[] = []
  return { queries, async search(query: GoodsQuery) {
    at(queries.push(query))
    return undefined as never
  } }
}

test('a node that has started searches for goods of every category, in other words each time',
  async () => {
    const { search, queries } = askedSearch()
    await warmUp(search, new AbortController().signal)
    expect(new Set(queries.map(({ q }) => q)).size).toBe(queries.length)
    const isAsked = (name: string): boolean => queries.some(({ q }) => q?.includes(name))
    expect(taxonomy().categories.filter(({ kinds }) =>
      !kinds.some(({ name_zh, name_en, aliases }) => [name_zh, name_en, ...aliases].some(isAsked)))
      .map(({ name_zh }) => name_zh)).toEqual([])
  })

test('it stops when the node does', async () => {
  const ending = new AbortController()
  const { search, queries } = askedSearch((asked) => { if (asked === 3) ending.abort() })
  await warmUp(search, ending.signal)
  expect(queries).toHaveLength(3)
})

test('it stops with the first failure, which fails nothing else', async () => {
  const { search, queries } = askedSearch(() => { throw new Error('The shelf is away.') })
  await warmUp(search, new AbortController().signal)
  expect(queries).toHaveLength(1)
})
