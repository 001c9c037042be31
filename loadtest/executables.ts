/** Programs of this machine that load and fault runs use, or build from. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where a search path has the program, the first that is found first. */
export const onPath = (path: string, name: string): string[] =>
  path.split(delimiter).filter(Boolean).map((folder) => join(folder, name)).filter(isExecutable)

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
