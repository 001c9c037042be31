import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { createThrottle } from '../limits/throttle.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import {
  ADDRESS, before, newEmail, openAccounts, PASSWORD, verifications,
} from './testing/accounts.ts'

// An earlier file of the worker may have loaded it without the spy.
vi.hoisted(() => vi.resetModules())
vi.mock(import('@node-rs/argon2'), { spy: true })

const [node, other] = await Promise.all([openAccounts(), openAccounts()])
const { ledger, accounts, sessions, agents, secrets } = node
afterAll(() => Promise.all([node.close(), other.close()]))
const newAddress = (): string => [10, ...randomBytes(3)].join('.')
const emailKey = (email: string) => keys.email(secrets.keyedHash('email', email))
const nameOf = async (work: Promise<unknown>) =>
  await work.then(() => 'done', (error: unknown) => (error as Refusal).error)

async function registered(email = newEmail()) {
  await accounts.register(email, PASSWORD, ADDRESS)
  const who = await accounts.signIn(email, PASSWORD, ADDRESS)
  if (!who) throw new Error('Nobody was registered.')
  return { email, ...who }
}

/** Notes the keys of the accounts that a node begins to make. */
const noting = (begun: string[]) => (durable: Durable): Durable => ({
  ...durable,
  run(script, names, ...rest) {
    if (script.name === 'account-create') begun.push(...Object.values<string>(names))
    return durable.run(script, names, ...rest)
  },
})

describe('registering', () => {
  test('makes an account that signs in from any node, however the address is written', async () => {
    const { email, account } = await registered()
    const written = ` ${email.toUpperCase().replace('MAIL', 'ＭＡＩＬ')} `
    expect(await other.accounts.signIn(written, PASSWORD, ADDRESS))
      .toMatchObject({ account, epoch: 1 })
    expect(await ledger.hgetall(keys.account(account))).toMatchObject({
      kind: 'account', state: 'active', created_at: expect.any(String),
    })
    for (const key of [keys.account(account), keys.login(account), emailKey(email)]) {
      expect(await ledger.ttl(key)).toBe(-1)
    }
  })

  test('keeps neither address nor password in clear', async () => {
    const { email, account } = await registered()
    const stored = JSON.stringify([
      await ledger.hgetall(keys.account(account)), await ledger.hgetall(keys.login(account)),
    ])
    expect(stored).not.toContain(email)
    expect(stored).not.toContain(PASSWORD)
    expect(stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
    expect(await accounts.emailOf(account)).toBe(email)
  })

  test('a known address again answers the same and changes nothing', async () => {
    const { email, account } = await registered()
    expect(await accounts.register(email, 'another password', ADDRESS)).toBeUndefined()
    // Looked at before a sign-in mends it.
    expect(await ledger.ttl(emailKey(email))).toBe(-1)
    expect(await accounts.register(newEmail(), 'another password', ADDRESS)).toBeUndefined()
    expect(await accounts.signIn(email, 'another password', ADDRESS)).toBeUndefined()
    expect(await accounts.signIn(email, PASSWORD, ADDRESS)).toMatchObject({ account })
  })

  test('known and unknown addresses cost the ledger the same calls', async () => {
    const calls: string[] = []
    const watched = await openAccounts({ wrap: (durable): Durable => ({
      ...durable,
      run(script, ...rest) {
        calls.push(script.name)
        return durable.run(script, ...rest)
      },
    }) })
    const email = newEmail()
    await watched.accounts.register(email, PASSWORD, ADDRESS)
    const unknown = calls.splice(0)
    await watched.accounts.register(email, PASSWORD, ADDRESS)
    expect(calls).toEqual(unknown)
    await watched.close()
  })

  test('of many at once on two nodes one is made, and the others leave nothing', async () => {
    const email = newEmail()
    const begun: string[] = []
    const nodes = await Promise.all([1, 2].map(() => openAccounts({ wrap: noting(begun) })))
    await Promise.all(Array.from({ length: 8 }, (_, index) =>
      nodes[index % 2]?.accounts.register(email, `${PASSWORD} ${index}`, ADDRESS)))
    await Promise.all(nodes.map((one) => one.close()))
    const account = await ledger.get(emailKey(email))
    expect(begun).toHaveLength(16)
    const found = await Promise.all(begun.map((key) => ledger.exists(key)))
    expect(begun.filter((_, index) => found[index]).toSorted())
      .toEqual([keys.account(account ?? ''), keys.login(account ?? '')].toSorted())
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) =>
      accounts.signIn(email, `${PASSWORD} ${index}`, ADDRESS)))
    expect(answers.filter(Boolean)).toEqual([expect.objectContaining({ account, epoch: 1 })])
  })

  test.each(['', 'a@', '@b.example', 'a b@c.example', 'a@b', 'a@b..example', 'a@-b.example',
    `${'a'.repeat(65)}@b.example`, `a@${'b'.repeat(64)}.example`, 'a@b.example\n<x@y.example>',
    'a@[127.0.0.1]'])('%j is no address', async (email) => {
    expect(await nameOf(accounts.register(email, PASSWORD, ADDRESS))).toBe('invalid_request')
  })

  test.each(['short', '123456789', 'x'.repeat(129), 'with\ncontrol characters', ''])(
    'the password %j is refused', async (password) => {
      const email = newEmail()
      expect(await nameOf(accounts.register(email, password, ADDRESS))).toBe('invalid_request')
      expect(await ledger.exists(emailKey(email))).toBe(0)
    })
})

