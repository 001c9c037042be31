/** The shelf on three servers: one dead, hung, cut off; the primary lost, and another promoted. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createLogger } from '../log.ts'
import { measures } from '../measures.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { openPrimaryShelf } from '../redis/roles.ts'
import { ownLine } from '../testing/goods.ts'
import { startLedger, type OwnLedger } from '../testing/ledger.ts'
import { eventually } from '../testing/eventually.ts'
import { startShelf, type OwnShelf } from '../testing/shelf.ts'
import { createBoard } from './stock.ts'
import { createGoods } from './goods.ts'
import { importCatalogue } from './import.ts'
import { rebuildShelf, setDelisted } from './store.ts'

const WORDS = 60
const FIRST_ID = 700_000
const log = createLogger('silent')

let ledger: OwnLedger
beforeAll(async () => { ledger = await startLedger() })
afterAll(() => ledger.stop())

interface Page {
  readonly catalogue_version: number
  readonly items: readonly { item_id: string }[]
}

/** A primary and two replicas with a catalogue, and a node that reads them. */
async function openThree() {
  const primary = await startShelf()
  const replicas = await Promise.all([startShelf({ master: primary }),
    startShelf({ master: primary })])
  const all = [primary, ...replicas] as const
  onTestFinished(async () => { await Promise.all(all.map((server) => server.stop())) })
  const urls = { shelf: primary.url, shelfReplicas: replicas.map(({ url }) => url) }
  const ledgerClient = openRedis(ledger.url, log, 'bulk')
  await untilReady(ledgerClient, 'ledger')
  onTestFinished(() => ledgerClient.disconnect())

  /** As a command does it: on whichever server takes writes. */
  async function onPrimary<T>(
    work: (stores: Parameters<typeof importCatalogue>[0]) => Promise<T>,
  ): Promise<T> {
    const { shelf, close } = await openPrimaryShelf(urls, log, 'bulk')
    try {
      return await work({ shelf, ledger: ledgerClient })
    } finally {
      close()
    }
  }
  await onPrimary(async (stores) => {
    await importCatalogue(stores, Array.from({ length: WORDS }, (_, at) =>
      ownLine(FIRST_ID + at, { title: `云砾 保温杯 w${at}`, delisted: false })))
    // The ledger has a catalogue from the test before: only a rebuild makes a new shelf whole.
    await rebuildShelf(stores)
  })

  const clients = all.map(({ url }) => openRedis(url, log))
  const [first, ...others] = clients
  await Promise.all(clients.map((client) => untilReady(client, 'shelf')))
  const goods = await createGoods({
    shelf: first as (typeof clients)[number], replicas: others,
    board: createBoard(ledgerClient), publicUrl: 'https://mall.test', log, pollMs: 50,
  })
  onTestFinished(() => {
    goods.close()
    clients.forEach((client) => client.disconnect())
  })

  let word = 0
  /** What nobody asked for yet: it has to be found by one of the servers. */
  async function search(): Promise<Page> {
    const at = word
    word += 1
    const page = (await goods.shelfSearch({ q: `w${at % WORDS}`, price_max: 1_000_000 + at }))
      .toJSON() as Page
    expect(page.items.map((item) => item.item_id)).toEqual([`shelf:${FIRST_ID + at % WORDS}01`])
    return page
  }
  const searches = (count: number): Promise<Page[]> =>
    Promise.all(Array.from({ length: count }, () => search()))
  /** Resolves when that one answers searches. */
  const isAsked = async (server: OwnShelf): Promise<void> => {
    const before = await server.searches()
    await eventually(async () => {
      await searches(3)
      expect(await server.searches()).toBeGreaterThan(before)
    })
  }
  return {
    primary, replicas: replicas as [OwnShelf, OwnShelf], all, urls, goods, search, searches,
    isAsked, onPrimary,
  }
}

/** Another version of the catalogue, with the same answers to `search`. */
const change = (three: Awaited<ReturnType<typeof openThree>>): Promise<boolean> =>
  three.onPrimary(async (stores) => {
    await setDelisted(stores, FIRST_ID, true)
    return await setDelisted(stores, FIRST_ID, false)
  })

test('searches and items are spread over all that hold the catalogue', async () => {
  const three = await openThree()
  for (const server of three.all) await three.isAsked(server)
  expect([...measures.shelfLag.keys()].toSorted())
    .toEqual(three.replicas.map(({ name }) => name).toSorted())
  await eventually(() => {
    for (const lag of measures.shelfLag.values()) expect(lag).toBeLessThan(5)
  })
})

test('a replica that dies costs no answer', async () => {
  const three = await openThree()
  const [dying] = three.replicas
  await three.isAsked(dying)
  const answers = three.searches(12)
  dying.signal('SIGKILL')
  await expect(answers.then(() => 'answered')).resolves.toBe('answered')
  await three.searches(12)
  await three.isAsked(three.replicas[1])
})

test('a replica that hangs costs no answer, and is asked again when it is back', async () => {
  const three = await openThree()
  const [hung] = three.replicas
  await three.isAsked(hung)
  hung.signal('SIGSTOP')
  await three.searches(12)
  await eventually(() => expect(measures.shelfLag.get(hung.name)).toBeGreaterThan(1))
  await three.searches(12)
  hung.signal('SIGCONT')
  await three.isAsked(hung)
})

test('a replica that is behind is not asked, its lag is seen, and it comes back', async () => {
  const three = await openThree()
  const [cut, whole] = three.replicas
  await three.isAsked(cut)
  await cut.follow('nothing that answers')
  const { catalogue_version: before } = await three.search()
  await change(three)
  await eventually(async () =>
    expect((await three.search()).catalogue_version).toBe(before + 4))
  await three.isAsked(whole)
  const asked = await cut.searches()
  for (const page of await three.searches(12)) expect(page.catalogue_version).toBe(before + 4)
  expect(await cut.searches()).toBe(asked)
  await eventually(() => expect(measures.shelfLag.get(cut.name)).toBeGreaterThan(1))
  await cut.follow(three.primary)
  await three.isAsked(cut)
  await eventually(() => expect(measures.shelfLag.get(cut.name)).toBeLessThan(1))
})

test('with the primary lost reads go on, and a promoted replica takes its place', async () => {
  const three = await openThree()
  const [heir, other] = three.replicas
  const { catalogue_version: before } = await three.search()
  three.primary.signal('SIGKILL')
  await three.searches(12)
  await expect(three.onPrimary(async () => 'written'))
    .rejects.toThrow('No Redis of the shelf takes writes')
  expect((await three.goods.detail((FIRST_ID + 1) * 100 + 1)).toJSON())
    .toMatchObject({ product_id: FIRST_ID + 1 })

  await heir.follow('nobody')
  await other.follow(heir)
  await change(three)
  await eventually(async () =>
    expect((await three.search()).catalogue_version).toBe(before + 4))
  await three.isAsked(other)
})

test('an old primary that comes back after a promotion is neither read nor written', async () => {
  const three = await openThree()
  const [heir, other] = three.replicas
  const { catalogue_version: before } = await three.search()
  three.primary.signal('SIGSTOP')
  await heir.follow('nobody')
  await other.follow(heir)
  await change(three)
  await eventually(async () =>
    expect((await three.search()).catalogue_version).toBe(before + 4))
  three.primary.signal('SIGCONT')
  const asked = await eventually(() => three.primary.searches())
  await change(three)
  await eventually(async () =>
    expect((await three.search()).catalogue_version).toBe(before + 8))
  await three.searches(12)
  expect(await three.primary.searches()).toBe(asked)
})
