/** A start cut off while the catalogue is made, and what npm does with a signal. */
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

test.each([
  ['SIGTERM to npm alone', (npm: number) => process.kill(npm, 'SIGTERM')],
  // The terminal signals the whole group, and npm its child once more.
  ['Ctrl-C', (npm: number) => process.kill(-npm, 'SIGINT')],
])('%s stops what npm start runs in order', async (_, end) => {
  const service = place.npmStart()
  await service.says(/agentmall is ready/)
  end(service.child.pid ?? 0)
  // Once nothing holds its output any more: npm, the nodes and Redis.
  expect(await service.ended()).toBe(0)
  expect(service.out()).toContain('Stopping')
  await expect(fetch(`${place.url}/healthz`)).rejects.toThrow('fetch failed')
})
