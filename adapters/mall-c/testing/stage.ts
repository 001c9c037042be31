/** What the tests of mall C's quirks share: the simulator, and a mall whose answers are set. */
import { onTestFinished } from 'vitest'
import { malls, type Source } from '../../index.ts'
import { ASSORTMENT, createFakeClock, startServer } from '../../testing/stage.ts'
import type { Settings } from '../signing.ts'
import { startMallC } from '../simulator.ts'

const budget = { take: () => Promise.resolve(0), limited: () => Promise.resolve() }

export async function stage(
  change: Partial<Settings> = {}, { skewMs = 0, ratePerSecond = 1000 } = {},
) {
  const clock = createFakeClock()
  const simulator = await startMallC({
    clock: { now: () => clock.now() + skewMs }, assortment: ASSORTMENT, ratePerSecond,
  })
  const source = malls.mall_c.open({ ...simulator.settings, ...change }, { clock, budget })
  onTestFinished(async () => {
    await source.close()
    await simulator.close()
  })
  const search = (page = 1, pageSize = 30) => source.search({ q: '双肩包', page, pageSize })
  return { clock, simulator, source, search }
}

export type Params = Readonly<Record<string, string>>

/** A mall that answers as the test says, and what it was asked. */
export async function scripted(
  answer: (asked: Params, nth: number) => object, change: Partial<Settings> = {},
): Promise<{ source: Source, asked: Params[] }> {
  const asked: Params[] = []
  const server = await startServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
      asked.push(Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())))
      response.end(JSON.stringify(answer(asked.at(-1) ?? {}, asked.length)))
    })
  })
  const settings = {
    baseUrl: server.url, clientId: 'app', clientSecret: 'secret', pid: '1_2',
    hosts: ['mall-c.example'], ...change,
  }
  const source = malls.mall_c.open(settings, { clock: createFakeClock(), budget })
  onTestFinished(() => source.close())
  return { source, asked }
}

/** The mall's own form of an error. */
export const refusal = (code: number, more: object = {}) =>
  ({ error_response: { error_code: code, error_msg: '业务服务错误', sub_code: null, ...more } })
