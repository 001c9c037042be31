import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, inject, onTestFinished, test } from 'vitest'
import { ledger as keys } from '../redis/keys.ts'
import { startTestNode } from '../testing/node.ts'
import { emptyLedger } from '../testing/spare.ts'

/** Before a Redis: what a client sends with this word in it is lost, the first time. */
async function loseOnce(url: string, word: string): Promise<{ url: string, lost: () => number }> {
  let lost = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const redis = connect(Number(new URL(url).port), '127.0.0.1')
    for (const socket of [client, redis]) {
      sockets.add(socket.on('error', () => undefined).on('close', () => {
        client.destroy()
        redis.destroy()
      }))
    }
    redis.pipe(client)
    client.on('data', (data: Buffer) => {
      if (lost === 0 && data.includes(word)) lost += 1
      else redis.write(data)
    })
  })
  await new Promise<void>((done) => { server.listen(0, '127.0.0.1', done) })
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const through = new URL(url)
  through.port = String((server.address() as AddressInfo).port)
  return { url: through.href, lost: () => lost }
}

test('a node starts although Redis leaves one of its first questions without an answer',
  async () => {
    const { url, lost } = await loseOnce(await emptyLedger(), keys.secretFingerprint)
    const node = await startTestNode({
      redis: { shelf: inject('redis').shelfUrl, ledger: url, counters: url },
    })
    onTestFinished(() => node.stop())
    expect(lost()).toBe(1)
    expect((await node.send('GET', '/v1')).status).toBe(200)
  })
