/** Every change of an order after its creation is one move of the state table, in one script. */
import { partitionOfOrder } from '../ids.ts'
import type { Durable } from '../redis/durable.ts'
import { channels, ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import type { MoveDetail, OrderDriver } from './driver.ts'
import { MOVES, type Move, type MoveName, type Status } from './states.ts'

const orderMove = defineScript('order-move',
  ['order', 'events', 'stock', 'unpaid', 'due', 'outbox'],
  ['order_no', 'move', 'from', 'to', 'event', 'window', 'returns', 'due_ms', 'detail', 'doorbell',
    'partition'],
  ([code, status, at]: [MoveCode, Status?, string?]) => ({
    code, ...(status && { status }), ...(at && { at: Number(at) }),
  }))

/** `done` repeats what was done before; the others changed nothing. */
export type MoveCode = 'moved' | 'done' | 'state' | 'expired' | 'early' | 'missing'

export interface MoveResult {
  readonly code: MoveCode
  readonly status?: Status
  /** When it was made, by Redis's clock. */
  readonly at?: number
}

export interface MoveOptions {
  /** Tells apart moves that an order may see more than once. */
  readonly id?: string
  readonly detail?: MoveDetail
}

export type MakeMove = (
  name: MoveName, orderNo: string, options?: MoveOptions,
) => Promise<MoveResult>

export function createMoves(
  { durable, driver }: { durable: Durable, driver: OrderDriver },
): MakeMove {
  return async function move(name, orderNo, { id, detail } = {}) {
    const partition = partitionOfOrder(orderNo)
    if (partition === undefined) return { code: 'missing' }
    const row: Move = MOVES[name]
    return await durable.run(orderMove, {
      order: keys.order(partition, orderNo),
      events: keys.events(partition, orderNo),
      stock: keys.stock(partition),
      unpaid: keys.unpaid(partition),
      due: keys.due(partition),
      outbox: keys.outbox(partition),
    }, {
      order_no: orderNo,
      move: id === undefined ? name : `${name}:${id}`,
      from: ` ${row.from.join(' ')} `,
      to: row.to ?? '',
      event: row.event ?? '',
      window: row.window ?? '',
      returns: row.stock === 'return' ? 1 : 0,
      due_ms: (row.to && driver.next(row.to)?.afterMs) ?? '',
      detail: detail ? JSON.stringify(detail) : '',
      doorbell: channels.doorbell,
      partition,
    })
  }
}
