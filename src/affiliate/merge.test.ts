import { fc, test } from '@fast-check/vitest'
import { describe, expect, test as plain } from 'vitest'
import type { Item } from '../../adapters/contract.ts'
import { candidatesOf, type OfferGroup, merge, openPrice } from './merge.ts'
import { createWorld } from '../../loadtest/evaluations/judged/world.ts'
import { readJsonl } from '../../loadtest/evaluations/jsonl.ts'
import { match, SAME } from './match.ts'
import { anItem, price } from './testing/items.ts'

const world = createWorld(400)
/** Who says nothing of the colour matches both, and they do not match each other. */
const CHAIN = ['Apple iPhone 15 128GB 黑色', 'Apple iPhone 15 128GB', 'Apple iPhone 15 128GB 白色',
  'Apple iPhone 15 256GB', 'Apple iPhone 15', 'Apple iPhone 15 黑色']
const titles = readJsonl<{ left: string, right: string }>('judged/pairs.jsonl')
  .flatMap(({ left, right }) => [left, right])
const item = fc.record({
  title: fc.oneof(fc.constantFrom(...titles), fc.constantFrom(...CHAIN)),
  list: fc.integer({ min: 1, max: 9999 }),
  source: fc.constantFrom('mall_a' as const, 'mall_b' as const), isGroup: fc.boolean(),
}).map(({ title, list, source, isGroup }): Item =>
  anItem(title, list, { source, price: price(list, { conditions: isGroup ? ['group'] : [] }) }))
const items = fc.array(item, { maxLength: 30 })
  .map((all) => all.map((one, at): Item => ({ ...one, id: String(at) })))

const idsOf = (groups: readonly OfferGroup[]): string[] => groups.map(({ offers }) =>
  offers.map(({ item_id }) => item_id).join(' ')).toSorted()

describe('any items', () => {
  test.prop([items, fc.nat()])('make the same groups in any order', (list, turn) => {
    const shuffled = list.map((one, at) => ({ one, key: (at * 7919 + turn) % 97 }))
      .sort((a, b) => a.key - b.key).map(({ one }) => one)
    expect(idsOf(merge(candidatesOf(shuffled)))).toEqual(idsOf(merge(candidatesOf(list))))
  })

  test.prop([items])('stand in one group each, where every two match', (list) => {
    const groups = merge(candidatesOf(list))
    expect(groups.flatMap(({ offers }) => offers).length).toBe(list.length)
    for (const { offers } of groups) {
      for (const one of offers) {
        for (const other of offers) {
          expect(one === other || match(one.facts, other.facts).confidence >= SAME).toBe(true)
        }
      }
    }
  })

  test.prop([items])('have the price of the best offer without conditions', (list) => {
    for (const group of merge(candidatesOf(list))) {
      const open = group.offers.filter(({ item }) => item.price.conditions.length === 0)
        .map(({ item }) => item.price.payable)
      expect(openPrice(group)).toBe(open.length > 0 ? Math.min(...open) : null)
    }
  })
})

describe('merging', () => {
  plain('one product of four sources is one group; products that share words are not', () => {
    const indexes = Array.from({ length: 100 }, (_, index) => index)
    const all = (['shelf', 'mall_a', 'mall_b', 'mall_c'] as const).flatMap((source) =>
      indexes.map((index) => world.item(source, index)).filter((one) => one !== null))
    const groups = merge(candidatesOf(all))
    expect(groups.length).toBe(new Set(all.map(({ id }) => id)).size)
    for (const { offers } of groups) expect(new Set(offers.map((one) => one.item.id)).size).toBe(1)
  })

  plain('a title that matches two others does not join them', () => {
    const [black, plainOne, white] = CHAIN.map((title, at) => anItem(title, 1, { id: String(at) }))
    const groups = merge(candidatesOf([black, plainOne, white] as Item[]))
    expect(idsOf(groups)).toEqual(['mall_a:0 mall_a:1', 'mall_a:2'])
  })

  plain('of two items that claim one id the cheaper is kept, whichever came first', () => {
    const [dear, cheap] = [anItem('电热水壶', 5900), anItem('电热水壶', 4900)]
    for (const list of [[dear, cheap], [cheap, dear]]) {
      expect(candidatesOf(list).map(({ item }) => item.price.payable)).toEqual([4900])
    }
  })
})
