/** The test's and the sandbox's commands over HTTP, for a simulator in another process. */
import type { ServerResponse } from 'node:http'
import { Type } from 'typebox'
import { fits } from '../check.ts'
import { sameText } from '../signing.ts'
import { FAULT_KINDS, type FaultKind } from './faults.ts'
import type { SimRequest, Simulator } from './frame.ts'
import { SIM_STATES, type SimState } from './orders.ts'

const isFault = fits(Type.Object({
  operation: Type.String(),
  kind: Type.Unsafe<FaultKind>({ type: 'string', enum: [...FAULT_KINDS] }),
  count: Type.Optional(Type.Integer({ minimum: 1 })),
  seconds: Type.Optional(Type.Integer({ minimum: 1 })),
}))
const isPurchase = fits(Type.Object({
  url: Type.String(), qty: Type.Optional(Type.Integer({ minimum: 1, maximum: 99 })),
}))
const isMove = fits(Type.Object({
  number: Type.Integer(), state: Type.Unsafe<SimState>({ type: 'string', enum: [...SIM_STATES] }),
}))

type Commands = Pick<Simulator, 'faults' | 'orders' | 'purchase' | 'token'>

export function answerAdmin(
  simulator: Commands, request: SimRequest, response: ServerResponse,
): Promise<void> {
  const allowed = request.method === 'POST'
    && sameText(String(request.headers['x-sim-token'] ?? ''), simulator.token)
  const result = allowed ? run(simulator, request.path, JSON.parse(request.body)) : undefined
  response.writeHead(result === undefined ? 403 : result === null ? 400 : 200,
    { 'content-type': 'application/json' }).end(JSON.stringify(result ?? {}))
  return Promise.resolve()
}

/** Null for a command that is not one. */
function run({ faults, orders, purchase }: Commands, path: string, body: unknown): object | null {
  if (path === '/_sim/heal') {
    faults.clear()
    return {}
  }
  if (path === '/_sim/fault' && isFault(body)) {
    faults.add(body.operation, body.kind, body.count, body.seconds)
    return {}
  }
  const order = path === '/_sim/purchase' && isPurchase(body) ? purchase(body.url, body.qty)
    : path === '/_sim/move' && isMove(body) ? orders.move(body.number, body.state) : null
  return order && { number: order.number, state: order.state }
}
