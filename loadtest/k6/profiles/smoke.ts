/** Every operation of the table over REST, and every tool in both eras of MCP, in turn. */
import exec from 'k6/execution'
import { rest, rpc, tool, type Era } from '../call.ts'
import { arrivals, profileOptions, summaryWith } from '../options.ts'
import { plan } from '../plan.ts'

type Turn = (orderNo: string) => unknown

const operations = Object.values(plan.mix)
const tools = operations.filter(({ isTool }) => isTool)
const ERAS: readonly Era[] = ['handshake', 'modern']

/** Examples with an order's number mean the order that this run made. */
const changesFor = (input: object, orderNo: string): object =>
  ('order_no' in input ? { order_no: orderNo } : {})

/** Who has a key asks for none. */
const isForStrangers = (operation: string): boolean => operation === 'create_trial_key'

const turns: readonly Turn[] = [
  ...operations.map(({ operation, input, refusals }): Turn => (orderNo) =>
    rest(operation, changesFor(input, orderNo), {
      expect: refusals, ...(isForStrangers(operation) && { key: null }),
    })),
  ...ERAS.flatMap((era) => [
    (): unknown => rpc(era, 'tools/list'),
    ...tools.map(({ operation, input, refusals }): Turn => (orderNo) =>
      tool(era, operation, changesFor(input, orderNo), { expect: refusals })),
  ]),
]

export const options = profileOptions({
  // Time and users for each to have its turn, on the slowest machine.
  scenarios: {
    smoke: arrivals({
      exec: 'smoke', seconds: Math.max(plan.seconds, Math.ceil(turns.length / plan.rate) + 1),
      users: turns.length,
    }),
  },
  thresholds: { iterations: [`count>=${turns.length}`] },
  names: [
    ...operations.map(({ operation }) => operation), 'mcp tools/list',
    ...tools.map(({ operation }) => `mcp ${operation}`),
  ],
})

export const setup = (): string => rest('create_order').data.order_no as string

export function smoke(orderNo: string): void {
  turns[exec.scenario.iterationInTest % turns.length]?.(orderNo)
}

export const handleSummary = summaryWith()
