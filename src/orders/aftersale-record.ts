/** An order's after-sales as the ledger keeps them: one hash, a few fields for each. */
import type { ReasonClass, Terms } from './aftersale-terms.ts'
import type { MoveOptions } from './moves.ts'
import { AFTERSALE_STATUSES, openOf, type AftersaleStatus, type AftersaleType } from './states.ts'

/** What was asked and what was promised for it; never changed afterwards. */
export interface AftersaleGiven extends Terms {
  readonly type: AftersaleType
  readonly reason?: string
  readonly reason_class?: ReasonClass
  readonly pickup: boolean
  readonly fingerprint: string
}

export interface AftersaleRecord {
  readonly id: string
  readonly status: AftersaleStatus
  readonly given: AftersaleGiven
  readonly pickupWaybillNo?: string
  /** Where the goods go, as the merchant told when it approved the return. */
  readonly returnAddress?: string
  /** Of goods on their way back. */
  readonly returnWaybillNo?: string
  /** Why the merchant refused it. */
  readonly refusal?: string
  /** Milliseconds, Redis's clock, in order. */
  readonly timeline: readonly { readonly status: AftersaleStatus, readonly at: number }[]
}

/** The order names the latest: a new master's clock may be behind its predecessor's. */
export function aftersalesOf(
  fields: Record<string, string>, latest: string | undefined,
): AftersaleRecord[] {
  const place = ({ id, timeline }: AftersaleRecord): number =>
    (id === latest ? Infinity : timeline[0]?.at ?? 0)
  return Object.keys(fields).filter((name) => name.endsWith('.given'))
    .map((name) => recordOf(name.slice(0, -'.given'.length), fields))
    .toSorted((a, b) => place(a) - place(b))
}

export const isOpen = ({ status }: AftersaleRecord): boolean => openOf(status) !== 'none'

/** How a move names the after-sale that it is about. */
export const subjectOf = (
  { id, given }: Pick<AftersaleRecord, 'id' | 'given'>,
): NonNullable<MoveOptions['aftersale']> =>
  ({ id, type: given.type, hasPickup: given.pickup, refundAmount: given.refund_amount })

function recordOf(id: string, fields: Record<string, string>): AftersaleRecord {
  const text = (name: string): string | undefined => fields[`${id}.${name}`]
  const pickupWaybillNo = text('pickup_waybill_no')
  const returnAddress = text('return_address')
  const returnWaybillNo = text('return_waybill_no')
  const refusal = text('reason')
  // The table's order is that of the way, so equal times stay in it.
  const timeline = AFTERSALE_STATUSES.flatMap((status) => {
    const at = text(`at.${status}`)
    return at === undefined ? [] : [{ status, at: Number(at) }]
  }).toSorted((a, b) => a.at - b.at)
  return {
    id,
    status: text('status') as AftersaleStatus,
    given: JSON.parse(text('given') ?? '{}') as AftersaleGiven,
    ...(pickupWaybillNo !== undefined && { pickupWaybillNo }),
    ...(returnAddress !== undefined && { returnAddress }),
    ...(returnWaybillNo !== undefined && { returnWaybillNo }),
    ...(refusal !== undefined && { refusal }),
    timeline,
  }
}
