/** What the script guarantees by itself, whatever its callers take care of. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { ledger as keys } from '../redis/keys.ts'
import { openBooks } from '../testing/earnings-books.ts'
import { openOwnShop } from '../testing/own-shop.ts'
import { postEntries, type Legs, type Posting } from './books.ts'

const shop = await openOwnShop()

const posting = (legs: Legs): Posting => ({ id: `order:${randomUUID()}:test`, legs })

test('a posting is made once by its id, in one call and in two, without any record', async () => {
  const { account, balances } = openBooks(shop)
  const gift = posting({ platform: -5, pending: 5 })
  expect(await postEntries(shop, account, [gift, gift])).toEqual({ codes: ['posted', 'known'] })
  expect(await postEntries(shop, account, [gift])).toEqual({ codes: ['known'] })
  expect(await balances()).toMatchObject({ platform: -5, pending: 5 })
  expect(await shop.ledger.xlen(keys.entries(account, 'sandbox'))).toBe(1)
})

test('legs that do not sum to zero are not posted', async () => {
  const { account, balances } = openBooks(shop)
  for (const pending of [4, 6]) {
    await expect(postEntries(shop, account, [posting({ platform: -5, pending })]))
      .rejects.toThrow('legs do not sum to zero')
  }
  expect(await balances()).toMatchObject({ platform: 0, pending: 0 })
  expect(await shop.ledger.exists(keys.entries(account, 'sandbox'))).toBe(0)
})

test.each(['pending', 'confirmed', 'reserved', 'paid'] as const)(
  'no posting brings %s below zero, nor what others of its call leave', async (book) => {
    const { account, balances } = openBooks(shop)
    const [come, go] = [posting({ platform: -5, [book]: 5 }), posting({ [book]: -5, platform: 5 })]
    const oneMore = posting({ [book]: -1, platform: 1 })
    expect(await postEntries(shop, account, [oneMore])).toEqual({ codes: ['short'] })
    expect(await postEntries(shop, account, [come, go, oneMore])).toEqual(
      { codes: ['posted', 'posted', 'short'] })
    expect(await balances()).toMatchObject({ [book]: 0, platform: 0 })
  })

test('only what a payout needs is held to what is withdrawable: what is taken back is not',
  async () => {
    const { account, balances } = openBooks(shop)
    const payout = { ...posting({ withdrawable: -5, reserved: 5 }), isSolvent: true }
    expect(await postEntries(shop, account, [payout])).toEqual({ codes: ['short'] })
    expect(await postEntries(shop, account, [posting({ withdrawable: -5, platform: 5 })]))
      .toEqual({ codes: ['posted'] })
    expect(await balances()).toMatchObject({ withdrawable: -5, reserved: 0, platform: 5 })
  })

test.each(['closing', 'deleted'])('an owner who is %s posts nothing, orders still do',
  async (state) => {
    const { account, balances } = openBooks(shop)
    await shop.ledger.hset(keys.account(account), 'state', state)
    const gift = posting({ platform: -5, withdrawable: 5 })
    expect(await postEntries(shop, account, [{ ...gift, isOwned: true }]))
    .toEqual({ codes: ['closed'] })
    expect(await postEntries(shop, account, [gift])).toEqual({ codes: ['posted'] })
    expect(await balances()).toMatchObject({ withdrawable: 5 })
  })

test('a merged account lets go of what moves to where it went, and to nowhere else', async () => {
  const { account, balances } = openBooks(shop)
  await postEntries(shop, account, [posting({ platform: -5, pending: 5 })])
  await shop.ledger.hset(keys.account(account), 'merged_into', 'ac_1')
  const move = posting({ pending: -5, platform: 5 })
  for (const leaving of ['', 'ac_2']) {
    expect(await postEntries(shop, account, [move], leaving)).toEqual({ mergedInto: 'ac_1' })
  }
  expect(await balances()).toMatchObject({ pending: 5 })
  expect(await postEntries(shop, account, [move], 'ac_1')).toEqual({ codes: ['posted'] })
})