/** A node that dies at its nth call of a script, before or after it ran. */
const dyingAt = (script: string, nth: number, isAfter: boolean) => (durable: Durable): Durable => {
  let calls = 0
  return {
    ...durable,
    async run(named, ...rest) {
      const isDue = named.name === script && (calls += 1) === nth
      if (isDue && !isAfter) throw new Refusal('unavailable')
      const reply = await durable.run(named, ...rest)
      if (isDue) throw new Refusal('unavailable')
      return reply
    },
  }
}

describe('a crash while registering', () => {
  const points: [string, number, boolean][] = [
    ['account-create', 1, true], ['email-hold', 1, true], ['account-settle', 1, false],
    ['account-settle', 1, true], ['email-hold', 2, false],
  ]
  test.each(points)('at %s %i (after: %s) blocks nothing for long', async (...point) => {
    const [script, nth, isAfter] = point
    const dying = await openAccounts({ wrap: dyingAt(script, nth, isAfter) })
    const email = newEmail()
    expect(await nameOf(dying.accounts.register(email, PASSWORD, ADDRESS))).toBe('unavailable')
    await dying.close()
    const heldMs = await ledger.pttl(emailKey(email))
    expect(heldMs).not.toBe(-1)
    expect(heldMs).toBeLessThanOrEqual(120_000)
    // The time is over; the account may have been kept or not.
    await ledger.del(emailKey(email))
    await accounts.register(email, PASSWORD, ADDRESS)
    expect(await accounts.signIn(email, PASSWORD, ADDRESS)).toBeDefined()
  })

  test('before its last write: whoever signs in makes that', async () => {
    const dying = await openAccounts({ wrap: dyingAt('email-hold', 2, false) })
    const email = newEmail()
    await nameOf(dying.accounts.register(email, PASSWORD, ADDRESS))
    await dying.close()
    expect(await accounts.signIn(email, PASSWORD, ADDRESS)).toBeDefined()
    expect(await ledger.ttl(emailKey(email))).toBe(-1)
  })

  test('so long that its record ran out leaves no account that nobody signs in to', async () => {
    const [email, begun]: [string, string[]] = [newEmail(), []]
    const ranOut = before('account-settle', () => ledger.del(begun))
    const slow = await openAccounts({ wrap: (durable) => noting(begun)(ranOut(durable)) })
    await slow.accounts.register(email, PASSWORD, ADDRESS)
    await slow.close()
    expect(begun).toHaveLength(2)
    expect(await ledger.exists(begun)).toBe(0)
    expect((await registered(email)).account).toBeDefined()
  })

  test('an address whose account is no more is free', async () => {
    const { email, account } = await registered()
    await ledger.del(keys.login(account))
    await accounts.register(email, PASSWORD, ADDRESS)
    expect((await accounts.signIn(email, PASSWORD, ADDRESS))?.account).not.toBe(account)
  })
})

describe('signing in', () => {
  test('a wrong password and an unknown address get the same answer', async () => {
    const { email } = await registered()
    expect(await accounts.signIn(email, `${PASSWORD}!`, ADDRESS)).toBeUndefined()
    expect(await accounts.signIn(newEmail(), PASSWORD, ADDRESS)).toBeUndefined()
    expect(await accounts.signIn(email, 'x'.repeat(100_000), ADDRESS)).toBeUndefined()
  })

  test('an unknown address costs a whole hash', async () => {
    const { email } = await registered()
    verifications()
    await accounts.signIn(email, 'not the password', ADDRESS)
    const known = verifications()
    await accounts.signIn(newEmail(), 'not the password', ADDRESS)
    expect(known).toHaveLength(1)
    expect(verifications()).toEqual(known)
  })
})

