import { afterAll, describe, expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { openRedis } from '../redis/connect.ts'
import { counters as sessionKeys, ledger as keys } from '../redis/keys.ts'
import { createSessions } from './sessions.ts'
import { newAccountId, openAccounts } from './testing/accounts.ts'

const DAY_S = 86_400
const [node, other] = await Promise.all([openAccounts(), openAccounts()])
const { counters, ledger, sessions, accounts, secrets } = node
afterAll(() => Promise.all([node.close(), other.close()]))

async function signedIn() {
  const account = newAccountId()
  await ledger.hset(keys.login(account), { password: 'x', epoch: 1 })
  const session = await sessions.start({ account, epoch: 1 })
  return { account, session, key: sessionKeys.session(secrets.keyedHash('session', session.id)) }
}

test('a session is found on every node by 256 bits that are stored nowhere', async () => {
  const { account, session, key } = await signedIn()
  expect(Buffer.from(session.id, 'base64url')).toHaveLength(32)
  expect(await other.sessions.find(session.id)).toEqual(session)
  const stored = JSON.stringify([key, await counters.hgetall(key)])
  expect(stored).not.toContain(session.id)
  expect(stored).not.toContain(session.csrf)
  expect(stored).toContain(account)
})

test.each(['', 'x', 'A'.repeat(43), '*'.repeat(43)])('%j is no session', async (id) => {
  expect(await sessions.find(id)).toBeUndefined()
})

describe('its life', () => {
  test('is 30 days from its last use', async () => {
    const { session, key } = await signedIn()
    expect(await counters.ttl(key)).toBeGreaterThan(30 * DAY_S - 10)
    await counters.expire(key, 100)
    await sessions.find(session.id)
    expect(await counters.ttl(key)).toBeGreaterThan(30 * DAY_S - 10)
  })

  test('is not written for each use', async () => {
    const { session, key } = await signedIn()
    await counters.expire(key, 30 * DAY_S - 1800)
    await sessions.find(session.id)
    expect(await counters.ttl(key)).toBeLessThanOrEqual(30 * DAY_S - 1800)
  })

  test('never goes beyond 90 days', async () => {
    const { session, key } = await signedIn()
    const endsAt = Number(await counters.hget(key, 'ends_at'))
    expect(endsAt - Date.now()).toBeGreaterThan(90 * DAY_S * 1000 - 10_000)
    await counters.hset(key, 'ends_at', Date.now() + 5000)
    await counters.expire(key, 1)
    await sessions.find(session.id)
    expect(await counters.pttl(key)).toBeLessThanOrEqual(5000)
  })

  test('ends when it is ended', async () => {
    const { session } = await signedIn()
    await sessions.end(session.id)
    expect(await other.sessions.find(session.id)).toBeUndefined()
  })
})

test('signing out everywhere ends it on every node within a second', async () => {
  const { account, session } = await signedIn()
  expect(await other.sessions.find(session.id)).toBeDefined()
  await accounts.signOutEverywhere(account)
  await expect.poll(() => other.sessions.find(session.id))
    .toBeUndefined()
})

test('a session of before a change of password cannot begin after it', async () => {
  const { account } = await signedIn()
  await accounts.signOutEverywhere(account)
  const late = await sessions.start({ account, epoch: 1 })
  expect(await sessions.find(late.id)).toBeUndefined()
})

test('an account without a login has no sessions', async () => {
  const { account, session } = await signedIn()
  await ledger.del(keys.login(account))
  expect(await other.sessions.find(session.id)).toBeUndefined()
})

test('a CSRF token belongs to one session', async () => {
  const [one, two] = [await signedIn(), await signedIn()]
  expect(sessions.csrfMatches(one.session, one.session.csrf)).toBe(true)
  for (const given of [two.session.csrf, '', one.session.id]) {
    expect(sessions.csrfMatches(one.session, given)).toBe(false)
  }
})

describe('its cookie', () => {
  test('is for the console alone and for no script, and secure where the address is', async () => {
    const { session } = await signedIn()
    expect(sessions.cookie(session)).toBe(`agentmall_session=${session.id}; Max-Age=2592000; `
      + 'Path=/console; HttpOnly; Secure; SameSite=Strict')
    const plain = createSessions({
      counters, ledger, secrets, publicUrl: 'http://localhost:8080/mall',
    })
    expect(plain.cookie(session)).toBe(`agentmall_session=${session.id}; Max-Age=2592000; `
      + 'Path=/mall/console; HttpOnly; SameSite=Strict')
    expect(plain.cookie()).toMatch(/^agentmall_session=; Max-Age=0; Path=/)
  })

  test('is read among others, and only when it can be one', async () => {
    const { session } = await signedIn()
    expect(sessions.idOf(`a=b; agentmall_session=${session.id}; c=d`)).toBe(session.id)
    for (const cookies of [undefined, '', 'agentmall_session=', 'agentmall_session=x',
      `x_agentmall_session=${session.id}`]) {
      expect(sessions.idOf(cookies)).toBeUndefined()
    }
  })
})

test('while counters are down it is unavailable, and no answer says that they signed out',
  async () => {
    const { session } = await signedIn()
    const away = openRedis('redis://127.0.0.1:1', createLogger('silent'))
    const cut = createSessions({
      counters: away, ledger, secrets, publicUrl: 'http://mall.test',
    })
    await expect(cut.find(session.id)).rejects.toMatchObject({ error: 'unavailable' })
    away.disconnect()
  })
