/** Orders, and the promises about them: a key makes one order, however often it is sent. */
import { check } from 'k6'
import { Counter } from 'k6/metrics'
import { inputOf, rest } from './call.ts'
import { pick, pickItem, plan } from './plan.ts'

export const CREATE_ORDER = 'create_order'
export const REPLAY = 'create_order replayed'
export const BUYING_NAMES = [CREATE_ORDER, REPLAY]

const placed = new Counter('orders_placed')
const doubled = new Counter('orders_doubled')

export const BUYING_THRESHOLDS = { orders_placed: ['count>0'], orders_doubled: ['count==0'] }

const REPLAYED_ONE_IN = 3

/** A unique order; every third is sent again, as after an answer that was lost on its way. */
export function buySomething(): void {
  const key = pick(plan.keys)
  const { product_id, merchant_id } = pickItem()
  const order = inputOf(CREATE_ORDER, { product_id, merchant_id, qty: 1 })
  const first = rest(CREATE_ORDER, order, { key })
  if (first.error) return
  placed.add(1)
  if (first.data.duplicate) doubled.add(1)
  if (Math.random() * REPLAYED_ONE_IN >= 1) return
  const again = rest(CREATE_ORDER, order, { key, name: REPLAY })
  if (again.error) return
  const isSame = again.data.order_no === first.data.order_no && again.data.duplicate === true
  check(again, { 'the same order again': () => isSame }, { name: REPLAY })
  if (!isSame) doubled.add(1)
}
