/** What a bucket's store does when all is not well, against a server that verifies signatures. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { signatureOf, startS3, type TestS3 } from '../../testing/s3.ts'
import { OrderArchive } from './archive.ts'
import { S3Store } from './s3-store.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const NAME = '2026-08/file.ndjson.gz'
const BYTES = Buffer.from('what orders were')
const ORDER = { order_no: 'AM1', order: { receiver: '' }, events: [], after: {} }
/** Long for an answer, short for silence. */
const QUICK = { deadlineMs: 1000, retryMs: 1 }

async function openS3(options?: { pageSize: number }) {
  const s3 = await startS3(options)
  onTestFinished(() => s3.close())
  return { s3, store: new S3Store(s3.config, QUICK) }
}

/** The next so many requests are answered so. */
function answerNext(s3: TestS3, count: number, answer: Answer): void {
  let left = count
  s3.intercept = (request, response) => {
    if (left === 0) return false
    left -= 1
    request.resume()
    answer(request, response)
    return true
  }
}

const status = (code: number, text = ''): Answer => (_, response) => {
  response.writeHead(code).end(text)
}
const cutOff: Answer = (_, response) => {
  response.writeHead(206, { 'content-length': 6 }).write('orde')
  setImmediate(() => response.destroy())
}
const silence: Answer = () => {}

describe('what passes is tried again', () => {
  test.each<[string, Answer]>([
    ['a fault of the server', status(500)],
    ['too many requests', status(503, '<Error><Code>SlowDown</Code></Error>')],
    ['a body that came damaged', status(400, '<Error><Code>XAmzContentSHA256Mismatch</Code>')],
    ['a connection that ends', (_, response) => { response.destroy() }],
    ['an answer that is cut off', cutOff],
    ['a part that is short', status(206, 'what')],
    ['silence', silence],
  ])('%s', async (_, answer) => {
    const { s3, store } = await openS3()
    await store.write(NAME, BYTES)
    answerNext(s3, 2, answer)
    expect(await store.read(NAME, 5, 6)).toEqual(BYTES.subarray(5, 11))
    expect(s3.requests).toEqual([`PUT ${NAME}`, ...Array(3).fill(`GET ${NAME}`)])
  })

  test('and then given up', async () => {
    const { s3, store } = await openS3()
    answerNext(s3, 9, status(500))
    await expect(store.write(NAME, BYTES)).rejects.toThrow(
      `S3 store of the archive, PUT ${NAME}: it answered 500.`)
    expect(s3.requests).toHaveLength(3)
    answerNext(s3, 9, silence)
    const impatient = new S3Store(s3.config, { ...QUICK, deadlineMs: 50 })
    await expect(impatient.read(NAME, 0, 4)).rejects.toThrow('no answer in time')
    expect(s3.requests).toHaveLength(6)
    await s3.close()
    await expect(store.readWhole(NAME)).rejects.toThrow('no connection: ECONNREFUSED')
  })

  test('which leaves one object, however often it was written', async () => {
    const { s3, store } = await openS3()
    let count = 0
    s3.intercept = (_, response) => {
      count += 1
      // The server does as it was asked, and its answer is lost.
      if (count === 1) response.end = () => response.destroy()
      return false
    }
    await store.write(NAME, BYTES)
    expect(s3.requests).toEqual([`PUT ${NAME}`, `PUT ${NAME}`])
    expect([...s3.objects.values()]).toEqual([BYTES])
  })
})

