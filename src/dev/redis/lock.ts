import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nowMs } from '../../contract/time.ts'
import { KnownFailure } from '../../failure.ts'
import { identifyProcess, isAlive, type ProcessId } from './process.ts'

/** A take-over lasts microseconds; a mark this old was left by a crash. */
const TAKEOVER_MS_MAX = 10_000

/** Makes this process the only owner of a data directory, or says who owns it. */
export function takeLock(dataDir: string): { release(): void } {
  const path = join(dataDir, 'lock')
  const own = JSON.stringify(identifyProcess(process.pid) ?? { pid: process.pid, born: '' })
  const draft = `${path}.${randomUUID()}`
  // The lock is linked into place when it is complete, so that nobody reads half of one.
  writeFileSync(draft, own, { mode: 0o600 })
  try {
    if (!link(draft, path) && !takeOver(draft, path)) {
      const owner = ownerIn(read(path) ?? '')
      throw new KnownFailure(
        `${dataDir} is in use by another agentmall${owner ? ` (process ${owner.pid})` : ''}: `
        + 'stop that one first, or set another DATA_DIR.',
      )
    }
  } finally {
    rmSync(draft, { force: true })
  }
  return {
    release() {
      if (read(path) === own) rmSync(path, { force: true })
    },
  }
}

/** Who has it now. */
export function ownerOf(dataDir: string): ProcessId | undefined {
  const owner = ownerIn(read(join(dataDir, 'lock')) ?? '')
  return owner && isAlive(owner) ? owner : undefined
}

/**
 * Replaces the lock of a dead process. Of several that try, the one that makes the mark goes on,
 * and it looks again once it has it: the lock changes hands only under the mark.
 */
function takeOver(draft: string, path: string): boolean {
  const mark = `${path}.takeover`
  if (ageMs(mark) > TAKEOVER_MS_MAX) rmSync(mark, { force: true })
  if (!link(draft, mark)) return false
  try {
    // Read once: a lock that was released in between would look like a dead one at a second look.
    const found = read(path)
    if (found === undefined) return link(draft, path)
    const owner = ownerIn(found)
    if (owner && isAlive(owner)) return false
    renameSync(draft, path)
    return true
  } finally {
    rmSync(mark, { force: true })
  }
}

function link(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function ownerIn(text: string): ProcessId | undefined {
  try {
    const owner = JSON.parse(text) as Partial<ProcessId>
    return typeof owner.pid === 'number' ? { pid: owner.pid, born: owner.born ?? '' } : undefined
  } catch {
    return undefined
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function ageMs(path: string): number {
  return nowMs() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs())
}
