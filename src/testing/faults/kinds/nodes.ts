/** Faults of a node: it dies, or it hangs and comes back with what it had begun. */
import { BOTH, type Fault } from '../fault.ts'

export const killNode: Fault = {
  name: 'kill-node',
  on: BOTH,
  lastsMs: [300, 2000],
  async inflict({ nodes }, chance) {
    const node = chance.pick(nodes)
    await node.kill()
    return () => node.start()
  },
}

export const hangNode: Fault = {
  name: 'hang-node',
  on: BOTH,
  lastsMs: [500, 4500],
  async inflict({ nodes }, chance) {
    const node = chance.pick(nodes)
    node.signal('SIGSTOP')
    return async () => node.signal('SIGCONT')
  },
}
