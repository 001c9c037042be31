/** What the form of a tool begins with, after other tools were tried. */
import { expect, test, vi } from 'vitest'
import { operations } from '../../../operations/index.ts'
import type { Tool } from '../types.ts'

// The page reads both when it loads.
vi.stubGlobal('navigator', { language: 'en' })
vi.stubGlobal('document', { documentElement: {} })

const tool = (name: string): Tool =>
  operations.find((one) => one.name === name) as unknown as Tool

test('a convert tool begins with an item that its mall sells, or with its example', async () => {
  const { firstValues, knownValues, rememberValues } = await import('./tool-calls.ts')
  const itemIdFor = (name: string): unknown =>
    firstValues(tool(name), knownValues.value).values['item_id']
  rememberValues({ items: [{ item_id: 'shelf:11', supply: 'mall_b' }] })
  rememberValues({ item_id: 'shelf:12', supply: 'own' })
  // As a smart search names it: nobody has said who sells it.
  rememberValues({ items: [{ item_id: 'shelf:13' }] })
  expect(itemIdFor('shelf_item')).toBe('shelf:13')
  expect(itemIdFor('cps_mallb_convert')).toBe('shelf:11')
  for (const name of ['cps_tpwd', 'cps_mallc_convert']) {
    expect(itemIdFor(name)).toBe(tool(name).example['item_id'])
  }
})
