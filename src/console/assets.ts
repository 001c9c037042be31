/**
 * The console's page: its index at every address of it, and its files. It is built once for each
 * state of its sources: `npm start` does so before its nodes listen, and nodes only read it.
 */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { InlineConfig } from 'vite'
import { Refusal } from '../contract/errors.ts'
import type { Handler, HeaderList, HttpReply, HttpRequest, Route } from '../contract/http.ts'

/** Only the page's own files may run, and it may call this service alone. */
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
/** Their names change with their content. */
const FILE_HEADERS: HeaderList = [['Cache-Control', 'public, max-age=31536000, immutable']]

/** First path segments under /console that are no pages. */
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

/** All files by path: some hundred KB that every node keeps. */
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

const ROOT = fileURLToPath(new URL('page', import.meta.url))
const PACKAGES = new URL('../../package.json', import.meta.url)
const DIGEST_LENGTH = 24

/** Where the built page of these sources is, or will be. */
export function pageFolder(cacheDir: string): string {
  const hash = createHash('sha256').update(readFileSync(PACKAGES))
  const sources = readdirSync(ROOT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => join(parentPath, name))
  for (const path of sources.toSorted()) {
    hash.update(`\0${path.slice(ROOT.length)}\0`).update(readFileSync(path))
  }
  return join(cacheDir, `console-${hash.digest('hex').slice(0, DIGEST_LENGTH)}`)
}

/** Calls `onBuild` where it has to build. */
export async function buildPage(cacheDir: string, onBuild = (): void => {}): Promise<void> {
  const folder = pageFolder(cacheDir)
  if (existsSync(folder)) return
  onBuild()
  // Loaded here alone: a process that finds the page built does not need the tool.
  const { build } = await import('vite')
  // Built elsewhere, then renamed: several processes may build at once, and none reads half a page.
  const temporary = `${folder}.${randomUUID()}`
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  try {
    await build(optionsFor(temporary))
    await compressAll(temporary)
    await rename(temporary, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

const optionsFor = (outDir: string): InlineConfig => ({
  root: ROOT,
  base: '/console/',
  configFile: false,
  envFile: false,
  logLevel: 'error',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir,
    emptyOutDir: false,
    // Browsers that know light-dark() and dialogs.
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // Inlined assets would need exceptions in the page's policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})

async function compressAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
    const path = join(parentPath, name)
    await writeFile(`${path}.br`, await promisify(brotliCompress)(await readFile(path)))
  }
}
