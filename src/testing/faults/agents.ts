/**
 * Random agents: each draws its next action from its own stream of chance and repeats what has no
 * known outcome. Beside them come one-time buyers at their own pace, whatever the service does, who
 * never repeat anything: what a failover took from them stays away.
 */
import { operations } from '../../operations/index.ts'
import type { Operation } from '../../contract/operation.ts'
import { insist as insisting, pauseFor, type Attempts } from './attempts.ts'
import type { Chance } from './chance.ts'
import { newDeed, type Aftersale, type Buyer, type Model, type Purchase } from './model.ts'
import type { Outcome } from './outcome.ts'
import type { Rules } from './rules.ts'

export interface Goods {
  readonly product_id: number
  readonly merchant_id: number
  readonly cap: number
}

export interface AgentPlan {
  readonly chance: Chance
  readonly buyer: Buyer
  /** Few and wanted by all. */
  readonly scarce: readonly Goods[]
  readonly plenty: readonly Goods[]
  readonly ports: readonly number[]
  readonly attempts: Attempts
  readonly model: Model
  readonly rules: Rules
  readonly isOver: () => boolean
  /** Whether it repeats what has no known outcome, as a good client does. */
  readonly insists: boolean
}

const operationOf = (name: string): Operation | undefined =>
  operations.find((operation) => operation.name === name && operation.handle)

const REMEMBERED = 30
const PAUSE_MS_MAX = 120
/** Few persons, so that they come to the end of what they may ask for. */
const USER_REFS = 3
const PHONES = ['13800000001', '13800000002']
const NEXT = {
  buy: 40, pay: 16, read: 12, cancel: 7, duplicate: 6, otherBody: 3, aftersale: 14, aftersales: 4,
  withdraw: 3, list: 3, preview: 2,
} as const
const TYPES = ['refund_only', 'return_refund'] as const
const REASONS = ['quality', 'not_as_described', 'no_reason', 'shipping_issue'] as const

export async function runAgent(plan: AgentPlan): Promise<void> {
  const { chance } = plan
  const actions = createActions(plan)
  const mine: Purchase[] = []
  while (!plan.isOver()) {
    const next = mine.length === 0 ? 'buy' : chance.weighted(NEXT)
    if (next === 'buy') {
      const purchase = await actions.buy()
      mine.push(purchase)
      if (mine.length > REMEMBERED) mine.shift()
      if (purchase.placed && chance.happens(0.55)) await actions.pay(purchase)
    } else {
      const purchase = chance.pick(mine)
      await actions[next](purchase)
    }
    await pauseFor(chance.integer(0, PAUSE_MS_MAX))
  }
  if (!plan.insists) return
  // A client that comes back finds out what became of most of its attempts.
  for (const purchase of mine) {
    if (!purchase.placed && purchase.deed.unknown > 0 && chance.happens(0.5)) {
      await actions.duplicate(purchase)
    }
  }
}

/** Between two of them; each pays within the payment window. */
const [ARRIVAL_MS_MIN, ARRIVAL_MS_MAX, THINKING_MS_MAX] = [40, 110, 2500]

export async function runOneTimeBuyers(
  plan: Omit<AgentPlan, 'chance' | 'buyer' | 'insists'> & {
    readonly buyers: readonly Buyer[], chanceOf(number: number): Chance,
  },
): Promise<void> {
  const open: Promise<void>[] = []
  for (let number = 0; !plan.isOver(); number += 1) {
    const chance = plan.chanceOf(number)
    const [arrival, thinking] =
      [chance.integer(ARRIVAL_MS_MIN, ARRIVAL_MS_MAX), chance.integer(0, THINKING_MS_MAX)]
    const actions = createActions({
      ...plan, chance, buyer: chance.pick(plan.buyers), scarce: plan.plenty, insists: false,
    })
    open.push((async () => {
      const purchase = await actions.buy()
      await pauseFor(thinking)
      await actions.pay(purchase)
    })())
    await pauseFor(arrival)
  }
  await Promise.all(open)
}

