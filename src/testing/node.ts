/**
 * A whole node in the test's own process, listening on a free port, over the test run's Redis. One
 * whose sandbox has a pace of its own, or none, has a ledger of its own: on the run's it would hold
 * the driver's lease now and then, and other tests' orders would wait for it.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { SandboxShops } from '../affiliate/shop-pages.ts'
import type { MallSettings } from '../affiliate/settings.ts'
import { readConfig, type Config } from '../config.ts'
import type { OperationSpec } from '../contract/operation.ts'
import { createLogger, type NodeLog } from '../log.ts'
import { startNode, type Node } from '../start/node.ts'
import { readMailedToken } from './mails.ts'
import { PATIENCE_MS } from './patience.ts'
import { restForm } from './rest-form.ts'
import { emptyLedger } from './spare.ts'

/** One secret for all test files: they share a ledger, which knows its fingerprint. */
export const TEST_SECRET = 'the-secret-of-all-tests-in-this-run'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly envelope: {
    schema: string, code: number, msg: string, agent_ref: string | null
    // Tests look into whatever came back.
    data: any // oxlint-disable-line typescript/no-explicit-any
  }
}

export interface McpAnswer {
  readonly status: number
  readonly body: any // oxlint-disable-line typescript/no-explicit-any
}

export interface SendOptions {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface TestNode extends Node {
  readonly url: string
  newKey(tier?: string): Promise<string>
  send(method: string, path: string, options?: SendOptions): Promise<Answer>
  /** The token of the newest mail's link to this page, once it is there: `verify` or `reset`. */
  mailedToken(email: string, page: string): Promise<string>
  /** An operation over REST, from the input that MCP takes. */
  rest(operation: OperationSpec, input: object, key?: string): Promise<Answer>
  /** A JSON-RPC request; the parsed answer. */
  mcp(method: string, params: object, key?: string): Promise<McpAnswer>
}

export async function startTestNode(
  overrides: Partial<Config> = {}, log: NodeLog = createLogger('silent'), malls: MallSettings = {},
  sandboxShops: SandboxShops = {},
): Promise<TestNode> {
  const { shelfUrl, ledgerUrl, countersUrl } = inject('redis')
  const isOdd = 'sandbox' in overrides || 'sandboxStepMs' in overrides
  const own = isOdd && !overrides.redis ? await emptyLedger() : undefined
  const urls = overrides.redis ?? {
    shelf: shelfUrl, ledger: own ?? ledgerUrl, counters: own ?? countersUrl,
  }
  const mailDir = await mkdtemp(join(tmpdir(), 'agentmall-mail-'))
  const config: Config = {
    ...readConfig({
      PORT: '0', HOST: '127.0.0.1', DRAIN_MS: '2000', TRUSTED_PROXIES: '127.0.0.1',
      // One pace for all test nodes: any of them may hold the sandbox driver's lease.
      SANDBOX_STEP_MS: '30', SANDBOX_COMPLETE_MS: '30',
    }),
    redis: urls, trialKeysPerDay: 1_000_000, trialKeysPerDayAll: 1_000_000_000, mailDir,
    ledgerReplicasMin: overrides.ledgerReplicas ?? 0, ...overrides,
  }
  const { secret = TEST_SECRET } = config
  const node = await startNode({ config, urls, secret, malls, sandboxShops, log })
  const url = `http://127.0.0.1:${node.port}`

  const send: TestNode['send'] = (method, path, options = {}) =>
    sendTo(`${url}${path}`, method, options)

  return {
    ...node,
    url,
    send,
    async stop() {
      await node.stop()
      await rm(mailDir, { recursive: true, force: true })
    },
    async newKey(tier = 't2') {
      const { apiKey } = await node.services.apiKeys.createKey({ tier, label: 'test' })
      return apiKey
    },
    mailedToken: (email, page) => readMailedToken(mailDir, email, page),
    rest(operation, input, key) {
      const { method, path, body, headers } = restForm(operation, input)
      return send(method, path, {
        ...(key !== undefined && { key }), ...(body && { body }), headers,
      })
    },
    async mcp(method, params, key) {
      const { status, text } = await send('POST', '/mcp', {
        ...(key !== undefined && { key }),
        body: { jsonrpc: '2.0', id: 1, method, params },
        headers: { 'MCP-Protocol-Version': '2025-11-25' },
      })
      return { status, body: JSON.parse(text) }
    },
  }
}

async function sendTo(
  url: string, method: string, { key, body, headers }: SendOptions,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    // Without it an answer that does not come is waited for five minutes.
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      // Each call without a key comes from an address of its own: limits have their own tests.
      'X-Forwarded-For': randomAddress(),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return {
    status: response.status, headers: response.headers, text,
    envelope: isJson && text !== '' ? JSON.parse(text) : {},
  }
}

export const randomAddress = (): string => {
  const [a, b, c] = randomBytes(3)
  return `10.${a}.${b}.${c}`
}
