/** A ledger for random histories, one after the other: it syncs nothing and forgets each. */
import type { Logger } from '../../log.ts'
import { openRedis, untilReady, type RedisClient } from '../../redis/connect.ts'
import type { Durable } from '../../redis/durable.ts'
import { evaluate } from '../../redis/script.ts'
import { startLedger } from '../ledger.ts'
import type { Ledger } from './world.ts'

/** Hashes keep the order of their fields: that of a table is another one in each process. */
const SETTINGS = `appendonly no
appendfsync no
hash-max-listpack-entries 100000
hash-max-listpack-value 100000`

export async function openLedger(log: Logger): Promise<Ledger & { close(): Promise<void> }> {
  const own = await startLedger({ settings: SETTINGS })
  // A patient one: on a busy machine a late answer is no fault of the books.
  const ledger = openRedis(own.url, log, 'bulk')
  await untilReady(ledger, 'ledger')
  const send: Durable['send'] = (name, ...operands) => ledger.call(name, ...operands.map(String))
  return {
    ledger,
    durable: {
      send,
      read: send,
      async run(script, names, args) {
        return script.read(await evaluate(ledger, script, script.operands(names, args)))
      },
      close: () => {},
    },
    async close() {
      ledger.disconnect()
      await own.stop()
    },
  }
}

/** Everything that it holds, as text. Sealed payees are left out: no two envelopes are equal. */
export async function dump(ledger: RedisClient): Promise<string> {
  const lines: string[] = []
  for (const key of (await ledger.keys('*')).toSorted()) {
    lines.push(JSON.stringify([key, await valueOf(ledger, key)]))
  }
  return lines.join('\n').replaceAll(/p2\.[\w.-]+/g, 'p2')
}

async function valueOf(ledger: RedisClient, key: string): Promise<unknown> {
  const type = await ledger.type(key)
  switch (type) {
    case 'string': return await ledger.get(key)
    case 'hash': return await ledger.hgetall(key)
    case 'set': return (await ledger.smembers(key)).toSorted()
    case 'zset': return await ledger.zrange(key, '0', '-1', 'WITHSCORES')
    case 'stream': return await ledger.xrange(key, '-', '+')
    default: throw new Error(`${key} is a ${type}: say here how it is read.`)
  }
}
