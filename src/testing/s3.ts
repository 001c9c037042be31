/**
 * A small S3 for tests: one bucket in memory, with objects put whole or not at all. It verifies
 * each signature by computing it anew, without the library that the product signs with.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import escape from 'escape-html'
import type { S3Config } from '../config.ts'

export interface TestS3 {
  readonly config: S3Config
  /** The variables that a process finds it by. */
  readonly settings: Readonly<Record<string, string>>
  /** By key: prefix and name. */
  readonly objects: Map<string, Buffer>
  /** Method and name of each request that came. */
  readonly requests: string[]
  /** Answers in the server's stead where it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean
  close(): Promise<void>
}

/** What a signature is of. */
export interface Signed {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly signedHeaders: readonly string[]
  /** As 20260801T000000Z. */
  readonly time: string
  readonly region: string
  readonly secret: string
}

const BUCKET = 'ended-orders'
const PREFIX = 'mall/archive/'
const KEY_ID = 'AKTESTAGENTMALL'
const REGION = 'cn-test-1'
const SKEW_MS_MAX = 900_000
const AUTHORIZATION = new RegExp('^AWS4-HMAC-SHA256 Credential=([^/]+)/(\\d{8})/([^/]+)/s3/'
  + 'aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$')
const MUST_BE_SIGNED = ['host', 'x-amz-content-sha256', 'x-amz-date']

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string): Buffer =>
  createHmac('sha256', key).update(data).digest()
const encoded = (text: string): string => encodeURIComponent(text)
  .replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** As AWS documents version 4 of its signatures. */
export function signatureOf(signed: Signed): string {
  const { headers, signedHeaders, time, region, secret } = signed
  const query = [...signed.query].map((pair) => pair.map(encoded).join('=')).toSorted().join('&')
  const canonical = [
    signed.method, decodeURIComponent(signed.path).split('/').map(encoded).join('/'), query,
    ...signedHeaders.map((name) => `${name}:${String(headers[name] ?? '').trim()}`), '',
    signedHeaders.join(';'), headers['x-amz-content-sha256'],
  ].join('\n')
  const day = time.slice(0, 8)
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, day))
  return hmac(key, ['AWS4-HMAC-SHA256', time, `${day}/${region}/s3/aws4_request`,
    sha256(canonical)].join('\n')).toString('hex')
}

/** Why the request is refused, as S3 names it; undefined where it is not. */
function refusalOf(
  request: IncomingMessage, url: URL, body: Buffer, secret: string,
): readonly [number, string] | undefined {
  const { headers, method = '' } = request
  const [, keyId, day, region = '', names = '', signature] =
    AUTHORIZATION.exec(headers.authorization ?? '') ?? []
  if (keyId === undefined) return [403, 'AccessDenied']
  if (keyId !== KEY_ID) return [403, 'InvalidAccessKeyId']
  if (region !== REGION) return [400, 'AuthorizationHeaderMalformed']
  const time = String(headers['x-amz-date'])
  const at = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  if (!(Math.abs(Date.now() - at) < SKEW_MS_MAX)) return [403, 'RequestTimeTooSkewed']
  const signedHeaders = names.split(';')
  const own = signatureOf({
    method, path: url.pathname, query: url.searchParams, headers, signedHeaders, time, region,
    secret,
  })
  const isWhole = MUST_BE_SIGNED.every((name) => signedHeaders.includes(name))
  if (!isWhole || time.slice(0, 8) !== day || own !== signature) {
    return [403, 'SignatureDoesNotMatch']
  }
  if (headers['x-amz-content-sha256'] !== sha256(body)) return [400, 'XAmzContentSHA256Mismatch']
  return undefined
}

/** As S3 answers, with what must not come into a log. */
const sendError = (response: ServerResponse, status: number, code: string, secret: string): void =>
  void response.writeHead(status, { 'content-type': 'application/xml' }).end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>For ${KEY_ID} and `
    + `${secret}.</Message></Error>`)

export async function startS3({ pageSize = 1000 } = {}): Promise<TestS3> {
  const objects = new Map<string, Buffer>()
  const requests: string[] = []
  const secret = randomBytes(24).toString('base64')
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: target = '' } = request
    const url = new URL(target, 'http://s3.test')
    const [, bucket, key = ''] = /^\/([^/]+)(?:\/(.*))?$/.exec(url.pathname) ?? []
    requests.push(`${method} ${key.slice(PREFIX.length)}`)
    if (found.intercept(request, response)) return
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const [status, code = ''] = refusalOf(request, url, body, secret)
      ?? (bucket === BUCKET ? [] : [404, 'NoSuchBucket'])
    if (status !== undefined) return sendError(response, status, code, secret)
    if (method === 'PUT' && key !== '') {
      objects.set(key, body)
      response.end()
    } else if (method === 'GET' && key === '') {
      response.end(pageOf([...objects.keys()], url.searchParams, pageSize))
    } else {
      const object = objects.get(key)
      if (object && ['GET', 'HEAD'].includes(method)) sendObject(request, response, object)
      else sendError(response, object ? 405 : 404, 'NoSuchKey', secret)
    }
  }

  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const found: TestS3 = {
    config: {
      url: `${endpoint}/${BUCKET}`, prefix: PREFIX, region: REGION, keyId: KEY_ID, secret,
    },
    settings: {
      ARCHIVE_S3_ENDPOINT: endpoint, ARCHIVE_S3_BUCKET: BUCKET, ARCHIVE_S3_PREFIX: PREFIX,
      ARCHIVE_S3_REGION: REGION, ARCHIVE_S3_KEY_ID: KEY_ID, ARCHIVE_S3_SECRET: secret,
    },
    objects, requests,
    intercept: () => false,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => { server.close(resolve) })
    },
  }
  return found
}

function sendObject(request: IncomingMessage, response: ServerResponse, object: Buffer): void {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (from === undefined) {
    response.writeHead(200, { 'content-length': object.length })
    response.end(request.method === 'HEAD' ? undefined : object)
  } else if (Number(from) >= object.length) {
    response.writeHead(416).end()
  } else {
    response.writeHead(206).end(object.subarray(Number(from), Number(to) + 1))
  }
}

/** ListObjectsV2, with a token that has to be read as XML and sent as part of an address. */
function pageOf(keys: readonly string[], query: URLSearchParams, pageSize: number): string {
  const after = query.get('continuation-token')?.replace('after&', '') ?? ''
  const [prefix, isList] = [query.get('prefix') ?? '', query.get('list-type') === '2']
  const left = keys.filter((key) => isList && key.startsWith(prefix) && key > after).toSorted()
  const page = left.slice(0, pageSize)
  const isTruncated = page.length < left.length
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult><Name>${BUCKET}</Name>`
    + page.map((key) => `<Contents><Key>${escape(key)}</Key><Size>1</Size></Contents>`).join('')
    + `<IsTruncated>${isTruncated}</IsTruncated>${isTruncated
      ? `<NextContinuationToken>${escape(`after&${page.at(-1)}`)}</NextContinuationToken>` : ''}`
    + '</ListBucketResult>'
}
