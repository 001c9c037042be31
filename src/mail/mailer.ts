/**
 * Mails that the service sends: over SMTP where SMTP_URL is set, else into a folder of .eml files,
 * which a sandbox's developer opens. Requests never wait for a mail server.
 */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import pLimit from 'p-limit'
import { isoTime, nowMs, sleep } from '../contract/time.ts'
import type { Config } from '../config.ts'
import { randomId } from '../contract/ids.ts'
import type { Logger } from '../log.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  /** Plain text. */
  readonly text: string
}

export interface Mailer {
  /** Queues it. A full queue drops it with a log line: its reader can ask for another one. */
  send(mail: Mail): void
  /** Resolves when what was queued is sent or given up. */
  close(): Promise<void>
}

const AT_ONCE = 2
const QUEUE_MAX = 1000
const TRIES = 3
const AGAIN_MS = 2000
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
const FILES_MAX = 1000

export function createMailer(
  { smtpUrl, mailFrom, mailDir }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'mailDir'>,
  log: Pick<Logger, 'warn'>,
): Mailer {
  const deliver = smtpUrl ? overSmtp(smtpUrl) : intoFolder(mailDir)
  const limit = pLimit(AT_ONCE)
  const waiting = new Set<Promise<void>>()
  let isClosed = false

  async function attempt(mail: Mail): Promise<void> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await deliver.send({ from: mailFrom, ...mail })
      } catch (error) {
        // Neither address nor text: a mail holds a link that opens an account.
        log.warn({ error: (error as NodeJS.ErrnoException).code ?? 'unknown', tried },
          'a mail could not be sent')
        if (tried === TRIES || isClosed) return
        await sleep(AGAIN_MS * tried)
      }
    }
  }

  return {
    send(mail) {
      if (waiting.size >= QUEUE_MAX) return log.warn('the queue of mails is full: one was dropped')
      const work = limit(() => attempt(mail)).finally(() => waiting.delete(work))
      waiting.add(work)
    },
    async close() {
      isClosed = true
      await Promise.all(waiting)
      deliver.close()
    },
  }
}

interface Delivery {
  send(mail: Mail & { from: string }): Promise<void>
  close(): void
}

function overSmtp(url: string): Delivery {
  const { hostname } = new URL(url)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const transport = createTransport({
    url, pool: true, maxConnections: AT_ONCE, disableFileAccess: true, disableUrlAccess: true,
    // A mail opens an account: it must not cross a network in clear.
    requireTLS: !isLocal,
    connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: SILENCE_MS,
  })
  return {
    async send(mail) { await transport.sendMail(mail) },
    close: () => transport.close(),
  }
}

/**
 * The newest files stay: `2026-11-22T10-00-00-000Z-….eml`. They are written as they are read (RFC
 * 6532, 8bit): a link must not be broken over lines for who copies it from an editor.
 */
function intoFolder(folder: string): Delivery {
  return {
    async send({ from, to, subject, text }) {
      const message = [`From: ${from}`, `To: ${to}`, `Subject: ${subject}`,
        `Date: ${new Date(nowMs()).toUTCString()}`, 'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit', '', text,
      ].join('\n')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = join(folder, `${isoTime(nowMs()).replaceAll(/[:.]/g, '-')}-${randomId('')}.eml`)
      // Whole at once for whoever watches the folder.
      await writeFile(`${name}.part`, message, { mode: 0o600 })
      await rename(`${name}.part`, name)
      const files = (await readdir(folder)).filter((file) => file.endsWith('.eml')).toSorted()
      await Promise.all(files.slice(0, -FILES_MAX).map((file) =>
        rm(join(folder, file), { force: true })))
    },
    close() {},
  }
}
