/** A node with a few goods, an agent's key and a platform that calls it over UCP. */
import { importCatalogue } from '../goods/import.ts'
import { ownStores, type OwnStores } from './goods.ts'
import { startTestNode, type TestNode } from './node.ts'
import type { SandboxMalls } from '../start/sandbox-malls.ts'
import { servePlatform, type TestPlatform } from './ucp.ts'

export interface UcpShop {
  readonly node: TestNode
  readonly stores: OwnStores
  readonly platform: TestPlatform
  readonly key: string
  close(): Promise<void>
}

export async function openUcpShop(
  lines: Parameters<typeof importCatalogue>[1],
  malls: Partial<Pick<SandboxMalls, 'settings' | 'shops'>> & { seed?: string } = {},
): Promise<UcpShop> {
  const stores = await ownStores()
  await importCatalogue(stores, lines)
  const platform = await servePlatform()
  const node = await startTestNode({
    redis: { ...stores.urls, counters: stores.urls.ledger },
    ...(malls.seed !== undefined && { catalogSeed: malls.seed }),
  }, undefined, malls.settings, malls.shops)
  return {
    node, stores, platform, key: await node.newKey(),
    async close() {
      await node.stop()
      stores.close()
      platform.close()
    },
  }
}
