/**
 * `npm run docs`: writes docs/errors.md and docs/console-api.md, and records the example answers of
 * the reference from a node over the whole sandbox catalogue, by sending the examples of the
 * OpenAPI document.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cacheDir, readConfig } from '../config.ts'
import { isoTime, nowMs } from '../contract/time.ts'
import { readEndpoint } from '../events/endpoints.ts'
import { withCatalogue } from '../events/markdown.ts'
import { WEBHOOK_EXAMPLE } from '../operations/webhook-fields.ts'
import { startReceiver } from '../testing/receiver.ts'
import { consoleMarkdown } from '../console/reference.ts'
import { AGENT_EXAMPLE, RECORDED_URL } from '../http/reference/examples.ts'
import { errorsMarkdown } from '../http/reference/markdown.ts'
import { createLogger } from '../log.ts'
import { ORDER_NO_EXAMPLE } from '../contract/fields.ts'
import { operations } from '../operations/index.ts'
import { startEmbeddedRedis } from '../dev/redis/embedded.ts'
import { urlsOf } from '../redis/roles.ts'
import { startNode, type Node } from '../start/node.ts'
import { fillStores } from '../testing/goods.ts'
import { withdrawnOrder } from '../testing/live.ts'
import { startTestMalls } from '../testing/malls.ts'
import { createDocumentClient, payOrder, type DocumentClient } from '../testing/document-client.ts'

const ROOT = new URL('../..', import.meta.url)
const ANSWERS = new URL('src/http/reference/answers.json', ROOT)
const log = createLogger('warn')

const HOOK_EXAMPLE = 'https://agent.example.com/hook'
const DAY_MS = 86_400_000

/** A place in a stream is nobody's: only pages of orders have cursors to be kept back. */
const STREAM_CURSOR = /^\d{1,15}-\d{1,10}$/

/** What differs at each recording, and must not be anybody's. */
const FIXED: Readonly<Record<string, string>> = {
  api_key: 'ak_trial_0000000000000000000000000EXAMPLE',
  binding_code: '0000000000EXAMPL',
  go_url: `${RECORDED_URL}/go/0000EXAMPLE0`,
  secret: 'whsec_MDAwMDAwMDAwMDAwMDAwMDAwMDAwRVhBTVBMRTAwMDA=',
  webhook_id: WEBHOOK_EXAMPLE,
  next_cursor: 'bzphZ18wMDAwRVhBTVBMRT0xNzcyMzMyMjAwMDAwLTA',
  agent_ref: AGENT_EXAMPLE,
  agent: AGENT_EXAMPLE,
}

await writeFile(new URL('docs/errors.md', ROOT), errorsMarkdown())
await writeFile(new URL('docs/console-api.md', ROOT), consoleMarkdown())
const events = new URL('docs/events.md', ROOT)
await writeFile(events, withCatalogue(await readFile(events, 'utf8')))
const dataDir = await mkdtemp(join(tmpdir(), 'agentmall-docs-'))
const redis = await startEmbeddedRedis({ dataDir, cacheDir: cacheDir(), log })
try {
  const config = {
    ...readConfig({ PORT: '0', HOST: '127.0.0.1' }), publicUrl: RECORDED_URL,
    // Time enough for an after-sale on the delivered order.
    sandboxCompleteMs: 600_000,
    // A node that has just started answers late.
    fanOutMs: 8000,
  }
  const urls = urlsOf(redis)
  await fillStores(urls, config.catalogItems, config.catalogSeed)
  const malls = await startTestMalls({ publicUrl: RECORDED_URL })
  const node = await startNode({
    config, urls, secret: 'a-secret-of-this-recording-and-no-other', malls: malls.settings,
    sandboxShops: malls.shops, log,
  })
  try {
    await writeFile(ANSWERS, `${JSON.stringify(await record(node), null, 1)}\n`)
  } finally {
    await node.stop()
    await malls.close()
  }
} finally {
  await redis.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function record({ port, services }: Node): Promise<Record<string, unknown>> {
  const origin = `http://127.0.0.1:${port}`
  const { apiKeys, orders: life } = services
  const { apiKey: key, agent } = await apiKeys.createKey({ tier: 't1', label: 'documents' })
  const document = await (await fetch(`${origin}/openapi.json`)).json()
  const client = createDocumentClient(document, origin)
  const placed = await answerOf(client, 'create_order', key)
  const { order_no, pay_url } = placed as { order_no: string, pay_url: string }
  await payOrder(origin, pay_url)
  await untilDelivered(client, key, order_no)
  const placeAnother = async (): Promise<string> =>
    (await answerOf(client, 'create_order', key) as { order_no: string }).order_no
  const other = await placeAnother()
  const withdrawn = await withdrawnOrder(life, agent, placeAnother)
  const orders: Record<string, string> = { cancel_order: other, cancel_aftersale: withdrawn }
  const hook = await startReceiver()
  const webhook = await answerOf(client, 'create_webhook', key, {
    url: hook.url, events: ['order.*', 'refund.arrived'],
  }) as { webhook_id: string }
  const { webhook_id } = webhook
  await untilDelivering(services, webhook_id)
  const answers: Record<string, unknown> = { create_order: placed, create_webhook: webhook }
  for (const { name } of operations) {
    const since = isoTime(nowMs() - DAY_MS)
    answers[name] ??= await answerOf(client, name, key,
      { order_no: orders[name] ?? order_no, webhook_id, since })
    if (name === 'request_aftersale') {
      // So that the list of after-sales has one to show.
      await life.requestAftersale(
        { order_no, type: 'return_refund', reason_class: 'quality', reason: '充电时有杂音' },
        { agent, account: '' })
    }
  }
  await hook.close()
  let text = JSON.stringify(answers, (field, value: unknown) =>
    (typeof value === 'string' && !STREAM_CURSOR.test(value) ? FIXED[field] : undefined) ?? value)
  text = text.replaceAll(hook.url, HOOK_EXAMPLE)
  for (const one of [order_no, other, withdrawn]) text = text.replaceAll(one, ORDER_NO_EXAMPLE)
  const sorted = Object.entries(JSON.parse(text) as object)
  return Object.fromEntries(sorted.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

async function answerOf(
  client: DocumentClient, name: string, key: string, given: Record<string, unknown> = {},
): Promise<unknown> {
  const { status, envelope, problems } = await client.call(name, { key, given })
  const isPartial = (envelope.data as { partial?: unknown } | null)?.partial === true
  if (isPartial) throw new Error(`${name} answered without all sources; record it again.`)
  if (status === 200 && problems.length === 0) return envelope.data
  throw new Error(`${name} answered ${status}: ${[...problems, envelope.msg].join(', ')}`)
}

async function untilDelivering({ ledger }: Node['services'], id: string) {
  for (let tries = 0; tries < 60; tries += 1) {
    if ((await readEndpoint(ledger, id))?.state === 'active') return
    await pause(500)
  }
  throw new Error('The webhook endpoint was not proven.')
}

async function untilDelivered(client: DocumentClient, key: string, order_no: string) {
  for (let tries = 0; tries < 60; tries += 1) {
    const { envelope } = await client.call('get_order_status', { key, given: { order_no } })
    if (envelope.data.status === 'delivered') return
    await pause(1000)
  }
  throw new Error('The order was not delivered.')
}
