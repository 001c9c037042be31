/** A newcomer's first start, cut off while the catalogue is made. */
import { afterAll, expect, test } from 'vitest'
import { install } from '../testing/service.ts'

const place = await install()
afterAll(() => place.remove())

test('after Ctrl-C in the first start the next one goes on at once', async () => {
  const first = place.run({ CATALOG_ITEMS: '24000' })
  await first.says(/Making the catalogue/)
  first.interrupt()
  expect(await first.ended()).toBe(0)
  expect(first.out()).not.toContain('is ready')
  expect(first.err()).not.toMatch(/^\s+at /m)

  const second = place.run()
  await second.says(/agentmall is ready/)
  expect(second.err()).not.toMatch(/waiting|^\s+at /m)
  second.interrupt()
  expect(await second.ended()).toBe(0)
})
