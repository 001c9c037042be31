/**
 * Builds the console's page, once for each state of its sources: `npm start` does so before its
 * nodes listen, and nodes only read what is there.
 */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { InlineConfig } from 'vite'

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

/** Says that it builds, where it does. */
export async function buildPage(cacheDir: string, onBuild = (): void => {}): Promise<void> {
  const folder = pageFolder(cacheDir)
  if (existsSync(folder)) return
  onBuild()
  // Only here: who finds the page built does not load the tool.
  const { build } = await import('vite')
  // Aside, then renamed: several processes may build at once, and none reads half a page.
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
    // What is written into the page would need exceptions in its policy.
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
