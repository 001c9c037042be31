/**
 * `agentmall listen` and `agentmall trigger`: a developer's own receiver without a public address,
 * and events on demand. They work over the public API of a running service, like any client.
 */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { ConfigError, type Config } from '../config.ts'
import { monotonicMs, nowMs, sleep } from '../contract/time.ts'
import { type AgentEvent, EVENT_NAMES } from '../events/catalogue.ts'
import { newSigningSecret, signedHeaders } from '../events/signing.ts'
import { RECEIVER_EXAMPLE } from '../operations/order-fields.ts'
import { print } from './context.ts'

interface Connection {
  readonly url: string
  readonly key?: string
}

interface ListenOptions extends Connection {
  readonly forwardTo?: string
  readonly events: string
  readonly after: string
  readonly secret?: string
  readonly printJson?: boolean
}

/** An answer of the service that is no success. */
class Refused extends Error {}

const REQUEST_MS_MAX = 30_000
const WAIT_MS = 8000
/** Refusals that pass by themselves. */
const PASSING = /^(unavailable|rate_limited|internal):/
const RETRY_MS = 500
const RETRY_MS_MAX = 5000
const FORWARD_MS_MAX = 10_000

export function listenCommand(config: Config): Command {
  return connected(new Command('listen'), config)
    .description('prints an agent\'s events as they happen, and forwards them, signed')
    .option('--forward-to <url>', 'POSTs each event there, until it is taken')
    .option('--events <names>', 'names or families with commas', '*')
    .option('--after <cursor>', 'where to begin: a cursor, or latest', 'latest')
    .option('--secret <whsec>', 'signs what is forwarded; a new one without it')
    .option('--print-json', 'whole events, one a line')
    .action((options: ListenOptions) => listen(clientOf(config, options), options))
}

export function triggerCommand(config: Config): Command {
  return connected(new Command('trigger'), config)
    .description('makes an event happen in the sandbox, through the operations of the API')
    .argument('<event>', `such as ${Object.keys(TRIGGERS).slice(0, 3).join(', ')}`)
    .action(async (name: string, options: Connection) => {
      const act = TRIGGERS[name]
      if (!act) {
        throw new ConfigError(EVENT_NAMES.includes(name)
          ? `${name} cannot be made to happen from here. These can: `
            + `${Object.keys(TRIGGERS).join(', ')}.`
          : `${name} is no event: see docs/events.md.`)
      }
      print(await act(clientOf(config, options)))
    })
}

const connected = (command: Command, config: Config): Command => command
  .option('--url <url>', 'the service', config.publicUrl)
  .option('--key <key>', 'the agent\'s API key; the sandbox\'s own without it')

type Client = <T>(
  method: string, path: string, body?: object, headers?: Readonly<Record<string, string>>,
) => Promise<T>

function clientOf(config: Config, { url, key = sandboxKey(config) }: Connection): Client {
  return async <T>(
    method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {},
  ): Promise<T> => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      signal: AbortSignal.timeout(REQUEST_MS_MAX),
      headers: {
        Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const { code, data } = await response.json() as { code: number, data: unknown }
    if (code === 0) return data as T
    const { error, hint } = data as { error: string, hint: string }
    throw new Refused(`${error}: ${hint}`)
  }
}

function sandboxKey({ dataDir }: Config): string {
  const file = join(dataDir, 'sandbox-key')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  throw new ConfigError('Name an API key with --key: there is no sandbox key in DATA_DIR.')
}

const say = (text: string): void => { process.stdout.write(`${text}\n`) }

/** Never ends by itself: a service or a receiver that goes comes back. */
async function listen(call: Client, options: ListenOptions): Promise<void> {
  const { forwardTo, events: types, printJson = false } = options
  const secret = options.secret ?? newSigningSecret()
  if (forwardTo !== undefined) process.stderr.write(`Signing with ${secret}\n`)
  let after = options.after
  for (;;) {
    const query = new URLSearchParams({ types, after, wait_ms: String(WAIT_MS) })
    const page = await untilTaken('the service', () =>
      call<{ events: AgentEvent[], next_cursor: string }>('GET', `/events?${query}`))
    for (const event of page.events) {
      say(printJson ? JSON.stringify(event) : lineOf(event))
      if (forwardTo !== undefined) {
        await untilTaken(forwardTo, () => forward(forwardTo, secret, event, printJson))
      }
    }
    after = page.next_cursor
  }
}

