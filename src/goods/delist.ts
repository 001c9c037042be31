/** Hides an item from the shelf, or shows it again. Its orders and its stock stay as they are. */
import { partitionOf } from '../redis/keys.ts'
import { ledgerLine } from './ledger-lines.ts'
import { prepareLedger, storeLines } from './store.ts'
import { changeCatalogue, type Stores } from './version.ts'

/** False where the catalogue has no such product. */
export async function setDelisted(
  stores: Stores, productId: number, delisted: boolean,
): Promise<boolean> {
  await prepareLedger(stores.ledger)
  return await changeCatalogue(stores, async () => {
    const line = await ledgerLine(stores.ledger, productId, partitionOf(productId))
    if (!line) return false
    const { delisted: _, ...rest } = line
    await storeLines(stores, [delisted ? { ...rest, delisted } : rest])
    return true
  })
}
