/** What an agent reads before it chooses a tool: short enough, and enough to choose well. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { createTools, toTool } from '../mcp/tools.ts'
import { operations } from './index.ts'

const TOKENS_MAX = 6000

const tools = operations.filter(({ tool }) => tool !== false)
const names = operations.map(({ name }) => name)
const tokensOf = (value: unknown): number => encode(JSON.stringify(value)).length

test(`tools/list is at most ${TOKENS_MAX} tokens`, () => {
  const tokens = encode(createTools(operations).list.toString()).length
  const largest = tools.map((tool) => ({ name: tool.name, tokens: tokensOf(toTool(tool)) }))
    .toSorted((a, b) => b.tokens - a.tokens).slice(0, 5)
    .map(({ name, tokens }) => `${name} ${tokens}`).join(', ')
  expect(tokens, `${tokens} tokens; the largest are ${largest}`).toBeLessThanOrEqual(TOKENS_MAX)
})

/** Only for what comes next, a sibling's name says nothing about when not to use this tool. */
const withoutNext = (text: string): string =>
  text.replaceAll(/(?:Next:|Then |poll )[^.]*\./g, '')

test.each(tools)('$name: says which other tool to use instead, and when', (operation) => {
  const { name, description } = operation
  const siblings = names.filter((other) =>
    other !== name && new RegExp(`\\b${other}\\b`).test(withoutNext(description)))
  expect(siblings, description).not.toEqual([])
})

const MONEY = /"(\w*price\w*|\w*amount|commission|freight|list_price|payable|budget_\w+)":\{/
test.each(tools)('$name: says fen where money goes in or comes out', (operation) => {
  const { description, input, output } = operation
  const hasMoney = MONEY.test(JSON.stringify([input, output]))
  expect(!hasMoney || /\bfen\b/.test(description)).toBe(true)
})

test.each(tools)('$name: names no tool that does not exist', ({ description }) => {
  const said = description.match(/\b(?:cps|shelf|search|get|create|request)_[a-z_]+/g) ?? []
  expect(said.filter((word) => !names.includes(word))).toEqual([])
})

/** What a person says, the tool that fits, and the words in it by which an agent finds it. */
test.each([
  ['find me a cheap thermos under 100 yuan', 'cps_smart_search', /find me a.*budget/],
  ['compare these two', 'cps_compare', /compares 2 to 6.*which of these/],
  ['where is my parcel', 'get_logistics', /^where the parcel is/],
  ['has my order been paid', 'get_order_status', /is it paid/],
  ['I want to return it', 'request_aftersale', /returns or refunds/],
  ['a coupon for lunch delivery', 'cps_food_convert', /coupon link for food delivery/],
  ['the shop of that brand', 'cps_search_shops', /asks for a shop or a brand store/],
])('"%s" leads to %s', (_, name, words) => {
  const fitting = tools.filter(({ description }) => words.test(description.toLowerCase()))
  expect(fitting.map((tool) => tool.name)).toEqual([name])
})
