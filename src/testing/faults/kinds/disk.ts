/** Faults of the ledger's disk: it is full, the power fails, a file ends in half a command. */
import { appendFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fault } from '../fault.ts'
import type { Single } from '../single.ts'

const PIECE_BYTES = 1_000_000
/** Of a command that was being written when the process died. */
const HALF_A_COMMAND = '*5\r\n$4\r\nHSET\r\n$20\r\n{p0}:order:AM00'

const singleOf = ({ single }: { single?: Single }): Single => {
  if (!single) throw new Error('this needs a single ledger')
  return single
}

/** A Redis that always syncs ends itself when it cannot write, rather than promise anything. */
export const fullDisk: Fault = {
  name: 'full-disk',
  on: ['single'],
  needs: 'mount',
  lastsMs: [500, 4000],
  async inflict(stand) {
    const single = singleOf(stand)
    const filler = join(single.directory, 'filler')
    writeFileSync(filler, '')
    for (let bytes = PIECE_BYTES; bytes >= 1; bytes = Math.floor(bytes / 2)) {
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(bytes))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
    if (statfsSync(single.directory).bavail > 0) throw new Error('the disk is not full')
    return async () => {
      rmSync(filler)
      await single.restart()
    }
  },
}

export const tornTail: Fault = {
  name: 'torn-tail',
  on: ['single'],
  lastsMs: [100, 1000],
  async inflict(stand, chance) {
    const single = singleOf(stand)
    await single.kill()
    const half = HALF_A_COMMAND.slice(0, chance.integer(1, HALF_A_COMMAND.length))
    appendFileSync(single.log(), half)
    return () => single.restart()
  },
}

/** The process dies and with it all that the disk was not told to keep. */
export const powerLoss: Fault = {
  name: 'power-loss',
  on: ['single'],
  needs: 'synced',
  lastsMs: [100, 1000],
  async inflict(stand) {
    const single = singleOf(stand)
    if (statSync(single.log()).size === 0) throw new Error('nothing was written yet')
    await single.kill()
    single.losePower()
    return () => single.restart()
  },
}
