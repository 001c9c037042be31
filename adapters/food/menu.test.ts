/** What the sandbox's restaurants have for who is hungry. */
import { expect, onTestFinished, test } from 'vitest'
import { malls } from '../index.ts'
import { simulate } from '../sandbox.ts'
import { createFakeClock } from '../testing/stage.ts'
import { createMenu } from './simulator/index.ts'

async function menu() {
  const clock = createFakeClock()
  const simulator = await simulate.food({ clock, assortment: createMenu() })
  const source = malls.food.open(simulator.settings, { clock })
  onTestFinished(async () => {
    await source.close()
    await simulator.close()
  })
  return source
}

test.each([
  ['奶茶', '奶茶'], ['外卖 汉堡', '汉堡'], ['pizza', '披萨'], ['火锅 双人套餐', '火锅'],
  ['lunch', '午餐'], ['拿铁', '拿铁'], ['fried chicken', '炸鸡'],
])('%s is found, as a dish of a restaurant', async (q, dish) => {
  const { items: [first] } = await (await menu()).search({ q, page: 1, pageSize: 5 })
  expect(first?.title).toContain(dish)
  expect(first?.price.payable).toBeGreaterThan(500)
})

test('there are no goods on the menu', async () => {
  expect((await (await menu()).search({ q: '蓝牙耳机', page: 1, pageSize: 5 })).items).toEqual([])
})
