import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createSecrets } from '../secrets/derive.ts'
import { ledger as keys } from '../redis/keys.ts'
import { openShop, refusalOf, SHOP_SECRET } from '../testing/products.ts'
import { AFTERSALES_MAX, createPeople } from './aftersales.ts'

const shop = await openShop()
afterAll(() => shop.close())
const people = createPeople({ ...shop, secrets: createSecrets(SHOP_SECRET) })

/** Somebody who has this many after-sales in their window. */
async function personWith(count: number) {
  const person = randomUUID()
  const ids = Array.from({ length: count }, () => randomUUID())
  for (const id of ids) await people.reserve(person, id)
  return { person, ids }
}

test('an id that has its place keeps it when the window is full, and takes no second one',
  async () => {
    const { person, ids: [first = ''] } = await personWith(AFTERSALES_MAX)
    expect(await refusalOf(people.reserve(person, randomUUID()))).toMatchObject(
      { error: 'aftersale_quota', quota_left: 0 })
    expect(await people.reserve(person, first)).toMatchObject({ left: 0 })
    expect(await people.quota(person)).toMatchObject({ left: 0 })
  })

test('a place is free when nobody holds it any more, not before', async () => {
  const { person, ids: [first = ''] } = await personWith(AFTERSALES_MAX)
  await people.reserve(person, first)
  await people.release(person, first)
  expect(await people.quota(person)).toMatchObject({ left: 0 })
  await people.release(person, first)
  await people.release(person, first)
  expect(await people.quota(person)).toMatchObject({ left: 1 })
  expect(await people.reserve(person, randomUUID())).toMatchObject({ left: 0 })
})

test('a window closes as a whole: no later place keeps it open', async () => {
  const { person } = await personWith(1)
  await shop.ledger.pexpire(keys.human(person), 60_000)
  const closesAt = await shop.ledger.pexpiretime(keys.human(person))
  expect(await people.reserve(person, randomUUID())).toEqual({ left: 3, closesAt })
  expect(await people.quota(person)).toEqual({ left: 3, closesAt })
})
