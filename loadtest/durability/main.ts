/**
 * `npm run durability`: what each promise about an acknowledged order costs, and how long orders
 * wait for a failover. Prints two tables.
 */
import { createLogger } from '../../src/log.ts'
import { startOwnCluster } from '../../src/testing/cluster.ts'
import { startLedger } from '../../src/testing/ledger.ts'
import { openShop } from '../../src/testing/products.ts'
import { FAULTS, MASTER_STAYS_DOWN, measureFault, measureModes, type Mode } from './measure.ts'

const ROUNDS = 3
const TIMES_EACH = 3
const say = (text: string): void => { process.stdout.write(`${text}\n`) }

const log = createLogger('silent')
const closing: (() => unknown)[] = []
try {
  const [everysec, always, cluster] = await Promise.all([
    startLedger({ settings: 'appendfsync everysec' }), startLedger(), startOwnCluster(),
  ])
  closing.push(() => everysec.stop(), () => always.stop(), () => cluster.remove())
  const open = async (
    name: string, survives: string, url: string, options: { replicas?: number, batchMax?: number },
  ): Promise<Mode> => {
    const shop = await openShop({}, { url, log, ...options })
    closing.push(() => shop.close())
    return { name, survives, shop }
  }
  const modes = [
    await open('one Redis, `everysec`', 'kill', everysec.url, {}),
    await open('one Redis, `always`', 'kill, power loss', always.url, {}),
    await open('cluster, `always`, WAIT 0', 'kill and power loss, if the master returns',
      cluster.url, { replicas: 0 }),
    await open('cluster, `always`, WAIT 1', 'also the loss of any one machine',
      cluster.url, { replicas: 1 }),
    await open('the same, one WAIT for each write', 'the same',
      cluster.url, { replicas: 1, batchMax: 1 }),
  ]
  say('| mode | an acknowledged order survives | orders/s | p50 ms | p99 ms |')
  say('|---|---|---|---|---|')
  for (const row of await measureModes(modes, ROUNDS)) say(row)
  const durable = modes[3] as Mode
  say('\n| fault | seconds without an order there | acknowledged | unknown | lost or doubled |')
  say('|---|---|---|---|---|')
  for (const fault of FAULTS) say(await measureFault(cluster, durable.shop, fault, TIMES_EACH))
  const spared = await startOwnCluster({ spares: 1 })
  closing.push(() => spared.remove())
  const { shop } = await open('with a spare', 'the same', spared.url, { replicas: 1 })
  say(await measureFault(spared, shop, MASTER_STAYS_DOWN, TIMES_EACH))
} finally {
  for (const close of closing.toReversed()) await close()
}
