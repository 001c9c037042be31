import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailsTo } from '../testing/mails.ts'
import { createMailer } from './mailer.ts'

const MAIL = {
  to: 'owner@mail.example', subject: '确认邮箱 / Confirm',
  text: '请打开 https://a.b/#x=1\n',
}
const said: unknown[] = []
const log = { warn: (...given: unknown[]) => { said.push(given) } }

let folder: string
beforeAll(async () => { folder = await mkdtemp(join(tmpdir(), 'agentmall-mailer-')) })
afterAll(() => rm(folder, { recursive: true, force: true }))

const config = (smtpUrl?: string) =>
  ({ smtpUrl, mailFrom: 'shop@mall.example', mailDir: join(folder, 'mail') })

test('without SMTP a mail is a file that its owner alone can read, and old files go', async () => {
  const mailer = createMailer(config(), log)
  mailer.send(MAIL)
  await mailer.close()
  const { mailDir } = config()
  const [name = ''] = await readdir(mailDir)
  expect((await stat(join(mailDir, name))).mode & 0o777).toBe(0o600)
  expect(await mailsTo(mailDir, MAIL.to)).toEqual([MAIL.text])

  await Promise.all(Array.from({ length: 1000 }, (_, at) =>
    writeFile(join(mailDir, `1999-${String(at).padStart(4, '0')}.eml`), '')))
  const again = createMailer(config(), log)
  again.send(MAIL)
  await again.close()
  const left = await readdir(mailDir)
  expect(left).toHaveLength(1000)
  expect(left.filter((file) => !file.startsWith('1999'))).toHaveLength(2)
})

/** Speaks as much SMTP as it takes; the first `failures` mails are put off. */
async function startSmtp(
  failures: number, host = '127.0.0.1',
): Promise<{ server: Server, mails: string[] }> {
  const mails: string[] = []
  let left = failures
  const server = createServer((socket) => {
    let body: string | undefined
    socket.on('error', () => {})
    socket.write('220 test\r\n')
    let held = ''
    socket.on('data', (bytes) => {
      held += bytes.toString()
      for (let end = held.indexOf('\r\n'); end >= 0; end = held.indexOf('\r\n')) {
        const line = held.slice(0, end)
        held = held.slice(end + 2)
        if (body !== undefined && line !== '.') {
          body += `${line}\r\n`
        } else if (body !== undefined) {
          mails.push(body)
          body = undefined
          socket.write('250 kept\r\n')
        } else if (line.startsWith('MAIL') && left > 0) {
          left -= 1
          socket.write('451 try again\r\n')
        } else if (line === 'STARTTLS') {
          socket.write('454 not here\r\n')
        } else if (line === 'DATA') {
          body = ''
          socket.write('354 go on\r\n')
        } else {
          socket.write('250 ok\r\n')
        }
      }
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  return { server, mails }
}

test('over SMTP a mail that is put off is sent again, and its text is in no log line', async () => {
  const { server, mails } = await startSmtp(1)
  try {
    const { port } = server.address() as AddressInfo
    const mailer = createMailer(config(`smtp://127.0.0.1:${port}`), log)
    mailer.send(MAIL)
    await expect.poll(() => mails.length).toBe(1)
    await mailer.close()
    expect(mails[0]).toContain('From: shop@mall.example')
    expect(mails[0]).toContain('To: owner@mail.example')
    expect(said).toHaveLength(1)
    expect(JSON.stringify(said)).not.toMatch(/owner@|https:/)
  } finally {
    server.close()
  }
})

test('a mail server in another place must speak TLS', async () => {
  // 127.0.0.2 is this machine, and none of the names that stand for it.
  const { server, mails } = await startSmtp(0, '127.0.0.2')
  try {
    const { port } = server.address() as AddressInfo
    said.length = 0
    const mailer = createMailer(config(`smtp://127.0.0.2:${port}`), log)
    mailer.send(MAIL)
    await mailer.close()
    expect(mails).toEqual([])
    expect(said.length).toBeGreaterThan(0)
  } finally {
    server.close()
  }
})
