/** What a merchant does with orders: the moves that the sandbox's driver makes by itself. */
import { aftersaleSubject, type AftersaleRecord } from './aftersale-record.ts'
import type { MoveDetail } from './driver.ts'
import type { MakeMove, MoveOptions } from './moves.ts'
import type { Orders } from './orders.ts'
import type { AftersaleType, MoveName, Status } from './states.ts'

export const ORDER_ACTIONS = ['accept', 'ship', 'deliver', 'refund'] as const
type OrderAction = (typeof ORDER_ACTIONS)[number]

export const AFTERSALE_ACTIONS = [
  'approve', 'reject', 'book-pickup', 'collect', 'receive', 'refund',
] as const
type AftersaleAction = (typeof AFTERSALE_ACTIONS)[number]

export interface MerchantOutcome {
  readonly order_no: string
  /** `done`: it was so already. */
  readonly outcome: 'moved' | 'done' | 'refused'
  readonly status?: string
  readonly aftersale_id?: string
  readonly aftersale_status?: string
  readonly why?: string
}

export interface MerchantActions {
  order(action: OrderAction, orderNo: string, detail?: MoveDetail): Promise<MerchantOutcome>
  /** Acts on the order's latest after-sale, if that is the one that is named. */
  aftersale(
    action: AftersaleAction, orderNo: string, detail?: MoveDetail, aftersaleId?: string,
  ): Promise<MerchantOutcome>
}

export function createMerchantActions(
  { find, move }: { find: Orders['find'], move: MakeMove },
): MerchantActions {
  async function make(
    name: MoveName | undefined, orderNo: string, options: MoveOptions, why?: string,
  ): Promise<MerchantOutcome> {
    const result = name && await move(name, orderNo, options)
    const after = await find(orderNo)
    const aftersale = after?.aftersales.at(-1)
    const facts = {
      order_no: orderNo,
      ...(after && { status: after.status }),
      ...(aftersale && { aftersale_id: aftersale.id, aftersale_status: aftersale.status }),
    }
    if (!after) return { ...facts, outcome: 'refused', why: 'there is no such order' }
    if (why !== undefined) return { ...facts, outcome: 'refused', why }
    if (result?.code === 'moved' || result?.code === 'done') {
      return { ...facts, outcome: result.code }
    }
    return { ...facts, outcome: 'refused', why: result?.code === 'archived' ? ARCHIVED : NOT_NOW }
  }

  return {
    async order(action, orderNo, detail) {
      const options = detail ? { detail } : {}
      if (action !== 'refund') return await make(action, orderNo, options)
      const status = (await find(orderNo))?.status
      // With a parcel on its way it takes two moves; a crash between them leaves `refunding`.
      if (status === 'shipped' || status === 'delivered') {
        const begun = await make('refund_sent', orderNo, options)
        if (begun.outcome === 'refused') return begun
      }
      return await make(refundMove(status), orderNo, { ...options, mark: 'merchant_refund' })
    },
    async aftersale(action, orderNo, detail, aftersaleId) {
      const order = await find(orderNo)
      const record = order?.aftersales.at(-1)
      if (!record || (aftersaleId !== undefined && record.id !== aftersaleId)) {
        return await make(undefined, orderNo, {})
      }
      if (needsAddress(action, record) && detail?.return_address === undefined) {
        return await make(undefined, orderNo, {}, NO_ADDRESS)
      }
      return await make(aftersaleMove(action, record.given.type), orderNo,
        { aftersale: aftersaleSubject(record), ...(detail && { detail }) })
    },
  }
}

const NOT_NOW = 'its status does not allow it'
const ARCHIVED = 'it is in the archive: bring it back first, by agentmall archive recall'
const NO_ADDRESS = 'no courier comes for it: say where the user sends it, by --return-address'

const needsAddress = (action: AftersaleAction, { given }: AftersaleRecord): boolean =>
  action === 'approve' && given.type === 'return_refund' && !given.pickup

/** A refund that an after-sale asked for is that one's to finish: the table refuses it here. */
function refundMove(status: Status | undefined): MoveName {
  if (status === 'paid' || status === 'merchant_accepted') return 'refund_unshipped'
  return status === 'completed' ? 'refund_completed' : 'finish_refund'
}

function aftersaleMove(action: AftersaleAction, type: AftersaleType): MoveName {
  const isReturn = type === 'return_refund'
  switch (action) {
    case 'approve': return isReturn ? 'approve_return' : 'approve_refund'
    case 'refund': return isReturn ? 'refund_returned' : 'refund_kept'
    case 'book-pickup': return 'book_pickup'
    case 'reject':
    case 'collect':
    case 'receive': return action
  }
}
