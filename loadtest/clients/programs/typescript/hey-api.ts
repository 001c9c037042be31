/** Orders with the client that @hey-api/openapi-ts generates: order.ts URL KEY */
import { randomUUID } from 'node:crypto'
import {
  cpsCompare, cpsSmartSearch, createOrder, getGoodsDetail, getOrderStatus, searchGoods,
  type CreateOrderErrors,
} from './client'
import { client } from './client/client.gen'

const [baseUrl = '', key = ''] = process.argv.slice(2)
const print = (...words: unknown[]): boolean => process.stdout.write(`${words.join(' ')}\n`)
client.setConfig({ baseUrl, auth: () => key })

async function main(): Promise<void> {
  const found = await searchGoods({ query: { q: '杯', page_size: 5 }, throwOnError: true })
  const [item] = found.data.data.items
  if (item === undefined) throw new Error('Nothing was found.')
  const { merchant_id, product_id, sku_id } = item
  const detail = await getGoodsDetail({ path: { sku_id }, throwOnError: true })
  print('read get_goods_detail', detail.data.data.title)
  const smart = await cpsSmartSearch({ body: { query: '杯', page_size: 3 }, throwOnError: true })
  const items = smart.data.data.items.slice(0, 2).map(({ item_id }) => item_id)
  print('read cps_smart_search', items[0])
  const compared = await cpsCompare({ body: { items }, throwOnError: true })
  print('read cps_compare', compared.data.data.rows[0]?.attribute)

  const idempotencyKey = randomUUID()
  const order = (qty: number, auth?: string) => createOrder({
    headers: { 'Idempotency-Key': idempotencyKey },
    ...(auth !== undefined && { auth: () => auth }),
    body: {
      merchant_id, product_id, qty,
      receiver: {
        name: '张三', phone: '13800001234', province: '浙江省', city: '杭州市', district: '西湖区',
        address: '文三路 1 号',
      },
    },
  })

  const first = await order(1)
  print('order', first.data?.data.order_no)
  const { order_no = '' } = first.data?.data ?? {}
  const status = await getOrderStatus({ path: { order_no }, throwOnError: true })
  print('read get_order_status', status.data.data.status)
  const again = await order(1)
  print('again', again.data?.data.order_no, again.data?.data.duplicate)
  const changed = (await order(2)).error as CreateOrderErrors[422]
  print('refusal', changed.data.error, changed.data.hint)
  const stranger = (await order(1, `ak_${'0'.repeat(32)}`)).error as CreateOrderErrors[401]
  print('refusal', stranger.data.error, stranger.data.hint)
}

void main()
