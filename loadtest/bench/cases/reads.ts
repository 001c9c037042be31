/** What a node answers from itself, against the least that the same HTTP server does. */
import type { Comparison, Contender, Group } from '../contender.ts'
import { acceptDetail, acceptPage, acceptStatus, httpLoad, type HttpLoad } from '../http-load.ts'
import { HELLO, startBareServer } from '../peers.ts'
import { send, withKeys, type HttpCall } from '../requests.ts'
import type { Stand } from '../stand.ts'
import { detailCall, rpcCall, searchCall } from '../workload/goods.ts'

const DETAILS = 5000
const SEARCHES = 300

/** Searches that find a full page: what people ask for again and again. */
export async function popularCalls(stand: Stand, count: number): Promise<HttpCall[]> {
  const calls: HttpCall[] = []
  const asked = new Set<string>()
  for (const { words: [brand = ''], category_id } of stand.lines) {
    if (calls.length === count) break
    const call = searchCall({ q: brand, category_id })
    if (asked.has(call.path)) continue
    asked.add(call.path)
    const [keyed] = withKeys([call], stand.apiKeys)
    const answer = await send(stand.node.port, keyed as HttpCall)
    try {
      acceptPage(stand.pageItems)(answer)
    } catch {
      continue
    }
    calls.push(call)
  }
  if (calls.length === 0) throw new Error('No search finds a full page: use more --items.')
  return calls
}

export async function reads(stand: Stand): Promise<Group> {
  const { node, lines } = stand
  const details = lines.slice(0, DETAILS).map(detailCall)
  const popular = await popularCalls(stand, SEARCHES)
  const page = (await send(node.port, withKeys(popular, stand.apiKeys)[0] as HttpCall)).text
  const [hello, bytes] = await Promise.all([startBareServer(HELLO), startBareServer(page)])
  stand.place('server', [hello.pid, bytes.pid])

  const load = (name: string, calls: HttpLoad['calls'], accept = acceptStatus(200)): Contender =>
    httpLoad(stand, { name, server: node, calls, accept, isKeyed: true })
  const bare = (name: string, server: typeof hello, calls: readonly HttpCall[]): Contender =>
    httpLoad(stand, { name, server, calls, accept: acceptStatus(200), isKeyed: true })
  const toolsList = rpcCall('tools/list', {})
  const options: HttpCall = {
    method: 'OPTIONS', path: '/v1/goods', headers: {
      'Origin': 'https://shop.example', 'Access-Control-Request-Method': 'GET',
    },
  }
  const against = (of: string, label: string, target?: number, limit = 'hello'): Comparison =>
    ({ label, of, against: limit, measure: 'rate', ...(target !== undefined && { target }) })
  return {
    name: 'reads',
    title: 'Answers from the node itself, against a bare uWebSockets hello',
    subject: 'server',
    contenders: [
      bare('hello', hello, details),
      bare('hello, a page\'s bytes', bytes, popular),
      load('healthz', [{ method: 'GET', path: '/healthz' }]),
      load('options', [options], acceptStatus(204)),
      load('tools/list', [toolsList]),
      load('one item', lines.slice(0, 1).map(detailCall), acceptDetail),
      load('many items', details, acceptDetail),
      load('search, seen', popular, acceptPage(stand.pageItems)),
    ],
    comparisons: [
      against('search, seen', '`GET /v1/goods?q=`, seen before, 20 items', 0.5),
      against('many items', `\`GET /v1/goods/:sku_id\`, ${DETAILS} items in turn`, 0.6),
      against('one item', '`GET /v1/goods/:sku_id`, one item'),
      against('search, seen', '`GET /v1/goods?q=`, seen, against a hello of as many bytes',
        undefined, 'hello, a page\'s bytes'),
      against('healthz', '`GET /healthz`'),
      against('options', '`OPTIONS`, a preflight'),
      against('tools/list', 'MCP `tools/list`'),
    ],
    close: async () => { await Promise.all([hello.stop(), bytes.stop()]) },
  }
}
