import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openRaw, request } from '../testing/raw.ts'
import { openPort } from './native.ts'

test('a node bounds its connections, and accepts new ones when some end', async () => {
  const binding = await openPort((response) => { response.end('hello') }, '127.0.0.1', 0, false, 3)
  if (!binding) throw new Error('No port could be had.')
  onTestFinished(() => { binding.closeAll() })
  const clients = await Promise.all([1, 2, 3].map(() => openRaw(binding.port)))
  const ask = async (client: (typeof clients)[number]): Promise<string> => {
    await client.write(request('GET /'))
    return (await client.answer()).body
  }
  for (const client of clients) expect(await ask(client)).toBe('hello')
  const refused = connect(binding.port, '127.0.0.1').on('error', () => {})
  await once(refused, 'close')
  for (const client of clients) expect(await ask(client)).toBe('hello')
  clients[0]?.destroy()
  await expect.poll(async () => {
    const next = await openRaw(binding.port)
    await next.write(request('GET /'))
    return next.answer().then(({ body }) => body, () => 'closed')
  }).toBe('hello')
})
