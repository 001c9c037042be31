import { afterAll, expect, test } from 'vitest'
import { openBrowser, openOwner, PASSWORD } from '../testing/console.ts'
import { startTestNode } from '../testing/node.ts'

const [node, other] = [await startTestNode(), await startTestNode()]
afterAll(async () => {
  await node.stop()
  await other.stop()
})

/** Within a second, where the machine is not busy with other tests. */

const errorOf = (answer: { envelope: { data: { error: string } } }): string =>
  answer.envelope.data.error

test('register, sign in, and the session holds on every node', async () => {
  const browser = openBrowser(node)
  const registered = await browser.register()
  expect([registered.status, registered.envelope.data]).toEqual([200, {}])
  expect(registered.headers.get('set-cookie')).toBeNull()
  const signedIn = await browser.signIn()
  expect(signedIn.envelope.data).toMatchObject({ email: browser.email })
  const cookie = signedIn.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(
    /^agentmall_session=[\w-]{43}; Max-Age=2592000; Path=\/console; HttpOnly; SameSite=Strict/)
  const there = await other.send('GET', '/console/api/session',
    { headers: { Cookie: browser.cookie } })
  expect(there.envelope).toMatchObject({ code: 0, data: { account: expect.any(String) } })
  expect(there.headers.get('set-cookie')).toContain(browser.cookie)
})

test('known and unknown addresses are answered alike', async () => {
  const known = openBrowser(node)
  const first = await known.register()
  const again = await openBrowser(node, known.email).register()
  expect([again.status, again.text]).toEqual([first.status, first.text])
  const wrong = await known.signIn('not the password')
  const nobody = await openBrowser(node).signIn()
  const shape = ({ status, envelope: { data, ...rest } }: typeof wrong) =>
    ({ status, ...rest, data: { ...data, request_id: '' } })
  expect(shape(wrong)).toEqual(shape(nobody))
  expect([wrong.status, errorOf(wrong)]).toEqual([401, 'sign_in_refused'])
  expect(wrong.headers.get('set-cookie')).toBeNull()
})

test('without a session every operation of an owner is refused', async () => {
  for (const path of ['/session', '/agents', '/earnings', '/orders', '/live',
    '/statements/2026-11']) {
    const answer = await openBrowser(node).call('GET', path)
    expect([path, answer.status, errorOf(answer)]).toEqual([path, 401, 'sign_in_required'])
    expect(answer.headers.get('www-authenticate')).toBeNull()
  }
})

test('a change without the token, or from another site, is refused and does nothing', async () => {
  const { browser } = await openOwner(node)
  const send = (headers: Record<string, string>) => node.send('POST', '/console/api/agents', {
    body: { label: 'forged' }, headers: { Cookie: browser.cookie, ...headers },
  })
  const token = { 'X-CSRF-Token': browser.csrf }
  const forged = [
    await send({}),
    await send({ 'X-CSRF-Token': `${browser.csrf}x` }),
    await send({ 'X-CSRF-Token': (await openOwner(node)).browser.csrf }),
    await send({ ...token, Origin: 'https://elsewhere.example' }),
    await send({ ...token, Origin: 'null' }),
  ]
  expect(forged.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
  expect(new Set(forged.map(errorOf))).toEqual(new Set(['csrf_refused']))
  expect((await send({ ...token, Origin: node.url })).status).toBe(200)
  // A proxy in front may have changed Host.
  const { publicUrl } = node.services.config
  expect((await send({ ...token, Origin: publicUrl })).status).toBe(200)
  const { agents } = (await browser.call('GET', '/agents')).envelope.data
  expect(agents).toHaveLength(3)
})

test('another site\'s page cannot sign its own account in', async () => {
  const { email } = await openOwner(node)
  const answer = await node.send('POST', '/console/api/session', {
    body: { email, password: PASSWORD }, headers: { Origin: 'https://elsewhere.example' },
  })
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null])
})

test('signing out ends this session, everywhere ends all, at once on this node', async () => {
  const owner = await openOwner(node)
  const second = openBrowser(node, owner.email)
  await second.signIn()
  const out = await owner.browser.call('DELETE', '/session')
  expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
  expect((await node.send('GET', '/console/api/session', { headers: { Cookie: owner.cookie } }))
    .status).toBe(401)
  expect((await second.call('GET', '/session')).status).toBe(200)
  expect((await second.call('DELETE', '/sessions')).status).toBe(200)
  await expect.poll(async () => (await second.call('GET', '/session')).status)
    .toBe(401)
})

test('changing the password needs the present one, and ends the other sessions', async () => {
  const owner = await openOwner(node)
  const elsewhere = openBrowser(node, owner.email)
  await elsewhere.signIn()
  const next = 'another horse battery staple'
  const wrong = await owner.browser.call('PUT', '/password',
    { password: 'not it', new_password: next })
  expect([wrong.status, errorOf(wrong)]).toEqual([401, 'sign_in_refused'])
  const changed = await owner.browser.call('PUT', '/password',
    { password: PASSWORD, new_password: next })
  expect(changed.status).toBe(200)
  expect((await owner.browser.call('GET', '/session')).status).toBe(200)
  await expect.poll(async () => (await elsewhere.call('GET', '/session')).status)
    .toBe(401)
  expect((await elsewhere.signIn()).status).toBe(401)
  expect((await elsewhere.signIn(next)).status).toBe(200)
})

test('a deleted account is gone, with its keys, and its address is free', async () => {
  const owner = await openOwner(node)
  expect((await owner.browser.call('DELETE', '/account', { password: 'not it' })).status).toBe(401)
  expect((await owner.browser.call('DELETE', '/account', { password: PASSWORD })).status).toBe(200)
  await expect.poll(async () =>
    (await node.send('GET', '/v1/orders', { key: owner.apiKey })).status).toBe(401)
  expect((await owner.browser.signIn()).status).toBe(401)
  const anew = openBrowser(node, owner.email)
  await anew.register()
  expect((await anew.signIn()).status).toBe(200)
})

test('a refusal names a short password, an unknown field and a malformed body', async () => {
  const browser = openBrowser(node)
  const short = await browser.call('POST', '/register', { email: browser.email, password: 'short' })
  expect(short.envelope.data.fields).toMatchObject([{ path: 'password' }])
  const odd = await browser.call('POST', '/register',
    { email: browser.email, password: PASSWORD, admin: true })
  expect(odd.envelope.data.fields).toEqual([{ path: 'admin', problem: 'is not a known field' }])
})

test('tries of passwords for one address are limited', async () => {
  const { email } = await openOwner(node)
  const statuses = []
  for (let attempt = 0; attempt < 12; attempt += 1) {
    statuses.push((await openBrowser(node, email).signIn(`wrong ${attempt}`)).status)
  }
  expect(statuses.at(-1)).toBe(429)
})
