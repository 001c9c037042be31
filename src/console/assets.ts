/** The console's page as it was built: its index at every address of it, and its files. */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { Refusal } from '../contract/errors.ts'
import type { Handler, HeaderList, HttpReply, HttpRequest, Route } from '../contract/http.ts'
import { pageFolder } from './build.ts'

/** Only what it brings along may run, and it may speak with this service alone. */
export const POLICY = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
  "img-src 'self' data:", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
].join('; ')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
}

const INDEX_HEADERS: HeaderList = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', POLICY],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
]
/** Their names change with what is in them. */
const FILE_HEADERS: HeaderList = [['Cache-Control', 'public, max-age=31536000, immutable']]

/** First segments under /console that are no pages. */
const NO_PAGES = ['api', 'assets']

interface PageFile {
  readonly type: string
  readonly plain: Buffer
  readonly brotli: Buffer
}

export function pageRoutes(cacheDir: string): Route[] {
  let reading: Promise<ReadonlyMap<string, PageFile>> | undefined
  let folder: string | undefined
  const files = (): Promise<ReadonlyMap<string, PageFile>> => {
    reading ??= readPage(folder ??= pageFolder(cacheDir))
    reading.catch(() => { reading = undefined })
    return reading
  }
  const index: Handler = async (request) => {
    if (NO_PAGES.includes(request.params['page'] ?? '')) throw new Refusal('not_found')
    return answer(request, (await files()).get('index.html'), INDEX_HEADERS)
  }
  return [
    { method: 'GET', pattern: '/console', handler: index },
    { method: 'GET', pattern: '/console/:page', handler: index },
    { method: 'GET', pattern: '/console/:page/:id', handler: index },
    {
      method: 'GET',
      pattern: '/console/assets/:file',
      handler: async (request) => answer(request,
        (await files()).get(`assets/${request.params['file']}`), FILE_HEADERS),
    },
  ]
}

/** All of it, by path: some hundred KB that every node keeps. */
async function readPage(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  let paths: string[]
  try {
    paths = await readdir(folder, { recursive: true })
  } catch (error) {
    throw new Refusal('unavailable', { hint: 'The console is not built: npm start builds it.' },
      error)
  }
  return new Map(await Promise.all(paths.filter((path) => extname(path) in TYPES)
    .map(async (path): Promise<[string, PageFile]> => [path.replaceAll(sep, '/'), {
      type: TYPES[extname(path)] ?? '',
      plain: await readFile(join(folder, path)),
      brotli: await readFile(join(folder, `${path}.br`)),
    }])))
}

function answer(
  request: HttpRequest, file: PageFile | undefined, headers: HeaderList,
): HttpReply {
  if (!file) throw new Refusal('not_found')
  const isBrotli = /(?:^|[\s,])br(?:[\s,]|$)/.test(request.header('accept-encoding') ?? '')
  return {
    status: 200,
    headers: [
      ['Content-Type', file.type], ['Vary', 'Accept-Encoding'], ...headers,
      ...(isBrotli ? [['Content-Encoding', 'br'] as const] : []),
    ],
    body: isBrotli ? file.brotli : file.plain,
  }
}
