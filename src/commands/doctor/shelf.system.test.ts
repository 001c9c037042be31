import { afterAll, expect, test } from 'vitest'
import { createLogger } from '../../log.ts'
import { freePort } from '../../dev/redis/server.ts'
import { eventually } from '../../testing/eventually.ts'
import { startShelf } from '../../testing/shelf.ts'
import type { Finding } from './finding.ts'
import { checkShelf } from './redis.ts'

const primary = await startShelf()
const replica = await startShelf({ master: primary })
afterAll(() => Promise.all([primary.stop(), replica.stop()]))

const check = (shelfReplicas: string[]): Promise<Finding[]> =>
  checkShelf({ shelf: primary.url, shelfReplicas }, 2000, createLogger('silent'))
/** Beside the goods of each, of which there are none here. */
const rolesOf = async (replicas: string[]): Promise<[string, string][]> =>
  (await check(replicas)).filter(({ says }) => /follow|writes/.test(says))
    .map(({ level, says }) => [level, says])

test('a shelf by itself is asked for its goods alone', async () => {
  await eventually(async () => expect(await check([])).toMatchObject(
    [{ level: 'warn', says: expect.stringContaining('0 items') }]))
})

test('a replica follows, takes writes itself, or is the only one to take them', async () => {
  const follows = [['ok', `${replica.name} follows ${primary.name}`]]
  const isSo = (expected: string[][]) => eventually(async () =>
    expect(await rolesOf([replica.url])).toEqual(expected))
  await isSo(follows)
  await replica.follow('nobody')
  await isSo([['warn', `${replica.name} does not follow ${primary.name}, which takes writes`]])
  await primary.follow(replica)
  await isSo([['ok', `${primary.name} follows ${replica.name}`]])
  await primary.follow('nothing that answers')
  await replica.follow(primary)
  await isSo([['fail', 'none of its servers takes writes']])
})

test('one that does not answer is named with its setting', async () => {
  const away = await freePort()
  expect(await check([`redis://127.0.0.1:${away}`])).toContainEqual(expect.objectContaining({
    level: 'fail', says: expect.stringContaining(`127.0.0.1:${away}: `),
    todo: expect.stringContaining('SHELF_REPLICAS'),
  }))
})
