import { expect, test } from 'vitest'
import { understand } from '../understand.ts'

const wished = (sentence: string): string[] => understand(sentence).must.map(({ text }) => text)

test.for([
  ['塑料的一摔就裂，不锈钢的脸盆来一个', '不锈钢', '塑料'],
  ['宿舍放的小冰箱，双门，单门的老结冰我受够了', '双门', '单门'],
  ['奶奶喝全脂的拉肚子，脱脂纯牛奶来一箱', '脱脂', '全脂'],
  ['煮火锅嫌牛油糊嘴，清油的底料有没得', '清油', '牛油'],
])('of two values the one that is complained of is no wish: %s', ([sentence, wish, told]) => {
  expect(wished(sentence ?? '')).toContain(wish)
  expect(wished(sentence ?? '')).not.toContain(told)
})

test.for([
  ['保温杯要黑色的，或者白色的也行', ['要黑色', '白色']],
  ['女士连衣裙要黑色的，白色的不耐脏', ['要黑色']],
  ['脸盆，塑料的不贵，不锈钢的也行', ['塑料', '不锈钢']],
] as const)('what is asked for, or would do as well, stays a wish: %s', ([sentence, wishes]) => {
  expect(wished(sentence)).toEqual(expect.arrayContaining([...wishes]))
})

test.for([
  ['买个鼠标，无线有线无所谓', []],
  ['耳机，降噪不重要，便宜就行', []],
  ['wireless isn\'t necessary, a cheap mouse', []],
  ['保温杯，颜色无所谓，316的', ['316']],
] as const)('what makes no difference is no wish: %s', ([sentence, wishes]) => {
  expect(wished(sentence)).toEqual(wishes)
})
