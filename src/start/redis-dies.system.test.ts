/** The ledger's process is killed under a running service: it comes back with what it had. */
import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { install } from '../testing/service.ts'
import { orderInput } from '../testing/live.ts'

const place = await install()
afterAll(() => place.remove())

test('a killed ledger comes back with its orders, and the doctor says how it is', async () => {
  const service = place.run()
  await service.says(/Ctrl-C stops it/)
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${place.url}${path}`, {
      ...init, headers: { Authorization: `Bearer ${key}`, ...init.headers },
    })
    // oxlint-disable-next-line typescript/no-explicit-any
    return { status: answer.status, body: await answer.json() as any }
  }
  const key = readFileSync(join(place.dataDir, 'sandbox-key'), 'utf8').trim()
  const found = await ask('/v1/goods?page_size=50')
  const item = found.body.data.items.find(({ available_qty }: { available_qty: number }) =>
    available_qty > 5)
  const { idempotency_key, ...order } = orderInput(item)
  const made = await ask('/v1/orders', {
    method: 'POST', body: JSON.stringify(order),
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotency_key },
  })
  const { order_no } = made.body.data

  const files = join(place.dataDir, 'ledger')
  const { ledger } = JSON.parse(readFileSync(join(place.dataDir, 'redis.json'), 'utf8'))
  renameSync(files, `${files}.away`)
  process.kill(ledger.pid, 'SIGKILL')
  await service.says(/The Redis of the ledger ended: it is started again/)
  await service.says(/is still off: \S+ was removed/)
  const doctor = place.run({}, 'doctor')
  expect(await doctor.ended()).toBe(1)
  expect(doctor.out()).toMatch(/fail +Service +is not ready: the data folder \S+ was removed/)
  expect(doctor.out()).toMatch(/fail +Redis +the service \(process \d+\) runs/)

  renameSync(`${files}.away`, files)
  await service.says(/The Redis of the ledger is running again/)
  await expect.poll(async () => (await ask('/readyz')).status).toBe(200)
  expect((await ask(`/v1/orders/${order_no}`)).body.data.order_no).toBe(order_no)
  await service.says(/Redis answers again/)
  const warned = [...service.out().matchAll(/"level":40,"time":"([^"]+)"/g)]
    .map(([, time = '']) => Date.parse(time))
  const seconds = (Math.max(...warned) - Math.min(...warned)) / 1000
  expect(warned.length).toBeGreaterThan(0)
  // Each retry that warned would be some hundred a second; a busy machine is away for longer.
  expect(warned.length).toBeLessThan(30 + 3 * seconds)

  renameSync(place.dataDir, `${place.dataDir}.away`)
  await expect.poll(async () => (await ask('/readyz')).body.reason)
    .toBe(`the data folder ${place.dataDir} was removed or moved: put it back, or stop the service`)
  renameSync(`${place.dataDir}.away`, place.dataDir)
  await expect.poll(async () => (await ask('/readyz')).status).toBe(200)
})