test('a throttled account is not asked for its password, and its sessions go on', async () => {
  const throttled = await openAccounts({ throttle: createThrottle(node.counters, node.log) })
  const { email, account, epoch } = await registered()
  const session = await sessions.start({ account, epoch })
  const answers = []
  for (let index = 0; index < 12; index += 1) {
    answers.push(await nameOf(throttled.accounts.signIn(email, 'not the password', newAddress())))
  }
  expect(answers.slice(10)).toEqual(['rate_limited', 'rate_limited'])
  expect(await nameOf(throttled.accounts.signIn(email, PASSWORD, newAddress())))
    .toBe('rate_limited')
  expect(await nameOf(throttled.accounts.signIn(newEmail(), PASSWORD, newAddress()))).toBe('done')
  expect(await sessions.find(session.id)).toMatchObject({ account })
  await throttled.close()
})

describe('changing the password', () => {
  test('needs the present one, ends all sessions, and the one it gives goes on', async () => {
    const { email, account, epoch } = await registered()
    const old = await sessions.start({ account, epoch })
    expect(await sessions.find(old.id)).toMatchObject({ account })
    expect(await accounts.changePassword(account, 'wrong password', 'a new password', ADDRESS))
      .toBeUndefined()
    const who = await accounts.changePassword(account, PASSWORD, 'a new password', ADDRESS)
    const fresh = await sessions.start(who ?? { account, epoch: 0 })
    expect(await sessions.find(fresh.id)).toMatchObject({ account })
    expect(await sessions.find(old.id)).toBeUndefined()
    expect(await accounts.signIn(email, PASSWORD, ADDRESS)).toBeUndefined()
    expect(await accounts.signIn(email, 'a new password', ADDRESS)).toMatchObject({ account })
  })

  test('of two at once with the same present one, one is done', async () => {
    const { account } = await registered()
    const answers = await Promise.all([node, other].map(({ accounts }, index) =>
      accounts.changePassword(account, PASSWORD, `a new password ${index}`, ADDRESS)))
    expect(answers.filter(Boolean)).toHaveLength(1)
  })
})

describe('deleting an account', () => {
  test('ends keys and sessions, forgets who it was and frees the address', async () => {
    const { email, account, epoch } = await registered()
    const { apiKey, agent } = await agents.create(account, 'mine')
    const session = await sessions.start({ account, epoch })
    expect(await accounts.deleteAccount(account, 'wrong password', ADDRESS)).toBe(false)
    expect(await node.apiKeys.lookup(apiKey)).toBeDefined()
    expect(await accounts.deleteAccount(account, PASSWORD, ADDRESS)).toBe(true)
    expect(await node.apiKeys.lookup(apiKey)).toBeUndefined()
    await expect.poll(() => sessions.find(session.id)).toBeUndefined()
    expect(await accounts.signIn(email, PASSWORD, ADDRESS)).toBeUndefined()
    expect(await ledger.exists(keys.login(account))).toBe(0)
    expect(await ledger.hget(keys.account(account), 'state')).toBe('deleted')
    expect(await ledger.zscore(keys.formerAgents(account), agent)).not.toBeNull()
    expect(await nameOf(agents.create(account, 'late'))).toBe('not_found')
    const again = await registered(email)
    expect(again.account).not.toBe(account)
  })

  test.each([
    ['key-revoke', 1], ['agent-leave', 1], ['account-close', 2], ['email-release', 1],
  ])('a crash before %s %i is mended by doing it again', async (script, nth) => {
    const { email, account } = await registered()
    const { apiKey } = await agents.create(account, 'mine')
    const dying = await openAccounts({ wrap: dyingAt(script, nth, false) })
    expect(await nameOf(dying.accounts.deleteAccount(account, PASSWORD, ADDRESS)))
      .toBe('unavailable')
    await dying.close()
    expect(await nameOf(agents.create(account, 'late'))).not.toBe('done')
    const isLeft = Boolean(await accounts.signIn(email, PASSWORD, ADDRESS))
    expect(!isLeft || await accounts.deleteAccount(account, PASSWORD, ADDRESS)).toBe(true)
    await expect.poll(() => node.apiKeys.lookup(apiKey)).toBeUndefined()
    expect((await registered(email)).account).not.toBe(account)
  })
})
