/** Tools over MCP, against the same over REST and against the official SDK with Express. */
import type { Contender, Group } from '../contender.ts'
import { acceptDetail, acceptPage, acceptTool, httpLoad, type HttpLoad } from '../http-load.ts'
import { startSdkServer } from '../peers.ts'
import { send, withKeys, type HttpCall } from '../requests.ts'
import type { Stand } from '../stand.ts'
import { detailCall, toolCall } from '../workload/goods.ts'
import { popularCalls } from './reads.ts'

const DETAILS = 5000
const SEARCHES = 300

export async function mcp(stand: Stand): Promise<Group> {
  const { node, lines, apiKeys } = stand
  const popular = await popularCalls(stand, SEARCHES)
  const items = lines.slice(0, DETAILS)
  const [first] = withKeys(popular, apiKeys)
  const { data } = JSON.parse((await send(node.port, first as HttpCall)).text) as { data: object }
  const sdk = await startSdkServer(data)
  stand.place('server', [sdk.pid])
  const searchTools = popular.map(({ path }) => {
    const query = new URL(path, 'http://127.0.0.1').searchParams
    return toolCall('search_goods', {
      q: query.get('q'), category_id: Number(query.get('category_id')),
    })
  })
  const peerCalls = [toolCall('search_goods', { q: '电热水壶', page_size: 20 })]
  const ours = (name: string, calls: readonly HttpCall[], accept: HttpLoad['accept']): Contender =>
    httpLoad(stand, { name, server: node, calls, accept, isKeyed: true })
  const [rate, target] = ['rate' as const, 0.85]
  return {
    name: 'mcp',
    title: 'MCP tools, against the same over REST and on the official SDK with Express',
    subject: 'server',
    contenders: [
      ours('search, REST', popular, acceptPage(stand.pageItems)),
      ours('search, MCP', searchTools, acceptTool),
      ours('detail, REST', items.map(detailCall), acceptDetail),
      ours('detail, MCP', items.map(({ sku_id }) => toolCall('get_goods_detail', { sku_id })),
        acceptTool),
      httpLoad(stand, { name: 'SDK and Express', server: sdk, calls: peerCalls, isKeyed: false,
        accept: acceptTool }),
    ],
    comparisons: [
      { label: '`tools/call search_goods`, seen, against REST', of: 'search, MCP',
        against: 'search, REST', measure: rate, target },
      { label: '`tools/call get_goods_detail` against REST', of: 'detail, MCP',
        against: 'detail, REST', measure: rate, target },
      { label: '`tools/call search_goods` against the same page on the SDK with Express',
        of: 'search, MCP', against: 'SDK and Express', measure: rate, target: 10 },
    ],
    close: () => sdk.stop(),
  }
}
