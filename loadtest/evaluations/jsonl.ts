/** Sets of an evaluation: one JSON object a line, beside the code that scores them. */
import { readFileSync } from 'node:fs'

/** `path` from this folder; a file elsewhere by its URL or absolute path. */
export function readJsonl<T>(path: string | URL): T[] {
  return readFileSync(new URL(path, import.meta.url), 'utf8').trim().split('\n')
    .map((line) => JSON.parse(line) as T)
}
