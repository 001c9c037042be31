/** What the answers about an after-sale tell the buyer to do, and when the money is due. */
import { describe, expect, test } from 'vitest'
import { createSecrets } from '../secrets/derive.ts'
import { openTwoNodes } from '../testing/own-shop.ts'
import { attemptAt, newBuyer, RECEIVER, SHOP_SECRET, supplyProduct } from '../testing/products.ts'
import type { AftersaleInput } from './aftersales.ts'
import { showOrder } from './view.ts'
import { createDriver } from './driver.ts'
import type { MoveName } from './states.ts'

const [shop] = await openTwoNodes()

async function delivered() {
  const product = await supplyProduct(shop.ledger)
  const buyer = newBuyer()
  const { order_no: orderNo } = await shop.orders.place(attemptAt(product), buyer)
  for (const name of ['pay', 'accept', 'ship', 'deliver'] as const) {
    const detail = shop.orders.driver.detail(name, orderNo)
    await shop.orders.move(name, orderNo, detail && { detail })
  }
  return { orderNo, buyer }
}

/** An after-sale on its way by what the sandbox's driver says. */
async function filed(wish: Partial<AftersaleInput>) {
  const { orderNo, buyer } = await delivered()
  const request = { order_no: orderNo, type: 'return_refund', reason_class: 'no_reason', ...wish }
  const answer = await shop.orders.requestAftersale(request as AftersaleInput, buyer)
  const id = answer.aftersale_id ?? ''
  const aftersale = {
    id, type: request.type as AftersaleInput['type'], hasPickup: wish.pickup !== false,
    refundAmount: answer.refund_amount,
  }
  return {
    answer,
    orderNo,
    buyer,
    async move(name: MoveName) {
      const detail = shop.orders.driver.detail(name, id)
      const { code } = await shop.orders.move(name, orderNo,
        { aftersale, ...(detail && { detail }) })
      expect(code).toBe('moved')
      const { aftersale: now } = await shop.orders.read(buyer.agent, orderNo)
      const [listed] = await shop.orders.aftersales(buyer.agent, orderNo)
      expect(listed).toMatchObject(now ?? {})
      return now
    },
    logistics: () => shop.orders.logistics(buyer.agent, orderNo),
  }
}

describe('a return with a door pickup', () => {
  test('says at each step what the buyer does, where to and when the money comes', async () => {
    const { answer, orderNo, buyer, move, logistics } = await filed({})
    expect(answer).toMatchObject({
      status: 'requested', pickup_waybill_no: null, refund_amount: 1990,
      next_step: expect.stringMatching(/Keep the goods/), refund_expected_at: expect.any(String),
    })
    expect(answer).not.toHaveProperty('return_address')

    const approved = await move('approve_return')
    expect(approved).toMatchObject({
      next_step: expect.stringMatching(/Pack the goods.*pays the courier ¥10\.00/),
      return_address: expect.stringContaining(answer.aftersale_id ?? '-'),
    })
    expect(await logistics()).not.toHaveProperty('return_parcel')

    const booked = await move('book_pickup')
    expect(booked).toMatchObject({
      pickup_waybill_no: expect.stringMatching(/^SX/),
      next_step: expect.stringMatching(/courier who comes for pickup_waybill_no/),
      return_address: approved?.return_address,
    })
    expect(Date.parse(booked?.refund_expected_at ?? '')).toBeGreaterThan(0)

    await move('collect')
    const { next_actions } = await shop.orders.read(buyer.agent, orderNo)
    expect(next_actions.map(({ tool }) => tool)).toEqual(['get_order_status', 'get_logistics'])
    expect(await logistics()).toMatchObject({ return_parcel: {
      waybill_no: booked?.pickup_waybill_no,
      traces: [{ context: '已预约上门取件' }, { context: '退货已寄出' }],
    } })

    const received = await move('receive')
    expect(received?.next_step).toMatch(/refunds ¥19\.90 next/)
    expect(received).not.toHaveProperty('return_address')
    const refunded = await move('refund_returned')
    expect(refunded?.next_step).toMatch(/¥19\.90 goes back the way it was paid/)
    expect(refunded).not.toHaveProperty('refund_expected_at')
  })

  test('tells nothing of the receiver but its mask', async () => {
    const { orderNo, buyer, move, logistics } = await filed({})
    await move('approve_return')
    await move('book_pickup')
    const told = JSON.stringify([await shop.orders.read(buyer.agent, orderNo),
      await shop.orders.aftersales(buyer.agent, orderNo), await logistics()])
    for (const secret of [RECEIVER.name, RECEIVER.phone, RECEIVER.address]) {
      expect(told).not.toContain(secret)
    }
  })
})

test('a buyer who sends the goods gets the address first, and later the waybill', async () => {
  const { move, logistics } = await filed({ pickup: false })
  expect(await move('approve_return')).toMatchObject({
    next_step: expect.stringMatching(/Send the goods to return_address/),
    return_address: expect.stringContaining('退货'), pickup_waybill_no: null,
  })
  expect(await move('collect')).toMatchObject({ pickup_waybill_no: null })
  expect(await logistics()).toMatchObject({
    return_parcel: { waybill_no: expect.stringMatching(/^SX/) },
  })
})

test('who keeps the goods sends nothing', async () => {
  const { answer, move } = await filed({ type: 'refund_only', reason_class: 'quality' })
  expect(answer.next_step).toMatch(/nothing is sent back/)
  const approved = await move('approve_refund')
  expect(approved?.next_step).toMatch(/the goods stay where they are, and ¥25\.90/)
  expect(approved).not.toHaveProperty('return_address')
})

test('where people are the merchant an answer has the steps, and no time', async () => {
  const { orderNo } = await filed({})
  const order = await showOrder(shop.ledger, createSecrets(SHOP_SECRET), orderNo)
  expect(order?.aftersales).toMatchObject([{ next_step: expect.any(String) }])
  expect(order?.aftersales[0]).not.toHaveProperty('refund_expected_at')
  const driver = createDriver({
    sandbox: false, sandboxStepMs: 1, sandboxCompleteMs: 1, completeMs: 1,
  })
  expect(driver.nextAftersale('requested', { type: 'return_refund', hasPickup: true }))
    .toBeUndefined()
})
