import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cacheDir } from '../../config.ts'
import { prove, provisionRedis, shelfSettings } from './provision.ts'

let folder: string
beforeAll(async () => { folder = await mkdtemp(join(tmpdir(), 'agentmall-provision-')) })
afterAll(() => rm(folder, { recursive: true, force: true }))

test('what was found is found again, and proves itself', async () => {
  const options = { cacheDir: cacheDir() }
  const first = await provisionRedis(options)
  expect(await provisionRedis(options)).toEqual(first)
  expect(await prove(first)).toBe(first.version)
})

test('a Redis without search is refused by trying it, and leaves nothing behind', async () => {
  const { server } = await provisionRedis({ cacheDir: cacheDir() })
  await expect(prove({ server, search: null, json: null })).rejects.toThrow('did not start')
})

test('a program that is no Redis is refused in time', async () => {
  const server = join(folder, 'redis-server')
  await writeFile(server, '#!/bin/sh\necho this is not Redis\n', { mode: 0o755 })
  await expect(prove({ server, search: null, json: null })).rejects.toThrow('this is not Redis')
  expect((await readdir(folder)).toSorted()).toEqual(['redis-server'])
})

test('limits of a search are spelt for a module file and for a server with search built in', () => {
  const module = shelfSettings({ server: '', search: '/a b/redisearch.so', json: '/a b/rejson.so' })
  expect(module).toContain('loadmodule "/a b/redisearch.so" TIMEOUT 500 ON_TIMEOUT FAIL')
  expect(module).toContain('loadmodule "/a b/rejson.so"')
  const builtIn = shelfSettings({ server: '', search: null, json: null })
  expect(builtIn).toContain('search-timeout 500\nsearch-on-timeout fail')
  expect(builtIn).not.toContain('loadmodule')
})