function createActions(plan: AgentPlan) {
  const { chance, buyer, attempts, model, rules, ports } = plan
  const insist: typeof insisting = (...given) => (plan.insists ? insisting(...given) : given[1]())
  const [create, read, cancel, list, preview, request, requests, takeBack] = ['create_order',
    'get_order_status', 'cancel_order', 'list_orders', 'preview_order', 'request_aftersale',
    'list_aftersales', 'cancel_aftersale'].map(operationOf)
  const via = (operation: Operation): 'rest' | 'mcp' =>
    (operation.tool !== false && chance.happens(0.5) ? 'mcp' : 'rest')

  const placing = (purchase: Purchase, port?: number, face?: 'rest' | 'mcp'): Promise<Outcome> =>
    attempts.operation(chance, {
      operation: create as Operation, via: face ?? via(create as Operation), purchase,
      input: purchase.input, deed: purchase.deed, ...(port !== undefined && { port }),
      hear: (outcome, known) => rules.placing(purchase, known, outcome),
    })

  /** A call about an order, where the service offers it. */
  async function about(
    purchase: Purchase, operation: Operation | undefined, input: object,
    hear: (typeof rules)['reading'], deed?: Purchase['deed'],
  ): Promise<void> {
    if (!operation || !purchase.placed) return
    const whole = { order_no: purchase.placed.order_no, ...input }
    await insist(chance, () => attempts.operation(chance, {
      operation, via: via(operation), input: whole, purchase, ...(deed && { deed }),
      hear: (outcome, known) => hear(purchase, known, outcome),
    }))
  }

  return {
    async buy(): Promise<Purchase> {
      const goods = chance.pick(chance.happens(0.45) ? plan.scarce : plan.plenty)
      const isNamed = chance.happens(0.5)
      const purchase = model.begin(buyer, {
        idempotency_key: chance.uuid(), merchant_id: goods.merchant_id,
        product_id: goods.product_id, qty: Math.min(chance.integer(1, 3), goods.cap),
        receiver: {
          name: '测试', phone: chance.pick(PHONES), province: '浙江省', city: '杭州市',
          district: '西湖区', address: '文三路1号',
        },
        ...(isNamed && { user_ref: `user-${chance.integer(1, USER_REFS)}` }),
      })
      if (chance.happens(0.2)) {
        const [one, other] = chance.shuffled(ports)
        await Promise.all([placing(purchase, one, 'rest'), placing(purchase, other ?? one, 'mcp')])
        if (purchase.placed) return purchase
      }
      await insist(chance, () => placing(purchase))
      return purchase
    },
    async duplicate(purchase: Purchase): Promise<void> {
      await insist(chance, () => placing(purchase))
    },
    async otherBody(purchase: Purchase): Promise<void> {
      if (!purchase.placed) return
      const input = { ...purchase.input, qty: purchase.input.qty + 1 }
      await insist(chance, () => attempts.operation(chance, {
        operation: create as Operation, via: via(create as Operation), input, purchase,
        hear: (outcome, known) => rules.otherBody(purchase, known, outcome),
      }))
    },
    async pay(purchase: Purchase): Promise<void> {
      const url = purchase.placed?.pay_url
      if (url === undefined) return
      const once = () => attempts.pay(chance, purchase, url,
        (outcome, known) => rules.paying(purchase, known, outcome))
      if (chance.happens(0.15)) await Promise.all([once(), once()])
      else await insist(chance, once)
    },
    cancel: (purchase: Purchase) =>
      about(purchase, cancel, { reason: '拍错了' }, rules.cancelling, purchase.cancel),
    read: (purchase: Purchase) => about(purchase, read, {}, rules.reading),
    aftersales: (purchase: Purchase) => about(purchase, requests, {}, rules.listingAftersales),
    withdraw: (purchase: Purchase) => about(purchase, takeBack, {}, rules.withdrawing),
    async aftersale(purchase: Purchase): Promise<void> {
      const key = chance.happens(0.6) ? chance.uuid() : undefined
      const input = {
        type: chance.pick(TYPES), reason_class: chance.pick(REASONS), pickup: chance.happens(0.5),
      }
      if (chance.happens(0.25)) {
        return await about(purchase, request, { ...input, preview: true }, rules.asking)
      }
      const known = purchase.aftersales.filter((one) => one.key !== undefined)
      const again = known.length > 0 && chance.happens(0.3) ? chance.pick(known) : undefined
      const filed: Aftersale = again ?? { key, input, deed: newDeed(), ids: new Set() }
      if (!again) purchase.aftersales.push(filed)
      await about(purchase, request,
        { ...filed.input, ...(filed.key && { idempotency_key: filed.key }) },
        (about, known, outcome) => rules.requesting(about, filed, known, outcome), filed.deed)
    },
    async list(purchase: Purchase): Promise<void> {
      if (!list) return
      const own = (orderNo: string): boolean => model.find(orderNo)?.buyer.agent === buyer.agent
      await attempts.operation(chance, {
        operation: list, via: 'rest', input: { limit: 50 }, purchase,
        hear: (outcome) => rules.listing(outcome, own),
      })
    },
    async preview(purchase: Purchase): Promise<void> {
      const { merchant_id, product_id, qty } = purchase.input
      if (!preview) return
      await attempts.operation(chance, {
        operation: preview, via: 'rest', purchase, input: { merchant_id, product_id, qty },
        hear: (outcome, known) => rules.previewing(purchase, known, outcome),
      })
    },
  }
}
