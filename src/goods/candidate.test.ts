/** Two lines of the shelf say of goods what all their texts say. */
import { expect, test } from 'vitest'
import { type Candidate, notedCandidate, readCandidate } from './candidate.ts'
import { generateCatalogue } from './generate.ts'
import { kindOf } from './index-terms.ts'
import { storedDetail, storedItem, storedJson } from './item-text.ts'
import type { CatalogueLine } from './line.ts'

const LINES = [...generateCatalogue({ items: 600, seed: 'candidates' })]

const detailOf = (line: CatalogueLine): Buffer => Buffer.from(storedDetail(line))

const byTexts = (line: CatalogueLine, kind: string | undefined): Candidate => {
  const { json, note } = storedJson(Buffer.from(storedItem(line)), detailOf(line))
  return readCandidate(json, note, kind)
}

const seen = ({ facts, ...candidate }: Candidate) => {
  const { text, stated, said, brands, kinds, values, models, audiences, colours, lead } = facts
  return { ...candidate, text, stated, said, brands, kinds, values, models, audiences, colours,
    lead }
}

test('goods are judged by what is noted of them as by all their texts', () => {
  for (const line of LINES) {
    const kind = kindOf(line)
    const noted = notedCandidate(line.product_id, detailOf(line), kind)
    expect(noted && seen(noted)).toEqual(seen(byTexts(line, kind)))
  }
})

test('what is noted of goods of a kind is not taken where the kind is not asked for', () => {
  const [line] = LINES.filter((one) => kindOf(one) !== undefined)
  const { product_id } = line as CatalogueLine
  expect(notedCandidate(product_id, detailOf(line as CatalogueLine), undefined)).toBeUndefined()
})

test('goods that say more than one line, or that another release noted, are read from their texts',
  () => {
    const [line] = LINES as [CatalogueLine]
    const specs = [{ name: '规格', value: '大号\n红色' }]
    const kind = kindOf(line)
    expect(notedCandidate(line.product_id, detailOf({ ...line, specs }), kind)).toBeUndefined()
    const [detail, page, group, note = '', said] = storedDetail(line).split('\n')
    for (const lines of [[detail, page, group, note], [detail, page, group, '', said],
      [detail, page, group, note.replace(/^\w+/, '00000000'), said]]) {
      expect(notedCandidate(line.product_id, Buffer.from(lines.join('\n')), kind)).toBeUndefined()
    }
  })
