/**
 * Random agents: each draws its next action from its own random numbers and repeats what has no
 * known outcome. Beside them come one-time buyers at their own pace, whatever the service does, who
 * never repeat anything: what a failover took from them stays away.
 */
import { operations } from '../../src/operations/index.ts'
import type { OperationSpec } from '../../src/contract/operation.ts'
import { type Attempts, insist, type Outcome, pauseFor } from './attempts.ts'
import type { Random } from './random.ts'
import {
  newAction, type Action, type Aftersale, type Buyer, type Model, type Purchase,
} from './model.ts'
import type { Known, Rules } from './rules.ts'

export interface Goods {
  readonly product_id: number
  readonly merchant_id: number
  readonly cap: number
}

interface AgentPlan {
  readonly random: Random
  readonly buyer: Buyer
  /** Few and wanted by all. */
  readonly scarce: readonly Goods[]
  readonly plenty: readonly Goods[]
  readonly ports: readonly number[]
  readonly attempts: Attempts
  readonly model: Model
  readonly rules: Rules
  readonly isOver: () => boolean
  readonly pace: { readonly factor: number }
  /** Whether it repeats what has no known outcome, as a good client does. */
  readonly insists: boolean
}

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
  const { random } = plan
  const actions = new AgentActions(plan)
  const mine: Purchase[] = []
  while (!plan.isOver()) {
    const next = mine.length === 0 ? 'buy' : random.weighted(NEXT)
    if (next === 'buy') {
      const purchase = await actions.buy()
      mine.push(purchase)
      if (mine.length > REMEMBERED) mine.shift()
      if (purchase.placed && random.happens(0.55)) await actions.pay(purchase)
    } else {
      const purchase = random.pick(mine)
      await actions[next](purchase)
    }
    await pauseFor(random.integer(0, PAUSE_MS_MAX) * plan.pace.factor)
  }
  if (!plan.insists) return
  // A client that comes back finds out what became of most of its attempts.
  for (const purchase of mine) {
    if (!purchase.placed && purchase.action.unknown > 0 && random.happens(0.5)) {
      await actions.duplicate(purchase)
    }
  }
}

/** Between two of them; each pays within the payment window. */
const [ARRIVAL_MS_MIN, ARRIVAL_MS_MAX, THINKING_MS_MAX] = [40, 110, 2500]

export async function runOneTimeBuyers(
  plan: Omit<AgentPlan, 'random' | 'buyer' | 'insists'> & {
    readonly buyers: readonly Buyer[], randomOf(number: number): Random,
  },
): Promise<void> {
  const open: Promise<void>[] = []
  for (let number = 0; !plan.isOver(); number += 1) {
    const random = plan.randomOf(number)
    const [arrival, thinking] =
      [random.integer(ARRIVAL_MS_MIN, ARRIVAL_MS_MAX), random.integer(0, THINKING_MS_MAX)]
    const actions = new AgentActions({
      ...plan, random, buyer: random.pick(plan.buyers), scarce: plan.plenty, insists: false,
    })
    open.push((async () => {
      const purchase = await actions.buy()
      await pauseFor(thinking)
      await actions.pay(purchase)
    })())
    await pauseFor(arrival * plan.pace.factor)
  }
  await Promise.all(open)
}

const operationNamed = (name: string): OperationSpec | undefined =>
  operations.find((operation) => operation.name === name)
const CREATE = operationNamed('create_order') as OperationSpec

/** What an agent can do, each followed by the check of every answer that it gets. */
class AgentActions {
  private readonly plan: AgentPlan

  constructor(plan: AgentPlan) {
    this.plan = plan
  }

  async buy(): Promise<Purchase> {
    const { random, ports, scarce, plenty } = this.plan
    const purchase = this.begin(random.pick(random.happens(0.45) ? scarce : plenty))
    if (random.happens(0.2)) {
      const [one, other] = random.shuffled(ports)
      await Promise.all([
        this.place(purchase, one, 'rest'), this.place(purchase, other ?? one, 'mcp'),
      ])
      if (purchase.placed) return purchase
    }
    await this.duplicate(purchase)
    return purchase
  }

  async duplicate(purchase: Purchase): Promise<void> {
    await this.insist(() => this.place(purchase))
  }

  async otherBody(purchase: Purchase): Promise<void> {
    if (!purchase.placed) return
    const { random, attempts, rules } = this.plan
    const input = { ...purchase.input, qty: purchase.input.qty + 1 }
    await this.insist(() => attempts.operation(random, {
      operation: CREATE, via: this.face(CREATE), input, purchase,
      onOutcome: (outcome, known) => rules.checkOtherBody(purchase, known, outcome),
    }))
  }

  async pay(purchase: Purchase): Promise<void> {
    const { random, attempts, rules } = this.plan
    const url = purchase.placed?.pay_url
    if (url === undefined) return
    const once = () => attempts.pay(random, purchase, url,
      (outcome, known) => rules.checkPaid(purchase, known, outcome))
    if (random.happens(0.15)) await Promise.all([once(), once()])
    else await this.insist(once)
  }

