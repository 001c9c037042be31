/** A hundred thousand deliveries wait for receivers that hang, and then are taken. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { ApiKeys } from '../../../src/accounts/api-keys.ts'
import { monotonicMs, nowMs } from '../../../src/contract/time.ts'
import {
  ENDPOINTS_MAX, WAITING_MAX, webhookKeys, webhookTake, type WaitingDelivery,
} from '../../../src/events/endpoints.ts'
import { EVENT_TYPES, exampleOf } from '../../../src/events/catalogue.ts'
import { createLogger } from '../../../src/log.ts'
import { openSecrets } from '../../../src/secrets/open.ts'
import { pauseFor } from '../attempts.ts'
import { type Fault, untilSuccess, WHOLE_MS_MAX } from '../fault.ts'
import type { Testbed } from '../testbed.ts'

/** As many as a worker takes from a feed at a time, and events of one order. */
const [BATCH, OF_ONE] = [100, 5]
const POLL_MS = 200
/** Agents slow down by so much: a hundred thousand deliveries need the machine. */
const SLOWED = 50
/** Of all of them, once their receivers answer. */
const TAKEN_MS_MAX = 1_200_000
const EXAMPLE = exampleOf(EVENT_TYPES.find(({ name }) => name === 'order.shipped')
  ?? EVENT_TYPES[0] as (typeof EVENT_TYPES)[number])

/** What came to endpoints that share a receiver: how many events, and whether in order. */
class Crowd {
  isHanging = true
  readonly taken = new Set<string>()
  readonly disorder: string[] = []
  readonly server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString()) as {
        id: string, type: string, challenge?: string,
      }
      if (message.type === 'webhook.challenge') {
        response.end(JSON.stringify({ challenge: message.challenge }))
      } else if (!this.isHanging) {
        this.take(message.id)
        response.writeHead(204).end()
      }
    })
  })

  /** An id ends in the number of its event among those of its order. */
  private take(id: string): void {
    const [, order = '', number] = /^(.*)-(\d)$/.exec(id) ?? []
    if (Number(number) > 0 && !this.taken.has(`${order}-${Number(number) - 1}`)) {
      this.disorder.push(id)
    }
    this.taken.add(id)
  }
}

export const deliveriesWait: Fault = {
  name: 'deliveries-wait',
  on: ['single', 'cluster'],
  isLong: true,
  lastsMs: [2000, 5000],
  async inflict(testbed) {
    testbed.pace.factor = SLOWED
    const crowd = new Crowd()
    crowd.server.listen(0, '127.0.0.1')
    await once(crowd.server, 'listening')
    const endpoints = await subscribe(testbed, (crowd.server.address() as AddressInfo).port)
    await Promise.all(endpoints.map((id) => untilSuccess(() => fill(testbed, id))))
    return async () => {
      crowd.isHanging = false
      const began = monotonicMs()
      const end = monotonicMs() + TAKEN_MS_MAX
      const expected = endpoints.length * WAITING_MAX
      while (crowd.taken.size < expected && monotonicMs() < end) await pauseFor(POLL_MS)
      testbed.pace.factor = 1
      process.stderr.write(`  ${crowd.taken.size} deliveries that waited were taken in `
        + `${Math.round((monotonicMs() - began) / 1000)} s\n`)
      crowd.server.closeAllConnections()
      crowd.server.close()
      if (crowd.taken.size < expected) {
        throw new Error(`of ${expected} deliveries that waited ${crowd.taken.size} were taken`)
      }
      if (crowd.disorder.length > 0) {
        throw new Error(`deliveries that waited came in disorder: ${crowd.disorder.slice(0, 5)}`)
      }
    }
  },
}

/** All that one more account may have, proven. */
async function subscribe({ ledger, secret, nodes }: Testbed, port: number): Promise<string[]> {
  const apiKeys = new ApiKeys({
    ledger, secrets: await openSecrets(ledger, secret), log: createLogger('silent'),
    takeTrial: async () => undefined,
  })
  const { apiKey } = await apiKeys.createKey({ tier: 't2', label: 'waiting' })
  const call = async <T>(method: string, body?: object): Promise<T> => await untilSuccess(
    async () => {
      const answer = await fetch(`http://127.0.0.1:${nodes[0]?.port}/v1/webhooks`, {
        method, headers: { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' },
        signal: AbortSignal.timeout(WHOLE_MS_MAX), ...(body && { body: JSON.stringify(body) }),
      })
      const { data } = await answer.json() as { data: T }
      if (!answer.ok) throw new Error(`a webhook cannot be made: ${JSON.stringify(data)}`)
      return data
    })
  const url = `http://127.0.0.1:${port}/`
  for (let count = 0; count < ENDPOINTS_MAX; count += 1) await call('POST', { url })
  return await untilSuccess(async () => {
    const { webhooks } =
      await call<{ webhooks: { webhook_id: string, state: string }[] }>('GET')
    if (webhooks.some(({ state }) => state !== 'active')) throw new Error('not proven yet')
    return webhooks.map(({ webhook_id }) => webhook_id)
  })
}

/** Its queue, to its limit, as a worker fills it. */
async function fill({ ledger }: Testbed, endpoint: string): Promise<void> {
  const waiting = Number(await ledger.hget(webhookKeys(endpoint).webhook, 'waiting') ?? 0)
  for (let from = waiting; from < WAITING_MAX; from += BATCH) {
    const deliveries = Array.from({ length: BATCH }, (_, index): [string, string] => {
      const subject = `${endpoint}-${Math.floor((from + index) / OF_ONE)}`
      const id = `${subject}-${index % OF_ONE}`
      const delivery: WaitingDelivery = {
        id, type: EXAMPLE.type, body: JSON.stringify({ ...EXAMPLE, id }), t: nowMs(), n: 0,
      }
      return [subject, JSON.stringify(delivery)]
    })
    const code = await webhookTake.run(ledger, webhookKeys(endpoint), {
      before: '*', after: '', waiting_max: WAITING_MAX, deliveries: JSON.stringify(deliveries),
    })
    if (code !== 'taken') throw new Error(`deliveries cannot be made to wait: ${code}`)
  }
}
