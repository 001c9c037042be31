/** The commands that a node sends to Redis, taken from the code that sends them. */
import type { Config } from '../../../src/config.ts'
import { listsOf } from '../../../src/goods/candidates.ts'
import type { GoodsQuery } from '../../../src/goods/request.ts'
import { readRequest } from '../../../src/goods/request.ts'
import { searchShelf } from '../../../src/goods/search.ts'
import type { Secrets } from '../../../src/secrets/derive.ts'
import { createLogger } from '../../../src/log.ts'
import { NO_CAPS } from '../../../src/orders/open-orders.ts'
import { createPayLinks } from '../../../src/orders/payment.ts'
import { createQuotes } from '../../../src/orders/quote.ts'
import { createPlacing, type Buyer, type PlaceInput } from '../../../src/orders/place.ts'
import { createSpending } from '../../../src/orders/spending.ts'
import type { Durable } from '../../../src/redis/durable.ts'
import type { Words } from './replay.ts'

/** The first FT.SEARCH of a search of own goods: for a kind, all goods of it. */
export async function searchCommand(query: GoodsQuery): Promise<Words> {
  let command: Words | undefined
  const shelf = {
    async callBuffer(...words: Words) {
      command ??= words
      return [0]
    },
  }
  await searchShelf(shelf as never, listsOf(shelf as never), readRequest('goods', query))
  if (!command) throw new Error(`A search of ${query.q} asks nothing; name goods in it.`)
  return command
}

const RECORDED = new Error('recorded')

export interface PlacingOptions {
  readonly secrets: Secrets
  readonly config: Config
}

/** Makes the script call that places an order, without the claim before it. */
export function orderCommands({ secrets, config }: PlacingOptions) {
  let command: Words = []
  let source = ''
  const durable = {
    async run(script, keys, args) {
      if (script.name === 'order-place') {
        command = ['EVALSHA', script.sha, ...script.operands(keys, args)]
        source = script.source
        throw RECORDED
      }
      // The claim is granted as it is asked for.
      const { fingerprint, id } = args as Record<string, string>
      return { fingerprint, id }
    },
    send: async () => null,
    read: async () => null,
    close: () => {},
  } as Durable
  const log = createLogger('silent')
  const place = createPlacing({
    durable, secrets, config, payments: createPayLinks(config, secrets),
    quotes: createQuotes(secrets), openOrders: NO_CAPS, isPlaced: async () => false,
    // Nobody limits these buyers, so it asks the ledger nothing.
    spending: createSpending({ ledger: undefined as never, durable, secrets, log }),
  })
  return async (input: PlaceInput, buyer: Buyer): Promise<{ command: Words, source: string }> => {
    await place(input, buyer).catch((error: Error) => {
      if (error !== RECORDED) throw error
    })
    return { command, source }
  }
}
