/** What tells apart two releases that may read the same title in other ways. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { prepared } from './prepared.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Readers, what they read by, and the packages that they read with. */
const FOLDERS = ['src/language', 'config/taxonomy']
const FILES = ['candidate', 'categories', 'document', 'index-terms', 'taxonomy']
  .map((name) => `src/goods/${name}.ts`).concat('package.json')
const LENGTH = 8

let state: string | undefined

export const sourcesState = (): string => state ??= prepared('sources', makeSourcesState)

export function makeSourcesState(): string {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|json)$/.test(name) && !name.endsWith('.test.ts'))
      .map((name) => join(folder, name)))
  const hash = createHash('sha256')
  for (const name of [...found, ...FILES].toSorted()) {
    hash.update(`\0${name}\0`).update(readFileSync(join(ROOT, name)))
  }
  return hash.digest('hex').slice(0, LENGTH)
}
