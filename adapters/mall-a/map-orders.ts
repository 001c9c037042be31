/** Mall A's order rows in the normal form. */
import type { OrderLine, OrderStatus } from '../normal.ts'
import { bpsOfPercent } from '../price.ts'
import { parseChinaTime } from '../time.ts'
import { idOrNull } from '../wire.ts'
import { NAME } from './dialect.ts'
import { fenOf } from './promotions.ts'
import type { Settings } from './settings.ts'
import type { OrderRow } from './wire.ts'

const STATUS_OF: ReadonlyMap<string, OrderStatus> = new Map([
  ['11', 'pending'], ['12', 'paid'], ['14', 'received'], ['3', 'settled'], ['13', 'invalid'],
])
const RETURNED = '1'

export type Pool = Pick<Settings, 'adzoneId' | 'poolKind' | 'poolIds'>

/** Null for a row whose time of change is none: nobody could tell which change is the later. */
export function toOrderLine(row: OrderRow, pool: Pool): OrderLine | null {
  const updated = parseChinaTime(row.modified_time)
  if (updated === null) return null
  const code = String(row.tk_status)
  const returned = String(row.refund_tag ?? '') === RETURNED
  // A settled order that comes back keeps its code: only the tag tells.
  const status = returned ? 'invalid' : STATUS_OF.get(code) ?? 'unknown'
  const final = status === 'received' || status === 'settled'
  const paid = fenOf(row.alipay_total_price) ?? 0
  return {
    source: NAME,
    line_id: String(row.trade_id),
    order_no: String(row.trade_parent_id ?? row.trade_id),
    item_id: idOrNull(row.item_id),
    title: row.item_title ?? '',
    qty: row.item_num ?? 1,
    amount: final ? fenOf(row.pay_price) || paid : paid,
    commission: { bps: bpsOf(row.tk_total_rate ?? row.income_rate), fen: feeOf(row, status) },
    status,
    mall_status: returned ? `${code} returned`.slice(0, 40) : code.slice(0, 40),
    sub_id: subIdOf(row, pool),
    ordered_at: parseChinaTime(row.tk_create_time),
    paid_at: parseChinaTime(row.tk_paid_time) ?? parseChinaTime(row.tb_paid_time),
    updated_at: updated,
  }
}

function feeOf(row: OrderRow, status: OrderStatus): number {
  const estimated = fenOf(row.pub_share_pre_fee) ?? 0
  if (status === 'invalid') return 0
  return status === 'settled' ? fenOf(row.pub_share_fee) ?? estimated : estimated
}

/** Per cent, with its sign or without. */
function bpsOf(rate: string | number | null | undefined): number | null {
  const text = String(rate ?? '').replace(/\s*%$/, '')
  const bps = /^\d{1,3}(?:\.\d{1,6})?$/.test(text) ? bpsOfPercent(Number(text)) : null
  return bps !== null && bps <= 10_000 ? bps : null
}

/** The neutral position is nobody's. */
function subIdOf(row: OrderRow, { adzoneId, poolKind = 'adzone', poolIds }: Pool): string | null {
  if (!poolIds?.length) return null
  const id = idOrNull({
    adzone: row.adzone_id, relation: row.relation_id, special: row.special_id,
  }[poolKind])
  return id === adzoneId && poolKind === 'adzone' ? null : id
}
