import { expect, test } from 'vitest'
import { understand } from '../../language/understand.ts'
import { rank } from './index.ts'
import { anItem } from '../testing/items.ts'

const COLOURS = ['黑色', '白色', '酒红', '雾蓝', '麻灰']
const shirts = COLOURS.map((colour, at) => anItem(
  `洛栀 卫衣 连帽 纯棉毛圈 280g 男款 ${colour} XL 不易起球 校园`, 9900, { id: `s${at}`, brand: '洛栀' }))
const others = ['霁川', '岑序'].map((brand, at) => anItem(
  `${brand} 卫衣 圆领 加绒抓毛 450g 男款 黑色 L 亲肤内里 居家`, 10_900, { id: `o${at}`, brand }))

const shown = (sentence: string, pageSize: number): string[] =>
  rank(understand(sentence), [...shirts, ...others], {
    pageSize, buy: () => ({ tool: null, arguments: {}, purchase_url: null }),
  }).items.map(({ item_id }) => item_id.split(':')[1] ?? '')

test('a page shows other goods before a product in five colours', () => {
  const ids = shown('卫衣', 3)
  expect(ids.filter((id) => id.startsWith('s'))).toHaveLength(1)
  expect(shown('卫衣', 30)).toHaveLength(7)
})

test('the order stays that of the ranking', () => {
  const all = shown('卫衣', 30)
  expect(shown('卫衣', 4)).toEqual(all.filter((id) => shown('卫衣', 4).includes(id)))
})

test('what is asked for leads to the variant that has it', () => {
  expect(shown('雾蓝的卫衣', 1)).toEqual(['s3'])
})
