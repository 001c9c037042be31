/** Variants over REST and MCP, as a caller goes from a search to another size. */
import { afterAll, expect, test } from 'vitest'
import { startTestNode } from './node.ts'

const node = await startTestNode()
afterAll(() => node.stop())

interface Item { sku_id: number, group_id?: string }
interface Variant { sku_id?: number, item_id?: string, specs: object[], current: boolean }

async function aVariant(): Promise<Item> {
  for (let page = 1; page <= 20; page += 1) {
    const { envelope } = await node.send('GET', `/v1/goods?page=${page}&page_size=50`)
    for (const item of envelope.data.items.filter((one: Item) => one.group_id !== undefined)) {
      const { envelope: { data } } = await node.send('GET', `/v1/goods/${item.sku_id}`)
      if (data.variants) return item
    }
  }
  throw new Error('No item has a variant.')
}

test('each variant leads to the others, over REST and MCP alike', async () => {
  const { sku_id, group_id } = await aVariant()
  const { envelope: { data } } = await node.send('GET', `/v1/goods/${sku_id}`)
  const variants = data.variants as Variant[]
  expect(variants.filter(({ current }) => current).map((one) => one.sku_id)).toEqual([sku_id])
  expect(new Set(variants.map(({ specs }) => JSON.stringify(specs))).size).toBe(variants.length)
  for (const variant of variants) {
    const called = await node.mcp('tools/call', {
      name: 'get_goods_detail', arguments: { sku_id: variant.sku_id },
    })
    const told = called.body.result.structuredContent
    expect(told.group_id).toBe(group_id)
    expect(told.variants.map((one: Variant) => one.sku_id)).toEqual(
      variants.map((one) => one.sku_id))
    expect(told.variants.filter((one: Variant) => one.current)).toEqual(
      [{ ...variant, current: true }])
  }
})

test('an item of the shelf names its variants by item_id', async () => {
  const { sku_id } = await aVariant()
  const { envelope: { data } } = await node.send('GET', `/v1/cps/local/goods/shelf:${sku_id}`)
  const ids = (data.variants as Variant[]).map(({ item_id }) => item_id)
  expect(ids).toContain(`shelf:${sku_id}`)
  for (const id of ids) {
    const { envelope } = await node.send('GET', `/v1/cps/local/goods/${id}`)
    expect(envelope.data.variants.map((one: Variant) => one.item_id)).toEqual(ids)
  }
})
