import { afterAll, describe, expect, test, vi } from 'vitest'
import { createThrottle } from '../limits/throttle.ts'
import { ledger as keys } from '../redis/keys.ts'
import { refusalOf } from '../testing/products.ts'
import { ADDRESS, newEmail, openAccounts, PASSWORD } from './testing/accounts.ts'

const node = await openAccounts()
const { ledger, accounts, sessions, mails } = node
afterAll(async () => {
  vi.useRealTimers()
  await node.close()
})

const NEXT = 'quite another password'
const DAY_MS = 86_400_000

/** The token of the newest mail to an address that leads to a page. */
function tokenTo(email: string, page: string): string {
  const token = mails.filter(({ to }) => to === email)
    .map(({ text }) => new RegExp(`/console/${page}#(\\S+)`).exec(text)?.[1]).at(-1)
  if (token === undefined) throw new Error(`The newest mail has no link to ${page}.`)
  return token
}

async function registered() {
  const email = newEmail()
  await accounts.register(email, PASSWORD, ADDRESS)
  const who = await accounts.signIn(email, PASSWORD, ADDRESS)
  if (!who) throw new Error('Nobody was registered.')
  return { email, ...who }
}

const payee = (name = '13800001234', password?: string) => ({
  fingerprint: name, masked: `****${name.slice(-2)}`, ...(password !== undefined && { password }),
})

describe('an address', () => {
  test('is confirmed by the link of the mail alone', async () => {
    const { email, account } = await registered()
    expect(await accounts.isVerified(account)).toBe(false)
    const token = tokenTo(email, 'verify')
    const middle = token.length >> 1
    const changed = `${token.slice(0, middle)}${token[middle] === 'A' ? 'B' : 'A'}`
    expect(await accounts.verifyAddress(changed + token.slice(middle + 1))).toBe(false)
    expect(await accounts.verifyAddress('')).toBe(false)
    expect(await accounts.verifyAddress(token.replace(/^m2\./, 'm1.'))).toBe(false)
    expect(await accounts.isVerified(account)).toBe(false)
    expect(await accounts.verifyAddress(token)).toBe(true)
    expect(await accounts.verifyAddress(token)).toBe(true)
    expect(await accounts.isVerified(account)).toBe(true)
  })

  test('a link for one purpose does not serve another', async () => {
    const { email } = await registered()
    await accounts.requestReset(email, ADDRESS)
    expect(await accounts.verifyAddress(tokenTo(email, 'reset'))).toBe(false)
    await accounts.register(newEmail(), PASSWORD, ADDRESS)
    const other = mails.at(-1)?.to ?? ''
    expect(await accounts.resetPassword(tokenTo(other, 'verify'), NEXT, ADDRESS)).toBeUndefined()
  })

  test('a link ends, and so does one of an address that the account has no more', async () => {
    const { email, account } = await registered()
    const token = tokenTo(email, 'verify')
    vi.setSystemTime(Date.now() + 8 * DAY_MS)
    expect(await accounts.verifyAddress(token)).toBe(false)
    vi.useRealTimers()
    await ledger.hset(keys.login(account), 'email_hash', 'of-another-address')
    expect(await accounts.verifyAddress(token)).toBe(false)
  })

  test('one that somebody else registered first becomes its owner\'s by mail', async () => {
    const attacker = await registered()
    const session = await sessions.start(attacker)
    await accounts.register(attacker.email, NEXT, ADDRESS)
    expect(await accounts.signIn(attacker.email, NEXT, ADDRESS)).toBeUndefined()
    const { account, epoch } = await accounts.resetPassword(
      tokenTo(attacker.email, 'reset'), NEXT, ADDRESS) ?? { account: '', epoch: 0 }
    expect(account).toBe(attacker.account)
    expect(epoch).toBe(attacker.epoch + 1)
    expect(await accounts.signIn(attacker.email, PASSWORD, ADDRESS)).toBeUndefined()
    expect(await accounts.signIn(attacker.email, NEXT, ADDRESS)).toMatchObject({ account })
    expect(await node.sessions.find(session.id)).toBeUndefined()
    expect(await accounts.isVerified(account)).toBe(true)
  })
})

describe('a forgotten password', () => {
  test('is set anew once, and the owner gets a mail', async () => {
    const { email, account } = await registered()
    await accounts.requestReset(` ${email.toUpperCase()} `, ADDRESS)
    const token = tokenTo(email, 'reset')
    expect(await accounts.resetPassword(token, NEXT, ADDRESS)).toMatchObject({ account })
    expect(mails.at(-1)).toMatchObject({ to: email, subject: expect.stringContaining('changed') })
    expect(await accounts.resetPassword(token, 'and a third password', ADDRESS)).toBeUndefined()
    expect(await accounts.signIn(email, NEXT, ADDRESS)).toMatchObject({ account })
  })

  test('a link is over after an hour, and after a change of password', async () => {
    const { email, account } = await registered()
    await accounts.requestReset(email, ADDRESS)
    const token = tokenTo(email, 'reset')
    vi.setSystemTime(Date.now() + 3_700_000)
    expect(await accounts.resetPassword(token, NEXT, ADDRESS)).toBeUndefined()
    vi.useRealTimers()
    await accounts.changePassword(account, PASSWORD, NEXT, ADDRESS)
    expect(await accounts.resetPassword(token, 'and a third password', ADDRESS)).toBeUndefined()
    expect(await accounts.signIn(email, NEXT, ADDRESS)).toMatchObject({ account })
  })

  test('an address without an account is answered the same and gets no mail', async () => {
    const before = mails.length
    expect(await accounts.requestReset(newEmail(), ADDRESS)).toBeUndefined()
    expect(mails).toHaveLength(before)
  })
})

