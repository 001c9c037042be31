/** A note says of goods what reading them says. */
import { expect, test } from 'vitest'
import { generateCatalogue } from '../../goods/generate.ts'
import { type Facts, readFacts, type Said } from '../facts.ts'
import { noteOf } from './noted.ts'

const seen = (facts: Facts) => {
  const { kinds, moreKinds, isAccessory, isPart, isStuffed, brands, values, models, variants, years,
    lead, sizes, said, stated } = facts
  return { kinds: [...kinds], moreKinds, isAccessory, isPart, isStuffed, brands: [...brands],
    values: [...values], models: [...models], variants: [...variants], years: [...years], lead,
    sizes: [...sizes], said, stated }
}

/** None of them reads as the title says. */
const OTHERS: Said = { title: '华为 Mate 60 手机壳 2023款', brand: '华为', category: null }

const wholeNote = (said: Said): string => {
  const note = noteOf(readFacts(said))
  if (note === '') throw new Error(`Nothing is noted of ${said.title}.`)
  return note
}

const TITLES: readonly Said[] = [
  OTHERS,
  { title: '小米14 Pro 手机 12GB+256GB 黑色 2代', brand: '小米 Xiaomi', category: null },
  { title: '手机 电脑 耳机 电视 冰箱 洗衣机 牙膏 狗粮', brand: null, category: null },
  { title: '适用戴森V8 替换滤芯 2个装 -20°C 6-12个月', brand: 'A/B=C|D~E,F', category: null },
  { title: '', brand: '', category: null },
]

test('goods are known by their note as they are by their title', () => {
  const made = [...generateCatalogue({ items: 600, seed: 'notes' })].map((line): Said => ({
    title: line.title, brand: line.brand, category: null,
    specs: line.specs.map(({ value }) => value).join(' '),
  }))
  const all = [...made, ...TITLES]
  expect(all.map((said) => seen(readFacts(said, wholeNote(said)))))
    .toEqual(all.map((said) => seen(readFacts(said))))
})

test('a note stands for the title, unless sources of another state have written it', () => {
  const said: Said = { title: '不锈钢保温杯 500ml', brand: null, category: null }
  const [state = '', ...facts] = wholeNote(OTHERS).split('\t')
  const older = ['0'.repeat(state.length), ...facts].join('\t')
  expect([...readFacts(said, wholeNote(OTHERS)).models]).toEqual(['mate60'])
  for (const note of [older, state, '', 'nothing']) {
    expect(seen(readFacts(said, note))).toEqual(seen(readFacts(said)))
  }
})

test('nothing is noted of a name that holds a character between facts', () => {
  const facts = { isAccessory: false, isPart: false, isStuffed: false, kinds: new Map(),
    values: new Map(), models: new Set<string>(), variants: new Set<string>(),
    years: new Set<string>() }
  expect(noteOf({ ...facts, brands: new Set(['a b']) })).not.toBe('')
  for (const name of ['a|b', 'a\tb', 'a\nb', 'a/b', 'a=b', 'a~b', 'a,b', '']) {
    expect(noteOf({ ...facts, brands: new Set([name]) })).toBe('')
  }
})