  cancel(purchase: Purchase): Promise<void> {
    return this.about(purchase, 'cancel_order', { reason: '拍错了' }, (known, outcome) =>
      this.plan.rules.checkCancelled(purchase, known, outcome), purchase.cancel)
  }

  read(purchase: Purchase): Promise<void> {
    return this.about(purchase, 'get_order_status', {}, (known, outcome) =>
      this.plan.rules.checkRead(purchase, known, outcome))
  }

  aftersales(purchase: Purchase): Promise<void> {
    return this.about(purchase, 'list_aftersales', {}, (known, outcome) =>
      this.plan.rules.checkAftersaleList(purchase, known, outcome))
  }

  withdraw(purchase: Purchase): Promise<void> {
    return this.about(purchase, 'cancel_aftersale', {}, (known, outcome) =>
      this.plan.rules.checkWithdrawn(purchase, known, outcome))
  }

  async aftersale(purchase: Purchase): Promise<void> {
    const { random, rules } = this.plan
    const key = random.happens(0.6) ? random.uuid() : undefined
    const input = {
      type: random.pick(TYPES), reason_class: random.pick(REASONS), pickup: random.happens(0.5),
    }
    if (random.happens(0.25)) {
      return await this.about(purchase, 'request_aftersale', { ...input, preview: true },
        (known, outcome) => rules.checkAftersalePreview(purchase, known, outcome))
    }
    const known = purchase.aftersales.filter((one) => one.key !== undefined)
    const again = known.length > 0 && random.happens(0.3) ? random.pick(known) : undefined
    const filed: Aftersale = again ?? { key, input, action: newAction(), ids: new Set() }
    if (!again) purchase.aftersales.push(filed)
    await this.about(purchase, 'request_aftersale',
      { ...filed.input, ...(filed.key && { idempotency_key: filed.key }) },
      (known, outcome) => rules.checkRequested(purchase, filed, known, outcome), filed.action)
  }

  async list(purchase: Purchase): Promise<void> {
    const { random, attempts, rules, model, buyer } = this.plan
    const operation = operationNamed('list_orders')
    if (!operation) return
    const own = (orderNo: string): boolean => model.find(orderNo)?.buyer.agent === buyer.agent
    await attempts.operation(random, {
      operation, via: 'rest', input: { limit: 50 }, purchase,
      onOutcome: (outcome) => rules.checkList(outcome, own),
    })
  }

  async preview(purchase: Purchase): Promise<void> {
    const { random, attempts, rules } = this.plan
    const { merchant_id, product_id, qty } = purchase.input
    const operation = operationNamed('preview_order')
    if (!operation) return
    await attempts.operation(random, {
      operation, via: 'rest', purchase, input: { merchant_id, product_id, qty },
      onOutcome: (outcome, known) => rules.checkPreviewed(purchase, known, outcome),
    })
  }

  private begin(goods: Goods): Purchase {
    const { random, model, buyer } = this.plan
    const isNamed = random.happens(0.5)
    return model.begin(buyer, {
      idempotency_key: random.uuid(), merchant_id: goods.merchant_id,
      product_id: goods.product_id, qty: Math.min(random.integer(1, 3), goods.cap),
      receiver: {
        name: '测试', phone: random.pick(PHONES), province: '浙江省', city: '杭州市',
        district: '西湖区', address: '文三路1号',
      },
      ...(isNamed && { user_ref: `user-${random.integer(1, USER_REFS)}` }),
    })
  }

  private place(purchase: Purchase, port?: number, face?: 'rest' | 'mcp'): Promise<Outcome> {
    const { random, attempts, rules } = this.plan
    return attempts.operation(random, {
      operation: CREATE, via: face ?? this.face(CREATE), purchase, input: purchase.input,
      action: purchase.action, ...(port !== undefined && { port }),
      onOutcome: (outcome, known) => rules.checkPlaced(purchase, known, outcome),
    })
  }

  /** A call about an order, where the service offers it. */
  private async about(
    purchase: Purchase, name: string, input: object,
    check: (known: Known, outcome: Outcome) => void, action?: Action,
  ): Promise<void> {
    const { random, attempts } = this.plan
    const operation = operationNamed(name)
    if (!operation || !purchase.placed) return
    const whole = { order_no: purchase.placed.order_no, ...input }
    await this.insist(() => attempts.operation(random, {
      operation, via: this.face(operation), input: whole, purchase, ...(action && { action }),
      onOutcome: (outcome, known) => check(known, outcome),
    }))
  }

  private insist(once: () => Promise<Outcome>): Promise<Outcome> {
    return this.plan.insists ? insist(this.plan.random, once) : once()
  }

  private face(operation: OperationSpec): 'rest' | 'mcp' {
    return operation.tool !== false && this.plan.random.happens(0.5) ? 'mcp' : 'rest'
  }
}