describe('what does not pass is said at once', () => {
  test.each<[string, Partial<TestS3['config']>, RegExp]>([
    ['another secret', { secret: 'another-secret-of-the-tests' },
      /answered 403 SignatureDoesNotMatch: check ARCHIVE_S3_KEY_ID and ARCHIVE_S3_SECRET/],
    ['an unknown key', { keyId: 'AKNOBODY' }, /answered 403 InvalidAccessKeyId: check ARCHIVE_S3_/],
    ['another region', { region: 'us-east-1' },
      /400 AuthorizationHeaderMalformed: check ARCHIVE_S3_ENDPOINT and ARCHIVE_S3_REGION/],
  ])('%s', async (_, wrong, sentence) => {
    const { s3 } = await openS3()
    const store = new S3Store({ ...s3.config, ...wrong }, QUICK)
    for (const work of [() => store.write(NAME, BYTES), () => store.names()]) {
      const error = await work().then(() => new Error('done'), (refused: Error) => refused)
      expect(error.message).toMatch(sentence)
      const shown = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`
      expect([s3.config.secret, wrong.secret ?? s3.config.secret].filter((secret) =>
        shown.includes(secret))).toEqual([])
    }
    expect(s3.requests).toHaveLength(2)
    expect(s3.objects.size).toBe(0)
  })

  test('a bucket or an object that there is not', async () => {
    const { s3, store } = await openS3()
    await expect(store.readWhole(NAME)).rejects.toThrow(/answered 404 NoSuchKey\.$/)
    const other = new S3Store({ ...s3.config, url: `${s3.config.url}-2` }, QUICK)
    await expect(other.write(NAME, BYTES)).rejects.toThrow(/404 NoSuchBucket: check ARCHIVE_S3_B/)
    expect(s3.requests).toHaveLength(2)
  })

  test.each<[string, Answer]>([
    ['a redirection', (_, response) => {
      response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
    }],
    ['a whole file where a part was asked for', status(200, 'x'.repeat(100))],
    ['more than was asked for', status(206, 'x'.repeat(100_000))],
  ])('%s', async (_, answer) => {
    const { s3, store } = await openS3()
    answerNext(s3, 9, answer)
    await expect(store.read(NAME, 0, 10)).rejects.toThrow(/it answered (307|200)|too large/)
    expect(s3.requests).toHaveLength(1)
  })

  test('a page of something else than names', async () => {
    const { s3, store } = await openS3()
    answerNext(s3, 9, status(200, '<html>Welcome</html>'))
    await expect(store.names()).rejects.toThrow(/, GET names: the answer is no list of names\.$/)
  })
})

test('names come in pages, without the files of others', async () => {
  const { s3, store } = await openS3({ pageSize: 2 })
  const names = Array.from({ length: 7 }, (_, at) => `2026-08/file-${at}.json`)
  for (const name of names.toReversed()) await store.write(name, BYTES)
  s3.objects.set('2026-08/of-another-prefix.json', BYTES)
  s3.objects.set(`${s3.config.prefix}2026-08/a & <b>.json`, BYTES)
  expect(await store.names()).toEqual(names)
  expect(s3.requests.filter((one) => one === 'GET ')).toHaveLength(4)
})

test('a bucket of the archive alone needs no prefix', async () => {
  const { s3 } = await openS3()
  const store = new S3Store({ ...s3.config, prefix: '' }, QUICK)
  await store.write(NAME, BYTES)
  expect([...s3.objects.keys()]).toEqual([NAME])
  expect(await store.names()).toEqual([NAME])
})

test('an archive whose object is not what was sent has no place for an order', async () => {
  const { s3, store } = await openS3()
  const archive = new OrderArchive(store)
  s3.objects.set = (key) => Map.prototype.set.call(s3.objects, key, Buffer.from('rot')) as never
  await expect(archive.write([ORDER], 0)).rejects.toThrow(/is not what was written/)
  expect(await archive.files()).toEqual([])
})

/** The examples of AWS's own page on signatures in the header Authorization. */
test.each([
  ['a part of an object', 'GET', '/test.txt', '', { range: 'bytes=0-9' },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'],
  ['a list', 'GET', '/', 'max-keys=2&prefix=J', {},
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ['a setting', 'GET', '/', 'lifecycle', {},
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
])('the server of the tests signs %s as AWS does', (_, method, path, query, more, signature) => {
  const headers = {
    host: 'examplebucket.s3.amazonaws.com', ...more,
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
  }
  expect(signatureOf({
    method, path, query: new URLSearchParams(query), headers,
    signedHeaders: Object.keys(headers).toSorted(), time: '20130524T000000Z',
    region: 'us-east-1', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  })).toBe(signature)
})
