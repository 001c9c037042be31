/** "How to add an operation", followed to the letter: a declaration, and a place in the table. */
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import type { ApiKeys } from '../accounts/api-keys.ts'
import { readConfig } from '../config.ts'
import { createGate } from '../gate/gate.ts'
import type { Limits } from '../limits/limits.ts'
import { createRoutes } from '../start/routes.ts'
import { createLogger } from '../log.ts'
import type { NodeOperation } from '../operations/define.ts'
import { defineOperation } from '../operations/define.ts'
import { CLOSED, Fen, Optional, Text } from '../contract/fields.ts'
import { operations } from '../operations/index.ts'
import type { Services } from '../services.ts'
import { startListener } from './listener.ts'

const wrapGift = defineOperation({
  name: 'wrap_gift',
  title: 'Wrap a gift',
  description: 'Says what wrapping an item costs, in fen. To order it use create_order.',
  access: 'anyone',
  effect: 'read',
  route: 'POST /gifts/:gift_id/wrap',
  input: Type.Object({ gift_id: Text(20), ribbon: Optional(Text(20, 'Colour')) }, CLOSED),
  output: Type.Object({ gift_id: Text(20), price: Fen('In fen') }, CLOSED),
  fails: ['not_found'],
  example: { gift_id: 'g1', ribbon: 'red' },
  handle: ({ gift_id }) => Promise.resolve({ gift_id, price: 500 }),
})

async function startWithGift() {
  const log = createLogger('silent')
  const config = readConfig({ PORT: '8080' })
  const apiKeys = { lookup: () => Promise.resolve(undefined) } as unknown as ApiKeys
  const services = {
    config, log, apiKeys, orders: {}, earnings: {}, secrets: { signingKeys: [] },
  } as unknown as Services
  const free = () => ({ headers: [] })
  const limits = { admit: free, authFailed: free } as unknown as Limits
  const routes = createRoutes({
    services, limits, gate: createGate(services, limits), unready: () => Promise.resolve(undefined),
    operations: [...operations, wrapGift as NodeOperation],
  })
  const listener = await startListener({}, { routes })
  return `http://127.0.0.1:${listener.port}`
}

test('a new operation has its route, tool, OpenAPI entry and section, and nothing else changed',
  async () => {
    const url = await startWithGift()
    const post = async (path: string, body: object) => await (await fetch(`${url}${path}`, {
      method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' },
      // oxlint-disable-next-line typescript/no-explicit-any
    })).json() as any

    const rest = await post('/v1/gifts/g1/wrap', { ribbon: 'red' })
    expect(rest).toMatchObject({ schema: 'v1', code: 0, data: { gift_id: 'g1', price: 500 } })
    const bad = await post('/v1/gifts/g1/wrap', { bow: true })
    expect(bad.data.fields).toEqual([{ path: 'bow', problem: 'is not a known field' }])

    const rpc = { jsonrpc: '2.0', id: 1 }
    const { result: { tools } } = await post('/mcp', { ...rpc, method: 'tools/list', params: {} })
    expect(tools.at(-1)).toMatchObject({ name: 'wrap_gift', annotations: { readOnlyHint: true } })
    const { result } = await post('/mcp', {
      ...rpc, method: 'tools/call', params: { name: 'wrap_gift', arguments: { gift_id: 'g2' } },
    })
    expect(result.structuredContent).toEqual({ gift_id: 'g2', price: 500 })

    // oxlint-disable-next-line typescript/no-explicit-any
    const document = await (await fetch(`${url}/openapi.json`)).json() as any
    const described = document.paths['/gifts/{gift_id}/wrap'].post
    expect(described).toMatchObject({ operationId: 'wrap_gift', tags: ['Gifts'] })
    expect(Object.keys(described.responses)).toEqual(
      ['200', '400', '401', '404', '413', '415', '429', '500', '503'])
    expect(document.components.schemas.WrapGiftResult.properties.price)
      .toEqual({ $ref: '#/components/schemas/Fen', description: 'In fen' })

    const page = await (await fetch(`${url}/docs`)).text()
    expect(page).toContain('<h3 id="wrap_gift">Wrap a gift')
    expect(page).toContain('href="#wrap_gift"')
    expect(page).toContain('/v1/gifts/g1/wrap')
  })
