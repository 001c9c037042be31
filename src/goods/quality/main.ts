/**
 * `npm run quality`: scores the labelled queries and prints the figures. It searches the shelf at
 * SHELF_URL, which must hold the generated catalogue of the same seed and size, else one that it
 * makes in a temporary folder and removes again.
 */
import { parseArgs } from 'node:util'
import { readConfig, shelfUrl } from '../../config.ts'
import { createLogger } from '../../log.ts'
import { openRedis, untilReady, type RedisClient } from '../../redis/connect.ts'
import { allFacts } from './facts.ts'
import { scoreQuery, type Score } from './measure.ts'
import { partOf, querySet } from './query-set.ts'
import { details, table } from './report.ts'
import { temporaryShelf } from './temporary-shelf.ts'

const { catalogItems, catalogSeed } = readConfig({})

const { values: options } = parseArgs({
  options: {
    items: { type: 'string', default: String(catalogItems) },
    seed: { type: 'string', default: catalogSeed },
    /** Scores the third that is set aside; it is not there to tune by. */
    aside: { type: 'boolean', default: false },
    /** Prints each query of the tuned part that scores below this. */
    below: { type: 'string' },
  },
})

const log = createLogger('warn')
const items = Number(options.items)
const print = (text: string): void => { process.stdout.write(`${text}\n`) }

async function score(shelf: RedisClient): Promise<void> {
  const facts = allFacts(options.seed, items)
  const queries = querySet(options.seed)
  for (const part of options.aside ? ['tuned', 'aside'] as const : ['tuned'] as const) {
    const scores: Score[] = []
    for (const query of queries.filter((one) => partOf(one) === part)) {
      scores.push(await scoreQuery(shelf, facts, query))
    }
    if (part === 'tuned' && options.below) print(details(scores, Number(options.below)))
    print(table(`${part}, ${items} items`, scores))
  }
}

const url = shelfUrl()
if (url) {
  const shelf = openRedis(url, log, 'bulk')
  await untilReady(shelf, 'shelf')
  await score(shelf).finally(() => shelf.disconnect())
} else {
  const shelf = await temporaryShelf({ items, seed: options.seed, log })
  await score(shelf.client).finally(() => shelf.close())
}
