import { describe, expect, test } from 'vitest'
import { problemsOf } from '../validate.ts'
import { cpsCompare } from '../operations/cps-compare.ts'
import { cpsMallBConvert } from '../operations/cps-mallb-convert.ts'
import { cpsMallBOrders } from '../operations/cps-mallb-orders.ts'
import { listOrders } from '../operations/list-orders.ts'

const { input: convert } = cpsMallBConvert
const url = 'https://mall-b.example/item/100012043978'

describe('a conversion', () => {
  test.each([{ item_id: 'mall_b:2_9pnksj' }, { item_id: 'shelf:10036301' }, { url }])(
    'takes %j', (input) => {
      expect(problemsOf(convert, { ...input })).toEqual([])
    })

  test.each([
    {}, { item_id: 'mall_b:2_9pnksj', url },
  ])('takes exactly one of item_id and url, not %j', (input) => {
    expect(problemsOf(convert, { ...input }))
      .toEqual([{ path: '', problem: 'must have exactly one of item_id, url' }])
  })

  test.each(['mall_a:2_3h07w4', 'food:20611', 'shelf:abc'])(
    'shows an item_id of its mall instead of %s', (item_id) => {
      expect(problemsOf(convert, { item_id })).toEqual([{
        path: 'item_id',
        problem: 'does not have the right form (source:id, as search results give it), '
          + 'such as mall_b:2_9pnksj',
      }])
    })
})

test('a link has no control characters, whose pattern a reader of schemas sees', () => {
  const { pattern } = convert.properties.url as unknown as { pattern: string }
  const form = new RegExp(pattern, 'u')
  expect(url).toMatch(form)
  for (const code of [0, 0x1f, 0x7f, 0x9f]) {
    expect(`${url}${String.fromCodePoint(code)}x`).not.toMatch(form)
  }
  expect(problemsOf(cpsCompare.input, { items: ['shelf:10036301', url] })).toEqual([])
})

test.each([
  [listOrders.input, Buffer.from('AM3VQ2Z7K8M1T5R9C4XD')],
  [cpsMallBOrders.input, Buffer.from('1772332200000 202603010001')],
])('a cursor that no page can have given does not fit its form', (input, given) => {
  expect(problemsOf(input, { cursor: given.toString('base64url') })).toEqual([])
  for (const cursor of ['0', 'next', 'a b']) {
    expect(problemsOf(input, { cursor }).map(({ path }) => path)).toEqual(['cursor'])
  }
})
