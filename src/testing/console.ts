/** A browser at the console, for tests: it keeps the cookie and sends the token. */
import { randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { consoleOperations } from '../console/operations/index.ts'
import { errorsOf } from '../operations/define.ts'
import { problemsOf } from '../validate.ts'
import type { Answer, TestNode } from './node.ts'

export const PASSWORD = 'correct horse battery staple'
export const newEmail = (): string => `u${randomBytes(8).toString('hex')}@mail.example`

export interface Browser {
  readonly email: string
  cookie: string
  csrf: string
  /** Without the prefix: `/agents`. A write gets its Idempotency-Key where `key` is given. */
  call(method: string, path: string, body?: object, key?: string): Promise<Answer>
  register(): Promise<Answer>
  signIn(password?: string): Promise<Answer>
}

export function openBrowser(node: TestNode, email = newEmail()): Browser {
  const browser: Browser = {
    email, cookie: '', csrf: '',
    async call(method, path, body, key) {
      const answer = await node.send(method, `/console/api${path}`, {
        ...(body && { body }),
        headers: {
          ...(browser.cookie && { Cookie: browser.cookie }),
          ...(browser.csrf && { 'X-CSRF-Token': browser.csrf }),
          ...(key !== undefined && { 'Idempotency-Key': key }),
        },
      })
      const set = answer.headers.get('set-cookie')
      if (set !== null) browser.cookie = set.split(';')[0] ?? ''
      assertDeclared(method, path, answer)
      browser.csrf = answer.envelope.data?.csrf_token ?? browser.csrf
      return answer
    },
    register: () => browser.call('POST', '/register', { email, password: PASSWORD }),
    signIn: (password = PASSWORD) => browser.call('POST', '/session', { email, password }),
  }
  return browser
}

/** Every answer is what the table says: its data, or an error that the operation lists. */
function assertDeclared(method: string, path: string, { envelope }: Answer): void {
  const operation = consoleOperations.find(({ route }) => {
    const pattern = route.replaceAll(/:[a-z_]+/g, '[^/]+')
    return new RegExp(`^${pattern}$`).test(`${method} ${path.split('?')[0]}`)
  })
  if (!operation) return
  if (envelope.code === 0) {
    expect(problemsOf(operation.output, structuredClone(envelope.data)), operation.name).toEqual([])
  } else {
    expect([...errorsOf(operation), 'csrf_refused'], operation.name).toContain(envelope.data.error)
  }
}

/** Somebody with an account and one agent. */
export async function openOwner(node: TestNode) {
  const browser = openBrowser(node)
  await browser.register()
  const { account } = (await browser.signIn()).envelope.data as { account: string }
  const { agent, api_key: apiKey } =
    (await browser.call('POST', '/agents', { label: 'first' })).envelope.data as
      { agent: string, api_key: string }
  return { ...browser, browser, account, agent, apiKey }
}

export const newKey = (): string => randomUUID()

export interface SentEvent {
  readonly type: string
  readonly id?: string
  readonly data: Record<string, unknown>
}

/** Follows the live feed; `close` lets go of it. */
export async function followLive(node: TestNode, cookie: string, lastEventId?: string) {
  const aborter = new AbortController()
  const response = await fetch(`${node.url}/console/api/live`, {
    signal: aborter.signal,
    headers: { Cookie: cookie, ...(lastEventId && { 'Last-Event-ID': lastEventId }) },
  })
  const events: SentEvent[] = []
  const reading = (async () => {
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const line = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
        const [type, id, data] = [line('event'), line('id'), line('data')]
        if (type && data) events.push({ type, ...(id && { id }), data: JSON.parse(data) })
      }
    }
  })().catch(() => {})
  return {
    status: response.status,
    events,
    ended: reading,
    async close() {
      aborter.abort()
      await reading
    },
  }
}
