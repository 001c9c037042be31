/** The catalogue as the ledger has it: the truth that exports and rebuilds read. */
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys, PARTITIONS } from '../redis/keys.ts'
import { runMany } from '../redis/slots.ts'
import type { CatalogueLine } from './line.ts'
import { unpackLine } from './source.ts'

/** Lines that are read together. */
const READ_MAX = 500

/** Every line, by partition and then by id, in bounded batches; own ones with their stock. */
export async function* ledgerLines(ledger: RedisClient): AsyncGenerator<CatalogueLine[]> {
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    const ids = (await ledger.smembers(keys.products(partition))).map(Number).sort((a, b) => a - b)
    for (let from = 0; from < ids.length; from += READ_MAX) {
      yield await readLines(ledger, partition, ids.slice(from, from + READ_MAX))
    }
  }
}

/** The line of one product; undefined where there is none. */
export async function ledgerLine(
  ledger: RedisClient, productId: number, partition: number,
): Promise<CatalogueLine | undefined> {
  return (await readLines(ledger, partition, [productId]))[0]
}

async function readLines(
  ledger: RedisClient, partition: number, ids: readonly number[],
): Promise<CatalogueLine[]> {
  const [units, ...sources] = await runMany(ledger, [
    ['hmget', keys.stock(partition), ...ids],
    ...ids.map((id) => ['hgetBuffer', keys.sku(id), 'source'] as const),
  ]) as [(string | null)[], ...(Buffer | null)[]]
  return ids.flatMap((_, index) => {
    const source = sources[index]
    if (!source) return []
    const line = unpackLine(source)
    const stock = units[index]
    return [line.supply === 'own' ? { ...line, stock: Number(stock ?? 0) } : line]
  })
}

export async function countProducts(ledger: RedisClient): Promise<number> {
  const counts = await runMany(ledger, Array.from({ length: PARTITIONS }, (_, partition) =>
    ['scard', keys.products(partition)] as const))
  return counts.reduce<number>((sum, count) => sum + Number(count), 0)
}