describe('a payee', () => {
  async function verified() {
    const who = await registered()
    await accounts.verifyAddress(tokenTo(who.email, 'verify'))
    return who
  }

  test('needs a confirmed address, the password and a day; the owner gets a mail', async () => {
    const { email, account } = await registered()
    expect(await refusalOf(accounts.payableFrom(account, payee('a-1', PASSWORD), ADDRESS)))
      .toMatchObject({ error: 'withdrawal_refused', why: 'unverified' })
    await accounts.verifyAddress(tokenTo(email, 'verify'))
    expect(await refusalOf(accounts.payableFrom(account, payee('a-1'), ADDRESS)))
      .toMatchObject({ error: 'withdrawal_refused', why: 'password' })
    expect(await refusalOf(accounts.payableFrom(account, payee('a-1', NEXT), ADDRESS)))
      .toMatchObject({ error: 'withdrawal_refused', why: 'password' })
    const from = await accounts.payableFrom(account, payee('a-1', PASSWORD), ADDRESS)
    expect(from).toBeGreaterThan(Date.now() + DAY_MS / 2)
    expect(mails.at(-1)).toMatchObject({ to: email, text: expect.stringContaining('****-1') })
    // Known now: neither password nor another day.
    expect(await accounts.payableFrom(account, payee('a-1'), ADDRESS)).toBe(from)
    expect(await ledger.hgetall(keys.payees(account))).not.toHaveProperty('a-1')
  })

  test('is forgotten by a reset, which holds every withdrawal for a day', async () => {
    const { email, account } = await verified()
    await accounts.payableFrom(account, payee('b-1', PASSWORD), ADDRESS)
    await accounts.requestReset(email, ADDRESS)
    await accounts.resetPassword(tokenTo(email, 'reset'), NEXT, ADDRESS)
    expect(await refusalOf(accounts.payableFrom(account, payee('b-1'), ADDRESS)))
      .toMatchObject({ why: 'password' })
    await ledger.hset(keys.login(account), 'hold_until', 4_000_000_000_000)
    expect(await accounts.payableFrom(account, payee('b-1', NEXT), ADDRESS)).toBe(4_000_000_000_000)
  })

  test('an account names a hundred at most', async () => {
    const { account } = await verified()
    await ledger.hset(keys.payees(account), Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`payee-${at}`, '1'])))
    expect(await refusalOf(accounts.payableFrom(account, payee('c-1', PASSWORD), ADDRESS)))
      .toMatchObject({ error: 'withdrawal_refused', why: 'payees' })
  })
})

test('a flood of wrong passwords keeps strangers out, and the owner\'s own device in', async () => {
  const limited = await openAccounts({ throttle: createThrottle(node.counters, node.log) })
  try {
    const email = newEmail()
    await limited.accounts.register(email, PASSWORD, '198.51.100.1')
    const first = await limited.accounts.signIn(email, PASSWORD, '198.51.100.2')
    const device = first?.device ?? ''
    // Each from an address of its own, so that the account's bucket is what ends.
    const tries = await Promise.allSettled(Array.from({ length: 30 }, (_, at) =>
      limited.accounts.signIn(email, 'a wrong password', `203.0.113.${at}`)))
    expect(tries.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(10)
    expect(await refusalOf(limited.accounts.signIn(email, PASSWORD, '198.51.100.3')))
      .toMatchObject({ error: 'rate_limited' })
    expect(await limited.accounts.signIn(email, PASSWORD, '198.51.100.3', device))
      .toMatchObject({ account: first?.account, device })
    for (const forged of [`${device}x`, 'x', device.replace('.', ''), '', `.${device}`]) {
      expect(await refusalOf(limited.accounts.signIn(email, PASSWORD, '198.51.100.4', forged)))
        .toMatchObject({ error: 'rate_limited' })
    }
    // Another account's device is a stranger's.
    const other = newEmail()
    await limited.accounts.register(other, PASSWORD, '198.51.100.5')
    const stranger = await limited.accounts.signIn(other, PASSWORD, '198.51.100.5')
    expect(await refusalOf(
      limited.accounts.signIn(email, PASSWORD, '198.51.100.6', stranger?.device)))
      .toMatchObject({ error: 'rate_limited' })
  } finally {
    await limited.close()
  }
})
