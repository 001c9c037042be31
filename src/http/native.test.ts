import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { us_listen_socket } from 'uWebSockets.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { patchElf, patchedCopy, uws } from './native.ts'

const folder = dirname(createRequire(import.meta.url).resolve('uWebSockets.js'))
const librariesOf = (arch: string): string => join(folder, `uws_linux_${arch}_115.node`)

let copies: string
beforeEach(async () => { copies = await mkdtemp(join(tmpdir(), 'agentmall-native-')) })
afterEach(() => rm(copies, { recursive: true, force: true }))

describe('patchElf', () => {
  test.each(['x64', 'arm64'])('changes a few bytes of the %s library, always the same', (arch) => {
    const original = readFileSync(librariesOf(arch))
    const before = Buffer.from(original)
    const result = patchElf(original)
    expect(original.equals(before)).toBe(true)
    expect(patchElf(original).equals(result)).toBe(true)
    expect(patchElf(result).equals(result)).toBe(true)
    expect(result.length).toBe(original.length)
    const changed = result.filter((byte, index) => byte !== original[index])
    expect(changed.length).toBeGreaterThan(0)
    expect(changed.length).toBeLessThan(24)
  })

  test('refuses another kind of file', () => {
    const original = readFileSync(librariesOf('x64'))
    const refused: [Buffer, string][] = [
      [Buffer.alloc(0), 'not a 64-bit little-endian ELF'],
      [Buffer.from('#!/bin/sh\n'.repeat(20)), 'not a 64-bit little-endian ELF'],
      [readFileSync(join(folder, 'uws_win32_x64_115.node')), 'not a 64-bit little-endian ELF'],
      [original.subarray(0, 5000), 'cut short'],
    ]
    for (const [file, reason] of refused) expect(() => patchElf(file)).toThrow(reason)
  })

  test('survives any damage to the header with an error or a result, never a hang', () => {
    const original = readFileSync(librariesOf('x64'))
    const outcomes = Array.from({ length: 64 }, (_, at) => {
      const damaged = Buffer.from(original)
      damaged[at] = 0xff
      try {
        return patchElf(damaged).length === original.length
      } catch (error) {
        return String(error).includes('cannot patch')
      }
    })
    expect(outcomes).not.toContain(false)
  })
})

describe('the copy', () => {
  test('is made once, and made again when it was damaged', async () => {
    const path = patchedCopy(librariesOf('x64'), copies)
    const made = await stat(path)
    expect(patchedCopy(librariesOf('x64'), copies)).toBe(path)
    expect((await stat(path)).ino).toBe(made.ino)
    await writeFile(path, 'half')
    patchedCopy(librariesOf('x64'), copies)
    expect((await stat(path)).size).toBe(made.size)
    expect(await readdir(copies)).toHaveLength(1)
  })
})

describe('the library', () => {
  test('answers a request whose first line arrives in two segments', async () => {
    const app = uws.App().get('/hello', (response) => { response.end('hello') })
    const listening = await new Promise<us_listen_socket | false>((resolve) => {
      app.listen('127.0.0.1', 0, resolve)
    })
    if (!listening) throw new Error('no port')
    try {
      const port = uws.us_socket_local_port(listening)
      const socket = connect(port, '127.0.0.1').setNoDelay()
      let answer = ''
      socket.setEncoding('utf8').on('data', (text: string) => { answer += text })
      await new Promise((sent) => { socket.write('GET /hel', sent) })
      // A whole request on another connection: once it is answered, the first segment was read.
      expect(await (await fetch(`http://127.0.0.1:${port}/hello`)).text()).toBe('hello')
      expect(answer).toBe('')
      socket.write('lo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
      await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*hello$/)
      socket.destroy()
    } finally {
      app.close()
    }
  })
})