const lineOf = ({ id, type, timestamp, data }: AgentEvent): string =>
  `${timestamp}  ${type.padEnd(22)} ${data['order_no'] ?? data['about'] ?? ''}  ${id}`

/** What is refused is refused for good; what cannot be reached comes back. */
async function untilTaken<T>(whom: string, work: () => Promise<T>): Promise<T> {
  for (let wait = RETRY_MS; ; wait = Math.min(wait * 2, RETRY_MS_MAX)) {
    try {
      return await work()
    } catch (error) {
      const isPassing = !(error instanceof Refused) || PASSING.test(error.message)
      if (!isPassing) throw new ConfigError(error.message)
      const { message } = error as Error
      process.stderr.write(`${whom} does not take it (${message}): once more in ${wait} ms\n`)
      await sleep(wait)
    }
  }
}

async function forward(
  url: string, secret: string, event: AgentEvent, isQuiet: boolean,
): Promise<void> {
  const began = monotonicMs()
  const body = JSON.stringify(event)
  const timestampS = Math.floor(nowMs() / 1000)
  const response = await fetch(url, {
    method: 'POST', body, redirect: 'manual', signal: AbortSignal.timeout(FORWARD_MS_MAX),
    headers: {
      'Content-Type': 'application/json',
      ...signedHeaders({ id: event.id, body, timestampS }, [secret]),
    },
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`status ${response.status}`)
  if (!isQuiet) say(`  → ${response.status} in ${Math.round(monotonicMs() - began)} ms`)
}

interface Placed {
  readonly order_no: string
  readonly pay_url: string
}

async function place(call: Client): Promise<Placed> {
  const { items } = await call<{ items: Record<string, number>[] }>(
    'GET', '/goods?page_size=50&sort=price_asc')
  const item = items.find(({ available_qty = 0 }) => available_qty > 0)
  if (!item) throw new ConfigError('Nothing is in stock: start the service with goods.')
  const { product_id, merchant_id } = item
  return await call('POST', '/orders',
    { product_id, merchant_id, qty: 1, receiver: RECEIVER_EXAMPLE },
    { 'Idempotency-Key': randomUUID() })
}

async function pay(call: Client): Promise<Placed> {
  const placed = await place(call)
  const { origin, pathname, searchParams } = new URL(placed.pay_url)
  const answer = await fetch(`${origin}${pathname}`, { method: 'POST', body: searchParams })
  await answer.body?.cancel()
  if (!answer.ok) throw new ConfigError(`The cashier answered ${answer.status}.`)
  return placed
}

type Trigger = (call: Client) => Promise<object>

const shown = ({ order_no }: Placed, note?: string): object =>
  ({ order_no, ...(note !== undefined && { note }) })

const placed: Trigger = async (call) => shown(await place(call))
const paid: Trigger = async (call) => shown(await pay(call))
const travelling: Trigger = async (call) =>
  shown(await pay(call), 'The sandbox moves it on by itself.')

const cancelled: Trigger = async (call) => {
  const one = await place(call)
  await call('POST', `/orders/${one.order_no}/cancel`, {})
  return shown(one)
}

/** Before the parcel leaves a request is refunded at once. */
const refunded: Trigger = async (call) => {
  const one = await pay(call)
  await call('POST', `/orders/${one.order_no}/aftersales`, { type: 'refund_only' },
    { 'Idempotency-Key': randomUUID() })
  return shown(one)
}

const tested: Trigger = async (call) => {
  const { webhooks } = await call<{ webhooks: { webhook_id: string }[] }>('GET', '/webhooks')
  for (const { webhook_id } of webhooks) await call('POST', `/webhooks/${webhook_id}/test`, {})
  return { webhooks: webhooks.length }
}

const TRIGGERS: Readonly<Record<string, Trigger>> = {
  'order.created': placed,
  'order.paid': paid,
  'order.accepted': travelling,
  'order.shipped': travelling,
  'order.delivered': travelling,
  'order.completed': travelling,
  'order.cancelled': cancelled,
  'order.refunded': refunded,
  'aftersale.requested': refunded,
  'aftersale.refunded': refunded,
  'refund.arrived': refunded,
  'commission.pending': paid,
  'commission.confirmed': travelling,
  'commission.reversed': refunded,
  'webhook.test': tested,
}
