/**
 * Unique orders with replays of the same key; in the last third also a flash sale, with four
 * buyers for each unit. What was sold must be what was there, to the unit.
 */
import { Counter } from 'k6/metrics'
import { rest } from '../call.ts'
import { BUYING_NAMES, BUYING_THRESHOLDS, buySomething, CREATE_ORDER } from '../buying.ts'
import { arrivals, profileOptions, summaryWith } from '../options.ts'
import { plan, planned } from '../plan.ts'

const FLASH = 'create_order flash sale'
const BUYERS_PER_UNIT = 4
const { product_id, merchant_id, available_qty: units } = planned(plan.scarce, 'scarce item')
const saleSeconds = plan.seconds / 3

const sold = new Counter('flash_sold')
const refused = new Counter('flash_refused')

export const options = profileOptions({
  scenarios: {
    orders: arrivals({ exec: 'orders' }),
    flash_sale: arrivals({
      exec: 'flashSale', rate: (units * BUYERS_PER_UNIT) / saleSeconds, seconds: saleSeconds,
      startSeconds: plan.seconds - saleSeconds,
    }),
  },
  names: [...BUYING_NAMES, FLASH],
  thresholds: {
    ...BUYING_THRESHOLDS, flash_sold: [`count==${units}`], flash_refused: ['count>0'],
  },
})

export const orders = (): void => { buySomething() }

export function flashSale(): void {
  const answer = rest(CREATE_ORDER, { product_id, merchant_id, qty: 1 }, {
    name: FLASH, expect: ['out_of_stock'],
  })
  if (!answer.error) sold.add(1)
  if (answer.error === 'out_of_stock') refused.add(1)
}

export const handleSummary = summaryWith()
