/**
 * The archive in a bucket of an S3-compatible store: an object for each file. Each request is
 * signed with its body's SHA-256, has a deadline, and is made three times at most. Of an answer
 * that is an error nothing is kept but its status and code: others repeat what was signed.
 */
import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { ExponentialBackoff, handleWhen, retry, type RetryPolicy } from 'cockatiel'
import { Agent, request } from 'undici'
import type { S3Config } from '../../config.ts'
import { KnownFailure } from '../../failure.ts'
import { beginningOf, bodyWithin, connectionProblem, OutboundError } from '../../outbound.ts'
import type { ArchiveStore } from './store.ts'

interface S3Options {
  /** What a block or a page of names may take; tests wait less. */
  readonly deadlineMs?: number
  /** The pause before the second attempt. */
  readonly retryMs?: number
}

interface S3Request {
  readonly method?: 'GET' | 'PUT'
  /** Empty for the bucket itself. */
  readonly name: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** First and last byte of a part; it has this length exactly. */
  readonly range?: readonly [number, number]
  readonly bytesMax: number
  readonly deadlineMs: number
}

class S3Error extends KnownFailure {
  readonly isTransient: boolean

  constructor({ method = 'GET', name }: S3Request, problem: string, isTransient: boolean) {
    super(`S3 store of the archive, ${method} ${name || 'names'}: ${problem}.`)
    this.isTransient = isTransient
  }
}

const ATTEMPTS = 3
/** All attempts of a read end before the request that waits for it. */
const DEADLINE_MS = 3000
const RETRY_MS = 150
/** Of the hundred blocks that `verify` reads at a time few wait for another. */
const CONNECTIONS_MAX = 64
/** Of 2,000 orders, each of the largest size, not compressed. */
const WHOLE = { bytesMax: 128 * 2 ** 20, deadlineMs: 20_000 } as const
const PAGE_BYTES_MAX = 4 * 2 ** 20
/** A page has a thousand names. */
const PAGES_MAX = 10_000
/** Also what came through damaged or too slowly, said with a status that else is final. */
const TRANSIENT =
  /^(5..|408|429)|(RequestTimeout|BadDigest|IncompleteBody|XAmzContentSHA256Mismatch)$/
/** By status and code: what to check. */
const TODO: readonly (readonly [RegExp, string])[] = [
  [/^403/, 'ARCHIVE_S3_KEY_ID and ARCHIVE_S3_SECRET, what the key may do (get and put objects, '
    + 'list the bucket), and the clock'],
  [/NoSuchBucket$/, 'ARCHIVE_S3_BUCKET and ARCHIVE_S3_PATH_STYLE'],
  [/^3|AuthorizationHeaderMalformed$/, 'ARCHIVE_S3_ENDPOINT and ARCHIVE_S3_REGION'],
]
const FILE_NAME = /^\d{4}-\d{2}\/[\w.-]+$/
const ENTITIES: Readonly<Record<string, string>> =
  { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': '\'', '&amp;': '&' }

export class S3Store implements ArchiveStore {
  private readonly config: S3Config
  private readonly deadlineMs: number
  private readonly again: RetryPolicy
  private readonly agent: Agent
  /** The signing key of each day. */
  private readonly keys = new Map<string, ArrayBuffer>()

  constructor(config: S3Config, { deadlineMs = DEADLINE_MS, retryMs = RETRY_MS }: S3Options = {}) {
    this.config = config
    this.deadlineMs = deadlineMs
    this.again = retry(handleWhen((error) => error instanceof S3Error && error.isTransient), {
      maxAttempts: ATTEMPTS - 1,
      backoff: new ExponentialBackoff({ initialDelay: retryMs, maxDelay: 2 * retryMs }),
    })
    this.agent = new Agent({ connections: CONNECTIONS_MAX, pipelining: 1 })
  }

  /** Sent again with the same bytes, so that it does no harm if an earlier attempt came through. */
  async write(name: string, bytes: Buffer): Promise<void> {
    await this.send({ method: 'PUT', name, body: bytes, ...WHOLE })
  }

  read(name: string, from: number, count: number): Promise<Buffer> {
    return this.send({
      name, range: [from, from + count - 1], bytesMax: count, deadlineMs: this.deadlineMs,
    })
  }

  readWhole(name: string): Promise<Buffer> {
    return this.send({ name, ...WHOLE })
  }

  async names(month = ''): Promise<string[]> {
    const { prefix } = this.config
    const found: string[] = []
    let token = ''
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const asked = {
        name: '', bytesMax: PAGE_BYTES_MAX, deadlineMs: this.deadlineMs,
        query: {
          'list-type': '2', prefix: prefix + month,
          ...token && { 'continuation-token': token },
        },
      }
      const text = (await this.send(asked)).toString()
      for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) {
        const name = key.slice(prefix.length)
        if (key.startsWith(prefix) && FILE_NAME.test(name)) found.push(name)
      }
      if (text.includes('<IsTruncated>false<')) return found.toSorted()
      token = unescaped(/<NextContinuationToken>([^<]+)</.exec(text)?.[1] ?? '')
      if (token === '') throw new S3Error(asked, 'the answer is no list of names', false)
    }
    throw new Error(`The archive has more than ${PAGES_MAX} pages of names.`)
  }

  private send(asked: S3Request): Promise<Buffer> {
    return this.again.execute(() => this.attempt(asked))
  }

  private async attempt(asked: S3Request): Promise<Buffer> {
    const { method = 'GET', body = null, range, bytesMax, deadlineMs } = asked
    const { url, headers } = await this.sign(asked)
    try {
      const answer = await request(url, {
        method, body, dispatcher: this.agent, signal: AbortSignal.timeout(deadlineMs),
        headers: {
          ...Object.fromEntries(headers), ...range && { range: `bytes=${range.join('-')}` },
        },
      })
      if (answer.statusCode !== (range ? 206 : 200)) {
        throw refusalOf(asked, answer.statusCode, await beginningOf(answer.body))
      }
      const bytes = await bodyWithin(answer.body, bytesMax)
      if (range && bytes.length < bytesMax) throw new S3Error(asked, 'the answer is short', true)
      return bytes
    } catch (error) {
      if (error instanceof S3Error) throw error
      if (error instanceof OutboundError) throw new S3Error(asked, 'the answer is too large', false)
      throw new S3Error(asked, connectionProblem(error), true)
    }
  }

  private sign({ method = 'GET', name, query, body }: S3Request) {
    const { config: { url, prefix, region, keyId, secret }, keys } = this
    const path = name === '' ? '' : `/${prefix}${name}`
    return new AwsV4Signer({
      method, url: `${url}${path}${query ? `?${new URLSearchParams(query)}` : ''}`,
      headers: {
        'x-amz-content-sha256': createHash('sha256').update(body ?? '').digest('hex'),
      },
      accessKeyId: keyId, secretAccessKey: secret, service: 's3', region, cache: keys,
    }).sign()
  }
}

function refusalOf(asked: S3Request, status: number, text: string): S3Error {
  const code = /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1]
  const said = code === undefined ? String(status) : `${status} ${code}`
  const [, todo] = TODO.find(([pattern]) => pattern.test(said)) ?? []
  return new S3Error(asked, `it answered ${said}${todo === undefined ? '' : `: check ${todo}`}`,
    TRANSIENT.test(said))
}

const unescaped = (text: string): string =>
  text.replaceAll(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity)
